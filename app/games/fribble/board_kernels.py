"""The board as an array of tiles and cross-sets, which are updated where a move is laid.

Cross-sets ("cross-checks") are from Andrew W. Appel and Guy J. Jacobson, "The World's Fastest Scrabble
Program", Communications of the ACM 31, 1988.

A board is an array ``squares`` of five rows of 450 numbers: the squares by rows, then again by columns, so
that every line (0 to 14 across, 15 to 29 down) is contiguous. The rows are

    TILE       the letter on the square, 0 for a, or FREE;
    POINTS     the points of that tile;
    CROSS      the cross-set: a bit mask of the letters that make a valid word across the line;
    CROSS_SUM  the points of the tiles of that crossing word, or ALONE if there are none;
    ENTRY      the GADDAG node after a run of tiles read backwards.

CROSS and CROSS_SUM are defined on free squares only, ENTRY on the last tile of a run only.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.gaddag_kernels import LETTERS, TARGET, follow, peek
from app.games.fribble.layout import CELLS, SIDE
from app.games.fribble.rack_kernels import BLANK, CELL_SHIFT, LINE_SHIFT, TILE_BITS
from app.games.kernel import inlined, kernel, lowest_bit, readonly
from app.words.gaddag import ENDS, NOWHERE, SEPARATOR, START

LINES: Final = 2 * SIDE
TILE, POINTS, CROSS, CROSS_SUM, ENTRY = range(5)
SQUARE_ROWS: Final = 5
FREE: Final = -1
ALONE: Final = -1
ALL_LINES: Final = (1 << LINES) - 1
ROW_TYPE: Final = "int32[:, ::1]"


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
