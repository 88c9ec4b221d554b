"""Teams: partners share a score; who leaves leaves the points, and the partner plays on."""

import pytest

from app.games.game import IllegalMove
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Board, Chain, Hint, Pass, Resign, Start, State
from tests.games.playing import play
from tests.games.wibble.positions import AT, CAT, CATS, DOG, LETTERS, found, pinned


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


def test_the_partner_of_who_leaves_plays_on_with_their_points(wibble: Wibble) -> None:
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
