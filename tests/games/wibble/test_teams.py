"""Teams: partners share a score; if one leaves, the points stay and the partner plays on."""

import pytest

from app.games.game import IllegalMove
from app.games.wibble.moves import Add, Chain, Hint, Pass, Resign, Start, Suggest, Swap
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Board, State
from tests.games.playing import play
from tests.games.wibble.positions import AT, CAT, CATS, DOG, LETTERS, XX, found, pinned


def started(game: Wibble, seats: int = 4) -> State:
    """A game of teams on the board of known letters, without gems and bonuses."""
    state = play(game, game.start(pinned(game, mode="teams"), seats, "seed"), Start())
    return state.model_copy(update={"board": Board(letters=LETTERS)})


def after(game: Wibble, *words: tuple[int, ...] | None, seats: int = 4) -> State:
    """Play ``words`` in turn, each on the known board; None passes."""
    state = started(game, seats)
    for cells in words:
        state = play(game, state, Pass() if cells is None else Chain(cells=cells))
        state = state.model_copy(update={"board": Board(letters=LETTERS)})
    return state


@pytest.mark.parametrize("seats", [2, 3, 5, 7])
def test_teams_are_of_equal_size(wibble: Wibble, seats: int) -> None:
    with pytest.raises(IllegalMove, match=f"Teams is for 4 or 6 seats, not {seats}"):
        wibble.start(pinned(wibble, mode="teams"), seats, "seed")


def test_partners_share_a_score_and_the_win(wibble: Wibble) -> None:
    state = after(wibble, CAT, CATS, DOG, *[None] * 17)
    own = state.scores
    view, outcome = wibble.view(state, 0), wibble.outcome(state)
    assert outcome is not None
    assert (view.teams, view.team_scores) == (((0, 2), (1, 3)), (own[0] + own[2], own[1]))
    assert outcome.scores == (own[0] + own[2], own[1]) * 2
    assert outcome.side_scores == view.team_scores
    assert outcome.winners == (0, 2)
    assert [outcome.won(seat) for seat in range(4)] == [True, False, True, False]


def test_equal_scores_are_a_draw_of_all(wibble: Wibble) -> None:
    outcome = wibble.outcome(after(wibble, CAT, CAT, *[None] * 28, seats=6))
    assert outcome is not None
    assert (outcome.winners, outcome.is_decided) == (tuple(range(6)), False)


def test_the_partner_of_a_player_who_leaves_plays_on_with_their_points(wibble: Wibble) -> None:
    state = after(wibble, CATS, None)
    left = wibble.apply(state, 0, Resign(), AT)
    assert (left.to_move, wibble.outcome(left)) == (2, None)
    order = []
    while wibble.outcome(left) is None:
        order.append(left.to_move)
        left = play(wibble, left, Pass())
    assert order == [2, 3] + [1, 2, 3] * 4
    outcome = wibble.outcome(left)
    assert outcome is not None
    assert (outcome.scores[2], outcome.winners) == (state.scores[0], (2,))


def test_a_team_that_has_left_loses(wibble: Wibble) -> None:
    state = wibble.apply(after(wibble, None, CATS), 1, Resign(), AT)
    assert wibble.outcome(state) is None
    outcome = wibble.outcome(wibble.apply(state, 3, Resign(), AT))
    assert outcome is not None
    assert outcome.winners == (0, 2)


def test_a_hint_is_for_the_team_that_paid(wibble: Wibble) -> None:
    rich = started(wibble).model_copy(update={"gems": (4, 4, 4, 4)})
    hinted = play(wibble, rich, Hint())
    best = found(wibble, rich)[0].cells
    assert [wibble.view(hinted, seat).hint for seat in (0, 1, 2, 3, None)] == [best, None, best, None, None]
    assert hinted.gems == (0, 4, 4, 4), "gems are each player's own"


def test_a_partner_shows_a_word_to_the_team_alone(wibble: Wibble) -> None:
    state = started(wibble)
    shown = wibble.apply(state, 2, Suggest(cells=CATS), AT + 1)
    seen = [[one.word for one in wibble.view(shown, seat).suggestions] for seat in (0, 1, 2, 3, None)]
    assert seen == [["cats"], [], ["cats"], [], []]
    assert [wibble.view(shown, seat).suggestions_left for seat in (0, 1, 2, 3, None)] == [0, 0, 2, 0, 0]
    assert (shown.to_move, shown.scores, shown.turn_started_at) == (0, state.scores, state.turn_started_at)
    assert wibble.reveal(shown).suggestions == wibble.view(shown, 0).suggestions
    played = play(wibble, shown, Chain(cells=CATS))
    assert (played.scores[0], played.suggestions) == (shown.suggestions[0].points, ())


def test_a_word_shown_leaves_the_partners_move_valid(wibble: Wibble) -> None:
    state = play(wibble, started(wibble), Add(cell=CAT[0]))
    shown = wibble.apply(state, 2, Suggest(cells=DOG), AT)
    assert (shown.ply, wibble.unchanged_since(shown), shown.chain) == (state.ply + 1, state.ply, state.chain)
    added = play(wibble, shown, Add(cell=CAT[1]))
    assert wibble.unchanged_since(added) == added.ply
    assert added.suggestions == shown.suggestions


def test_the_latest_of_three_words_is_shown(wibble: Wibble) -> None:
    state = started(wibble)
    for cells in (CAT, CATS, DOG):
        state = wibble.apply(state, 2, Suggest(cells=cells), AT)
    assert [one.word for one in wibble.view(state, 0).suggestions] == ["dog"]
    with pytest.raises(IllegalMove, match="you have shown 3 words in this turn, the most allowed"):
        wibble.apply(state, 2, Suggest(cells=CAT), AT)
    swapped = play(wibble, state.model_copy(update={"gems": (9,) * 4}), Swap(cell=24, letter="a"))
    assert (swapped.suggestions, wibble.view(swapped, 2).suggestions_left) == ((), 0)
    again = play(wibble, play(wibble, state, Pass()), Pass())
    assert (again.to_move, wibble.view(again, 0).suggestions_left) == (2, 3)


@pytest.mark.parametrize(
    ("seat", "cells", "refusal"),
    [
        (0, CAT, "it is your turn: play the word instead of showing it"),
        (1, CAT, "show a word when a partner is on turn; it is the turn of seat 0"),
        (2, XX, "XX is not in the word list: show a word that counts"),
        (2, (0, 2), "cell 2 does not touch cell 0: each tile must touch the one before"),
        (2, (0, 1, 0), "cell 0 is in the chain already: each tile is used once"),
        (2, (25, 1), "cell 25 is not on the board: cells are 0 to 24"),
    ],
)
def test_a_word_that_cannot_be_shown(wibble: Wibble, seat: int, cells: tuple[int, ...], refusal: str) -> None:
    with pytest.raises(IllegalMove, match=refusal):
        wibble.apply(started(wibble), seat, Suggest(cells=cells), AT)


def test_without_teams_a_suggestion_is_refused(wibble: Wibble) -> None:
    state = play(wibble, wibble.start(pinned(wibble, mode="versus"), 2, "seed"), Start())
    with pytest.raises(IllegalMove, match="Versus has no partners to show a word to"):
        wibble.apply(state, 1, Suggest(cells=CAT), AT)
