"""The transposition table of the endgame search.

An entry has the bounds of the last search and its depth, the proven bounds, and the best move.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame_move_kernels import (
    ALPHA,
    BEST,
    BETA,
    DEPTH,
    HINT,
    INFINITE,
    KEY,
    NO_MOVE,
    ROOT,
    VALUE,
)
from app.games.kernel import inlined

# The columns of the table.
ENTRY_KEY, ENTRY_BOUNDS, ENTRY_PROVEN, ENTRY_BEST = range(4)
ENTRY_COLUMNS: Final = 4
_BOUND_BITS: Final = 16
_BOUND_MASK: Final = (1 << _BOUND_BITS) - 1


@inlined
def look_up(table: NDArray[np.int64], plies: NDArray[np.int64], ply: int, column: int) -> bool:
    """Return whether a column of bounds settles the position; VALUE and BEST are then set.

    Otherwise HINT is the best move of an earlier search, if there was one. The table never settles the root:
    its bounds may come from several searches, and the move stored last need not reach the value.
    """
    key = plies[ply, KEY]
    slot = key & (len(table) - 1)
    plies[ply, HINT] = NO_MOVE
    if table[slot, ENTRY_KEY] != key:
        return False
    plies[ply, HINT] = table[slot, ENTRY_BEST]
    bounds = table[slot, column]
    if ply == ROOT or (column == ENTRY_BOUNDS and bounds >> 2 * _BOUND_BITS != plies[ply, DEPTH]):
        return False
    low = (bounds & _BOUND_MASK) - INFINITE
    high = (bounds >> _BOUND_BITS & _BOUND_MASK) - INFINITE
    if low == high or low >= plies[ply, BETA]:
        plies[ply, VALUE] = low
    elif high <= plies[ply, ALPHA]:
        plies[ply, VALUE] = high
    else:
        return False
    plies[ply, BEST] = table[slot, ENTRY_BEST]
    return True


@inlined
def remember(
    table: NDArray[np.int64], plies: NDArray[np.int64], ply: int, result: int, result_exact: int
) -> None:
    """Store the result of a position: a bound if it is outside the window."""
    low = result if result > plies[ply, ALPHA] else -INFINITE
    high = result if result < plies[ply, BETA] else INFINITE
    slot = plies[ply, KEY] & (len(table) - 1)
    bounds = high + INFINITE << _BOUND_BITS | low + INFINITE
    if table[slot, ENTRY_KEY] != plies[ply, KEY]:
        table[slot, ENTRY_KEY] = plies[ply, KEY]
        table[slot, ENTRY_PROVEN] = 2 * INFINITE << _BOUND_BITS
    table[slot, ENTRY_BOUNDS] = plies[ply, DEPTH] << 2 * _BOUND_BITS | bounds
    if result_exact:
        proven = table[slot, ENTRY_PROVEN]
        table[slot, ENTRY_PROVEN] = min(bounds & ~_BOUND_MASK, proven & ~_BOUND_MASK) | max(
            bounds & _BOUND_MASK, proven & _BOUND_MASK
        )
    table[slot, ENTRY_BEST] = plies[ply, BEST]
