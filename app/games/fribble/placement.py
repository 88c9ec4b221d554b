"""Placements: the tiles laid in a turn, and the words they form.

A placement consists only of squares and tiles, whatever notation it came from. The direction of the main word
follows from them; a single tile reads across if it forms a word across, else down.
"""

from typing import Annotated, NamedTuple, Self

from pydantic import Field, model_validator

from app.games.fribble.board import EMPTY, Board, square, tile_of
from app.games.fribble.layout import CELLS, CENTRE, SIDE
from app.games.fribble.tileset import RACK
from app.games.game import Frozen, IllegalMove
from app.grammar import format_count, there_are


class Placement(Frozen):
    """Tiles on squares, in ascending order of the squares."""

    cells: Annotated[tuple[Annotated[int, Field(ge=0, lt=CELLS)], ...], Field(min_length=1, max_length=RACK)]
    tiles: Annotated[str, Field(pattern="^[A-Za-z]+$")]
    """One letter per square: upper case a tile, lower case a blank used as the letter."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if len(self.tiles) != len(self.cells):
            raise ValueError(
                f"{there_are(len(self.tiles), 'tile')} for {format_count(len(self.cells), 'square')}"
            )
        for before, after in zip(self.cells, self.cells[1:], strict=False):
            if after <= before:
                raise ValueError(
                    f"{square(after)} comes after {square(before)}: squares must ascend, without repeats"
                )
        return self

    @property
    def used(self) -> str:
        """The tiles taken off the rack: ``?`` for a blank."""
        return "".join(map(tile_of, self.tiles))

    @property
    def laid(self) -> dict[int, str]:
        """The tile on each square."""
        return dict(zip(self.cells, self.tiles, strict=True))


class Line(NamedTuple):
    """A word on the board, with its squares."""

    cells: range
    text: str
    """The tile on each square: upper case a tile, lower case a blank."""

    @property
    def word(self) -> str:
        """The word in upper case."""
        return self.text.upper()

    @property
    def down(self) -> bool:
        """Whether it reads down."""
        return self.cells.step == SIDE


def lines(board: Board, placement: Placement) -> tuple[Line, ...]:
    """Return the words formed by the placement: the main word, then crossing words by square.

    Raises IllegalMove unless the tiles are on empty squares in one line without gaps, the first word covers
    the centre, and later words touch a tile. Words are not checked against a lexicon.
    """
    laid = placement.laid
    for index, cell in enumerate(placement.cells):
        if board.squares[cell] != EMPTY:
            raise IllegalMove(f"{square(cell)} is taken: {board.squares[cell].upper()} lies there", index)
    down = _reads_down(board, placement)
    main = board.run(placement.cells[0], down=down, laid=laid)
    for index, cell in enumerate(placement.cells):
        if cell not in main:
            raise IllegalMove("tiles must be in one row or column, without gaps", index)
    crossing = [board.run(cell, down=not down, laid=laid) for cell in placement.cells]
    found = tuple(_line(board, laid, run) for run in (main, *crossing) if len(run) > 1)
    if board.empty:
        if CENTRE not in laid:
            raise IllegalMove(f"the first word covers the centre, {square(CENTRE)}")
        if not found:
            raise IllegalMove("the first word has two letters or more")
    elif not found or sum(len(line.cells) for line in found) == len(placement.cells):
        raise IllegalMove("the tiles touch no other: join them to a word")
    return found


def words(board: Board, placement: Placement) -> tuple[str, ...]:
    """Like ``lines``, but only the words, in upper case. Raises IllegalMove."""
    return tuple(line.word for line in lines(board, placement))


def _reads_down(board: Board, placement: Placement) -> bool:
    first, last = placement.cells[0], placement.cells[-1]
    if first != last:
        return first // SIDE != last // SIDE
    return len(board.run(first, down=False)) == 1


def _line(board: Board, laid: dict[int, str], run: range) -> Line:
    return Line(run, "".join(laid.get(cell, board.squares[cell]) for cell in run))
