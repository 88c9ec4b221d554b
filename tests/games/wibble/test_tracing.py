"""A terminal finds the path of a word that the engine would find."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.wibble.scoring import Scoring, points
from app.games.wibble.solver import Solver
from app.games.wibble.state import Board, Bonus
from app.games.wibble.tracing import best_trace
from app.games.wibble.views import tile_views
from app.words.lexicon import Lexicon

SCORING = Scoring(tuple(range(1, 27)))


@pytest.fixture(scope="module")
def solver(lexicon: Lexicon) -> Solver:
    return Solver(lexicon)


@given(data=st.data(), size=st.integers(4, 7))
def test_the_path_is_worth_what_the_engines_is(solver: Solver, data: st.DataObject, size: int) -> None:
    cells = st.integers(0, size * size - 1)
    letters = data.draw(st.text("abc", min_size=size * size, max_size=size * size))
    board = Board(
        letters=letters,
        gems=tuple(sorted(data.draw(st.sets(cells, max_size=6)))),
        letter_bonus=data.draw(st.none() | st.builds(Bonus, cell=cells, factor=st.sampled_from([2, 3]))),
        word_bonus=data.draw(st.none() | st.builds(Bonus, cell=cells, factor=st.just(2))),
    )
    word = data.draw(st.text("abcd", min_size=1, max_size=5))
    best = solver.best_path(board, size, SCORING, word)
    traced = best_trace(tile_views(board, SCORING), size, word)
    assert (traced is None) == (best is None)
    if traced is not None and best is not None:
        assert "".join(letters[cell] for cell in traced) == word
        assert points(board, traced, SCORING) == best.points
        assert sum(cell in board.gems for cell in traced) == best.gems


def test_a_word_with_millions_of_paths_is_given_up() -> None:
    tiles = tile_views(Board(letters="a" * 49), SCORING)
    traced = best_trace(tiles, 7, "a" * 30)
    assert traced is not None
    assert len(set(traced)) == 30
