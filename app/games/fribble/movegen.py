"""Move generation: all legal placements on a board, with scores and leaves.

A move here is a number as described in :mod:`app.games.fribble.rack_kernels`; ``placement_of`` and
``number_of`` convert between it and the rules' Placement.
"""

from threading import local
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.anchor_kernels import ANCHOR_ROWS, MAX_ANCHORS
from app.games.fribble.best_move_kernels import search_best
from app.games.fribble.board import EMPTY, Board
from app.games.fribble.board_kernels import FREE, POINTS, SQUARE_ROWS, TILE, compute_cross_sets, lay
from app.games.fribble.layout import CELLS, SIDE
from app.games.fribble.movegen_kernels import STACK_ROWS, search
from app.games.fribble.placement import Placement, lines
from app.games.fribble.presets import Preset
from app.games.fribble.rack_kernels import BLANK, CELL_SHIFT, KINDS, LINE_SHIFT, TILE_BITS, number_leaves
from app.games.fribble.tileset import RACK, TILES
from app.words.anagrams import TILE_KEYS
from app.words.lexicon import Lexicon

MOST_MOVES: Final = 1 << 17
"""Capacity for moves: with two blanks there may be over 80,000."""

Squares = NDArray[np.int32]
"""(5, 450): a board in the kernels' layout."""


