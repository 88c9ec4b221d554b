"""The moves of a position in the endgame search: old ones that are still possible, and new ones.

The arrays are those of ``endgame_move_kernels``.
"""

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import ALL_LINES, FREE, TILE, lay_tiles
from app.games.fribble.endgame_bound_kernels import copy_board
from app.games.fribble.endgame_move_kernels import (
    BEGIN,
    BLOCKED,
    BUILT,
    COMPLETE,
    CURRENT,
    DONE,
    END,
    GUARDS,
    HINT,
    INDEX,
    MINE,
    MOVE,
    MOVES,
    NUMBER,
    OVERFLOW,
    PROMISE,
    ROOT,
    SCORE,
    SLOT_BITS,
    THEIR_POINTS,
    TILES_USED,
    USED,
    WORD_BITS,
    WORDS,
    ZEROS,
    describe,
    filled_since,
    is_free,
    mark_fresh,
    promise_of,
)
from app.games.fribble.layout import CELLS
from app.games.fribble.movegen_kernels import find_moves
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined


@inlined
def list_old(
    plies: NDArray[np.int64],
    moves: NDArray[np.int64],
    listed: NDArray[np.int64],
    barred: NDArray[np.int8],
    ply: int,
    filled: NDArray[np.int64],
) -> int:
    """List the moves of the player's last turn that are still possible, with what they promise.

    Returns the highest score of those that use the whole rack; -1 if there are none.
    """
    before = ply - 2
    filled_since(plies, moves, before, ply, filled)
    mine = plies[ply, MINE]
    theirs = plies[ply, THEIR_POINTS]
    end = plies[ply, BEGIN]
    zeros = 0
    out = -1
    for place in range(plies[before, BEGIN], plies[before, END]):
        used = listed[place, TILES_USED]
        index = listed[place, INDEX]
        if (mine | GUARDS) - used & GUARDS == GUARDS and is_free(moves, index, filled):
            if end == len(listed):
                break
            listed[end, INDEX] = index
            listed[end, PROMISE] = promise_of(moves, index, mine, theirs)
            listed[end, TILES_USED] = used
            listed[end, NUMBER] = listed[place, NUMBER]
            if ply == ROOT and barred[index]:
                listed[end, PROMISE] = DONE
            zeros |= moves[index, SCORE] == 0
            if used == mine and moves[index, SCORE] > out:
                out = int(moves[index, SCORE])
            end += 1
    plies[ply, END] = end
    plies[ply, ZEROS] = zeros
    plies[ply, COMPLETE] = plies[before, COMPLETE]
    return out


@inlined
def list_new(
    gaddag: NDArray[np.uint32],
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    bonus: int,
    anchors: NDArray[np.int64],
    stack: NDArray[np.int64],
    found: NDArray[np.int64],
    found_scores: NDArray[np.int16],
    found_kept: NDArray[np.int16],
    boards: NDArray[np.int32],
    plies: NDArray[np.int64],
    moves: NDArray[np.int64],
    listed: NDArray[np.int64],
    kinds: NDArray[np.int64],
    fresh: NDArray[np.int8],
    rack: NDArray[np.int32],
    strides: NDArray[np.int64],
    no_leaves: NDArray[np.int32],
    slots: NDArray[np.int64],
    registers: NDArray[np.int64],
    ply: int,
) -> None:
    """List the moves on all lines that have changed since the last complete list.

    Before the root, all moves on the root's board.
    """
    since = plies[ply, COMPLETE]
    seat = ply & 1
    begin = registers[BUILT]
    for past in range(begin, ply):
        copy_board(boards[past], boards[past + 1])
        current = plies[past, CURRENT]
        if current >= 0:
            lay_tiles(gaddag, boards[past + 1], values, moves[current, MOVE])
    registers[BUILT] = max(begin, ply)
    squares = boards[ply]
    lines = ALL_LINES
    if ply >= ROOT:
        lines = 0
        for past in range(since, ply):
            current = plies[past, CURRENT]
            if current >= 0:
                lines |= mark_fresh(squares, moves, current, fresh, 1)
    total = 0
    for slot in range(RACK):
        rack[kinds[seat, slot]] = 0
    for slot in range(RACK):
        count = plies[ply, MINE] >> SLOT_BITS * slot & 7
        if count:
            rack[kinds[seat, slot]] = count
    if lines:
        total = find_moves(
            gaddag,
            squares,
            premiums,
            values,
            bonus,
            rack,
            strides,
            no_leaves,
            anchors,
            stack,
            False,  # noqa: FBT003 - kernels take no keywords
            lines,
            found,
            found_scores,
            found_kept,
        )
    for slot in range(RACK):
        rack[kinds[seat, slot]] = 0
    count = registers[MOVES]
    end = plies[ply, END]
    if total > len(found):
        registers[OVERFLOW] = 1
        total = len(found)
    opening = True
    if ply < ROOT:
        for square in range(CELLS):
            if squares[TILE, square] != FREE:
                opening = False
                break
    for place in range(total):
        if count == len(moves) or end == len(listed):
            registers[OVERFLOW] = 1
            break
        moves[count, MOVE] = found[place]
        moves[count, SCORE] = found_scores[place]
        new = describe(squares, values, slots[seat], fresh, moves[count])
        if ply >= ROOT and not new:
            continue
        if ply < ROOT and opening:
            # Later moves must connect to the first.
            for word in range(WORDS):
                moves[count, BLOCKED + word] = (1 << WORD_BITS) - 1
        listed[end, INDEX] = count
        listed[end, TILES_USED] = moves[count, USED]
        listed[end, NUMBER] = found[place]
        listed[end, PROMISE] = promise_of(moves, count, plies[ply, MINE], plies[ply, THEIR_POINTS])
        if found[place] == plies[ply, HINT]:
            listed[end, PROMISE] = -DONE
        if found_scores[place] == 0:
            plies[ply, ZEROS] = 1
        end += 1
        count += 1
    if ply >= ROOT:
        for past in range(since, ply):
            current = plies[past, CURRENT]
            if current >= 0:
                mark_fresh(squares, moves, current, fresh, 0)
    registers[MOVES] = count
    plies[ply, END] = end
    plies[ply, COMPLETE] = ply
