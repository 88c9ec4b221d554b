"""Zobrist keys of the positions of an endgame.

A. Zobrist, "A New Hashing Method with Application for Game Playing", University of Wisconsin, 1970.
"""

from functools import cache
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import FREE, POINTS, TILE
from app.games.fribble.layout import CELLS, SIDE
from app.games.fribble.movegen import Squares
from app.games.fribble.rack_kernels import BLANK, KINDS
from app.games.fribble.tileset import RACK
from app.games.randomness import chances

_OF_LINES: Final = 2 * BLANK - 1
"""A number that no tile has: its keys are those of lines."""


@cache
def zobrist_keys() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the Zobrist keys of tiles on squares, and of racks and scoreless turns."""
    squares, racks = (CELLS, 2 * BLANK), (3, KINDS, RACK + 1)
    halves = (chances("endgame keys", 2 * (prod(squares) + prod(racks))) * 2.0**32).astype(np.int64)
    keys = halves[::2] << 32 | halves[1::2]
    of_racks = keys[prod(squares) :].reshape(racks)
    of_racks[:2, :, 0] = 0
    return keys[: prod(squares)].reshape(squares), of_racks


def board_key(squares: Squares, values: NDArray[np.int32]) -> int:
    """Return the key of a board; ``values`` are the points of each kind of tile."""
    return int(np.bitwise_xor.reduce(_keys_of_squares(squares, values)))


def line_keys(squares: Squares, values: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the keys of a board's lines (30,): of the tiles on each, and of the line itself."""
    keys = _keys_of_squares(squares, values).reshape(SIDE, SIDE)
    of_tiles = np.concatenate([np.bitwise_xor.reduce(keys, axis) for axis in (1, 0)])
    return of_tiles ^ zobrist_keys()[0][: len(of_tiles), _OF_LINES]


def _keys_of_squares(squares: Squares, values: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the key of each square's tile; 0 for a free square."""
    letters = squares[TILE, :CELLS]
    tiles = letters + BLANK * (squares[POINTS, :CELLS] != values[letters])
    return np.where(letters == FREE, 0, zobrist_keys()[0][np.arange(CELLS), tiles])
