"""Move generation: every legal placement of a rack's tiles, from each anchor along a GADDAG.

Algorithm: Steven A. Gordon, "A Faster Scrabble Move Generation Algorithm", Software: Practice and Experience
24, 1994.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.anchor_kernels import (
    FIRST,
    HOOK,
    LAST,
    LEFT,
    LINE,
    NODE,
    RIGHT,
    RUN,
    find_anchors,
    find_openings,
)
from app.games.fribble.board_kernels import ALL_LINES, ALONE, CROSS, CROSS_SUM, FREE, POINTS, ROW_TYPE, TILE
from app.games.fribble.gaddag_kernels import LETTERS, TARGET, follow, peek
from app.games.fribble.layout import SIDE
from app.games.fribble.rack_kernels import (
    BLANK,
    CELL_SHIFT,
    KINDS,
    LINE_SHIFT,
    NATURAL,
    NO_LIMIT,
    POINT,
    TILE_BITS,
)
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, kernel, lowest_bit, popcount, readonly
from app.words.gaddag import ENDS, SEPARATOR

# The rows of the search stack, which has an entry per number of tiles laid.
(
    _PENDING,
    _AT,
    _SYMBOLS,
    _PLACE,
    _LEFTS,
    _HAVE,
    _KEEPS,
    _LAID,
    _CELLS,
    _MAIN,
    _FACTOR,
    _OTHERS,
    _TAKEN,
) = range(13)
STACK_ROWS: Final = 13
_GROWING: Final = -1
"""In row _LEFTS, instead of the number of tiles left of the anchor: tiles are still being laid
leftwards."""


@inlined
def find_moves(
    gaddag: NDArray[np.uint32],
    squares: NDArray[np.int32],
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    bonus: int,
    rack: NDArray[np.int32],
    strides: NDArray[np.int64],
    leave_values: NDArray[np.int32],
    anchors: NDArray[np.int64],
    stack: NDArray[np.int64],
    only_best: bool,  # noqa: FBT001 - kernels take no keywords
    among: int,
    moves: NDArray[np.int64],
    scores: NDArray[np.int16],
    kept: NDArray[np.int16],
) -> int:
    """Write every legal placement once, with its score and leave, and return their number.

    Moves that do not fit into ``moves`` are counted but not written. With ``only_best``, only the move of
    highest equity is written (the lowest number of equal ones) and 1 or 0 returned; with a blank on the rack,
    ``search_best`` is faster. Only lines in the bit mask ``among`` are searched.

    ``premiums`` has, per square (450), the letter multiplier plus 16 times the word multiplier; ``values``
    the points per tile number; ``rack`` the count of each kind of tile (restored on return); ``bonus`` is for
    laying RACK tiles. A leave's number is the sum of the ``strides`` of its tiles, and ``leave_values`` has
    its value; equity is score times POINT plus leave value.

    A one-tile move is across if it makes a word there. On an empty board with symmetric premium squares,
    moves down would repeat the moves across, and are left out.
    """
    have = 0
    held = 0
    keeps = 0
    for kind in range(KINDS):
        held += rack[kind]
        keeps += strides[kind] * rack[kind]
        if rack[kind] > 0:
            have |= LETTERS << BLANK if kind == KINDS - 1 else 1 << kind
    if held == 0:
        return 0
    count = find_anchors(squares, find_openings(squares, premiums), among, anchors)
    total = 0
    best = -NO_LIMIT
    for anchor in range(count):
        line = int(anchors[LINE, anchor])
        base = line * SIDE
        first = int(anchors[FIRST, anchor])
        right = int(anchors[RIGHT, anchor])
        last = int(anchors[LAST, anchor])
        hook = int(anchors[HOOK, anchor]) == 1

        depth = 0
        at = int(anchors[NODE, anchor])
        symbols = peek(gaddag, at)
        place = int(anchors[LEFT, anchor])
        stack[_AT, 0] = at
        stack[_SYMBOLS, 0] = symbols
        stack[_PLACE, 0] = place
        stack[_LEFTS, 0] = _GROWING
        stack[_HAVE, 0] = have
        stack[_KEEPS, 0] = keeps
        stack[_LAID, 0] = 0
        stack[_CELLS, 0] = 0
        stack[_MAIN, 0] = int(anchors[RUN, anchor])
        stack[_FACTOR, 0] = 1
        stack[_OTHERS, 0] = 0
        stack[_PENDING, 0] = 0
        if place >= first:
            allowed = symbols & int(squares[CROSS, base + place])
            stack[_PENDING, 0] = (allowed | allowed << BLANK) & have
        while True:
            pending = stack[_PENDING, depth]
            lefts = stack[_LEFTS, depth]
            if pending == 0:
                if lefts == _GROWING:
                    stack[_LEFTS, depth] = depth
                    stack[_PENDING, depth] = 0
                    symbols = stack[_SYMBOLS, depth]
                    if symbols >> SEPARATOR and right <= last:
                        at = peek(gaddag, stack[_AT, depth] + popcount(symbols))
                        symbols = peek(gaddag, at)
                        stack[_AT, depth] = at
                        stack[_SYMBOLS, depth] = symbols
                        stack[_PLACE, depth] = right
                        allowed = symbols & int(squares[CROSS, base + right])
                        stack[_PENDING, depth] = (allowed | allowed << BLANK) & stack[_HAVE, depth]
                        continue
                if depth == 0:
                    break
                depth -= 1
                rack[stack[_TAKEN, depth]] += 1
                continue

            tile = lowest_bit(pending)
            stack[_PENDING, depth] = pending & (pending - 1)
            letter = tile & (BLANK - 1)
            kind = KINDS - 1 if tile >= BLANK else letter
            place = stack[_PLACE, depth]
            square = base + place
            symbols = stack[_SYMBOLS, depth]
            reached = peek(gaddag, stack[_AT, depth] + 1 + popcount(symbols & ((1 << letter) - 1)))
            value = int(values[tile])
            by_letter = int(premiums[square]) & 15
            by_word = int(premiums[square]) >> 4
            main = stack[_MAIN, depth] + value * by_letter
            factor = stack[_FACTOR, depth] * by_word
            others = stack[_OTHERS, depth]
            if int(squares[CROSS_SUM, square]) != ALONE:
                others += (int(squares[CROSS_SUM, square]) + value * by_letter) * by_word
            cells = stack[_CELLS, depth] | 1 << place
            keeps_now = stack[_KEEPS, depth] - int(strides[kind])
            if lefts == _GROWING:
                laid = stack[_LAID, depth] << TILE_BITS | tile
                place -= 1
            else:
                laid = stack[_LAID, depth] | tile << (TILE_BITS * depth)
                place += 1
                while place < SIDE and int(squares[TILE, base + place]) != FREE:
                    reached = follow(gaddag, reached & TARGET, int(squares[TILE, base + place]))
                    main += int(squares[POINTS, base + place])
                    place += 1
            if reached >= ENDS and (
                depth > 0 or (not hook and (line < SIDE or int(squares[CROSS_SUM, square]) == ALONE))
            ):
                score = main * factor + others + (bonus if depth + 1 == RACK else 0)
                move = line << LINE_SHIFT | cells << CELL_SHIFT | laid
                if only_best:
                    equity = score * POINT + int(leave_values[keeps_now])
                    if equity > best or (equity == best and move < moves[0]):
                        best = equity
                        moves[0] = move
                        scores[0] = score
                        kept[0] = keeps_now
                        total = 1
                else:
                    if total < len(moves):
                        moves[total] = move
                        scores[total] = score
                        kept[total] = keeps_now
                    total += 1
            if depth + 1 == held:
                continue

            at = reached & TARGET
            symbols = peek(gaddag, at)
            have_now = stack[_HAVE, depth]
            if int(rack[kind]) == 1:
                have_now &= NATURAL if tile >= BLANK else ~(1 << tile)
            allowed = 0
            if place >= first if lefts == _GROWING else place <= last:
                allowed = symbols & int(squares[CROSS, base + place])
            pending = (allowed | allowed << BLANK) & have_now
            if pending == 0 and not (lefts == _GROWING and symbols >> SEPARATOR):
                continue
            rack[kind] -= 1
            stack[_TAKEN, depth] = kind
            depth += 1
            stack[_PENDING, depth] = pending
            stack[_AT, depth] = at
            stack[_SYMBOLS, depth] = symbols
            stack[_PLACE, depth] = place
            stack[_LEFTS, depth] = lefts
            stack[_HAVE, depth] = have_now
            stack[_KEEPS, depth] = keeps_now
            stack[_LAID, depth] = laid
            stack[_CELLS, depth] = cells
            stack[_MAIN, depth] = main
            stack[_FACTOR, depth] = factor
            stack[_OTHERS, depth] = others
    return total


@kernel(
    f"int64({readonly('uint32')}, {ROW_TYPE}, {readonly('int32')}, {readonly('int32')}, int64, int32[::1], "
    "int64[::1], int32[::1], int64[:, ::1], int64[:, ::1], boolean, "
    "int64[::1], int16[::1], int16[::1])"
)
def search(
    gaddag: NDArray[np.uint32],
    squares: NDArray[np.int32],
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    bonus: int,
    rack: NDArray[np.int32],
    strides: NDArray[np.int64],
    leave_values: NDArray[np.int32],
    anchors: NDArray[np.int64],
    stack: NDArray[np.int64],
    only_best: bool,  # noqa: FBT001 - kernels take no keywords
    moves: NDArray[np.int64],
    scores: NDArray[np.int16],
    kept: NDArray[np.int16],
) -> int:
    """Find the moves on all lines: ``find_moves`` as a kernel."""
    return find_moves(
        gaddag,
        squares,
        premiums,
        values,
        bonus,
        rack,
        strides,
        leave_values,
        anchors,
        stack,
        only_best,
        ALL_LINES,
        moves,
        scores,
        kept,
    )
