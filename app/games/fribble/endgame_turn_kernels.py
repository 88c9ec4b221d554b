"""The turns of a position of the endgame search: selecting and making the next, and taking its result."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame_bound_kernels import put_on, take_off
from app.games.fribble.endgame_heap_kernels import list_unrefuted, take_next
from app.games.fribble.endgame_move_kernels import (
    ALPHA,
    BEGIN,
    BEST,
    BETA,
    BOARD_KEY,
    CHECKED,
    CURRENT,
    DEPTH,
    END,
    EXACT,
    GAIN,
    INDEX,
    LAID,
    MINE,
    MOVE,
    MY_POINTS,
    NO_MOVE,
    PASSED,
    RESULT,
    RESULT_EXACT,
    ROOT,
    SCORE,
    SCORELESS,
    SCOUT,
    STAGE,
    THEIR_POINTS,
    THEIRS,
    TRIED,
    USED,
    VALUE,
    ZEROS,
    Keys,
    LiveBoard,
    Tree,
    cell_of,
)
from app.games.fribble.layout import SIDE
from app.games.fribble.rack_kernels import BLANK, CELL_SHIFT, LINE_SHIFT, TILE_BITS
from app.games.kernel import inlined, lowest_bit

# The stages of a position: the old moves are listed; all moves are listed; the pass has been tried, too.
OLD, ALL, PASS_TRIED = range(3)
# The next step of a position, if not a turn: all turns have been tried; the result was known on entering the
# position; new moves must be listed; a turn must be selected.
FINISHED, KNOWN, LIST, TRY = range(-5, -1)

_OLD_TRIES: Final = 2
"""The number of old moves tried before new ones are generated."""


@inlined
def change_keys(keys: Keys, move: int) -> int:
    """Update the lines' keys for a move laid or taken off; return the key of its tiles."""
    line = move >> LINE_SHIFT
    cells = move >> CELL_SHIFT & ((1 << SIDE) - 1)
    key = 0
    while cells:
        cell = cell_of(line, lowest_bit(cells))
        cells &= cells - 1
        key_of_tile = keys.squares[cell, move & (2 * BLANK - 1)]
        move >>= TILE_BITS
        keys.lines[cell // SIDE] ^= key_of_tile
        keys.lines[SIDE + cell % SIDE] ^= key_of_tile
        key ^= key_of_tile
    return int(key)


@inlined
def take_result(board: LiveBoard, tree: Tree, keys: Keys, ply: int) -> bool:
    """Take the result of the turn tried last; return whether to search it again with the full window."""
    plies, moves, registers = tree.plies, tree.moves, tree.registers
    value = plies[ply, GAIN] - registers[RESULT]
    alpha = max(plies[ply, ALPHA], plies[ply, VALUE])
    beta = plies[ply, BETA]
    if plies[ply, SCOUT] and alpha < value < beta:
        plies[ply, SCOUT] = 0
        plies[ply + 1, ALPHA] = plies[ply, GAIN] - beta
        plies[ply + 1, BETA] = plies[ply, GAIN] - alpha
        return True
    current = plies[ply, CURRENT]
    if current >= 0:
        take_off(board, moves[current, MOVE])
        change_keys(keys, moves[current, MOVE])
    plies[ply, EXACT] &= registers[RESULT_EXACT]
    if value > plies[ply, VALUE]:
        plies[ply, VALUE] = value
        plies[ply, BEST] = NO_MOVE if current < 0 else moves[current, MOVE]
        if value >= beta:
            plies[ply, EXACT] = registers[RESULT_EXACT]
            plies[ply, STAGE] = PASS_TRIED
    return False


@inlined
def next_turn(board: LiveBoard, tree: Tree, bounds: NDArray[np.int64], ply: int) -> int:
    """Return the index of the next move to try, NO_MOVE for a pass, LIST or FINISHED."""
    plies, listed, barred = tree.plies, tree.listed, tree.barred
    stage = plies[ply, STAGE]
    if stage == PASS_TRIED:
        return FINISHED
    if plies[ply, CHECKED] < plies[ply, END] and (stage == ALL or plies[ply, TRIED] > 0):
        list_unrefuted(board, tree, bounds, ply)
    tried_enough = stage == OLD and plies[ply, TRIED] >= _OLD_TRIES
    best = NO_MOVE if tried_enough else take_next(tree, ply)
    if best >= 0:
        plies[ply, TRIED] += 1
        return int(listed[best, INDEX])
    if stage == OLD:
        return LIST
    plies[ply, STAGE] = PASS_TRIED
    if ply == ROOT and barred[len(barred) - 1]:
        return FINISHED
    if plies[ply, PASSED] and not plies[ply, ZEROS] and not plies[ply - 1, ZEROS]:
        # A second pass counts as the end of the game: a side that gains by moving would not have passed.
        value = plies[ply, THEIR_POINTS] - plies[ply, MY_POINTS]
        if value > plies[ply, VALUE]:
            plies[ply, VALUE] = value
            plies[ply, BEST] = NO_MOVE
        return FINISHED
    return NO_MOVE


@inlined
def start_turn(board: LiveBoard, tree: Tree, keys: Keys, index: int, ply: int) -> None:
    """Make a move, or pass if the index is negative, and set up the opponent's ply."""
    plies, moves = tree.plies, tree.moves
    alpha = max(plies[ply, ALPHA], plies[ply, VALUE])
    beta = plies[ply, BETA]
    gain = 0
    used = 0
    laid = 0
    board_key = plies[ply, BOARD_KEY]
    if index >= 0:
        gain = moves[index, SCORE]
        used = moves[index, USED]
        laid = moves[index, LAID]
        move = moves[index, MOVE]
        put_on(board, move)
        board_key ^= change_keys(keys, move)
    plies[ply, CURRENT] = index
    plies[ply, GAIN] = gain
    plies[ply, SCOUT] = plies[ply, VALUE] > plies[ply, ALPHA] and beta - alpha > 1
    child = ply + 1
    plies[child, ALPHA] = gain - alpha - 1 if plies[ply, SCOUT] else gain - beta
    plies[child, BETA] = gain - alpha
    plies[child, MINE] = plies[ply, THEIRS]
    plies[child, THEIRS] = plies[ply, MINE] - used
    plies[child, MY_POINTS] = plies[ply, THEIR_POINTS]
    plies[child, THEIR_POINTS] = plies[ply, MY_POINTS] - laid
    plies[child, BOARD_KEY] = board_key
    plies[child, SCORELESS] = 0 if gain else plies[ply, SCORELESS] + 1
    plies[child, PASSED] = index < 0
    plies[child, BEGIN] = plies[ply, END]
    # A forced pass costs no depth.
    forced = index < 0 and plies[ply, END] == plies[ply, BEGIN]
    plies[child, DEPTH] = plies[ply, DEPTH] - (0 if forced else 1)
