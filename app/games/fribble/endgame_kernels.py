"""The search of the endgame solver: alpha-beta that can be suspended and resumed.

The arrays are those of ``endgame_move_kernels``. New moves are generated only if the best old ones do not
cause a cutoff. Positions with a certain outcome (``endgame_bound_kernels``) are not searched, nor are those
where a player could not gain enough even if the opponent only passed (``endgame_solo_kernels``).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame_bound_kernels import UNKNOWN, best_fresh_single, is_single
from app.games.fribble.endgame_list_kernels import list_new, list_old
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
    count_tiles,
    estimate,
    rack_key,
)
from app.games.fribble.endgame_solo_kernels import settles_by_solo_bound
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
from app.games.fribble.rack_kernels import KINDS
from app.games.kernel import inlined, kernel, lowest_bit, readonly

_EXTENDED: Final = 7
"""Positions with at most this many tiles on both racks together are searched beyond the depth limit, to the
end of the game; at shallower depths, only those with at most as many tiles as the depth."""


@inlined
def enter(
    gaddag: NDArray[np.uint32],
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    plies: NDArray[np.int64],
    moves: NDArray[np.int64],
    listed: NDArray[np.int64],
    kinds: NDArray[np.int64],
    barred: NDArray[np.int8],
    table: NDArray[np.int64],
    square_keys: NDArray[np.int64],
    rack_keys: NDArray[np.int64],
    grid: NDArray[np.int32],
    filled: NDArray[np.int64],
    slots: NDArray[np.int64],
    subsets: NDArray[np.int64],
    line_keys: NDArray[np.int64],
    known_lines: NDArray[np.int64],
    line_scores: NDArray[np.int16],
    best_scores: NDArray[np.int16],
    strings: NDArray[np.int64],
    words: NDArray[np.int64],
    known_racks: NDArray[np.int64],
    bounds: NDArray[np.int64],
    expected: NDArray[np.int64],
    registers: NDArray[np.int64],
    bonus: int,
    scoreless_turns: int,
    ply: int,
) -> int:
    """Begin a position. Returns KNOWN, with the result in ``registers``, or the first stage."""
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
        ^ rack_key(mine, kinds[seat], rack_keys[0])
        ^ rack_key(theirs, kinds[1 - seat], rack_keys[1])
        ^ rack_keys[2, plies[ply, SCORELESS] % KINDS, plies[ply, PASSED]]
    )
    if look_up(table, plies, ply, ENTRY_PROVEN):
        registers[RESULT] = plies[ply, VALUE]
        return KNOWN
    stuck = False
    if ply > ROOT:
        out = list_old(plies, moves, listed, barred, registers, ply, filled)
        if is_single(mine) and (out < 0 or out + 2 * plies[ply, THEIR_POINTS] < plies[ply, BETA]):
            kind = kinds[seat, lowest_bit(mine) // SLOT_BITS]
            out = best_fresh_single(
                gaddag, premiums, values, grid, plies, moves, plies[ply, COMPLETE], ply, kind, out
            )
            stuck = out < 0
            if stuck:
                plies[ply, COMPLETE] = ply
        gained = out + 2 * plies[ply, THEIR_POINTS]
        if out >= 0 and (gained >= plies[ply, BETA] or is_single(mine)):
            registers[RESULT] = gained
            return KNOWN
        if stuck or count_tiles(mine) + count_tiles(theirs) <= min(_EXTENDED, plies[ROOT, DEPTH]):
            plies[ply, DEPTH] = max(plies[ply, DEPTH], 1) - stuck
    if settles_by_solo_bound(
        gaddag,
        premiums,
        values,
        bonus,
        plies,
        moves,
        listed,
        kinds,
        slots,
        square_keys,
        rack_keys,
        grid,
        filled,
        line_keys,
        known_lines,
        line_scores,
        best_scores,
        strings,
        words,
        known_racks,
        subsets,
        bounds,
        expected,
        registers,
        stuck,
        ply,
    ):
        remember(table, plies, ply, registers[RESULT], 1)
        return KNOWN
    known = look_up(table, plies, ply, ENTRY_BOUNDS)
    if known or plies[ply, DEPTH] + stuck <= 0 or ply == PLIES - 1:
        registers[RESULT] = plies[ply, VALUE] if known else estimate(plies, moves, listed, ply, filled)
        registers[RESULT_EXACT] = 0
        return KNOWN
    plies[ply, VALUE] = -INFINITE
    plies[ply, EXACT] = 1
    plies[ply, STAGE] = ALL if stuck else OLD
    plies[ply, TRIED] = 0
    plies[ply, CHECKED] = plies[ply, BEGIN]
    plies[ply, POOL] = registers[MOVES]
    if ply == ROOT:
        list_old(plies, moves, listed, barred, registers, ply, filled)
    return TRY if put_hint_first(plies, listed, ply) or stuck else LIST


@inlined
def put_hint_first(plies: NDArray[np.int64], listed: NDArray[np.int64], ply: int) -> bool:
    """Put the hinted move first; return whether it is listed, or True if there is no hint."""
    hint = plies[ply, HINT]
    if hint == NO_MOVE:
        return True
    for place in range(plies[ply, BEGIN], plies[ply, END]):
        if listed[place, NUMBER] == hint and listed[place, PRIORITY] != DONE:
            listed[place, PRIORITY] = -DONE
            return True
    return False


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('int32')}, int64, int64[:, ::1], "
    "int64[:, ::1], int64[::1], int16[::1], int16[::1], int32[:, :, ::1], int64[:, ::1], "
    "int64[:, ::1], int64[:, ::1], int64[:, ::1], int8[::1], int64[:, ::1], int64[:, ::1], int64[:, :, ::1], "
    "int32[:, ::1], int64[::1], int8[::1], int32[::1], int64[::1], int32[::1], int64[:, ::1], int64[::1], "
    "int64[::1], int64[::1], int16[:, ::1], int16[:, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], "
    "int64[:, ::1], int64[::1], int64[::1], int64, int64)",
)
def search_endgame(
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
    barred: NDArray[np.int8],
    table: NDArray[np.int64],
    square_keys: NDArray[np.int64],
    rack_keys: NDArray[np.int64],
    grid: NDArray[np.int32],
    filled: NDArray[np.int64],
    fresh: NDArray[np.int8],
    rack: NDArray[np.int32],
    strides: NDArray[np.int64],
    no_leaves: NDArray[np.int32],
    slots: NDArray[np.int64],
    subsets: NDArray[np.int64],
    line_keys: NDArray[np.int64],
    known_lines: NDArray[np.int64],
    line_scores: NDArray[np.int16],
    best_scores: NDArray[np.int16],
    strings: NDArray[np.int64],
    words: NDArray[np.int64],
    known_racks: NDArray[np.int64],
    bounds: NDArray[np.int64],
    expected: NDArray[np.int64],
    registers: NDArray[np.int64],
    scoreless_turns: int,
    most: int,
) -> int:
    """Continue until ``most`` positions have been searched in total; return 1 when the search is complete.

    The result is then in ``registers``, and the best move in the root's row of ``plies``.
    """
    ply = registers[PLY]
    entering = registers[ENTERING] != 0
    while True:
        turn = TRY
        if ply < ROOT:
            if plies[ply, COMPLETE] < ply:
                list_old(plies, moves, listed, barred, registers, ply, filled)
            turn = LIST
        elif entering:
            if registers[POSITIONS] >= most:
                registers[PLY] = ply
                registers[ENTERING] = 1
                return 0
            turn = enter(
                gaddag,
                premiums,
                values,
                plies,
                moves,
                listed,
                kinds,
                barred,
                table,
                square_keys,
                rack_keys,
                grid,
                filled,
                slots,
                subsets,
                line_keys,
                known_lines,
                line_scores,
                best_scores,
                strings,
                words,
                known_racks,
                bounds,
                expected,
                registers,
                bonus,
                scoreless_turns,
                ply,
            )
        elif take_result(square_keys, line_keys, plies, moves, grid, registers, ply):
            registers[BUILT] = min(registers[BUILT], ply)
            ply += 1
            entering = True
            continue
        while turn in (LIST, TRY):
            if turn == LIST:
                list_new(
                    gaddag,
                    premiums,
                    values,
                    bonus,
                    anchors,
                    stack,
                    found,
                    found_scores,
                    found_kept,
                    boards,
                    plies,
                    moves,
                    listed,
                    kinds,
                    fresh,
                    rack,
                    strides,
                    no_leaves,
                    slots,
                    subsets,
                    registers,
                    ply,
                )
                plies[ply, STAGE] = ALL
                if ply < ROOT:
                    break
            turn = next_turn(
                gaddag, premiums, values, plies, moves, listed, kinds, barred, grid, filled, bounds, ply
            )
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
            start_turn(values, square_keys, line_keys, moves, grid, plies, turn, ply)
            registers[BUILT] = min(registers[BUILT], ply)
            entering = True
        ply += 1
