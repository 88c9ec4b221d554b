"""How a chain grows, backs up and is released."""

import pytest

from app.games.game import IllegalMove
from app.games.wibble.moves import Add, Back, Chain, Release
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Phase
from tests.games.playing import play
from tests.games.wibble.positions import CAT, XX, on_known_board, result


def test_tile_by_tile_and_all_at_once_are_the_same_word(wibble: Wibble) -> None:
    state = on_known_board(wibble)
    by_hand = play(wibble, state, Add(cell=0), Add(cell=1), Add(cell=2), Release())
    at_once = play(wibble, state, Chain(cells=CAT))
    assert [turn.word for turn in by_hand.turns] == [turn.word for turn in at_once.turns] == ["cat"]
    assert by_hand.scores == at_once.scores == (5,)  # C3 A1 T1


def test_going_back_to_the_second_to_last_tile_backs_up_one(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble), Add(cell=0), Add(cell=1), Add(cell=2), Add(cell=1))
    assert state.chain == (0, 1)
    assert state.phase is Phase.CHAINING


def test_going_back_further_than_one_tile_is_refused(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble), Add(cell=0), Add(cell=1), Add(cell=6))
    with pytest.raises(IllegalMove, match="cell 0 is in the chain already"):
        play(wibble, state, Add(cell=0))


def test_backing_up_from_the_only_tile_returns_to_idle(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble), Add(cell=0), Back())
    assert state.phase is Phase.IDLE
    assert state.chain == ()


def test_a_single_tile_is_dropped_silently(wibble: Wibble) -> None:
    state = on_known_board(wibble)
    dropped = play(wibble, state, Chain(cells=(12,)))
    assert result(dropped) == "dropped"
    assert (dropped.board, dropped.scores, dropped.turns) == (state.board, state.scores, state.turns)


def test_no_word_is_reported_costs_nothing_and_leaves_the_board(wibble: Wibble) -> None:
    state = on_known_board(wibble, "classic")
    missed = play(wibble, state, Chain(cells=XX))
    assert result(missed) == "not_a_word"
    assert missed.report is not None
    assert missed.report.word == "xx"
    assert (missed.board, missed.scores, missed.gems, missed.round) == (
        state.board,
        state.scores,
        state.gems,
        state.round,
    )
    assert missed.phase is Phase.IDLE


@pytest.mark.parametrize(
    ("cells", "index", "reason"),
    [
        ((0, 1, 0), 2, "already"),
        ((0, 1, 2, 1), 3, "already"),
        ((0, 2), 1, "does not touch"),
        ((4, 5), 1, "does not touch"),  # the row's end does not wrap round
        ((0, 25), 1, "not on the board"),
        ((-1,), 0, "not on the board"),
        (tuple(range(10_000)), 5, "does not touch"),
    ],
)
def test_a_malformed_chain_names_the_tile_at_fault(
    wibble: Wibble, cells: tuple[int, ...], index: int, reason: str
) -> None:
    with pytest.raises(IllegalMove, match=reason) as refused:
        play(wibble, on_known_board(wibble), Chain(cells=cells))
    assert refused.value.index == index


def test_a_complete_chain_replaces_an_unfinished_one(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble), Add(cell=24), Add(cell=23), Chain(cells=CAT))
    assert [turn.word for turn in state.turns] == ["cat"]
