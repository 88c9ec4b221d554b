"""Move generation for Fribble: anchors, cross-sets and a GADDAG.

Algorithm: Steven A. Gordon, "A Faster Scrabble Move Generation Algorithm", Software: Practice and Experience
24, 1994; anchors and cross-sets ("cross-checks") are from Andrew W. Appel and Guy J. Jacobson, "The World's
Fastest Scrabble Program", Communications of the ACM 31, 1988.

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
ALL_LINES: Final = (1 << LINES) - 1
BLANK: Final = 32
"""The bit that marks a tile as a blank, and the shift of blanks in a set of tiles."""
TILE_BITS: Final = 6
CELL_SHIFT: Final = TILE_BITS * RACK
LINE_SHIFT: Final = CELL_SHIFT + SIDE

KINDS: Final = 27
"""Kinds of tile: 26 letters and, last, the blank."""

TARGET: Final = ENDS - 1
NATURAL: Final = (1 << BLANK) - 1

# The rows of the array of anchors; MAX_ANCHORS is every square of every line.
LINE, LEFT, RIGHT, FIRST, LAST, NODE, RUN, HOOK = range(8)
ANCHOR_ROWS: Final = 8
MAX_ANCHORS: Final = 2 * CELLS

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

POINT: Final = 1000
"""Equities are in thousandths of a point."""
NO_LIMIT: Final = 1 << 40

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
                reached = follow(gaddag, reached & TARGET, int(squares[TILE, base + after]))
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
        node = follow(gaddag, node, int(squares[TILE, base + back])) & TARGET
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


@inlined
def lay_tiles(
    gaddag: NDArray[np.uint32], squares: NDArray[np.int32], values: NDArray[np.int32], move: int
) -> None:
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


@kernel(f"void({readonly('uint32')}, {ROW_TYPE}, {readonly('int32')}, int64)")
def lay(gaddag: NDArray[np.uint32], squares: NDArray[np.int32], values: NDArray[np.int32], move: int) -> None:
    """Lay the tiles of ``move``: ``lay_tiles`` as a kernel."""
    lay_tiles(gaddag, squares, values, move)


@inlined
def find_anchors(
    squares: NDArray[np.int32],
    openings: int,
    among: int,
    anchors: NDArray[np.int64],
) -> int:
    """Write the anchors, line by line from left to right, and return their number.

    An anchor is a run of tiles, or a free square whose only neighbours are across the line. Words are built
    from it to the left first, then to the right. A word that contains several anchors is built from the
    leftmost only, so that it is found once: leftwards it stops right after the previous anchor.

    ``openings`` is 0 if there are tiles; on an empty board, 1 for words across only, 2 if words down score
    differently. ``among`` is the set of lines looked at, as a bit mask.
    """
    count = 0
    first = CENTRE_LINE if openings > 0 else 0
    stop = CENTRE_LINE + 1 + SIDE * (openings - 1) if openings > 0 else LINES
    for line in range(first, stop, SIDE if openings > 0 else 1):
        if not among >> line & 1:
            continue
        base = line * SIDE
        past_run = 0
        past_anchor = 0
        place = 0
        while place < SIDE:
            if squares[TILE, base + place] != FREE:
                anchors[LEFT, count] = place - 1
                points = 0
                while place < SIDE and squares[TILE, base + place] != FREE:
                    points += squares[POINTS, base + place]
                    place += 1
                anchors[RIGHT, count] = place
                anchors[FIRST, count] = past_run
                anchors[LAST, count] = SIDE - 1
                anchors[NODE, count] = squares[ENTRY, base + place - 1]
                anchors[RUN, count] = points
                anchors[HOOK, count] = 0
                place += 1
                past_run = place
            elif (openings > 0 and place == CENTRE_LINE) or (
                squares[CROSS_SUM, base + place] != ALONE
                and (place == SIDE - 1 or squares[TILE, base + place + 1] == FREE)
            ):
                anchors[LEFT, count] = place
                anchors[RIGHT, count] = place + 1
                anchors[FIRST, count] = past_anchor
                last = place
                while last < SIDE - 1 and squares[TILE, base + last + 1] == FREE:
                    last += 1
                anchors[LAST, count] = last if last == SIDE - 1 else last - 1
                anchors[NODE, count] = START
                anchors[RUN, count] = 0
                anchors[HOOK, count] = 1
                place += 1
            else:
                place += 1
                continue
            past_anchor = place
            anchors[LINE, count] = line
            count += 1
    return count


@inlined
def find_openings(squares: NDArray[np.int32], premiums: NDArray[np.int32]) -> int:
    """Return the ``openings`` of ``find_anchors`` for a board."""
    openings = 1
    for square in range(CELLS):
        if squares[TILE, square] != FREE:
            return 0
        if premiums[square] != premiums[CELLS + square]:
            openings = 2
    return openings


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
    highest equity is written (among equals, the lowest number) and 1 or 0 returned; with a blank on the rack,
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
