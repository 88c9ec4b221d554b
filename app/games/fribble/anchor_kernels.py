"""Anchors: runs of tiles, and squares beside tiles, from which words are built.

Source: Andrew W. Appel and Guy J. Jacobson, "The World's Fastest Scrabble Program", Communications of the
ACM 31, 1988.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import ALONE, CROSS_SUM, ENTRY, FREE, LINES, POINTS, TILE
from app.games.fribble.layout import CELLS, SIDE
from app.games.kernel import inlined
from app.words.gaddag import START

CENTRE_LINE: Final = SIDE // 2
# The rows of the array of anchors; MAX_ANCHORS is every square of every line.
LINE, LEFT, RIGHT, FIRST, LAST, NODE, RUN, HOOK = range(8)
ANCHOR_ROWS: Final = 8
MAX_ANCHORS: Final = 2 * CELLS


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
    differently. ``among`` is the set of lines searched, as a bit mask.
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
