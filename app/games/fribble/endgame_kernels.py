"""The search of the endgame solver: alpha-beta that can be suspended and resumed.

New moves are generated only if the best old ones do not cause a cutoff. Positions with a certain outcome
(``endgame_bound_kernels``) are not searched, nor are those where a player could not gain enough even if the
opponent only passed (``endgame_solo_kernels``).
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame_bound_kernels import UNKNOWN, best_fresh_single, is_single
from app.games.fribble.endgame_list_kernels import Generation, list_new, list_old
from app.games.fribble.endgame_move_kernels import (
    BEGIN,
    BEST,
    BETA,
    BOARD_KEY,
    BUILT,
    CHECKED,
    COMPLETE,
    CURRENT,
    DEPTH,
    DONE,
    END,
    ENTERING,
    EXACT,
    HINT,
    INFINITE,
    KEY,
    MINE,
    MOVES,
    MY_POINTS,
    NO_MOVE,
    NUMBER,
    PASSED,
    PLIES,
    PLY,
    POOL,
    POSITIONS,
    PRIORITY,
    RESULT,
    RESULT_EXACT,
    ROOT,
    SCORELESS,
    SINGLES,
    SLOT_BITS,
    STAGE,
    THEIR_POINTS,
    THEIRS,
    TRIED,
    VALUE,
    Keys,
    LiveBoard,
    Tree,
    count_tiles,
    estimate,
    rack_key,
)
from app.games.fribble.endgame_solo_kernels import SoloArrays, settles_by_solo_bound
from app.games.fribble.endgame_table_kernels import ENTRY_BOUNDS, ENTRY_PROVEN, look_up, remember
from app.games.fribble.endgame_turn_kernels import (
    ALL,
    FINISHED,
    KNOWN,
    LIST,
    OLD,
    TRY,
    next_turn,
    start_turn,
    take_result,
)
from app.games.fribble.endgame_word_kernels import WordArrays
from app.games.fribble.rack_kernels import KINDS
from app.games.kernel import inlined, kernel, lowest_bit, readonly

_EXTENDED: Final = 7
"""Positions with at most this many tiles on both racks together are searched beyond the depth limit, to the
end of the game; at shallower depths, only those with at most as many tiles as the depth."""


class Search(NamedTuple):
    """All arrays of the search, in the order of its arguments."""

    board: LiveBoard
    tree: Tree
    keys: Keys
    table: NDArray[np.int64]
    generation: Generation
    cache: WordArrays
    solo: SoloArrays


@inlined
def enter(search: Search, scoreless_turns: int, ply: int) -> int:
    """Begin a position. Returns KNOWN, with the result in ``registers``, or the first stage."""
    board, tree, keys, table = search.board, search.tree, search.keys, search.table
    plies, registers = tree.plies, tree.registers
    mine = plies[ply, MINE]
    theirs = plies[ply, THEIRS]
    plies[ply, BEST] = NO_MOVE
    plies[ply, SINGLES] = UNKNOWN
    registers[RESULT_EXACT] = 1
    if theirs == 0 or plies[ply, SCORELESS] >= scoreless_turns:
        gained = plies[ply, THEIR_POINTS] if theirs else -plies[ply, MY_POINTS]
        registers[RESULT] = gained - plies[ply, MY_POINTS]
        return KNOWN
    registers[POSITIONS] += 1
    seat = ply & 1
    plies[ply, KEY] = (
        plies[ply, BOARD_KEY]
        ^ rack_key(mine, tree.kinds[seat], keys.racks[0])
        ^ rack_key(theirs, tree.kinds[1 - seat], keys.racks[1])
        ^ keys.racks[2, plies[ply, SCORELESS] % KINDS, plies[ply, PASSED]]
    )
    if look_up(table, plies, ply, ENTRY_PROVEN):
        registers[RESULT] = plies[ply, VALUE]
        return KNOWN
    stuck = False
    if ply > ROOT:
        out = list_old(tree, ply)
        if is_single(mine) and (out < 0 or out + 2 * plies[ply, THEIR_POINTS] < plies[ply, BETA]):
            kind = tree.kinds[seat, lowest_bit(mine) // SLOT_BITS]
            out = best_fresh_single(board, tree, plies[ply, COMPLETE], ply, kind, out)
            stuck = out < 0
            if stuck:
                plies[ply, COMPLETE] = ply
        gained = out + 2 * plies[ply, THEIR_POINTS]
        if out >= 0 and (gained >= plies[ply, BETA] or is_single(mine)):
            registers[RESULT] = gained
            return KNOWN
        if stuck or count_tiles(mine) + count_tiles(theirs) <= min(_EXTENDED, plies[ROOT, DEPTH]):
            plies[ply, DEPTH] = max(plies[ply, DEPTH], 1) - stuck
    if settles_by_solo_bound(board, tree, keys, search.cache, search.solo, stuck, ply):
        remember(table, plies, ply, registers[RESULT], 1)
        return KNOWN
    known = look_up(table, plies, ply, ENTRY_BOUNDS)
    if known or plies[ply, DEPTH] + stuck <= 0 or ply == PLIES - 1:
        registers[RESULT] = plies[ply, VALUE] if known else estimate(tree, ply)
        registers[RESULT_EXACT] = 0
        return KNOWN
    plies[ply, VALUE] = -INFINITE
    plies[ply, EXACT] = 1
    plies[ply, STAGE] = ALL if stuck else OLD
    plies[ply, TRIED] = 0
    plies[ply, CHECKED] = plies[ply, BEGIN]
    plies[ply, POOL] = registers[MOVES]
    if ply == ROOT:
        list_old(tree, ply)
    return TRY if put_hint_first(tree, ply) or stuck else LIST


@inlined
def put_hint_first(tree: Tree, ply: int) -> bool:
    """Put the hinted move first; return whether it is listed, or True if there is no hint."""
    plies, listed = tree.plies, tree.listed
    hint = plies[ply, HINT]
    if hint == NO_MOVE:
        return True
    for place in range(plies[ply, BEGIN], plies[ply, END]):
        if listed[place, NUMBER] == hint and listed[place, PRIORITY] != DONE:
            listed[place, PRIORITY] = -DONE
            return True
    return False


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('int32')}, int64, int32[:, ::1], "
    "int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int8[::1], int64[::1], "
    "int64[::1], int64[::1], int64[:, ::1], int64[:, :, ::1], int64[::1], int64[:, ::1], int32[:, :, ::1], "
    "int8[::1], int32[::1], int64[::1], int32[::1], int64[:, ::1], int64[:, ::1], int64[::1], int16[::1], "
    "int16[::1], int64[::1], int16[:, ::1], int16[:, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], "
    "int64[:, ::1], int64[::1], int64, int64)",
)
def search_endgame(
    gaddag: NDArray[np.uint32],
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    bonus: int,
    grid: NDArray[np.int32],
    plies: NDArray[np.int64],
    moves: NDArray[np.int64],
    listed: NDArray[np.int64],
    kinds: NDArray[np.int64],
    slots: NDArray[np.int64],
    barred: NDArray[np.int8],
    filled: NDArray[np.int64],
    sets: NDArray[np.int64],
    registers: NDArray[np.int64],
    square_keys: NDArray[np.int64],
    rack_keys: NDArray[np.int64],
    line_keys: NDArray[np.int64],
    table: NDArray[np.int64],
    boards: NDArray[np.int32],
    fresh: NDArray[np.int8],
    rack: NDArray[np.int32],
    strides: NDArray[np.int64],
    no_leaves: NDArray[np.int32],
    anchors: NDArray[np.int64],
    stack: NDArray[np.int64],
    found: NDArray[np.int64],
    scores: NDArray[np.int16],
    kept: NDArray[np.int16],
    known_lines: NDArray[np.int64],
    line_scores: NDArray[np.int16],
    best_scores: NDArray[np.int16],
    strings: NDArray[np.int64],
    words: NDArray[np.int64],
    known_racks: NDArray[np.int64],
    bounds: NDArray[np.int64],
    expected: NDArray[np.int64],
    scoreless_turns: int,
    most: int,
) -> int:
    """Continue until ``most`` positions have been searched in total; return 1 when the search is complete.

    The result is then in ``registers``, and the best move in the root's row of ``plies``.
    """
    board = LiveBoard(gaddag, premiums, values, bonus, grid)
    tree = Tree(plies, moves, listed, kinds, slots, barred, filled, sets, registers)
    keys = Keys(square_keys, rack_keys, line_keys)
    generation = Generation(boards, fresh, rack, strides, no_leaves, anchors, stack, found, scores, kept)
    cache = WordArrays(known_lines, line_scores, best_scores, strings, words, known_racks)
    search = Search(board, tree, keys, table, generation, cache, SoloArrays(bounds, expected))
    ply = registers[PLY]
    entering = registers[ENTERING] != 0
    while True:
        turn = TRY
        if ply < ROOT:
            if plies[ply, COMPLETE] < ply:
                list_old(tree, ply)
            turn = LIST
        elif entering:
            if registers[POSITIONS] >= most:
                registers[PLY] = ply
                registers[ENTERING] = 1
                return 0
            turn = enter(search, scoreless_turns, ply)
        elif take_result(board, tree, keys, ply):
            registers[BUILT] = min(registers[BUILT], ply)
            ply += 1
            entering = True
            continue
        while turn in (LIST, TRY):
            if turn == LIST:
                list_new(board, tree, search.generation, ply)
                plies[ply, STAGE] = ALL
                if ply < ROOT:
                    break
            turn = next_turn(board, tree, search.solo.bounds, ply)
        if ply < ROOT:
            plies[ply, CURRENT] = NO_MOVE
            plies[ply + 1, BEGIN] = plies[ply + 1, END] = plies[ply, END]
            entering = True
        elif turn in (KNOWN, FINISHED):
            if turn == FINISHED:
                registers[RESULT] = plies[ply, VALUE]
                registers[RESULT_EXACT] = plies[ply, EXACT]
                remember(table, plies, ply, registers[RESULT], registers[RESULT_EXACT])
                registers[MOVES] = plies[ply, POOL]
            registers[BUILT] = min(registers[BUILT], ply - 1)
            if ply == ROOT:
                registers[PLY] = ROOT
                registers[ENTERING] = 1
                return 1
            entering = False
            ply -= 2
        else:
            start_turn(board, tree, keys, turn, ply)
            registers[BUILT] = min(registers[BUILT], ply)
            entering = True
        ply += 1
