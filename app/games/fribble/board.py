"""The board: the tiles on its squares."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Final, Self

from pydantic import AfterValidator

from app.games.fribble.layout import CELLS, CENTRE, SIDE
from app.games.fribble.tileset import BLANK
from app.games.game import Frozen
from app.grammar import format_count, there_are

EMPTY: Final = "."
COLUMNS: Final = "ABCDEFGHIJKLMNO"
"""Column names; rows are 1 to 15."""
_WORD: Final = re.compile(r"[^.]{2,}")


def square(cell: int) -> str:
    """Return a square's name for players: ``row 8, column H``."""
    row, column = divmod(cell, SIDE)
    return f"row {row + 1}, column {COLUMNS[column]}"


def tile_of(letter: str) -> str:
    """Return the tile that shows this letter on the board: ``?`` for lower case, which is a blank."""
    return BLANK if letter.islower() else letter


def _checked(rows: tuple[str, ...]) -> tuple[str, ...]:
    if len(rows) != SIDE:
        raise ValueError(f"{there_are(len(rows), 'row')}: a board has {SIDE}")
    for number, row in enumerate(rows):
        if len(row) != SIDE:
            raise ValueError(f"row {number + 1} has {format_count(len(row), 'square')}: a row has {SIDE}")
        for column, sign in enumerate(row):
            if sign != EMPTY and not (sign.isascii() and sign.isalpha()):
                raise ValueError(
                    f"{square(SIDE * number + column)} has {sign!r}; accepted: {EMPTY!r} for an empty "
                    "square, A to Z for a tile and a to z for a blank"
                )
    return rows


class Board(Frozen):
    """15 rows of 15 squares: ``.`` empty, upper case a tile, lower case a blank used as the letter.

    Validation errors name row and column. Words are not checked.
    """

    rows: Annotated[tuple[str, ...], AfterValidator(_checked)] = (EMPTY * SIDE,) * SIDE

    @classmethod
    def of(cls, squares: str) -> Self:
        """Return the board with these 225 squares, row by row."""
        return cls(rows=tuple(squares[start : start + SIDE] for start in range(0, len(squares), SIDE)))

    @cached_property
    def squares(self) -> str:
        """All 225 squares, row by row."""
        return "".join(self.rows)

    @property
    def empty(self) -> bool:
        """Whether there are no tiles on the board."""
        return self.squares == EMPTY * CELLS

    @property
    def tiles(self) -> str:
        """The tiles on the board, row by row, with ``?`` for a blank."""
        return "".join(map(tile_of, self.squares.replace(EMPTY, "")))

    def with_tiles(self, cells: Sequence[int], tiles: str) -> Self:
        """Return the board with these tiles added."""
        squares = list(self.squares)
        for cell, tile in zip(cells, tiles, strict=True):
            squares[cell] = tile
        return type(self).of("".join(squares))

    def without(self, cells: Sequence[int]) -> Self:
        """Return the board with these squares emptied."""
        return self.with_tiles(cells, EMPTY * len(cells))

    def run(self, cell: int, *, down: bool, laid: Mapping[int, str] | None = None) -> range:
        """Return the squares of the run of tiles through ``cell``, in its column if ``down``, else its row.

        ``laid`` are additional tiles; ``cell`` itself may be empty.
        """
        step = SIDE if down else 1
        low = cell % SIDE if down else cell - cell % SIDE
        high = low + step * (SIDE - 1)
        taken = laid or {}
        first = last = cell
        while first > low and (self.squares[first - step] != EMPTY or first - step in taken):
            first -= step
        while last < high and (self.squares[last + step] != EMPTY or last + step in taken):
            last += step
        return range(first, last + 1, step)


def words_on(rows: Sequence[str]) -> list[str]:
    """Return the words on a board with their coordinates, across before down: ``8D UNWIT``, ``H7 IT``."""
    across = [
        f"{number}{COLUMNS[word.start()]} {word[0].upper()}"
        for number, row in enumerate(rows, 1)
        for word in _WORD.finditer(row)
    ]
    columns = ("".join(signs) for signs in zip(*rows, strict=True))
    down = [
        f"{name}{word.start() + 1} {word[0].upper()}"
        for name, column in zip(COLUMNS, columns, strict=True)
        for word in _WORD.finditer(column)
    ]
    return across + down


def floating(board: Board) -> int | None:
    """Return the first square with a tile that is not connected to the centre, or None."""
    reached = {CENTRE} if board.squares[CENTRE] != EMPTY else set[int]()
    frontier = list(reached)
    while frontier:
        cell = frontier.pop()
        neighbours = (
            *(cell + step for step in (-SIDE, SIDE)),
            *(other for other in (cell - 1, cell + 1) if other // SIDE == cell // SIDE),
        )
        for neighbour in neighbours:
            if 0 <= neighbour < CELLS and board.squares[neighbour] != EMPTY and neighbour not in reached:
                reached.add(neighbour)
                frontier.append(neighbour)
    return next((cell for cell in range(CELLS) if board.squares[cell] != EMPTY and cell not in reached), None)
