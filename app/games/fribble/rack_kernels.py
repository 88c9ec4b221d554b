"""Tiles, racks and moves as numbers.

A tile on the rack is a six-bit number: its letter, plus BLANK for a blank used as the letter. A rack
is an array with the count of each of the KINDS of tile. A move is a 62-bit number: the line, the mask of the
squares filled in it (bit 0 is the first), and the tiles in the order of the squares. The lines are those of
:mod:`app.games.fribble.board_kernels`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.layout import SIDE
from app.games.fribble.tileset import RACK
from app.games.kernel import kernel

BLANK: Final = 32
"""The bit that marks a tile as a blank, and the shift of blanks in a set of tiles."""
TILE_BITS: Final = 6
CELL_SHIFT: Final = TILE_BITS * RACK
LINE_SHIFT: Final = CELL_SHIFT + SIDE
KINDS: Final = 27
"""Kinds of tile: 26 letters and, last, the blank."""
NATURAL: Final = (1 << BLANK) - 1
POINT: Final = 1000
"""Equities are in thousandths of a point."""
NO_LIMIT: Final = 1 << 40


@kernel("int64(int32[::1], int64[::1])")
def number_leaves(rack: NDArray[np.int32], strides: NDArray[np.int64]) -> int:
    """Write the stride of each kind of tile on the rack, and return the number of possible leaves."""
    leaves = 1
    for kind in range(KINDS):
        strides[kind] = 0
        if rack[kind] > 0:
            strides[kind] = leaves
            leaves *= int(rack[kind]) + 1
    return leaves


@kernel("void(int64, int32[::1])")
def spend(move: int, rack: NDArray[np.int32]) -> None:
    """Take the tiles of ``move`` off the rack."""
    cells = move >> CELL_SHIFT & ((1 << SIDE) - 1)
    while cells:
        cells &= cells - 1
        tile = move & (2 * BLANK - 1)
        move >>= TILE_BITS
        rack[KINDS - 1 if tile >= BLANK else tile] -= 1


@kernel("void(int64[::1], int64[::1], int64, int32[::1])")
def refill(bag: NDArray[np.int64], ends: NDArray[np.int64], seat: int, rack: NDArray[np.int32]) -> None:
    """Fill the rack from the bag: seat 0 from the front, ``ends[0]``, seat 1 from the back, ``ends[1]``."""
    held = 0
    for kind in range(KINDS):
        held += int(rack[kind])
    while held < RACK and ends[0] < ends[1]:
        if seat == 0:
            kind = bag[ends[0]]
            ends[0] += 1
        else:
            ends[1] -= 1
            kind = bag[ends[1]]
        rack[kind] += 1
        held += 1
