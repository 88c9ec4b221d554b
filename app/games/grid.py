"""Geometry of a rectangular board of tiles; each tile has up to eight neighbours."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from app.grammar import format_count

SHORTEST_SIDE = 2
LONGEST_SIDE = 8
NO_CELL = -1


@dataclass(frozen=True)
class Grid:
    """A board of ``rows`` x ``columns``, 2x2 to 8x8.

    Cell ``i`` is row ``i // columns``, column ``i % columns``. Raises ValueError for sides out of range.
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if not all(SHORTEST_SIDE <= side <= LONGEST_SIDE for side in (self.rows, self.columns)):
            raise ValueError(
                f"a board of {self.rows}x{self.columns}: "
                f"each side must be from {SHORTEST_SIDE} to {LONGEST_SIDE}"
            )

    @property
    def cells(self) -> int:
        """The number of tiles."""
        return self.rows * self.columns

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """Per cell: its neighbours, ascending."""
        places = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        return tuple(
            tuple(
                cell
                for cell, (row, column) in enumerate(places)
                if max(abs(row - own_row), abs(column - own_column)) == 1
            )
            for own_row, own_column in places
        )

    def touch(self, first: int, second: int) -> bool:
        """Return whether two different cells are neighbours."""
        return second in self.neighbours[first]

    @cached_property
    def near(self) -> NDArray[np.int64]:
        """Eight entries per cell: its neighbours, padded with -1 at the edges."""
        rows = [[*row, *[NO_CELL] * (8 - len(row))] for row in self.neighbours]
        return np.array(rows, np.int64).reshape(-1)

    @cached_property
    def bits(self) -> NDArray[np.int64]:
        """Per cell: its bit in a mask of cells; cell 63 is the sign bit."""
        return (np.uint64(1) << np.arange(self.cells, dtype=np.uint64)).view(np.int64)

    @cached_property
    def masks(self) -> NDArray[np.int64]:
        """Per cell: the mask of its neighbours; then, last, the mask of all cells."""
        neighbours = [sum(1 << cell for cell in row) for row in self.neighbours]
        return np.array([*neighbours, (1 << self.cells) - 1], np.uint64).view(np.int64)

    @cached_property
    def frame(self) -> NDArray[np.int64]:
        """The board's constants for :func:`app.games.grid_kernels.neighbour_mask`.

        The number of columns, then masks: all cells, all but the first column, all but the last column, all
        but the last row.
        """
        all_cells = (1 << self.cells) - 1
        first_column = sum(1 << (row * self.columns) for row in range(self.rows))
        last_column = first_column << (self.columns - 1)
        masks = [all_cells, all_cells & ~first_column, all_cells & ~last_column, all_cells >> self.columns]
        return np.array([self.columns, *masks], np.uint64).view(np.int64)


@cache
def grid(rows: int, columns: int) -> Grid:
    """Return the shared Grid of this shape, so that its tables are built once."""
    return Grid(rows, columns)


def letter_numbers(letters: str, grid: Grid) -> NDArray[np.int64]:
    """Return each cell's letter as a number, 0 = a.

    Raises ValueError naming the cell without a letter, or the number of letters required.
    """
    if len(letters) != grid.cells:
        raise ValueError(
            f"{format_count(len(letters), 'letter')} for a board of {grid.rows}x{grid.columns}: "
            f"it takes {grid.cells}, row by row"
        )
    if not (letters.isascii() and letters.isalpha() and letters.islower()):
        cell, letter = next((cell, letter) for cell, letter in enumerate(letters) if not "a" <= letter <= "z")
        raise ValueError(f"cell {cell} holds {letter!r}: a letter must be one of a to z, lower case")
    return np.frombuffer(letters.encode(), np.uint8).astype(np.int64) - ord("a")