class Rack:
    """The tiles of a rack, with a number for each possible leave.

    A leave's number is the sum of the ``strides`` of its tiles; the empty leave is 0.
    """

    def __init__(self, tiles: str | NDArray[np.int32]) -> None:
        """``tiles``: up to seven capitals and ``?``; or, unchecked, the count of each kind (27).

        Raises ValueError for any other text.
        """
        self.counts: Final = _counts(tiles) if isinstance(tiles, str) else tiles
        """(27,): the count of each kind of tile, in the order of TILES."""
        self.strides: Final = np.empty(len(TILES), np.int64)
        self.leave_count: Final = number_leaves(self.counts, self.strides)
        """The number of possible leaves, including none and all of the tiles."""

    @property
    def tiles(self) -> str:
        """The tiles, in the order of TILES."""
        return self.kept(self.leave_count - 1)

    def kept(self, number: int) -> str:
        """Return the tiles of a leave, given its number, in the order of TILES."""
        return "".join(
            kind * (number // int(stride) % (int(count) + 1) if count else 0)
            for kind, count, stride in zip(TILES, self.counts, self.strides, strict=True)
        )


class Moves(NamedTuple):
    """Placements, one entry each, unordered."""

    total: int
    """The number of placements; if it exceeds MOST_MOVES, the arrays are incomplete."""
    numbers: NDArray[np.int64]
    scores: NDArray[np.int16]
    kept: NDArray[np.int16]
    """The number of each move's leave; see Rack."""


class _Workspace(local):
    """Scratch arrays, one set per thread."""

    def __init__(self) -> None:
        self.anchors: Final = np.zeros((ANCHOR_ROWS, MAX_ANCHORS), np.int64)
        self.stack: Final = np.zeros((STACK_ROWS, RACK + 1), np.int64)
        self.found: Final = np.zeros(3, np.int64)
        self.moves: Final = np.zeros(MOST_MOVES, np.int64)
        self.scores: Final = np.zeros(MOST_MOVES, np.int16)
        self.kept: Final = np.zeros(MOST_MOVES, np.int16)


class MoveGenerator:
    """Generates the moves of one preset over one lexicon. Immutable and thread-safe."""

    def __init__(self, lexicon: Lexicon, preset: Preset) -> None:
        self.gaddag: Final = lexicon.gaddag
        """See :func:`app.words.gaddag.build_gaddag`."""
        self.anagrams: Final = lexicon.anagrams
        """See :func:`app.words.anagrams.build_anagram_filter`."""
        self.bonus: Final = preset.bingo
        points = preset.tiles.points.astype(np.int32)
        self.values: Final = np.zeros(2 * BLANK, np.int32)
        """(64,): the points of each tile number; the first 27 are those of the kinds of tile."""
        self.values[: KINDS - 1] = points[: KINDS - 1]
        factors = preset.layout.letter_multipliers + 16 * preset.layout.word_multipliers.astype(np.int32)
        self.premiums: Final = _both_ways(factors)
        """(450,): the letter multiplier of each square, plus 16 times its word multiplier."""
        self.workspace: Final = _Workspace()
        """Scratch arrays for kernels: one set per thread, free between calls."""

    def squares(self, board: Board) -> Squares:
        """Return the board in the kernels' layout, with cross-sets. Its words need not be valid."""
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
        """Return all legal placements; the arrays belong to the caller.

        On an empty board with symmetric premium squares, only those across.
        """
        workspace = self.workspace
        leave_values = np.zeros(rack.leave_count, np.int32)
        total = self._search(squares, rack, leave_values, only_best=False)
        written = slice(min(total, MOST_MOVES))
        return Moves(
            total,
            workspace.moves[written].copy(),
            workspace.scores[written].copy(),
            workspace.kept[written].copy(),
        )

    def best(
        self, squares: Squares, rack: Rack, leave_values: NDArray[np.int32]
    ) -> tuple[int, int, int] | None:
        """Return the move of highest equity with its score and leave; None if there is no move.

        ``leave_values`` has the value of each leave of the rack, in thousandths of a point. Ties go to
        the move with the lowest number.
        """
        workspace = self.workspace
        if rack.counts[KINDS - 1] == 0:  # then finding all moves is faster than computing bounds
            if not self._search(squares, rack, leave_values, only_best=True):
                return None
            return int(workspace.moves[0]), int(workspace.scores[0]), int(workspace.kept[0])
        found = workspace.found
        if not search_best(
            self.gaddag,
            self.anagrams,
            TILE_KEYS,
            squares,
            self.premiums,
            self.values,
            self.bonus,
            rack.counts,
            rack.strides,
            leave_values,
            found,
        ):
            return None
        return int(found[0]), int(found[1]), int(found[2])

    def _search(
        self, squares: Squares, rack: Rack, leave_values: NDArray[np.int32], *, only_best: bool
    ) -> int:
        workspace = self.workspace
        return search(
            self.gaddag,
            squares,
            self.premiums,
            self.values,
            self.bonus,
            rack.counts,
            rack.strides,
            leave_values,
            workspace.anchors,
            workspace.stack,
            only_best,
            workspace.moves,
            workspace.scores,
            workspace.kept,
        )


def _counts(tiles: str) -> NDArray[np.int32]:
    if len(tiles) > RACK:
        raise ValueError(f"{tiles!r} has {len(tiles)} tiles: a rack has {RACK}")
    if unknown := [tile for tile in tiles if tile not in TILES]:
        raise ValueError(f"{unknown[0]!r} is not a tile: tiles are A to Z and ? for a blank")
    return np.array([tiles.count(kind) for kind in TILES], np.int32)


def placement_of(move: int) -> Placement:
    """Return the tiles and squares of ``move``."""
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
    """Return the move number of ``placement``. Raises IllegalMove like ``lines``."""
    down = lines(board, placement)[0].down
    row, column = divmod(placement.cells[0], SIDE)
    number = (SIDE + column if down else row) << LINE_SHIFT
    for index, (cell, tile) in enumerate(zip(placement.cells, placement.tiles, strict=True)):
        letter = ord(tile.lower()) - ord("a") | (BLANK if tile.islower() else 0)
        number |= letter << TILE_BITS * index | 1 << CELL_SHIFT + (cell // SIDE if down else cell % SIDE)
    return number


def _both_ways(by_rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return one number per square, by rows and then again by columns."""
    return np.concatenate([by_rows, by_rows.reshape(SIDE, SIDE).T.reshape(-1)]).astype(np.int32)
