"""A Boggle board: rows of letters."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.grid import LONGEST_SIDE, SHORTEST_SIDE, Grid, grid, letter_numbers
from app.grammar import format_count, plural
from app.words.letters import ALPHABET

_SIZE: Final = re.compile(r"\s*(\d{1,3})\s*(?:x\s*(\d{1,3})\s*)?", re.IGNORECASE)
_BETWEEN_ROWS: Final = re.compile(r"[\s,/|]+")


@dataclass(frozen=True, slots=True)
class Board:
    """Letters a to z, row by row; ``q`` is the plain letter or the ``Qu`` face, depending on the solver.

    Raises ValueError, naming row and column, unless there are 2 to 8 rows of 2 to 8 letters, of equal length.
    """

    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        if not SHORTEST_SIDE <= len(self.rows) <= LONGEST_SIDE:
            raise ValueError(
                f"a board has {SHORTEST_SIDE} to {LONGEST_SIDE} rows, this one has {len(self.rows)}"
            )
        for number, row in enumerate(self.rows, start=1):
            for column, letter in enumerate(row, start=1):
                if letter not in ALPHABET:
                    raise ValueError(
                        f"row {number}, column {column} holds {letter!r}: a cell is one letter, a to z"
                    )
            if not SHORTEST_SIDE <= len(row) <= LONGEST_SIDE:
                raise ValueError(
                    f"row {number} has {format_count(len(row), 'letter')}: "
                    f"a row has {SHORTEST_SIDE} to {LONGEST_SIDE}"
                )
            if len(row) != len(self.rows[0]):
                raise ValueError(
                    f"row {number} has {format_count(len(row), 'letter')}, row 1 has {len(self.rows[0])}: "
                    "all rows have the same length"
                )

    @classmethod
    def of(cls, letters: str, columns: int) -> "Board":
        """Return the board of these letters, row by row. Raises ValueError like the class."""
        return cls(tuple(letters[start : start + columns] for start in range(0, len(letters), columns)))

    @property
    def letters(self) -> str:
        """All letters, row by row: cell ``i`` is row ``i // columns``, column ``i % columns``."""
        return "".join(self.rows)

    @property
    def grid(self) -> Grid:
        """The geometry of the board."""
        return grid(len(self.rows), len(self.rows[0]))

    @property
    def codes(self) -> NDArray[np.uint8]:
        """(cells,): the letters as numbers, 0 = a."""
        return letter_numbers(self.letters, self.grid).astype(np.uint8)


def parse_board(given: str | Sequence[str]) -> Board:
    """Parse a board from a text or a list of rows, in either case.

    Rows in a text are separated by spaces, line breaks, commas, slashes or bars; a text without separators is
    a square board. Raises ValueError like :class:`Board`, and if the letters do not make a square.
    """
    if not isinstance(given, str):
        return Board(tuple(row.strip().lower() for row in given))
    rows = _BETWEEN_ROWS.sub(" ", given).strip().lower().split(" ")
    if len(rows) > 1:
        return Board(tuple(rows))
    letters = len(rows[0])
    side = isqrt(letters)
    if side * side != letters or not SHORTEST_SIDE <= side <= LONGEST_SIDE:
        raise ValueError(
            f"{format_count(letters, 'letter')} {plural(letters, 'does', 'do')} not make a square of "
            f"{SHORTEST_SIDE}x{SHORTEST_SIDE} to "
            f"{LONGEST_SIDE}x{LONGEST_SIDE}: put a space between the rows of other boards"
        )
    return Board.of(rows[0], side)


def parse_size(size: str) -> Grid:
    """Parse ``4`` (a square) or ``4x5`` (four rows of five). Raises ValueError."""
    sides = _SIZE.fullmatch(size)
    if sides is None:
        raise ValueError(f"{size!r} is not a size; accepted: 4 (a square), or 4x5 (four rows of five)")
    rows = int(sides[1])
    return grid(rows, int(sides[2] or rows))
