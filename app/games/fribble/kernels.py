"""Move generation for Fribble: anchors, cross-sets and a GADDAG.

Algorithm: Steven A. Gordon, "A Faster Scrabble Move Generation Algorithm", Software: Practice and Experience
24, 1994; anchors and cross-sets ("cross-checks") are from Andrew W. Appel and Guy J. Jacobson, "The World's
Fastest Scrabble Program", Communications of the ACM 31, 1988. The search for the best move alone is branch
and bound: anchors are tried by their upper bound on equity.

A board is an array ``squares`` of five rows of 450 numbers: the squares by rows, then again by columns, so
that every line (0 to 14 across, 15 to 29 down) is contiguous. The rows are

    TILE       the letter on the square, 0 for a, or FREE;
    POINTS     the points of that tile;
    CROSS      the cross-set: a bit mask of the letters that make a valid word across the line;
    CROSS_SUM  the points of the tiles of that crossing word, or ALONE if there are none;
    ENTRY      the GADDAG node after a run of tiles read backwards.

CROSS and CROSS_SUM are defined on free squares only, ENTRY on the last tile of a run only.

A tile on the rack is a six-bit number: its letter, plus BLANK for a blank that stands for the letter. A move
is a 62-bit number: the line, the mask of the squares filled in it (bit 0 is the first), and the tiles in the
order of the squares.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.layout import CELLS, SIDE
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, kernel, lowest_bit, popcount, readonly
from app.words.gaddag import ENDS, NOWHERE, SEPARATOR, START

LINES: Final = 2 * SIDE
CENTRE_LINE: Final = SIDE // 2

TILE, POINTS, CROSS, CROSS_SUM, ENTRY = range(5)
SQUARE_ROWS: Final = 5
FREE: Final = -1
ALONE: Final = -1
LETTERS: Final = (1 << SEPARATOR) - 1
BLANK: Final = 32
"""The bit that marks a tile as a blank, and the shift of blanks in a set of tiles."""
TILE_BITS: Final = 6
CELL_SHIFT: Final = TILE_BITS * RACK
LINE_SHIFT: Final = CELL_SHIFT + SIDE

KINDS: Final = 27
"""Kinds of tile: 26 letters and, last, the blank."""

_TO: Final = ENDS - 1
_NATURAL: Final = (1 << BLANK) - 1

# The rows of the array of anchors; MAX_ANCHORS is every square of every line.
_LINE, _LEFT, _RIGHT, _FIRST, _LAST, _NODE, _RUN, _HOOK, _BOUND = range(9)
ANCHOR_ROWS: Final = 9
MAX_ANCHORS: Final = 2 * CELLS

# The rows of the search stack, which has an entry per number of tiles laid.
(
    _PENDING,
    _AT,
    _SYMBOLS,
    _PLACE,
    _LEFTS,
    _LIMIT,
    _HAVE,
    _KEEPS,
    _LAID,
    _CELLS,
    _MAIN,
    _FACTOR,
    _OTHERS,
    _TAKEN,
) = range(14)
STACK_ROWS: Final = 14
_GROWING: Final = -1
"""In row _LEFTS, instead of the number of tiles left of the anchor: tiles are still being laid
leftwards."""

POINT: Final = 1000
"""Equities are in thousandths of a point."""
NO_LIMIT: Final = 1 << 40
EXTENTS: Final = RACK + 2

ROW_TYPE: Final = "int32[:, ::1]"


@inlined
def peek(gaddag: NDArray[np.uint32], index: int) -> int:
    """Return an entry as a signed integer, for arithmetic with other signed ones."""
    return int(np.int64(gaddag[index]))


@inlined
def follow(gaddag: NDArray[np.uint32], node: int, symbol: int) -> int:
    """Return the arc of ``node`` for ``symbol``: its target, with the flag ENDS; NOWHERE if there is none."""
    symbols = peek(gaddag, node)
    if not symbols >> symbol & 1:
        return NOWHERE
    return peek(gaddag, node + 1 + popcount(symbols & ((1 << symbol) - 1)))


@inlined
def compute_cross_set(gaddag: NDArray[np.uint32], squares: NDArray[np.int32], line: int, place: int) -> None:
    """Compute the cross-set and cross-sum of the free square ``place`` of ``line``, for the crossing line."""
    base = line * SIDE
    points = 0
    begin = place
    while begin > 0 and squares[TILE, base + begin - 1] != FREE:
        begin -= 1
        points += squares[POINTS, base + begin]
    last = place
    while last < SIDE - 1 and squares[TILE, base + last + 1] != FREE:
        last += 1
        points += squares[POINTS, base + last]
    allowed = 0
    if begin == place:
        node = int(squares[ENTRY, base + last])
        letters = peek(gaddag, node) & LETTERS
        arc = node
        while letters:
            arc += 1
            if gaddag[arc] >= ENDS:
                allowed |= letters & -letters
            letters &= letters - 1
    else:
        node = follow(gaddag, int(squares[ENTRY, base + place - 1]), SEPARATOR)
        letters = peek(gaddag, node) & LETTERS
        arc = node
        while letters:
            arc += 1
            reached = peek(gaddag, arc)
            for after in range(place + 1, last + 1):
                reached = follow(gaddag, reached & _TO, int(squares[TILE, base + after]))
            if reached >= ENDS:
                allowed |= letters & -letters
            letters &= letters - 1
    crossing = ((SIDE if line < SIDE else 0) + place) * SIDE + line % SIDE
    squares[CROSS, crossing] = allowed
    squares[CROSS_SUM, crossing] = points


@inlined
def update_run(gaddag: NDArray[np.uint32], squares: NDArray[np.int32], line: int, place: int) -> None:
    """Compute the entry of the run through ``place``, and the cross-sets at its two ends."""
    base = line * SIDE
    begin = place
    while begin > 0 and squares[TILE, base + begin - 1] != FREE:
        begin -= 1
    last = place
    while last < SIDE - 1 and squares[TILE, base + last + 1] != FREE:
        last += 1
    node = START
    for back in range(last, begin - 1, -1):
        node = follow(gaddag, node, int(squares[TILE, base + back])) & _TO
    squares[ENTRY, base + last] = node
    if begin > 0:
        compute_cross_set(gaddag, squares, line, begin - 1)
    if last < SIDE - 1:
        compute_cross_set(gaddag, squares, line, last + 1)


@kernel(f"void({readonly('uint32')}, {ROW_TYPE})")
def compute_cross_sets(gaddag: NDArray[np.uint32], squares: NDArray[np.int32]) -> None:
    """Fill CROSS, CROSS_SUM and ENTRY of a board, given TILE and POINTS."""
    for square in range(2 * CELLS):
        squares[CROSS, square] = LETTERS
        squares[CROSS_SUM, square] = ALONE
        squares[ENTRY, square] = NOWHERE
    # Twice, because the cross-set of a square between two runs depends on the entries of both.
    for _ in range(2):
        for line in range(LINES):
            for place in range(SIDE):
                square = line * SIDE + place
                if squares[TILE, square] != FREE and (place == SIDE - 1 or squares[TILE, square + 1] == FREE):
                    update_run(gaddag, squares, line, place)


@kernel(f"void({readonly('uint32')}, {ROW_TYPE}, {readonly('int32')}, int64)")
def lay(gaddag: NDArray[np.uint32], squares: NDArray[np.int32], values: NDArray[np.int32], move: int) -> None:
    """Lay the tiles of ``move`` and update affected squares; ``values`` are the points per tile number."""
    line = move >> LINE_SHIFT
    across = line * SIDE
    cells = move >> CELL_SHIFT & ((1 << SIDE) - 1)
    tiles = move
    rest = cells
    while rest:
        place = lowest_bit(rest)
        rest &= rest - 1
        tile = tiles & (2 * BLANK - 1)
        tiles >>= TILE_BITS
        crossing = ((SIDE if line < SIDE else 0) + place) * SIDE + line % SIDE
        squares[TILE, across + place] = tile & (BLANK - 1)
        squares[TILE, crossing] = tile & (BLANK - 1)
        squares[POINTS, across + place] = values[tile]
        squares[POINTS, crossing] = values[tile]
    if cells:
        update_run(gaddag, squares, line, lowest_bit(cells))
    while cells:
        place = lowest_bit(cells)
        cells &= cells - 1
        update_run(gaddag, squares, (SIDE if line < SIDE else 0) + place, line % SIDE)


@inlined
def find_anchors(
    squares: NDArray[np.int32],
    openings: int,
    anchors: NDArray[np.int64],
) -> int:
    """Write the anchors, line by line from left to right, and return their number.

    An anchor is a run of tiles, or a free square whose only neighbours are across the line. Words are built
    from it to the left first, then to the right. A word that contains several anchors is built from the
    leftmost only, so that it is found once: leftwards it stops right after the previous anchor.

    ``openings`` is 0 if there are tiles; on an empty board, 1 for words across only, 2 if words down score
    differently.
    """
    count = 0
    first = CENTRE_LINE if openings > 0 else 0
    stop = CENTRE_LINE + 1 + SIDE * (openings - 1) if openings > 0 else LINES
    for line in range(first, stop, SIDE if openings > 0 else 1):
        base = line * SIDE
        past_run = 0
        past_anchor = 0
        place = 0
        while place < SIDE:
            if squares[TILE, base + place] != FREE:
                anchors[_LEFT, count] = place - 1
                points = 0
                while place < SIDE and squares[TILE, base + place] != FREE:
                    points += squares[POINTS, base + place]
                    place += 1
                anchors[_RIGHT, count] = place
                anchors[_FIRST, count] = past_run
                anchors[_LAST, count] = SIDE - 1
                anchors[_NODE, count] = squares[ENTRY, base + place - 1]
                anchors[_RUN, count] = points
                anchors[_HOOK, count] = 0
                place += 1
                past_run = place
            elif (openings > 0 and place == CENTRE_LINE) or (
                squares[CROSS_SUM, base + place] != ALONE
                and (place == SIDE - 1 or squares[TILE, base + place + 1] == FREE)
            ):
                anchors[_LEFT, count] = place
                anchors[_RIGHT, count] = place + 1
                anchors[_FIRST, count] = past_anchor
                last = place
                while last < SIDE - 1 and squares[TILE, base + last + 1] == FREE:
                    last += 1
                anchors[_LAST, count] = last if last == SIDE - 1 else last - 1
                anchors[_NODE, count] = START
                anchors[_RUN, count] = 0
                anchors[_HOOK, count] = 1
                place += 1
            else:
                place += 1
                continue
            past_anchor = place
            anchors[_LINE, count] = line
            anchors[_BOUND, count] = NO_LIMIT
            count += 1
    return count


@inlined
def bound_anchor(
    squares: NDArray[np.int32],
    premiums: NDArray[np.int32],
    descending: NDArray[np.int64],
    held: int,
    bonus: int,
    best_kept: NDArray[np.int64],
    anchors: NDArray[np.int64],
    anchor: int,
    factors: NDArray[np.int64],
    limits: NDArray[np.int64],
) -> None:
    """Write upper bounds on the equity of moves from this anchor, whatever the words.

    ``limits[l, r]``: for ``l`` tiles left of the anchor and ``r`` or more right of it; ``limits[l,
    EXTENTS]``: for ``l`` or more. ``descending`` are the points of the rack's tiles, ``best_kept`` the best
    leave value by number of tiles laid. The bound puts the best tile on the best square, and so on.
    """
    base = anchors[_LINE, anchor] * SIDE
    for lefts in range(EXTENTS):
        for rights in range(EXTENTS + 1):
            limits[anchor, lefts, rights] = -NO_LIMIT
    left = anchors[_LEFT, anchor]
    run = anchors[_RUN, anchor]
    left_word = 1
    left_others = 0
    for lefts in range(held + 1):
        if lefts > 0:
            if left < anchors[_FIRST, anchor]:
                break
            by_word = int(premiums[base + left]) >> 4
            by_letter = int(premiums[base + left]) & 15
            left_word *= by_word
            cross_sum = int(squares[CROSS_SUM, base + left])
            factors[0, lefts - 1] = by_letter
            factors[1, lefts - 1] = by_letter * by_word if cross_sum != ALONE else 0
            left_others += cross_sum * by_word if cross_sum != ALONE else 0
            left -= 1
        word = left_word
        others = left_others
        main = run
        right = anchors[_RIGHT, anchor]
        laid = lefts
        while True:
            if laid > 0:
                for index in range(laid):
                    factor = factors[0, index] * word + factors[1, index]
                    slot = index
                    while slot > 0 and factors[2, slot - 1] < factor:
                        factors[2, slot] = factors[2, slot - 1]
                        slot -= 1
                    factors[2, slot] = factor
                points = main * word + others + (bonus if laid == RACK else 0)
                for index in range(laid):
                    points += factors[2, index] * descending[index]
                limits[anchor, lefts, laid - lefts] = points * POINT + best_kept[laid]
            if laid == held or right > anchors[_LAST, anchor]:
                break
            by_word = int(premiums[base + right]) >> 4
            by_letter = int(premiums[base + right]) & 15
            word *= by_word
            cross_sum = int(squares[CROSS_SUM, base + right])
            factors[0, laid] = by_letter
            factors[1, laid] = by_letter * by_word if cross_sum != ALONE else 0
            others += cross_sum * by_word if cross_sum != ALONE else 0
            right += 1
            laid += 1
            while right < SIDE and squares[TILE, base + right] != FREE:
                main += squares[POINTS, base + right]
                right += 1
    for lefts in range(EXTENTS - 1, -1, -1):
        for rights in range(EXTENTS - 2, -1, -1):
            limits[anchor, lefts, rights] = max(
                limits[anchor, lefts, rights], limits[anchor, lefts, rights + 1]
            )
        more = limits[anchor, lefts + 1, EXTENTS] if lefts < EXTENTS - 1 else -NO_LIMIT
        limits[anchor, lefts, EXTENTS] = max(limits[anchor, lefts, 0], more)
    anchors[_BOUND, anchor] = limits[anchor, 0, EXTENTS]


@kernel("int64(int32[::1], int64[::1])")
def number_leaves(rack: NDArray[np.int32], strides: NDArray[np.int64]) -> int:
    """Write the stride of each kind of tile on the rack, and return the number of possible leaves."""
    leaves = 1
    for kind in range(KINDS):
        strides[kind] = 0
        if rack[kind] > 0:
            strides[kind] = leaves
            leaves *= int(rack[kind]) + 1
    return leaves


@kernel("void(int64, int32[::1])")
def spend(move: int, rack: NDArray[np.int32]) -> None:
    """Take the tiles of ``move`` off the rack."""
    cells = move >> CELL_SHIFT & ((1 << SIDE) - 1)
    while cells:
        cells &= cells - 1
        tile = move & (2 * BLANK - 1)
        move >>= TILE_BITS
        rack[KINDS - 1 if tile >= BLANK else tile] -= 1


@kernel("void(int64[::1], int64[::1], int64, int32[::1])")
def refill(bag: NDArray[np.int64], ends: NDArray[np.int64], seat: int, rack: NDArray[np.int32]) -> None:
    """Fill the rack from the bag: seat 0 from the front, ``ends[0]``, seat 1 from the back, ``ends[1]``."""
    held = 0
    for kind in range(KINDS):
        held += int(rack[kind])
    while held < RACK and ends[0] < ends[1]:
        if seat == 0:
            kind = bag[ends[0]]
            ends[0] += 1
        else:
            ends[1] -= 1
            kind = bag[ends[1]]
        rack[kind] += 1
        held += 1


@kernel(
    f"int64({readonly('uint32')}, {ROW_TYPE}, {readonly('int32')}, {readonly('int32')}, int64, int32[::1], "
    "int64[::1], int32[::1], int64[:, ::1], int64[:, ::1], int64[:, :, ::1], boolean, "
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
    limits: NDArray[np.int64],
    only_best: bool,  # noqa: FBT001 - kernels take no keywords
    moves: NDArray[np.int64],
    scores: NDArray[np.int16],
    kept: NDArray[np.int16],
) -> int:
    """Write every legal placement once, with its score and leave, and return their number.

    Moves that do not fit into ``moves`` are counted but not written. With ``only_best``, only the move of
    highest equity is written (among equals, the lowest number) and 1 or 0 returned; branches that cannot beat
    the best are pruned.

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
    openings = 1
    for square in range(CELLS):
        if squares[TILE, square] != FREE:
            openings = 0
            break
        if premiums[square] != premiums[CELLS + square]:
            openings = 2
    count = find_anchors(squares, openings, anchors)
    # Without a blank, finding all moves is faster than computing bounds.
    bounded = only_best and rack[KINDS - 1] > 0
    if bounded:
        # Rows of the stack, not in use yet.
        descending = stack[0]
        best_kept = stack[1]
        filled = 0
        for kind in range(KINDS):
            for _ in range(rack[kind]):
                value = int(values[kind]) if kind < KINDS - 1 else 0
                slot = filled
                while slot > 0 and descending[slot - 1] < value:
                    descending[slot] = descending[slot - 1]
                    slot -= 1
                descending[slot] = value
                filled += 1
        for laid in range(held + 1):
            best_kept[laid] = -NO_LIMIT
        for number in range(keeps + 1):
            laid = held
            rest = number
            for kind in range(KINDS - 1, -1, -1):
                if rack[kind] > 0:
                    laid -= rest // strides[kind]
                    rest %= strides[kind]
            best_kept[laid] = max(best_kept[laid], int(leave_values[number]))
        for anchor in range(count):
            bound_anchor(
                squares, premiums, descending, held, bonus, best_kept, anchors, anchor, stack[2:5], limits
            )

    total = 0
    best = -NO_LIMIT
    for turn in range(count):
        anchor = turn
        if bounded:
            for other in range(count):
                if int(anchors[_BOUND, other]) > int(anchors[_BOUND, anchor]):
                    anchor = other
            if int(anchors[_BOUND, anchor]) < best or int(anchors[_BOUND, anchor]) == -NO_LIMIT:
                break
            anchors[_BOUND, anchor] = -NO_LIMIT
        line = int(anchors[_LINE, anchor])
        base = line * SIDE
        first = int(anchors[_FIRST, anchor])
        right = int(anchors[_RIGHT, anchor])
        last = int(anchors[_LAST, anchor])
        hook = int(anchors[_HOOK, anchor]) == 1

        depth = 0
        at = int(anchors[_NODE, anchor])
        symbols = peek(gaddag, at)
        place = int(anchors[_LEFT, anchor])
        stack[_AT, 0] = at
        stack[_SYMBOLS, 0] = symbols
        stack[_PLACE, 0] = place
        stack[_LEFTS, 0] = _GROWING
        stack[_LIMIT, 0] = limits[anchor, 1, EXTENTS] if bounded else NO_LIMIT
        stack[_HAVE, 0] = have
        stack[_KEEPS, 0] = keeps
        stack[_LAID, 0] = 0
        stack[_CELLS, 0] = 0
        stack[_MAIN, 0] = int(anchors[_RUN, anchor])
        stack[_FACTOR, 0] = 1
        stack[_OTHERS, 0] = 0
        stack[_PENDING, 0] = 0
        if place >= first:
            allowed = symbols & int(squares[CROSS, base + place])
            stack[_PENDING, 0] = (allowed | allowed << BLANK) & have
        while True:
            pending = stack[_PENDING, depth]
            lefts = stack[_LEFTS, depth]
            if pending == 0 or stack[_LIMIT, depth] < best:
                if lefts == _GROWING:
                    stack[_LEFTS, depth] = depth
                    stack[_PENDING, depth] = 0
                    symbols = stack[_SYMBOLS, depth]
                    limit = limits[anchor, depth, 1] if bounded else NO_LIMIT
                    if symbols >> SEPARATOR and right <= last and limit >= best:
                        at = peek(gaddag, stack[_AT, depth] + popcount(symbols))
                        symbols = peek(gaddag, at)
                        stack[_AT, depth] = at
                        stack[_SYMBOLS, depth] = symbols
                        stack[_PLACE, depth] = right
                        stack[_LIMIT, depth] = limit
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
                    reached = follow(gaddag, reached & _TO, int(squares[TILE, base + place]))
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

            at = reached & _TO
            symbols = peek(gaddag, at)
            have_now = stack[_HAVE, depth]
            if int(rack[kind]) == 1:
                have_now &= _NATURAL if tile >= BLANK else ~(1 << tile)
            limit = NO_LIMIT
            if bounded:
                if lefts == _GROWING:
                    limit = limits[anchor, depth + 2, EXTENTS]
                else:
                    limit = limits[anchor, lefts, depth + 2 - lefts]
            allowed = 0
            if limit >= best and (place >= first if lefts == _GROWING else place <= last):
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
            stack[_LIMIT, depth] = limit
            stack[_HAVE, depth] = have_now
            stack[_KEEPS, depth] = keeps_now
            stack[_LAID, depth] = laid
            stack[_CELLS, depth] = cells
            stack[_MAIN, depth] = main
            stack[_FACTOR, depth] = factor
            stack[_OTHERS, depth] = others
    return total
