"""The search of the endgame solver: alpha-beta that can be suspended.

The arrays are those of ``endgame_move_kernels``. New moves are generated only if the best old ones are not
good enough. Lines whose end is certain are not searched: see ``endgame_bound_kernels``.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import ALL_LINES, FREE, TILE, lay_tiles
from app.games.fribble.endgame_bound_kernels import (
    best_fresh_single,
    best_singles,
    copy_board,
    count_tiles,
    is_single,
    list_replies,
    most_before_last,
    most_gained,
    put_on,
    take_off,
)
from app.games.fribble.endgame_move_kernels import (
    BEGIN,
    BEST,
    BLOCKED,
    BOARD_KEY,
    CHECKED,
    COMPLETE,
    CURRENT,
    DEPTH,
    DONE,
    END,
    EXACT,
    FLOOR,
    GAIN,
    HIGH,
    HINT,
    INDEX,
    INFINITE,
    KEY,
    LAID,
    LOW,
    MINE,
    MOVE,
    MY_POINTS,
    NEXT,
    NUMBER,
    PASSED,
    PLIES,
    POOL,
    PROMISE,
    ROOT,
    SCORE,
    SCORELESS,
    SCOUT,
    SLOT_BITS,
    STAGE,
    THEIR_POINTS,
    THEIRS,
    TILES_USED,
    TRIED,
    USED,
    VALUE,
    WORD_BITS,
    WORDS,
    ZEROS,
    cell_of,
    describe,
    estimate,
    exchange,
    list_old,
    mark_fresh,
    promise_of,
    rack_key,
)
from app.games.fribble.layout import CELLS, SIDE
from app.games.fribble.movegen_kernels import find_moves
from app.games.fribble.rack_kernels import BLANK, CELL_SHIFT, KINDS, LINE_SHIFT, TILE_BITS
from app.games.fribble.tileset import RACK
from app.games.kernel import kernel, lowest_bit, readonly

_OLD, _ALL, _PASSED = range(3)

# The entries of the search's registers.
PLY, ENTERING, RESULT, RESULT_EXACT, POSITIONS, MOVES, OVERFLOW, BUILT = range(8)
REGISTERS: Final = 8

# The columns of the transposition table.
ENTRY_KEY, ENTRY_BOUNDS, ENTRY_PROVEN, ENTRY_BEST = range(4)
ENTRY_COLUMNS: Final = 4
_BOUND_BITS: Final = 16
_BOUND_MASK: Final = (1 << _BOUND_BITS) - 1

NO_MOVE: Final = -1
_FEW: Final = 2
"""With so many tiles, the most that each scores alone is computed to refute moves."""
_EXTENDED: Final = 7
"""Positions with so few tiles on both racks are searched to their end, at most as many as the depth."""
_OLD_TRIES: Final = 2
"""The number of old moves tried before new ones are generated."""


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('int32')}, int64, int64[:, ::1], "
    "int64[:, ::1], int64[::1], int16[::1], int16[::1], int32[:, :, ::1], int64[:, ::1], "
    "int64[:, ::1], int64[:, ::1], int64[:, ::1], int8[::1], int64[:, ::1], int64[:, ::1], int64[:, :, ::1], "
    "int32[:, ::1], int64[::1], int8[::1], int32[::1], int64[::1], int32[::1], int64[:, ::1], int64[::1], "
    "int64, int64)",
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
                    out = list_old(plies, moves, listed, barred, ply, filled)
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
                    slot = key & (len(table) - 1)
                    plies[ply, HINT] = NO_MOVE
                    if table[slot, ENTRY_KEY] == key:
                        plies[ply, HINT] = table[slot, ENTRY_BEST]
                        for column in (ENTRY_PROVEN, ENTRY_BOUNDS):
                            bounds = table[slot, column]
                            if settled or (
                                column == ENTRY_BOUNDS and bounds >> 2 * _BOUND_BITS != plies[ply, DEPTH]
                            ):
                                continue
                            low = (bounds & _BOUND_MASK) - INFINITE
                            high = (bounds >> _BOUND_BITS & _BOUND_MASK) - INFINITE
                            result_exact = int(column == ENTRY_PROVEN)
                            if low == high or low >= plies[ply, HIGH]:
                                result = low
                                settled = True
                            elif high <= plies[ply, FLOOR]:
                                result = high
                                settled = True
                        if settled:
                            plies[ply, BEST] = table[slot, ENTRY_BEST]
                if not settled and (depth <= 0 or ply == PLIES - 1):
                    result = estimate(plies, moves, listed, ply, filled)
                    result_exact = 0
                    settled = True
                if not settled:
                    plies[ply, LOW] = plies[ply, FLOOR]
                    plies[ply, VALUE] = -INFINITE
                    plies[ply, EXACT] = 1
                    plies[ply, BEST] = NO_MOVE
                    plies[ply, NEXT] = plies[ply, BEGIN]
                    plies[ply, STAGE] = _OLD
                    plies[ply, TRIED] = 0
                    plies[ply, CHECKED] = plies[ply, BEGIN]
                    plies[ply, POOL] = registers[MOVES]
                    if ply == ROOT:
                        list_old(plies, moves, listed, barred, ply, filled)
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
                # New moves, on all lines that have changed since the last complete list.
                generate = False
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
                    listed[end, PROMISE] = promise_of(
                        moves, count, plies[ply, MINE], plies[ply, THEIR_POINTS]
                    )
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
                plies[ply, STAGE] = _ALL
                if ply < ROOT:
                    plies[ply + 1, BEGIN] = plies[ply + 1, END] = end
                    break
            stage = plies[ply, STAGE]
            begin = plies[ply, BEGIN]
            end = plies[ply, END]
            if stage == _PASSED:
                settled = complete = True
                break
            if plies[ply, CHECKED] < end and (stage == _ALL or plies[ply, TRIED] > 0):
                # Moves that are refuted by a bound are not tried: they come first, before NEXT.
                mine = plies[ply, MINE]
                few = count_tiles(mine) <= _FEW
                if plies[ply, CHECKED] == begin:
                    list_replies(plies, moves, listed, ply, filled)
                    if few:
                        best_singles(gaddag, premiums, values, grid, kinds, plies, moves, listed, ply)
                for place in range(max(plies[ply, CHECKED], plies[ply, NEXT]), end):
                    left = mine - listed[place, TILES_USED]
                    index = listed[place, INDEX]
                    if left == 0:
                        bound = moves[index, SCORE] + 2 * plies[ply, THEIR_POINTS]
                    else:
                        bound = most_gained(plies, moves, ply, index)
                    if bound > plies[ply, FLOOR] and few and is_single(left):
                        bound = most_before_last(
                            gaddag, premiums, values, grid, kinds, plies, moves, ply, index
                        )
                    if bound <= plies[ply, FLOOR]:
                        exchange(listed, plies[ply, NEXT], place)
                        plies[ply, NEXT] += 1
                        plies[ply, VALUE] = max(plies[ply, VALUE], bound)
                plies[ply, CHECKED] = end
            first = plies[ply, NEXT]
            if stage == _OLD and plies[ply, TRIED] >= _OLD_TRIES:
                generate = True
                continue
            best = first
            for place in range(first + 1, end):
                if listed[place, PROMISE] > listed[best, PROMISE]:
                    best = place
            if first < end and listed[best, PROMISE] != DONE:
                index = listed[best, INDEX]
                exchange(listed, first, best)
                plies[ply, NEXT] = first + 1
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
                low = result if result > plies[ply, FLOOR] else -INFINITE
                high = result if result < plies[ply, HIGH] else INFINITE
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
        # To the next turn.
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
        registers[BUILT] = min(registers[BUILT], ply)
        ply = child
        entering = True
