"""Input that the solver of Wibble refuses: invalid boards and searches."""

import numpy as np
import pytest

from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import Solver
from app.games.wibble.state import Board, Bonus
from app.words.lexicon import Lexicon

ONES = Scoring(values=(1,) * 26)
SOLVER = Solver(Lexicon.from_words(["cat", "dog"], "two"))


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (Board(letters="catd"), "4 letters for a board of 3x3: it takes 9"),
        (Board(letters="catdogCAT"), "cell 6 holds 'C'"),
        (Board(letters="catdogcat", gems=(9,)), "a gem is on cell 9: the board has cells 0 to 8"),
        (Board(letters="catdogcat", letter_bonus=Bonus(cell=-1, factor=2)), "letter bonus is on cell -1"),
        (Board(letters="catdogcat", word_bonus=Bonus(cell=99, factor=2)), "word bonus is on cell 99"),
        (Board(letters="catdogcat", word_bonus=Bonus(cell=0, factor=0)), "factor of the word bonus is 0"),
        (Board(letters="catdogcat", letter_bonus=Bonus(cell=0, factor=5000)), "must be from 1 to 1000"),
    ],
)
def test_wrong_boards_are_refused(board: Board, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        SOLVER.words(board, 3, ONES)
    with pytest.raises(ValueError, match=reason):
        SOLVER.best(board, 3, ONES)


@pytest.mark.parametrize("size", [1, 9])
def test_wrong_sizes_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="each side must be from 2 to 8"):
        SOLVER.count("a" * size * size, size)


@pytest.mark.parametrize(
    ("scoring", "reason"),
    [
        (Scoring(values=(1,) * 25), "25 letter values: it takes 26, a to z"),
        (Scoring(values=(1, -2) + (1,) * 24), "the value of b is -2: it must be from 0 to 1000"),
        (Scoring((1,) * 26, 6, -1), "the bonus for long words is -1: it must be from 0"),
    ],
)
def test_wrong_scorings_are_refused(scoring: Scoring, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        SOLVER.words(Board(letters="catdogcat"), 3, scoring)


@pytest.mark.parametrize("swaps", [-1, 4])
def test_wrong_numbers_of_swaps_are_refused(swaps: int) -> None:
    with pytest.raises(ValueError, match=f"{swaps} swaps: it must be from 0 to 3"):
        SOLVER.best(Board(letters="catdogcat"), 3, ONES, swaps)


def test_wrong_gem_values_are_refused() -> None:
    with pytest.raises(ValueError, match="has 2 numbers"):
        SOLVER.best_by_value(Board(letters="catdogcat", gems=(1,)), 3, ONES, [[0]])


def test_wrong_filters_are_refused() -> None:
    with pytest.raises(ValueError, match="the lexicon has 2 words"):
        SOLVER.words(Board(letters="catdogcat"), 3, ONES, np.ones(3, np.uint8))
