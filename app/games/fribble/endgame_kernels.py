"""The search of the endgame solver: alpha-beta that can be suspended.

The arrays are those of ``endgame_move_kernels``. New moves are generated only if the best old ones are not
good enough. Lines whose end is certain are not searched: see ``endgame_bound_kernels``.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame_bound_kernels import (
    best_fresh_single,
    count_tiles,
    is_single,
    put_on,
    set_refuted_aside,
    take_off,
)
from app.games.fribble.endgame_list_kernels import list_new, list_old
from app.games.fribble.endgame_move_kernels import (
    BEGIN,
    BEST,
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
    FLOOR,
    GAIN,
    HIGH,
    HINT,
    INDEX,
    INFINITE,
    KEY,
    LAID,
    MINE,
    MOVE,
    MOVES,
    MY_POINTS,
    NO_MOVE,
    NUMBER,
    PASSED,
    PLIES,
    PLY,
    POOL,
    POSITIONS,
    PROMISE,
    RESULT,
    RESULT_EXACT,
    ROOT,
    SCORE,
    SCORELESS,
    SCOUT,
    SLOT_BITS,
    STAGE,
    THEIR_POINTS,
    THEIRS,
    TRIED,
    USED,
    VALUE,
    ZEROS,
    cell_of,
    estimate,
    rack_key,
)
from app.games.fribble.endgame_table_kernels import look_up, remember
from app.games.fribble.layout import SIDE
from app.games.fribble.rack_kernels import BLANK, CELL_SHIFT, KINDS, LINE_SHIFT, TILE_BITS
from app.games.kernel import inlined, kernel, lowest_bit, readonly

_OLD, _ALL, _PASSED = range(3)

_EXTENDED: Final = 7
"""Positions with so few tiles on both racks are searched to their end, at most as many as the depth."""
_OLD_TRIES: Final = 2
"""The number of old moves tried before new ones are generated."""


@inlined
def start_turn(
    values: NDArray[np.int32],
    square_keys: NDArray[np.int64],
    moves: NDArray[np.int64],
    grid: NDArray[np.int32],
    plies: NDArray[np.int64],
    index: int,
    ply: int,
) -> None:
    """Make a move, or pass if the index is negative, and set up the ply of the other player's turn."""
    low = max(plies[ply, FLOOR], plies[ply, VALUE])
    high = plies[ply, HIGH]
    gain = 0
    used = 0
    laid = 0
    board_key = plies[ply, BOARD_KEY]
    if index >= 0:
        gain = moves[index, SCORE]
        used = moves[index, USED]
        laid = moves[index, LAID]
        move = moves[index, MOVE]
        put_on(grid, values, move)
        line = move >> LINE_SHIFT
        cells = move >> CELL_SHIFT & ((1 << SIDE) - 1)
        while cells:
            place = lowest_bit(cells)
            cells &= cells - 1
            board_key ^= square_keys[cell_of(line, place), move & (2 * BLANK - 1)]
            move >>= TILE_BITS
    plies[ply, CURRENT] = index
    plies[ply, GAIN] = gain
    plies[ply, SCOUT] = plies[ply, VALUE] > plies[ply, FLOOR] and high - low > 1
    child = ply + 1
    plies[child, FLOOR] = gain - low - 1 if plies[ply, SCOUT] else gain - high
    plies[child, HIGH] = gain - low
    plies[child, MINE] = plies[ply, THEIRS]
    plies[child, THEIRS] = plies[ply, MINE] - used
    plies[child, MY_POINTS] = plies[ply, THEIR_POINTS]
    plies[child, THEIR_POINTS] = plies[ply, MY_POINTS] - laid
    plies[child, BOARD_KEY] = board_key
    plies[child, SCORELESS] = 0 if gain else plies[ply, SCORELESS] + 1
    plies[child, PASSED] = index < 0
    plies[child, BEGIN] = plies[ply, END]
    # A turn without a choice costs no depth.
    forced = index < 0 and plies[ply, END] == plies[ply, BEGIN]
    plies[child, DEPTH] = plies[ply, DEPTH] - (0 if forced else 1)


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('int32')}, int64, int64[:, ::1], "
    "int64[:, ::1], int64[::1], int16[::1], int16[::1], int32[:, :, ::1], int64[:, ::1], "
    "int64[:, ::1], int64[:, ::1], int64[:, ::1], int8[::1], int64[:, ::1], int64[:, ::1], int64[:, :, ::1], "
    "int32[:, ::1], int64[::1], int8[::1], int32[::1], int64[::1], int32[::1], int64[:, ::1], int64[::1], "
    "int64[::1], int64, int64)",
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
    registers: NDArray[np.int64],
    scoreless_turns: int,
    most: int,
) -> int:
    """Search on until ``most`` positions have been searched in all; return 1 when the search is complete.

    The result is then in ``registers``, and the best move in the root's row of ``plies``.
    """
    ply = registers[PLY]
    entering = registers[ENTERING] != 0
    result = registers[RESULT]
    result_exact = registers[RESULT_EXACT]
    positions = registers[POSITIONS]
    while True:
        generate = ply < ROOT
        settled = False
        complete = False
        if ply >= ROOT and entering:
            if positions >= most:
                registers[PLY] = ply
                registers[ENTERING] = 1
                registers[POSITIONS] = positions
                return 0
            settled = True
            result_exact = 1
            mine = plies[ply, MINE]
            theirs = plies[ply, THEIRS]
            plies[ply, BEST] = NO_MOVE
            if theirs == 0:
                result = -2 * plies[ply, MY_POINTS]
            elif plies[ply, SCORELESS] >= scoreless_turns:
                result = plies[ply, THEIR_POINTS] - plies[ply, MY_POINTS]
            else:
                positions += 1
                seat = ply & 1
                settled = False
                depth = plies[ply, DEPTH]
                if ply > ROOT:
                    out = list_old(plies, moves, listed, barred, registers, ply, filled)
                    stuck = False
                    if is_single(mine) and (out < 0 or out + 2 * plies[ply, THEIR_POINTS] < plies[ply, HIGH]):
                        kind = kinds[seat, lowest_bit(mine) // SLOT_BITS]
                        out = best_fresh_single(
                            gaddag, premiums, values, grid, plies, moves, plies[ply, COMPLETE], ply, kind, out
                        )
                        stuck = out < 0
                        if stuck:
                            plies[ply, COMPLETE] = ply
                    gained = out + 2 * plies[ply, THEIR_POINTS]
                    tiles = count_tiles(mine) + count_tiles(theirs)
                    if out >= 0 and (gained >= plies[ply, HIGH] or is_single(mine)):
                        result = gained
                        result_exact = 1
                        settled = True
                    elif stuck or tiles <= min(_EXTENDED, plies[ROOT, DEPTH]):
                        depth = max(depth, 1)
                        plies[ply, DEPTH] = depth - stuck
                if not settled:
                    key = (
                        plies[ply, BOARD_KEY]
                        ^ rack_key(mine, kinds[seat], rack_keys[0])
                        ^ rack_key(theirs, kinds[1 - seat], rack_keys[1])
                        ^ rack_keys[2, plies[ply, SCORELESS] % KINDS, plies[ply, PASSED]]
                    )
                    plies[ply, KEY] = key
                    settled = look_up(table, plies, ply)
                    if settled:
                        result = plies[ply, VALUE]
                        result_exact = plies[ply, EXACT]
                if not settled and (depth <= 0 or ply == PLIES - 1):
                    result = estimate(plies, moves, listed, ply, filled)
                    result_exact = 0
                    settled = True
                if not settled:
                    plies[ply, VALUE] = -INFINITE
                    plies[ply, EXACT] = 1
                    plies[ply, BEST] = NO_MOVE
                    plies[ply, STAGE] = _OLD
                    plies[ply, TRIED] = 0
                    plies[ply, CHECKED] = plies[ply, BEGIN]
                    plies[ply, POOL] = registers[MOVES]
                    if ply == ROOT:
                        list_old(plies, moves, listed, barred, registers, ply, filled)
                    hint = plies[ply, HINT]
                    if hint != NO_MOVE:
                        for place in range(plies[ply, BEGIN], plies[ply, END]):
                            if listed[place, NUMBER] == hint and listed[place, PROMISE] != DONE:
                                listed[place, PROMISE] = -DONE
                                hint = NO_MOVE
                                break
                    generate = hint != NO_MOVE
                    if ply > ROOT and stuck:
                        plies[ply, STAGE] = _ALL
                        generate = False
        elif ply >= ROOT:
            # The child's result.
            value = plies[ply, GAIN] - result
            low = max(plies[ply, FLOOR], plies[ply, VALUE])
            high = plies[ply, HIGH]
            if plies[ply, SCOUT] and low < value < high:
                plies[ply, SCOUT] = 0
                plies[ply + 1, FLOOR] = plies[ply, GAIN] - high
                plies[ply + 1, HIGH] = plies[ply, GAIN] - low
                registers[BUILT] = min(registers[BUILT], ply)
                ply += 1
                entering = True
                continue
            if plies[ply, CURRENT] >= 0:
                take_off(grid, moves[plies[ply, CURRENT], MOVE])
            plies[ply, EXACT] &= result_exact
            if value > plies[ply, VALUE]:
                plies[ply, VALUE] = value
                current = plies[ply, CURRENT]
                plies[ply, BEST] = NO_MOVE if current < 0 else moves[current, MOVE]
                if value >= high:
                    plies[ply, EXACT] = result_exact
                    plies[ply, STAGE] = _PASSED
        entering = False

        index = -1
        while not settled:
            if generate:
                generate = False
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
                plies[ply, STAGE] = _ALL
                if ply < ROOT:
                    plies[ply + 1, BEGIN] = plies[ply + 1, END] = plies[ply, END]
                    break
            stage = plies[ply, STAGE]
            end = plies[ply, END]
            if stage == _PASSED:
                settled = complete = True
                break
            if plies[ply, CHECKED] < end and (stage == _ALL or plies[ply, TRIED] > 0):
                set_refuted_aside(gaddag, premiums, values, grid, kinds, plies, moves, listed, ply, filled)
            if stage == _OLD and plies[ply, TRIED] >= _OLD_TRIES:
                generate = True
                continue
            best = -1
            promise = DONE
            for place in range(plies[ply, BEGIN], end):
                if listed[place, PROMISE] > promise:
                    best = place
                    promise = listed[place, PROMISE]
            if best >= 0:
                index = listed[best, INDEX]
                listed[best, PROMISE] = DONE
                plies[ply, TRIED] += 1
                break
            if stage == _OLD:
                generate = True
                continue
            plies[ply, STAGE] = _PASSED
            if ply == ROOT and barred[len(barred) - 1]:
                settled = complete = True
                break
            if plies[ply, PASSED] and not plies[ply, ZEROS] and not plies[ply - 1, ZEROS]:
                # Two passes end the game, so a side that gains by moving does not pass first.
                value = plies[ply, THEIR_POINTS] - plies[ply, MY_POINTS]
                if value > plies[ply, VALUE]:
                    plies[ply, VALUE] = value
                    plies[ply, BEST] = NO_MOVE
                settled = complete = True
            break

        if ply < ROOT:
            plies[ply, CURRENT] = NO_MOVE
            ply += 1
            entering = True
            continue
        if settled:
            if complete:
                result = plies[ply, VALUE]
                result_exact = plies[ply, EXACT]
                remember(table, plies, ply, result, result_exact)
                registers[MOVES] = plies[ply, POOL]
            registers[BUILT] = min(registers[BUILT], ply - 1)
            ply -= 1
            if ply < ROOT:
                registers[PLY] = ROOT
                registers[ENTERING] = 1
                registers[RESULT] = result
                registers[RESULT_EXACT] = result_exact
                registers[POSITIONS] = positions
                return 1
            continue
        start_turn(values, square_keys, moves, grid, plies, index, ply)
        registers[BUILT] = min(registers[BUILT], ply)
        ply += 1
        entering = True
