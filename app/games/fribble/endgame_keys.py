"""Zobrist keys of the positions of an endgame.

A. Zobrist, "A New Hashing Method with Application for Game Playing", University of Wisconsin, 1970.
"""

from functools import cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import FREE, POINTS, TILE
from app.games.fribble.layout import CELLS
from app.games.fribble.movegen import Squares
from app.games.fribble.rack_kernels import BLANK, KINDS
from app.games.fribble.tileset import RACK
from app.games.randomness import chances


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
    cells = np.flatnonzero(squares[TILE, :CELLS] != FREE)
    letters = squares[TILE, cells]
    tiles = letters + BLANK * (squares[POINTS, cells] != values[letters])
    return int(np.bitwise_xor.reduce(zobrist_keys()[0][cells, tiles]))
