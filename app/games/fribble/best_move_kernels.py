"""Search for only the best move: branch and bound over extents, for racks with a blank.

Extents are taken in the order of their upper bounds; see :mod:`app.games.fribble.bound_kernels`. In each,
only sets of tiles are laid that may make a word there and may still beat the best move found.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.anchor_kernels import (
    ANCHOR_ROWS,
    HOOK,
    LEFT,
    LINE,
    MAX_ANCHORS,
    NODE,
    RIGHT,
    RUN,
    find_anchors,
    find_openings,
)
from app.games.fribble.board_kernels import ALL_LINES, ALONE, CROSS, CROSS_SUM, FREE, POINTS, ROW_TYPE, TILE
from app.games.fribble.bound_kernels import (
    BY_SIZE,
    EXTENT_ROWS,
    IMPOSSIBLE,
    KEY,
    LEFT_OVER,
    NUMBER,
    PLACE,
    REACH,
    REST,
    SET_ROWS,
    SETS,
    SIZE,
    SIZES,
    SUM,
    SURPLUS,
    TILES,
    bound_extents,
    cap_squares,
    list_sets,
    lower_limits,
    makes_word,
)
from app.games.fribble.gaddag_kernels import LETTERS, TARGET, follow, peek
from app.games.fribble.layout import CELLS, SIDE
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

FEW_SETS: Final = 12
"""Up to this number of sets, the letters of two blanks are looked up together."""

# The rows of the search stack, which has an entry per number of tiles laid.
_PENDING, _AT, _SYMBOLS, _USED, _LAID, _GAIN, _SHIFT = range(7)
_STACK_ROWS: Final = 7


@inlined
def reach_subsets(sets: NDArray[np.int64], number: int, value: int) -> None:
    """Raise ``sets[REACH]`` of this set and of all its subsets to ``value``."""
    chosen = tiles = int(sets[TILES, number])
    sets[REACH, number] = value
    while chosen:
        chosen = (chosen - 1) & tiles
        smaller = sets[NUMBER, chosen]
        sets[REACH, smaller] = max(sets[REACH, smaller], value)


@inlined
def search_extent(
    gaddag: NDArray[np.uint32],
    anagrams: NDArray[np.int64],
    keys: NDArray[np.int64],
    squares: NDArray[np.int32],
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    bonus: int,
    strides: NDArray[np.int64],
    leave_values: NDArray[np.int32],
    sets: NDArray[np.int64],
    ranked: NDArray[np.int64],
    starts: NDArray[np.int64],
    caps: NDArray[np.int64],
    anchors: NDArray[np.int64],
    anchor: int,
    lefts: int,
    size: int,
    best: int,
    extent: NDArray[np.int64],
    words: NDArray[np.int64],
    stack: NDArray[np.int64],
    found: NDArray[np.int64],
) -> int:
    """Search the moves of ``size`` tiles, ``lefts`` of them left of the anchor; return the best equity.

    A move of higher equity than ``best``, or of the same and a lower number, is written to ``found``.
    ``extent``, ``words`` and ``stack`` are scratch.
    """
    at = int(anchors[NODE, anchor])
    symbols = peek(gaddag, at)
    if lefts == 0 and not symbols >> SEPARATOR:
        return best
    line = int(anchors[LINE, anchor])
    base = line * SIDE
    everything = len(leave_values) - 1
    main = int(anchors[RUN, anchor])
    through = 0
    for place in range(int(anchors[LEFT, anchor]) + 1, int(anchors[RIGHT, anchor])):
        through += keys[squares[TILE, base + place]]
    word = 1
    cells = 0
    place = int(anchors[LEFT, anchor])
    for index in range(size):
        if index == lefts:
            place = int(anchors[RIGHT, anchor])
        extent[PLACE, index] = place
        cells |= 1 << place
        word *= int(premiums[base + place]) >> 4
        place += -1 if index < lefts else 1
        while index >= lefts and place < SIDE and squares[TILE, base + place] != FREE:
            main += squares[POINTS, base + place]
            through += keys[squares[TILE, base + place]]
            place += 1
    # The score of a move is this constant, plus the points of its tiles times `word`, plus their surplus.
    constant = main * word + (bonus if size == RACK else 0)
    extent[REST, size] = 0
    for index in range(size - 1, -1, -1):
        square = base + extent[PLACE, index]
        by_letter = int(premiums[square]) & 15
        by_word = int(premiums[square]) >> 4
        surplus = (by_letter - 1) * word
        if squares[CROSS_SUM, square] != ALONE:
            surplus += by_letter * by_word
            constant += squares[CROSS_SUM, square] * by_word
        extent[SURPLUS, index] = surplus
        extent[REST, index] = extent[REST, index + 1] + surplus * max(0, caps[square])
        # Sorted into a row of the stack that is not in use yet.
        slot = size - 1 - index
        while slot > 0 and stack[0, slot - 1] < surplus:
            stack[0, slot] = stack[0, slot - 1]
            slot -= 1
        stack[0, slot] = surplus

    alive = 0
    for number in range(everything + 1):
        sets[REACH, number] = IMPOSSIBLE
    for index in range(starts[size], starts[size + 1]):
        number = int(sets[BY_SIZE, index])
        value = int(leave_values[everything - number]) + (constant + sets[SUM, number] * word) * POINT
        surplus = 0
        for slot in range(size):
            surplus += stack[0, slot] * ranked[slot, number]
        if value + min(surplus, int(extent[REST, 0])) * POINT >= best:
            key = int(sets[KEY, number]) + through
            if makes_word(anagrams, key):
                reach_subsets(sets, number, value)
                words[alive] = key
                alive += 1
    if alive == 0:
        return best

    if lefts == 0:
        at = peek(gaddag, at + popcount(symbols))
        symbols = peek(gaddag, at)
    allowed = symbols & int(squares[CROSS, base + extent[PLACE, 0]])
    stack[_PENDING, 0] = (allowed | allowed << BLANK) & sets[LEFT_OVER, 0]
    stack[_AT, 0] = at
    stack[_SYMBOLS, 0] = symbols
    stack[_USED, 0] = 0
    stack[_LAID, 0] = 0
    stack[_GAIN, 0] = 0
    stack[_SHIFT, 0] = 0
    blank = int(strides[KINDS - 1])
    tried = 0
    # The letters that a blank may represent if it is the first tile of the move.
    openings = LETTERS
    depth = 0
    while depth >= 0:
        pending = stack[_PENDING, depth]
        if pending == 0:
            depth -= 1
            continue
        tile = lowest_bit(pending)
        stack[_PENDING, depth] = pending & (pending - 1)
        letter = tile & (BLANK - 1)
        used = stack[_USED, depth] + int(strides[KINDS - 1 if tile >= BLANK else letter])
        gain = stack[_GAIN, depth] + extent[SURPLUS, depth] * int(values[tile])
        bound = sets[REACH, used] + (gain + extent[REST, depth + 1]) * POINT
        if bound < best:
            continue
        shift = stack[_SHIFT, depth]
        if tile >= BLANK:
            first = shift == 0
            shift += keys[letter] - keys[KINDS - 1]
            if (first and not tried >> letter & 1) or (not first and alive <= FEW_SETS):
                index = 0
                while index < alive and not makes_word(anagrams, words[index] + shift):
                    index += 1
                if first:
                    tried |= 1 << letter
                    if index == alive:
                        openings &= ~(1 << letter)
                elif index == alive:
                    continue
            if first and not openings >> letter & 1:
                continue
        symbols = stack[_SYMBOLS, depth]
        reached = peek(gaddag, stack[_AT, depth] + 1 + popcount(symbols & ((1 << letter) - 1)))
        if depth < lefts:
            laid = stack[_LAID, depth] << TILE_BITS | tile
        else:
            laid = stack[_LAID, depth] | tile << (TILE_BITS * depth)
            place = extent[PLACE, depth] + 1
            while place < SIDE and int(squares[TILE, base + place]) != FREE:
                reached = follow(gaddag, reached & TARGET, int(squares[TILE, base + place]))
                place += 1
        if depth + 1 == size:
            move = line << LINE_SHIFT | cells << CELL_SHIFT | laid
            # All tiles are laid: the bound is the exact equity.
            if reached >= ENDS and (bound > best or move < found[0]):
                best = bound
                found[0] = move
                found[1] = (bound - int(leave_values[everything - used])) // POINT
                found[2] = everything - used
            continue
        at = reached & TARGET
        symbols = peek(gaddag, at)
        if depth + 1 == lefts:
            if not symbols >> SEPARATOR:
                continue
            at = peek(gaddag, at + popcount(symbols))
            symbols = peek(gaddag, at)
        allowed = symbols & int(squares[CROSS, base + extent[PLACE, depth + 1]])
        pending = (allowed | (allowed & openings) << BLANK) & sets[LEFT_OVER, used]
        if pending > NATURAL and sets[REACH, used + blank] + (gain + extent[REST, depth + 1]) * POINT < best:
            pending &= NATURAL
        if pending:
            depth += 1
            stack[_PENDING, depth] = pending
            stack[_AT, depth] = at
            stack[_SYMBOLS, depth] = symbols
            stack[_USED, depth] = used
            stack[_LAID, depth] = laid
            stack[_GAIN, depth] = gain
            stack[_SHIFT, depth] = shift
    return best


@kernel(
    f"int64({readonly('uint32')}, {readonly('int64')}, {readonly('int64')}, {ROW_TYPE}, {readonly('int32')}, "
    f"{readonly('int32')}, int64, int32[::1], int64[::1], int32[::1], int64[::1])",
    allocates=True,
)
def search_best(
    gaddag: NDArray[np.uint32],
    anagrams: NDArray[np.int64],
    keys: NDArray[np.int64],
    squares: NDArray[np.int32],
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    bonus: int,
    rack: NDArray[np.int32],
    strides: NDArray[np.int64],
    leave_values: NDArray[np.int32],
    found: NDArray[np.int64],
) -> int:
    """Write the move of highest equity, its score and its leave to ``found``; return whether there is one.

    It is the move that ``find_moves`` finds with ``only_best``; see there for the arguments. ``anagrams`` is
    the anagram filter of the words in ``gaddag``, and ``keys`` are the tiles' keys in it.
    """
    everything = len(leave_values) - 1
    sets = np.empty((SET_ROWS, SETS), np.int64)
    ranked = np.empty((RACK, SETS), np.int64)
    starts = np.empty(SIZES + 1, np.int64)
    list_sets(rack, strides, values, keys, sets, ranked, starts)
    held = int(sets[SIZE, everything])
    blanks = int(rack[KINDS - 1])
    if held == 0:
        return 0
    caps = np.empty(2 * CELLS, np.int64)
    cap_squares(squares, values, int(sets[LEFT_OVER, 0]), int(ranked[0, everything]), caps)
    # The best leave value by number of tiles laid: for tiles that may make a word by themselves, and for any.
    leaves = np.empty((2, SIZES), np.int64)
    for size in range(SIZES):
        leaves[0, size] = leaves[1, size] = IMPOSSIBLE
    for number in range(1, everything + 1):
        size = int(sets[SIZE, number])
        value = int(leave_values[everything - number])
        leaves[0, size] = max(leaves[0, size], value)
        if makes_word(anagrams, sets[KEY, number]):
            leaves[1, size] = max(leaves[1, size], value)

    anchors = np.empty((ANCHOR_ROWS, MAX_ANCHORS), np.int64)
    count = find_anchors(squares, find_openings(squares, premiums), ALL_LINES, anchors)
    limits = np.empty((count, SIZES, SIZES), np.int64)
    bounds = np.empty(count + 1, np.int64)
    bounds[0] = IMPOSSIBLE
    lowered = np.zeros(count, np.int64)
    extent = np.empty((EXTENT_ROWS, SIZES), np.int64)
    words = np.empty(SETS, np.int64)
    stack = np.empty((_STACK_ROWS, SIZES), np.int64)
    for anchor in range(count):
        hook = int(anchors[HOOK, anchor])
        lowered[anchor] = hook
        bounds[anchor] = bound_extents(
            squares, premiums, caps, ranked, everything, held, blanks, bonus, leaves[hook], anchors,
            anchor, stack, limits,
        )  # fmt: skip

    best = -NO_LIMIT
    while True:
        anchor = 0
        for other in range(1, count):
            if bounds[other] > bounds[anchor]:
                anchor = other
        if bounds[anchor] < best:
            break
        if not lowered[anchor]:
            lowered[anchor] = 1
            bounds[anchor] = lower_limits(
                squares, leave_values, anagrams, keys, sets, starts, everything, held, leaves[0], anchors,
                anchor, best, limits,
            )  # fmt: skip
            continue
        lefts, rights = 0, 0
        bounds[anchor] = IMPOSSIBLE
        for left in range(held + 1):
            for right in range(held + 1 - left):
                limit = limits[anchor, left, right]
                if limit > limits[anchor, lefts, rights]:
                    bounds[anchor] = limits[anchor, lefts, rights]
                    lefts, rights = left, right
                elif limit > bounds[anchor] and left + right > 0:
                    bounds[anchor] = limit
        limits[anchor, lefts, rights] = IMPOSSIBLE
        best = search_extent(
            gaddag, anagrams, keys, squares, premiums, values, bonus, strides, leave_values, sets,
            ranked, starts, caps, anchors, anchor, lefts, lefts + rights, best, extent, words, stack, found,
        )  # fmt: skip
    return int(best > -NO_LIMIT)
