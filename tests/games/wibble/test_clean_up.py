"""The clean-up: which tiles are replaced, and by which."""

import pytest

from app.games.wibble.moves import Chain, Shuffle
from app.games.wibble.rules import Wibble
from app.games.wibble.state import State
from tests.games.playing import play
from tests.games.wibble.positions import LETTERS, PLANE, found, letters, on_known_board, started


def test_used_tiles_are_replaced_and_no_others(wibble: Wibble) -> None:
    before = on_known_board(wibble)
    after = play(wibble, before, Chain(cells=PLANE))
    kept = [cell for cell in range(25) if cell not in PLANE]
    assert [letters(after)[cell] for cell in kept] == [LETTERS[cell] for cell in kept]


def test_a_clean_up_leaves_enough_words(wibble: Wibble) -> None:
    for seed in range(20):
        state = started(wibble, seed=str(seed), min_words=60)
        assert wibble.solver.count(letters(state), 5) >= 60
        best = found(wibble, state)[0]
        state = play(wibble, state, Chain(cells=best.cells))
        assert wibble.solver.count(letters(state), 5) >= 60


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_boards_of_every_size_are_dealt(wibble: Wibble, size: int) -> None:
    assert len(letters(started(wibble, size=size))) == size * size


def test_the_same_seed_and_moves_deal_the_same_tiles(wibble: Wibble) -> None:
    def game(seed: str) -> State:
        state = started(wibble, "classic", seed)
        best = found(wibble, state)[0]
        return play(wibble, state, Shuffle(), Chain(cells=(0,)), Chain(cells=best.cells[:1]))

    assert game("one") == game("one")
    assert letters(game("one")) != letters(game("two"))
