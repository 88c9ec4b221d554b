"""The untried moves of a position in the endgame search, in the order of their priority.

Once one move has been tried or all are listed, moves that a bound refutes are left out: see
``endgame_bound_kernels`` and ``endgame_solo_kernels``. After several tries, the others become a heap.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame_bound_kernels import (
    bound_if_reply_ends,
    bound_leaving_one_tile,
    is_single,
    list_replies,
)
from app.games.fribble.endgame_move_kernels import (
    ALPHA,
    BEGIN,
    BOUNDED,
    CHECKED,
    DONE,
    END,
    INDEX,
    LOOKED,
    MINE,
    NO_MOVE,
    PRIORITY,
    SCORE,
    THEIR_POINTS,
    TILES_USED,
    UNTRIED,
    UNTRIED_PLACE,
    UNTRIED_PRIORITY,
    VALUE,
    LiveBoard,
    Tree,
    count_tiles,
)
from app.games.fribble.endgame_solo_kernels import solo_bound
from app.games.kernel import inlined

_FEW: Final = 3
"""With at most this many tiles, moves that leave one tile are refuted by the most that this tile scores."""
_LOOKED_THROUGH: Final = 4
"""This many moves are found by linear search: a heap would cost more."""


@inlined
def sift_down(listed: NDArray[np.int64], begin: int, end: int, row: int) -> None:
    """Sift a row down in the heap of the untried moves until no row below it has a higher priority."""
    place = listed[row, UNTRIED_PLACE]
    priority = listed[row, UNTRIED_PRIORITY]
    while True:
        below = 2 * row - begin + 1
        if below >= end:
            break
        if below + 1 < end and listed[below + 1, UNTRIED_PRIORITY] > listed[below, UNTRIED_PRIORITY]:
            below += 1
        if listed[below, UNTRIED_PRIORITY] <= priority:
            break
        listed[row, UNTRIED_PLACE] = listed[below, UNTRIED_PLACE]
        listed[row, UNTRIED_PRIORITY] = listed[below, UNTRIED_PRIORITY]
        row = below
    listed[row, UNTRIED_PLACE] = place
    listed[row, UNTRIED_PRIORITY] = priority


@inlined
def take_next(tree: Tree, ply: int) -> int:
    """Remove the next move to try; return its place in the list, or NO_MOVE."""
    plies, listed = tree.plies, tree.listed
    begin = plies[ply, BEGIN]
    best = NO_MOVE
    priority = DONE
    if plies[ply, CHECKED] == begin:
        for place in range(begin, plies[ply, END]):
            if listed[place, PRIORITY] > priority:
                best = place
                priority = listed[place, PRIORITY]
        if best >= 0:
            listed[best, PRIORITY] = DONE
        return best
    end = plies[ply, UNTRIED]
    if end == begin:
        return NO_MOVE
    plies[ply, LOOKED] += 1
    if plies[ply, LOOKED] <= _LOOKED_THROUGH:
        for row in range(begin, end):
            if listed[row, UNTRIED_PRIORITY] > priority:
                best = row
                priority = listed[row, UNTRIED_PRIORITY]
    else:
        if plies[ply, LOOKED] == _LOOKED_THROUGH + 1:
            for row in range((begin + end) // 2, begin - 1, -1):
                sift_down(listed, begin, end, row)
        best = begin
    place = listed[best, UNTRIED_PLACE]
    end -= 1
    listed[best, UNTRIED_PLACE] = listed[end, UNTRIED_PLACE]
    listed[best, UNTRIED_PRIORITY] = listed[end, UNTRIED_PRIORITY]
    plies[ply, UNTRIED] = end
    if plies[ply, LOOKED] > _LOOKED_THROUGH:
        sift_down(listed, begin, end, begin)
    return int(place)


@inlined
def list_unrefuted(board: LiveBoard, tree: Tree, bounds: NDArray[np.int64], ply: int) -> None:
    """List the moves still to be tried: those that are neither DONE nor refuted by a bound."""
    plies, moves, listed = tree.plies, tree.moves, tree.listed
    end = plies[ply, END]
    mine = plies[ply, MINE]
    few = count_tiles(mine) <= _FEW
    if plies[ply, CHECKED] == plies[ply, BEGIN]:
        list_replies(tree, ply)
        plies[ply, UNTRIED] = plies[ply, BEGIN]
    for place in range(plies[ply, CHECKED], end):
        if listed[place, PRIORITY] == DONE:
            continue
        left = mine - listed[place, TILES_USED]
        index = listed[place, INDEX]
        if left == 0:
            bound = moves[index, SCORE] + 2 * plies[ply, THEIR_POINTS]
        else:
            bound = bound_if_reply_ends(tree, ply, index)
        if bound > plies[ply, ALPHA] and plies[ply, BOUNDED] & 1:
            alone = moves[index, SCORE] + solo_bound(bounds, ply, left) + 2 * plies[ply, THEIR_POINTS]
            bound = min(bound, alone)
        if bound > plies[ply, ALPHA] and few and is_single(left):
            bound = bound_leaving_one_tile(board, tree, ply, index)
        if bound <= plies[ply, ALPHA]:
            plies[ply, VALUE] = max(plies[ply, VALUE], bound)
        else:
            last = plies[ply, UNTRIED]
            listed[last, UNTRIED_PLACE] = place
            listed[last, UNTRIED_PRIORITY] = listed[place, PRIORITY]
            plies[ply, UNTRIED] = last + 1
    plies[ply, CHECKED] = end
    plies[ply, LOOKED] = 0
