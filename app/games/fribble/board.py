"""The board: which tile lies on which square."""

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
"""The names of the columns; rows are 1 to 15."""


def square(cell: int) -> str:
    """The name of a square for people: ``row 8, column H``."""
    row, column = divmod(cell, SIDE)
    return f"row {row + 1}, column {COLUMNS[column]}"


def tile_of(letter: str) -> str:
    """The tile that shows this letter on the board, as it is in the bag: a lower-case letter is a blank."""
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
                    f"{square(SIDE * number + column)} has {sign!r}: accepted are {EMPTY!r} for an empty "
                    "square, A to Z for a tile and a to z for a blank"
                )
    return rows


class Board(Frozen):
    """15 rows of 15 squares: ``.`` empty, upper case a tile, lower case a blank that stands for the letter.

    Pydantic refuses anything else with the row and column of the fault; words may be any.
    """

    rows: Annotated[tuple[str, ...], AfterValidator(_checked)] = (EMPTY * SIDE,) * SIDE

    @classmethod
    def of(cls, squares: str) -> Self:
        """The board of these 225 squares, row by row."""
        return cls(rows=tuple(squares[start : start + SIDE] for start in range(0, len(squares), SIDE)))

    @cached_property
    def squares(self) -> str:
        """All 225 squares row by row."""
        return "".join(self.rows)

    @property
    def empty(self) -> bool:
        """Whether no tile lies on it."""
        return self.squares == EMPTY * CELLS

    @property
    def tiles(self) -> str:
        """The tiles that lie on it, as they are in the bag, row by row."""
        return "".join(map(tile_of, self.squares.replace(EMPTY, "")))

    def with_tiles(self, cells: Sequence[int], tiles: str) -> Self:
        """The board with these tiles laid on these squares."""
        squares = list(self.squares)
        for cell, tile in zip(cells, tiles, strict=True):
            squares[cell] = tile
        return type(self).of("".join(squares))

    def without(self, cells: Sequence[int]) -> Self:
        """The board with nothing on these squares."""
        return self.with_tiles(cells, EMPTY * len(cells))

    def run(self, cell: int, *, down: bool, laid: Mapping[int, str] | None = None) -> range:
        """The squares of the row of tiles through ``cell``, or of the column with ``down``.

        ``laid`` are tiles laid besides; ``cell`` itself need not be taken.
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


def floating(board: Board) -> int | None:
    """The first square with a tile that does not hang together with the centre; None where all do."""
    reached = {CENTRE} if board.squares[CENTRE] != EMPTY else set[int]()
    frontier = list(reached)
    while frontier:
        cell = frontier.pop()
        cross_sum = (
            *(cell + step for step in (-SIDE, SIDE)),
            *(other for other in (cell - 1, cell + 1) if other // SIDE == cell // SIDE),
        )
        for other in cross_sum:
            if 0 <= other < CELLS and board.squares[other] != EMPTY and other not in reached:
                reached.add(other)
                frontier.append(other)
    return next((cell for cell in range(CELLS) if board.squares[cell] != EMPTY and cell not in reached), None)
