"""Cells of a board by name: column letter and row number, from ``a1`` in the upper left."""

import re
from collections.abc import Sequence
from typing import Final

_CELL: Final = re.compile(r"([a-z])([0-9]+)")
_NUMBERED: Final = re.compile(r"\bcell ([0-9]+)")


def cell_name(cell: int, columns: int) -> str:
    """Return the name of a cell."""
    row, column = divmod(cell, columns)
    return f"{chr(ord('a') + column)}{row + 1}"


def path(cells: Sequence[int], columns: int) -> str:
    """Return the names of the cells in order: ``a1 b2 b3``."""
    return " ".join(cell_name(cell, columns) for cell in cells)


def cell_number(name: str, rows: int, columns: int) -> int:
    """Return the cell with this name. Raises ValueError naming the valid range."""
    match = _CELL.fullmatch(name)
    if match:
        row, column = int(match[2]) - 1, ord(match[1]) - ord("a")
        if column < columns and 0 <= row < rows:
            return row * columns + column
    last = cell_name(rows * columns - 1, columns)
    raise ValueError(f"{name} is not on the board: tiles are a1 to {last}")


def named_cells(typed: str, rows: int, columns: int) -> tuple[int, ...] | None:
    """Return the cells named in ``a1 b2 b3``; None if the text is not a list of cells.

    Raises ValueError for a cell that is not on the board.
    """
    names = typed.split()
    if not names or not all(map(_CELL.fullmatch, names)):
        return None
    return tuple(cell_number(name, rows, columns) for name in names)


def with_names(reason: str, columns: int) -> str:
    """Replace the cell numbers in an error message of the rules with cell names."""
    return _NUMBERED.sub(lambda match: cell_name(int(match[1]), columns), reason)
