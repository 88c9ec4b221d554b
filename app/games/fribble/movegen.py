"""All legal placements on a board, with their scores: what callers of the compiled search use.

A move here is the number that :mod:`app.games.fribble.kernels` describes; ``placement_of`` and
``number_of`` turn it into what the rules know, and back.
"""

from threading import local
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board import EMPTY, Board
from app.games.fribble.kernels import (
    BLANK,
    CELL_SHIFT,
    EXTENTS,
    FREE,
    KINDS,
    LINE_SHIFT,
    MOST_STARTS,
    POINTS,
    SQUARE_ROWS,
    STACK_ROWS,
    START_ROWS,
    TILE,
    TILE_BITS,
    compute_cross_sets,
    lay,
    number_ways,
    search,
)
from app.games.fribble.layout import CELLS, SIDE
from app.games.fribble.placement import Placement, lines
from app.games.fribble.presets import Preset
from app.games.fribble.tileset import RACK, TILES
from app.words.lexicon import Lexicon

MOST_MOVES: Final = 1 << 17
"""Room for moves: with two blanks there may be 80,000 and more."""

Squares = NDArray[np.int32]
"""(5, 450): a board as the kernels read it."""


class Rack:
    """Tiles in hand, and a number for each way to keep some of them.

    To keep nothing is 0; otherwise the ``strides`` of the tiles kept are added up.
    """

    def __init__(self, tiles: str | NDArray[np.int32]) -> None:
        """``tiles``: capitals and ``?``, seven at most; or, unchecked, how many there are of each kind (27).

        Raises ValueError for a text of anything else.
        """
        self.counts: Final = _counts(tiles) if isinstance(tiles, str) else tiles
        """(27,): how many of each kind of tile, in the order of TILES."""
        self.strides: Final = np.empty(len(TILES), np.int64)
        self.ways: Final = number_ways(self.counts, self.strides)
        """In how many ways some of the tiles can be kept, all and none of them included."""

    @property
    def tiles(self) -> str:
        """What it holds, in the order of TILES."""
        return self.kept(self.ways - 1)

    def kept(self, number: int) -> str:
        """The tiles of one way to keep some, in the order of TILES."""
        return "".join(
            kind * (number // int(stride) % (int(count) + 1) if count else 0)
            for kind, count, stride in zip(TILES, self.counts, self.strides, strict=True)
        )


class Moves(NamedTuple):
    """Placements, an entry each, in no order."""

    total: int
    """How many there are; if that is more than MOST_MOVES, some are missing here."""
    numbers: NDArray[np.int64]
    scores: NDArray[np.int16]
    kept: NDArray[np.int16]
    """What each keeps, as the rack numbers it."""


class _Workspace(local):
    """What a thread's searches write to."""

    def __init__(self) -> None:
        self.starts: Final = np.zeros((START_ROWS, MOST_STARTS), np.int64)
        self.stack: Final = np.zeros((STACK_ROWS, EXTENTS), np.int64)
        self.limits: Final = np.zeros((MOST_STARTS, EXTENTS, EXTENTS + 1), np.int64)
        self.moves: Final = np.zeros(MOST_MOVES, np.int64)
        self.scores: Final = np.zeros(MOST_MOVES, np.int16)
        self.kept: Final = np.zeros(MOST_MOVES, np.int16)


class MoveGenerator:
    """The moves of one preset with one lexicon; immutable, and shared between threads."""

    def __init__(self, lexicon: Lexicon, preset: Preset) -> None:
        self.gaddag: Final = lexicon.gaddag
        """As :func:`app.words.gaddag.build_gaddag` makes it."""
        self.bonus: Final = preset.bingo
        points = preset.tiles.points.astype(np.int32)
        self.values: Final = np.zeros(2 * BLANK, np.int32)
        """(64,): what each number of a tile counts."""
        self.values[: KINDS - 1] = points[: KINDS - 1]
        factors = preset.layout.letter_multipliers + 16 * preset.layout.word_multipliers.astype(np.int32)
        self.premiums: Final = _both_ways(factors)
        """(450,): what each square multiplies the letter by, and 16 times what it multiplies the word by."""
        self._workspace = _Workspace()

    def squares(self, board: Board) -> Squares:
        """The board with what its squares admit; its words may be any, also none of the lexicon's."""
        signs = np.frombuffer(board.squares.encode("ascii"), np.uint8).astype(np.int32)
        letters = np.where(signs == ord(EMPTY), FREE, (signs | 32) - ord("a"))
        points = np.where((letters != FREE) & (signs < ord("a")), self.values[letters], 0)
        result = np.zeros((SQUARE_ROWS, 2 * CELLS), np.int32)
        result[TILE] = _both_ways(letters)
        result[POINTS] = _both_ways(points)
        compute_cross_sets(self.gaddag, result)
        return result

    def lay(self, squares: Squares, move: int) -> None:
        """Lay the tiles of ``move`` on ``squares``, in place."""
        lay(self.gaddag, squares, self.values, move)

    def moves(self, squares: Squares, rack: Rack) -> Moves:
        """All there are; the arrays are the caller's to keep.

        On an empty board that is the same by rows and by columns these are the ones across.
        """
        room = self._workspace
        worths = np.zeros(rack.ways, np.int32)
        total = self._search(squares, rack, worths, only_best=False)
        written = slice(min(total, MOST_MOVES))
        return Moves(
            total, room.moves[written].copy(), room.scores[written].copy(), room.kept[written].copy()
        )

    def best(self, squares: Squares, rack: Rack, worths: NDArray[np.int32]) -> tuple[int, int, int] | None:
        """The move of the highest equity, its score, and what it keeps; None if there is no move.

        ``worths`` has, in thousandths of a point, what each way to keep some of the rack is worth. Of
        equals it is the move with the lowest number.
        """
        if not self._search(squares, rack, worths, only_best=True):
            return None
        room = self._workspace
        return int(room.moves[0]), int(room.scores[0]), int(room.kept[0])

    def _search(self, squares: Squares, rack: Rack, worths: NDArray[np.int32], *, only_best: bool) -> int:
        room = self._workspace
        return search(
            self.gaddag,
            squares,
            self.premiums,
            self.values,
            self.bonus,
            rack.counts,
            rack.strides,
            worths,
            room.starts,
            room.stack,
            room.limits,
            only_best,
            room.moves,
            room.scores,
            room.kept,
        )


def _counts(tiles: str) -> NDArray[np.int32]:
    if len(tiles) > RACK:
        raise ValueError(f"{tiles!r} has {len(tiles)} tiles: a rack has {RACK}")
    if unknown := [tile for tile in tiles if tile not in TILES]:
        raise ValueError(f"{unknown[0]!r} is no tile: tiles are A to Z and ? for a blank")
    return np.array([tiles.count(kind) for kind in TILES], np.int32)


def placement_of(move: int) -> Placement:
    """The tiles and squares of ``move``."""
    line, cells = move >> LINE_SHIFT, move >> CELL_SHIFT & ((1 << SIDE) - 1)
    places = [place for place in range(SIDE) if cells >> place & 1]
    return Placement(
        cells=tuple(SIDE * line + place if line < SIDE else SIDE * place + line - SIDE for place in places),
        tiles="".join(
            chr(ord("a" if move >> shift & BLANK else "A") + (move >> shift & (BLANK - 1)))
            for shift in range(0, TILE_BITS * len(places), TILE_BITS)
        ),
    )


def number_of(board: Board, placement: Placement) -> int:
    """The number under which the search finds ``placement``. Raises IllegalMove as ``lines`` does."""
    down = lines(board, placement)[0].down
    row, column = divmod(placement.cells[0], SIDE)
    number = (SIDE + column if down else row) << LINE_SHIFT
    for index, (cell, tile) in enumerate(zip(placement.cells, placement.tiles, strict=True)):
        letter = ord(tile.lower()) - ord("a") | (BLANK if tile.islower() else 0)
        number |= letter << TILE_BITS * index | 1 << CELL_SHIFT + (cell // SIDE if down else cell % SIDE)
    return number


def _both_ways(by_rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """A number for each square row by row, and then column by column."""
    return np.concatenate([by_rows, by_rows.reshape(SIDE, SIDE).T.reshape(-1)]).astype(np.int32)
