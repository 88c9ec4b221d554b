"""Upper bounds on the equity of moves, for the search for only the best move.

A set is a number of tiles of the rack to lay, numbered like a leave: the sum of its tiles' strides. An extent
is the squares that a move fills: the next free ones to the left and to the right of an anchor, a given number
of each. On every square of an extent a tile scores at least its points times ``word``, the extent's word
multiplier. What a square adds to this factor, by its letter multiplier or a crossing word, is its surplus.

MAGPIE and wolges call bounds per anchor "shadow playing". The anagram filter has the role of MAGPIE's word
map (https://github.com/jvc56/MAGPIE, https://github.com/andy-k/wolges).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.anchor_kernels import FIRST, HOOK, LAST, LEFT, LINE, RIGHT, RUN
from app.games.fribble.board_kernels import ALONE, CROSS, CROSS_SUM, FREE, POINTS, TILE
from app.games.fribble.gaddag_kernels import LETTERS
from app.games.fribble.layout import CELLS, SIDE
from app.games.fribble.rack_kernels import BLANK, KINDS, NO_LIMIT, POINT
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined
from app.words.anagrams import BIT_SHIFTS, MOST_BLANKS

IMPOSSIBLE: Final = -(NO_LIMIT << 10)
"""The equity of an impossible move: so low that it stays the lowest when points are added."""
SIZES: Final = RACK + 1
SETS: Final = 1 << RACK

# The rows of the array of sets.
KEY, SIZE, SUM, LEFT_OVER, BY_SIZE, TILES, NUMBER, REACH = range(8)
SET_ROWS: Final = 8
UNKNOWN: Final = -(1 << 62)
"""The key of a set with more blanks than the filter supports."""

# The rows of an extent, which has an entry per tile in the order of laying.
PLACE, SURPLUS, REST = range(3)
EXTENT_ROWS: Final = 3

_NEEDS_BLANK: Final = -1
_CLOSED: Final = -2


@inlined
def makes_word(anagrams: NDArray[np.int64], key: int) -> bool:
    """Whether tiles with this key may make a word; if False, they make none in any order."""
    block = int(anagrams[key & (len(anagrams) - 1)])
    first, second, third = BIT_SHIFTS
    bits = block >> (key >> first & 63) & block >> (key >> second & 63) & block >> (key >> third & 63)
    return key < 0 or bits & 1 == 1


@inlined
def list_sets(
    rack: NDArray[np.int32],
    strides: NDArray[np.int64],
    values: NDArray[np.int32],
    keys: NDArray[np.int64],
    sets: NDArray[np.int64],
    ranked: NDArray[np.int64],
    starts: NDArray[np.int64],
) -> None:
    """Describe each set of tiles of the rack.

    ``sets[KEY]`` is its key in the filter, ``SIZE`` its number of tiles, ``SUM`` their points, ``LEFT_OVER``
    the tiles left on the rack, as a bit mask with all letters for a blank, ``TILES`` its tiles, a bit per
    tile of the rack; ``NUMBER`` has the number of the set with these bits. From ``starts[n]`` to ``starts[n +
    1]``, ``sets[BY_SIZE]`` has the sets of ``n`` tiles. ``ranked[:, set]`` are the points of a set's tiles,
    highest first.
    """
    for row in (KEY, SIZE, SUM, TILES, NUMBER):
        sets[row, 0] = 0
    total = 1
    held = 0
    for kind in range(KINDS):
        stride = int(strides[kind])
        value = int(values[kind]) if kind < KINDS - 1 else 0
        for copies in range(rack[kind]):
            for others in range(1 << held):
                sets[NUMBER, others | 1 << held] = sets[NUMBER, others] + stride
            for _ in range(stride):
                smaller = total - stride
                sets[KEY, total] = sets[KEY, smaller] + keys[kind]
                if kind == KINDS - 1 and copies >= MOST_BLANKS:
                    sets[KEY, total] = UNKNOWN
                size = int(sets[SIZE, smaller])
                sets[SIZE, total] = size + 1
                sets[SUM, total] = sets[SUM, smaller] + value
                sets[TILES, total] = sets[TILES, smaller] | 1 << held
                slot = size
                for index in range(size):
                    ranked[index, total] = ranked[index, smaller]
                while slot > 0 and ranked[slot - 1, total] < value:
                    ranked[slot, total] = ranked[slot - 1, total]
                    slot -= 1
                ranked[slot, total] = value
                total += 1
            held += 1
    for number in range(total):
        sets[LEFT_OVER, number] = 0
    for kind in range(KINDS):
        stride = int(strides[kind])
        if stride == 0:
            continue
        tiles = LETTERS << BLANK if kind == KINDS - 1 else 1 << kind
        span = stride * (int(rack[kind]) + 1)
        for begin in range(0, total, span):
            for number in range(begin, begin + span - stride):
                sets[LEFT_OVER, number] |= tiles
    listed = 0
    for size in range(SIZES):
        starts[size] = listed
        for number in range(total):
            if sets[SIZE, number] == size:
                sets[BY_SIZE, listed] = number
                listed += 1
    starts[SIZES] = listed


@inlined
def cap_squares(
    squares: NDArray[np.int32], values: NDArray[np.int32], tiles: int, top: int, caps: NDArray[np.int64]
) -> None:
    """Write the points of the best tile that fits each free square.

    ``tiles`` is the rack as a bit mask, ``top`` the points of its best tile. The entry is _NEEDS_BLANK if
    only a blank fits, and _CLOSED if no tile fits.
    """
    for square in range(2 * CELLS):
        cross = int(squares[CROSS, square])
        caps[square] = top
        if squares[TILE, square] == FREE and cross != LETTERS:
            caps[square] = _NEEDS_BLANK if cross else _CLOSED
            for kind in range(KINDS - 1):
                if cross & tiles & LETTERS & 1 << kind:
                    caps[square] = max(caps[square], values[kind])


@inlined
def bound_extents(
    squares: NDArray[np.int32],
    premiums: NDArray[np.int32],
    caps: NDArray[np.int64],
    ranked: NDArray[np.int64],
    rack: int,
    held: int,
    blanks: int,
    bonus: int,
    leaves: NDArray[np.int64],
    anchors: NDArray[np.int64],
    anchor: int,
    special: NDArray[np.int64],
    limits: NDArray[np.int64],
) -> int:
    """Write upper bounds on the equity of moves from this anchor, by extent, and return the greatest.

    ``limits[anchor, l, r]`` is for ``l`` tiles left of the anchor and ``r`` right of it; IMPOSSIBLE if there
    are no such moves. ``ranked[:, rack]`` are the points of the rack's tiles, highest first, ``held`` and
    ``blanks`` how many there are; ``leaves`` is the best leave value by number of tiles laid. ``special`` is
    scratch.
    """
    for lefts in range(SIZES):
        for rights in range(SIZES):
            limits[anchor, lefts, rights] = IMPOSSIBLE
    bound = IMPOSSIBLE
    base = int(anchors[LINE, anchor]) * SIDE
    first = int(anchors[FIRST, anchor])
    last = int(anchors[LAST, anchor])
    hook = int(anchors[HOOK, anchor])
    left = int(anchors[LEFT, anchor])
    word_left, others_left, needed_left, count_left = 1, 0, 0, 0
    for lefts in range(held + 1):
        if lefts > 0:
            square = base + left
            if left < first or caps[square] == _CLOSED:
                break
            by_word = int(premiums[square]) >> 4
            word_left *= by_word
            needed_left += caps[square] == _NEEDS_BLANK
            if squares[CROSS_SUM, square] != ALONE:
                others_left += squares[CROSS_SUM, square] * by_word
            count_left = add_surplus_square(squares, premiums, caps, square, special, count_left)
            left -= 1
        elif hook:
            continue
        word, others, needed, count = word_left, others_left, needed_left, count_left
        main = int(anchors[RUN, anchor])
        right = int(anchors[RIGHT, anchor])
        for laid in range(lefts, held + 1):
            if laid > lefts:
                square = base + right
                if right > last or caps[square] == _CLOSED:
                    break
                by_word = int(premiums[square]) >> 4
                word *= by_word
                needed += caps[square] == _NEEDS_BLANK
                if squares[CROSS_SUM, square] != ALONE:
                    others += squares[CROSS_SUM, square] * by_word
                count = add_surplus_square(squares, premiums, caps, square, special, count)
                right += 1
                while right < SIDE and squares[TILE, base + right] != FREE:
                    main += squares[POINTS, base + right]
                    right += 1
            if needed > blanks:
                break
            if laid == 0 or leaves[laid] == IMPOSSIBLE:
                continue
            if laid == 1 and (hook or (base >= CELLS and squares[CROSS_SUM, square] != ALONE)):
                continue
            points = bound_surplus(special, count, word, ranked, rack)
            for slot in range(laid - needed):
                points += word * ranked[slot, rack]
            points += main * word + others + (bonus if laid == RACK else 0)
            limits[anchor, lefts, laid - lefts] = points * POINT + leaves[laid]
            bound = max(bound, limits[anchor, lefts, laid - lefts])
    return bound


@inlined
def add_surplus_square(
    squares: NDArray[np.int32],
    premiums: NDArray[np.int32],
    caps: NDArray[np.int64],
    square: int,
    special: NDArray[np.int64],
    count: int,
) -> int:
    """Add a square that may have a surplus to ``special``, and return how many there are."""
    by_letter = int(premiums[square]) & 15
    crossing = by_letter * (int(premiums[square]) >> 4) if squares[CROSS_SUM, square] != ALONE else 0
    if by_letter == 1 and crossing == 0:
        return count
    special[0, count] = by_letter - 1
    special[1, count] = crossing
    special[2, count] = max(0, caps[square])
    return count + 1


@inlined
def bound_surplus(
    special: NDArray[np.int64], count: int, word: int, ranked: NDArray[np.int64], rack: int
) -> int:
    """Return an upper bound on the points from surplus.

    It is the lower of two: the best tiles on the best squares, and the best fitting tile on every square.
    """
    fitting = 0
    for index in range(count):
        surplus = special[0, index] * word + special[1, index]
        fitting += surplus * special[2, index]
        slot = index
        while slot > 0 and special[3, slot - 1] < surplus:
            special[3, slot] = special[3, slot - 1]
            slot -= 1
        special[3, slot] = surplus
    best = 0
    for slot in range(count):
        best += special[3, slot] * ranked[slot, rack]
    return min(best, fitting)


@inlined
def lower_limits(
    squares: NDArray[np.int32],
    leave_values: NDArray[np.int32],
    anagrams: NDArray[np.int64],
    keys: NDArray[np.int64],
    sets: NDArray[np.int64],
    starts: NDArray[np.int64],
    rack: int,
    held: int,
    leaves: NDArray[np.int64],
    anchors: NDArray[np.int64],
    anchor: int,
    best: int,
    limits: NDArray[np.int64],
) -> int:
    """Lower the limits at a run of tiles: only sets that may make a word with tiles on the board count.

    Limits lowered below ``best`` need not be bounds any more. Returns the greatest limit.
    """
    base = int(anchors[LINE, anchor]) * SIDE
    bound = IMPOSSIBLE
    through = 0
    for place in range(int(anchors[LEFT, anchor]) + 1, int(anchors[RIGHT, anchor])):
        through += keys[squares[TILE, base + place]]
    place = int(anchors[RIGHT, anchor])
    begin = 0
    while begin <= held:
        # With `begin` to `end` tiles right of the anchor, the word goes through the same runs.
        end = begin + 1
        place += 1
        while end <= held and place < SIDE and squares[TILE, base + place] == FREE:
            end += 1
            place += 1
        for size in range(max(1, begin), held + 1):
            limit = IMPOSSIBLE
            for rights in range(begin, min(end, size + 1)):
                limit = max(limit, limits[anchor, size - rights, rights])
            if limit < best:
                continue
            best_leave = IMPOSSIBLE
            for index in range(starts[size], starts[size + 1]):
                number = int(sets[BY_SIZE, index])
                value = int(leave_values[rack - number])
                if (
                    value > best_leave
                    and limit - leaves[size] + value >= best
                    and makes_word(anagrams, sets[KEY, number] + through)
                ):
                    best_leave = value
            for rights in range(begin, min(end, size + 1)):
                limits[anchor, size - rights, rights] += best_leave - leaves[size]
                bound = max(bound, limits[anchor, size - rights, rights])
        while place < SIDE and squares[TILE, base + place] != FREE:
            through += keys[squares[TILE, base + place]]
            place += 1
        begin = end
    return bound
