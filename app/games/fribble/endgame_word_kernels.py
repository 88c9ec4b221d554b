"""The words that can stand on a line of the board with tiles of one rack, whatever stands on other lines.

They are found along a GADDAG, as moves are (``movegen_kernels``), but no crossing word is looked at.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import FREE, POINTS, TILE
from app.games.fribble.endgame_move_kernels import SLOT_BITS, count_tiles
from app.games.fribble.gaddag_kernels import LETTERS, TARGET, follow, peek
from app.games.fribble.layout import SIDE
from app.games.fribble.rack_kernels import BLANK, KINDS, NATURAL
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, lowest_bit, popcount
from app.words.gaddag import ENDS, NOWHERE, SEPARATOR, START

# The columns of strings of tiles that grow into words.
(_NODE, _USED, _SLOTS, _SUM, _HAVE, _PLACE, _PENDING, _SQUARES, _RIGHTWARDS) = range(9)
STRING_SHAPE: Final = (1 << 14, 9)
SLOT_SHIFT: Final = 3

# The columns of words: the squares of the line that tiles of the rack are laid on, their slots, the lowest
# square's in the lowest bits, and the sum of the word's points without premium squares.
WORD_SQUARES, WORD_SLOTS, WORD_SUM = range(3)
WORD_SHAPE: Final = (1 << 16, 3)


@inlined
def fitting(gaddag: NDArray[np.uint32], node: int, have: int) -> int:
    """Return which of the tiles in the set ``have`` can follow."""
    letters = peek(gaddag, node) & LETTERS
    return (letters | letters << BLANK) & have


@inlined
def add_tile(
    gaddag: NDArray[np.uint32],
    values: NDArray[np.int32],
    slots: NDArray[np.int64],
    rack: int,
    tile: int,
    string: NDArray[np.int64],
    longer: NDArray[np.int64],
) -> int:
    """Write the string that is longer by a tile; return the arc that leads to its node."""
    letter = tile & (BLANK - 1)
    one = slots[KINDS - 1 if tile >= BLANK else letter]
    slot = lowest_bit(one) // SLOT_BITS
    node = string[_NODE]
    used = string[_USED] + one
    have = string[_HAVE]
    if (rack - used) >> SLOT_BITS * slot & 7 == 0:
        have &= NATURAL if tile >= BLANK else ~(1 << letter)
    longer[_USED] = used
    longer[_SLOTS] = string[_SLOTS] << SLOT_SHIFT | slot
    longer[_SUM] = string[_SUM] + values[tile]
    longer[_HAVE] = have
    return peek(gaddag, node + 1 + popcount(peek(gaddag, node) & ((1 << letter) - 1)))


@inlined
def add_word(words: NDArray[np.int64], first: int, end: int, squares: int, slots: int, points: int) -> int:
    """Add a word to the list from ``first`` to ``end``; return the list's new end.

    No word is added that has the tiles of another one on the same squares, a blank for another letter.
    """
    for row in range(end - 1, first - 1, -1):
        if words[row, WORD_SLOTS] == slots and words[row, WORD_SQUARES] == squares:
            words[row, WORD_SUM] = max(words[row, WORD_SUM], points)
            return end
    if end < len(words):
        words[end, WORD_SQUARES] = squares
        words[end, WORD_SLOTS] = slots
        words[end, WORD_SUM] = points
    return end + 1


@inlined
def list_own_words(
    gaddag: NDArray[np.uint32],
    values: NDArray[np.int32],
    slots: NDArray[np.int64],
    rack: int,
    strings: NDArray[np.int64],
    words: NDArray[np.int64],
) -> int:
    """List the words that have tiles of the rack only, on the first squares of a line; return their number.

    It is more than ``words`` has room for if that or ``strings`` has too little. The first of the strings is
    left as that of no tiles.
    """
    have = 0
    for kind in range(KINDS):
        if slots[kind] and rack >> lowest_bit(slots[kind]) & 7:
            have |= LETTERS << BLANK if kind == KINDS - 1 else 1 << kind
    for column in range(_PLACE):
        strings[0, column] = 0
    strings[0, _NODE] = START
    strings[0, _HAVE] = have
    begin = 0
    end = 1
    count = 0
    for length in range(1, count_tiles(rack) + 1):
        total = end
        shortest = count
        for row in range(begin, end):
            pending = fitting(gaddag, strings[row, _NODE], strings[row, _HAVE])
            while pending:
                if total == len(strings):
                    return len(words) + 1
                arc = add_tile(gaddag, values, slots, rack, lowest_bit(pending), strings[row], strings[total])
                pending &= pending - 1
                strings[total, _NODE] = arc & TARGET
                if arc >= ENDS:
                    squares = (1 << length) - 1
                    longer = strings[total]
                    count = add_word(words, shortest, count, squares, longer[_SLOTS], longer[_SUM])
                total += 1
        begin = end
        end = total
    return count


@inlined
def list_joined_words(
    gaddag: NDArray[np.uint32],
    values: NDArray[np.int32],
    slots: NDArray[np.int64],
    grid: NDArray[np.int32],
    rack: int,
    line: int,
    occupied: int,
    strings: NDArray[np.int64],
    words: NDArray[np.int64],
    first: int,
) -> int:
    """List the words of a line with tiles on the board and of the rack, after the first ones.

    Returns the list's end, which is beyond ``words`` if there is too little room. A word is found from its
    first run of tiles on the board, whose squares are among the ``occupied`` ones.
    """
    count = count_tiles(rack)
    have = strings[0, _HAVE]
    end = first
    base = line * SIDE
    leftmost = 0
    while occupied:
        begin = lowest_bit(occupied)
        last = begin
        while occupied >> last + 1 & 1:
            last += 1
        occupied &= ~((2 << last) - 1)
        node = START
        points = 0
        for place in range(last, begin - 1, -1):
            node = follow(gaddag, node, int(grid[TILE, base + place])) & TARGET
            points += grid[POINTS, base + place]
        strings[0, _NODE] = node
        strings[0, _SUM] = points
        strings[0, _PLACE] = begin - 1
        strings[0, _RIGHTWARDS] = 0
        strings[0, _SQUARES] = 0
        strings[0, _PENDING] = fitting(gaddag, node, have) if begin > leftmost else 0
        depth = 0
        while depth >= 0:
            string = strings[depth]
            pending = string[_PENDING]
            if pending == 0:
                if string[_RIGHTWARDS]:
                    depth -= 1
                    continue
                string[_RIGHTWARDS] = 1
                symbols = peek(gaddag, string[_NODE])
                if symbols >> SEPARATOR and last < SIDE - 1 and depth < count:
                    node = peek(gaddag, string[_NODE] + popcount(symbols))
                    string[_NODE] = node
                    string[_PLACE] = last + 1
                    string[_PENDING] = fitting(gaddag, node, string[_HAVE])
                continue
            string[_PENDING] = pending & (pending - 1)
            longer = strings[depth + 1]
            arc = add_tile(gaddag, values, slots, rack, lowest_bit(pending), string, longer)
            place = string[_PLACE]
            longer[_SQUARES] = string[_SQUARES] | 1 << place
            longer[_RIGHTWARDS] = string[_RIGHTWARDS]
            if string[_RIGHTWARDS]:
                longer[_SLOTS] = string[_SLOTS] | (longer[_SLOTS] & RACK) << SLOT_SHIFT * depth
                place += 1
                while place < SIDE and grid[TILE, base + place] != FREE:
                    arc = follow(gaddag, arc & TARGET, int(grid[TILE, base + place]))
                    longer[_SUM] += grid[POINTS, base + place]
                    place += 1
                more = place < SIDE
            else:
                place -= 1
                more = place >= leftmost
            if arc >= ENDS:
                end = add_word(words, first, end, longer[_SQUARES], longer[_SLOTS], longer[_SUM])
                if end > len(words):
                    return end
            node = arc & TARGET
            if node == NOWHERE:
                continue
            depth += 1
            longer[_NODE] = node
            longer[_PLACE] = place
            longer[_PENDING] = fitting(gaddag, node, longer[_HAVE]) if more and depth < count else 0
        # A tile beside this run would belong to it.
        leftmost = last + 2
    strings[0, _NODE] = START
    strings[0, _SUM] = 0
    return end
