"""Zen and Blitz: the end of the game and scoring."""

import pytest

from app.games.game import IllegalMove, OutOfTurn
from app.games.wibble.moves import Chain, Hint, Resign, Shuffle, Start, Swap, TimeUp
from app.games.wibble.rules import GRACE, Wibble
from tests.games.playing import play
from tests.games.wibble.positions import AT, CAT, DOG, best_word, on_known_board, result, started


def test_zen_goes_on_until_its_player_finishes(wibble: Wibble) -> None:
    state = started(wibble)
    for _ in range(7):
        state = best_word(wibble, state)
    assert wibble.outcome(state) is None
    ended = play(wibble, state, Resign())
    assert wibble.outcome(ended) is not None
    assert ended.scores == state.scores


def test_zen_hints_and_shuffles_are_free_and_there_are_no_swaps(wibble: Wibble) -> None:
    state = play(wibble, started(wibble), Hint(), Shuffle())
    with pytest.raises(IllegalMove, match="Zen has no swap"):
        play(wibble, state, Swap(cell=0, letter="q"))


def test_in_blitz_a_word_counts_once(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble, "blitz"), Chain(cells=CAT))
    state = state.model_copy(update={"board": on_known_board(wibble).board})
    again = play(wibble, state, Chain(cells=CAT))
    assert result(again) == "repeated"
    assert again.scores == state.scores
    assert again.board == state.board


def test_in_blitz_the_game_ends_when_time_is_up_and_not_before(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble, "blitz"), Chain(cells=CAT))
    bell = AT + 120
    with pytest.raises(IllegalMove, match="there is 1 second left"):
        play(wibble, state, TimeUp(), at=bell - 1)
    assert wibble.due(state, bell + GRACE) is None
    due = wibble.due(state, bell + GRACE + 0.1)
    assert due is not None
    assert (due.seat, due.move) == (0, TimeUp())
    ended = play(wibble, state, TimeUp(), at=bell)
    assert wibble.outcome(ended) is not None
    assert ended.scores == state.scores
    assert ended.reason == "time’s up"


def test_a_chain_released_in_time_may_arrive_a_little_late_but_no_later(wibble: Wibble) -> None:
    state = on_known_board(wibble, "blitz")
    assert play(wibble, state, Chain(cells=DOG), at=AT + 120 + GRACE).turns
    with pytest.raises(OutOfTurn, match="time is up"):
        play(wibble, state, Chain(cells=DOG), at=AT + 120 + GRACE + 0.1)


def test_the_board_is_hidden_until_the_clock_runs(wibble: Wibble) -> None:
    fresh = wibble.start(started(wibble, "blitz").options, 1, "seed")
    assert wibble.view(fresh, 0).tiles == ()
    with pytest.raises(OutOfTurn, match="start it first"):
        play(wibble, fresh, Chain(cells=CAT))
    with pytest.raises(OutOfTurn, match="started already"):
        play(wibble, started(wibble, "blitz"), Start())
