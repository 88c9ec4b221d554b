"""The moves of a position in the endgame search: old ones that are still possible, and new ones."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import ALL_LINES, FREE, TILE, lay_tiles
from app.games.fribble.endgame_bound_kernels import copy_board
from app.games.fribble.endgame_move_kernels import (
    ALIKE,
    BEGIN,
    BLOCKED,
    BUILT,
    COMPLETE,
    CURRENT,
    DONE,
    END,
    HINT,
    INDEX,
    MINE,
    MOVE,
    MOVES,
    NUMBER,
    OVERFLOW,
    PRIORITY,
    ROOT,
    SCORE,
    SLOT_BITS,
    THEIR_POINTS,
    TILES_USED,
    USED,
    WORD_BITS,
    WORDS,
    ZEROS,
    LiveBoard,
    Tree,
    describe,
    filled_since,
    holds,
    is_free,
    mark_fresh,
    priority_of,
)
from app.games.fribble.layout import CELLS
from app.games.fribble.movegen_kernels import find_moves
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined


class Generation(NamedTuple):
    """The arrays of move generation; those from ``rack`` on are the arguments of ``find_moves``."""

    boards: NDArray[np.int32]
    """The board at each ply, up to BUILT."""
    fresh: NDArray[np.int8]
    """(225,): scratch, 1 for each square filled since the last complete list."""
    rack: NDArray[np.int32]
    strides: NDArray[np.int64]
    no_leaves: NDArray[np.int32]
    anchors: NDArray[np.int64]
    stack: NDArray[np.int64]
    found: NDArray[np.int64]
    scores: NDArray[np.int16]
    kept: NDArray[np.int16]


@inlined
def list_old(tree: Tree, ply: int) -> int:
    """List the moves of the player's last turn that are still possible, with their priority (move ordering).

    Returns the highest score of those that use the whole rack; -1 if there are none.
    """
    plies, moves, listed = tree.plies, tree.moves, tree.listed
    before = ply - 2
    filled_since(tree, before, ply)
    mine = plies[ply, MINE]
    theirs = plies[ply, THEIR_POINTS]
    end = plies[ply, BEGIN]
    zeros = 0
    out = -1
    place = plies[before, BEGIN]
    while place < plies[before, END]:
        used = listed[place, TILES_USED]
        group_end = place + listed[place, ALIKE]
        if not holds(mine, used):
            place = group_end
            continue
        if end + group_end - place > len(listed):
            tree.registers[OVERFLOW] = 1
            break
        first = end
        for at in range(place, group_end):
            index = listed[at, INDEX]
            if is_free(moves, index, tree.filled):
                listed[end, INDEX] = index
                listed[end, PRIORITY] = priority_of(moves, index, mine, theirs)
                listed[end, TILES_USED] = used
                listed[end, NUMBER] = listed[at, NUMBER]
                if ply == ROOT and tree.barred[index]:
                    listed[end, PRIORITY] = DONE
                zeros |= moves[index, SCORE] == 0
                if used == mine and moves[index, SCORE] > out:
                    out = int(moves[index, SCORE])
                end += 1
        listed[first, ALIKE] = end - first
        place = group_end
    plies[ply, END] = end
    plies[ply, ZEROS] = zeros
    plies[ply, COMPLETE] = plies[before, COMPLETE]
    return out


@inlined
def group(tree: Tree, ply: int, first: int, last: int) -> None:
    """List the moves ``first`` to ``last - 1``, in groups that use the same tiles.

    By counting sort; the sets of tiles are numbered in mixed radix, a digit for each kind on the rack.
    """
    plies, moves, listed, sets = tree.plies, tree.moves, tree.listed, tree.sets
    mine = plies[ply, MINE]
    begin = plies[ply, END]
    count = 1
    for slot in range(RACK):
        count *= (mine >> SLOT_BITS * slot & 7) + 1
    for number in range(count):
        sets[number] = 0
    for index in range(first, last):
        used = moves[index, USED]
        number = 0
        for slot in range(RACK - 1, -1, -1):
            number = number * ((mine >> SLOT_BITS * slot & 7) + 1) + (used >> SLOT_BITS * slot & 7)
        listed[begin + index - first, ALIKE] = number
        sets[number] += 1
    place = begin
    for number in range(count):
        size = sets[number]
        sets[number] = place
        place += size
    for index in range(first, last):
        number = listed[begin + index - first, ALIKE]
        place = sets[number]
        sets[number] += 1
        listed[place, INDEX] = index
        listed[place, TILES_USED] = moves[index, USED]
        listed[place, NUMBER] = moves[index, MOVE]
        listed[place, PRIORITY] = priority_of(moves, index, mine, plies[ply, THEIR_POINTS])
        if moves[index, MOVE] == plies[ply, HINT]:
            listed[place, PRIORITY] = -DONE
        if moves[index, SCORE] == 0:
            plies[ply, ZEROS] = 1
    place = begin
    for number in range(count):
        # Each subset's place is now the end of its group.
        if sets[number] > place:
            listed[place, ALIKE] = sets[number] - place
            place = sets[number]


@inlined
def list_new(board: LiveBoard, tree: Tree, generation: Generation, ply: int) -> None:
    """List the moves on all lines changed since the last complete list; all moves if there is none."""
    plies, moves, listed, registers = tree.plies, tree.moves, tree.listed, tree.registers
    boards, fresh, rack = generation.boards, generation.fresh, generation.rack
    kinds, slots = tree.kinds[ply & 1], tree.slots[ply & 1]
    since = plies[ply, COMPLETE]
    is_first = since == ply
    begin = registers[BUILT]
    for past in range(begin, ply):
        copy_board(boards[past], boards[past + 1])
        current = plies[past, CURRENT]
        if current >= 0:
            lay_tiles(board.gaddag, boards[past + 1], board.values, moves[current, MOVE])
    registers[BUILT] = max(begin, ply)
    squares = boards[ply]
    lines = ALL_LINES
    if not is_first:
        lines = 0
        for past in range(since, ply):
            current = plies[past, CURRENT]
            if current >= 0:
                lines |= mark_fresh(squares, moves, current, fresh, 1)
    total = 0
    for slot in range(RACK):
        rack[kinds[slot]] = 0
    for slot in range(RACK):
        count = plies[ply, MINE] >> SLOT_BITS * slot & 7
        if count:
            rack[kinds[slot]] = count
    if lines:
        total = find_moves(
            board.gaddag,
            squares,
            board.premiums,
            board.values,
            board.bonus,
            rack,
            generation.strides,
            generation.no_leaves,
            generation.anchors,
            generation.stack,
            False,  # noqa: FBT003 - kernels take no keywords
            lines,
            generation.found,
            generation.scores,
            generation.kept,
        )
    for slot in range(RACK):
        rack[kinds[slot]] = 0
    first = registers[MOVES]
    count = first
    end = plies[ply, END]
    if total > len(generation.found):
        registers[OVERFLOW] = 1
        total = len(generation.found)
    opening = True
    if is_first:
        for square in range(CELLS):
            if squares[TILE, square] != FREE:
                opening = False
                break
    for place in range(total):
        if count == len(moves) or end + count - first == len(listed):
            registers[OVERFLOW] = 1
            break
        moves[count, MOVE] = generation.found[place]
        moves[count, SCORE] = generation.scores[place]
        new = describe(squares, board.values, slots, fresh, moves[count])
        if not is_first and not new:
            continue
        if is_first and opening:
            # Later moves must connect to the first.
            for word in range(WORDS):
                moves[count, BLOCKED + word] = (1 << WORD_BITS) - 1
        count += 1
    group(tree, ply, first, count)
    if not is_first:
        for past in range(since, ply):
            current = plies[past, CURRENT]
            if current >= 0:
                mark_fresh(squares, moves, current, fresh, 0)
    registers[MOVES] = count
    plies[ply, END] = end + count - first
    plies[ply, COMPLETE] = ply
