"""A board as arrays, for the kernels."""

from functools import cached_property, lru_cache
from string import ascii_lowercase
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.grid import Grid, grid, letter_numbers
from app.games.grid_kernels import LONGEST_PATH, NO_LETTER
from app.games.wibble.levels import WALL
from app.games.wibble.scoring import Scoring
from app.games.wibble.state import Board, Bonus
from app.words.trie import ALPHABET_SIZE

LARGEST_NUMBER: Final = 1000
"""Upper bound of letter values, factors and bonuses, so that points fit in a machine integer."""
NEVER: Final = LONGEST_PATH + 1
"""Longer than any path."""


class Tiles:
    """A validated board with its scoring. A cell with WALL for a letter is on no path.

    Raises ValueError if letters, gems or bonuses do not match the size, or a number is out of range.
    """

    def __init__(self, board: Board, size: int, scoring: Scoring) -> None:
        self.grid: Final = grid(size, size)
        self.text: Final = board.letters
        self.letters: Final = numbers_of(board.letters, self.grid)
        self.values: Final = scoring.values
        self.value_of_letter: Final = _value_of_letter(scoring.values)
        self.long_word_length: Final = NEVER if scoring.long_word_length is None else scoring.long_word_length
        self.long_word_bonus: Final = _in_range(scoring.long_word_bonus, 0, "the bonus for long words")
        self.letter_bonus: Final = _checked(board.letter_bonus, self.grid, "the letter bonus")
        self.word_bonus: Final = _checked(board.word_bonus, self.grid, "the word bonus")

        self.cell_gems: Final = np.zeros(self.grid.cells, np.int64)
        for cell in board.gems:
            self.cell_gems[_on_board(cell, self.grid, "a gem")] = 1
        self.gems: Final = int(self.cell_gems.sum())
        self.walls: Final = self.letters == NO_LETTER if WALL in board.letters else None
        self.cell_points: Final = self.value_of_letter[self.letters % NO_LETTER]
        if self.letter_bonus:
            self.cell_points[self.letter_bonus.cell] *= self.letter_bonus.factor
        self.cell_factors: Final = np.ones(self.grid.cells, np.int64)
        if self.word_bonus:
            self.cell_factors[self.word_bonus.cell] = self.word_bonus.factor

    @cached_property
    def cells_of_letter(self) -> NDArray[np.int64]:
        """Per letter: the mask of its cells."""
        masks = np.zeros(NO_LETTER + 1, np.int64)
        np.bitwise_or.at(masks, self.letters, self.grid.bits)
        return masks[:ALPHABET_SIZE]

    @cached_property
    def neighbours(self) -> NDArray[np.int64]:
        """``Grid.masks`` without the walls."""
        if self.walls is None:
            return self.grid.masks
        walls: np.int64 = np.bitwise_or.reduce(self.grid.bits[self.walls])
        return np.asarray(self.grid.masks & ~walls, np.int64)

    @cached_property
    def bonuses(self) -> tuple[int, int, int, int]:
        """Mask and factor of the letter bonus, then of the word bonus; 0 and 1 for none."""
        return (*self._as_mask(self.letter_bonus), *self._as_mask(self.word_bonus))

    @cached_property
    def no_gem_value(self) -> NDArray[np.int64]:
        """0 for each number of gems, up to all on the board: gems have no value."""
        return np.zeros(self.gems + 1, np.int64)

    def _as_mask(self, bonus: Bonus | None) -> tuple[int, int]:
        return (int(self.grid.bits[bonus.cell]), bonus.factor) if bonus else (0, 1)


def numbers_of(letters: str, grid: Grid) -> NDArray[np.int64]:
    """Return each cell's letter as a number, 0 = a; NO_LETTER for a wall. Raises ValueError."""
    if WALL not in letters:
        return letter_numbers(letters, grid)
    numbers = letter_numbers(letters.replace(WALL, "a"), grid)
    numbers[[letter == WALL for letter in letters]] = NO_LETTER
    return numbers


@lru_cache(maxsize=64)
def _value_of_letter(values: tuple[int, ...]) -> NDArray[np.int64]:
    if len(values) != ALPHABET_SIZE:
        raise ValueError(f"{len(values)} letter values: it takes {ALPHABET_SIZE}, a to z")
    for letter, value in zip(ascii_lowercase, values, strict=True):
        _in_range(value, 0, f"the value of {letter}")
    array = np.array(values, np.int64)
    array.flags.writeable = False
    return array


def _checked(bonus: Bonus | None, grid: Grid, name: str) -> Bonus | None:
    if bonus:
        _on_board(bonus.cell, grid, name)
        _in_range(bonus.factor, 1, f"the factor of {name}")
    return bonus


def _on_board(cell: int, grid: Grid, name: str) -> int:
    if not 0 <= cell < grid.cells:
        raise ValueError(f"{name} is on cell {cell}: the board has cells 0 to {grid.cells - 1}")
    return cell


def _in_range(number: int, least: int, name: str) -> int:
    if not least <= number <= LARGEST_NUMBER:
        raise ValueError(f"{name} is {number}: it must be from {least} to {LARGEST_NUMBER}")
    return number
