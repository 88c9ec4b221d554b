"""An upper bound of what a player can still score in an endgame if the other one only passes.

As the other player may always pass, nobody gains more than that. Every word made from then on has tiles of
the board and of the player's own rack only, so those that can ever stand on a line depend on the line and the
rack alone. What they score is computed once for each and kept. A turn that lays one tile scores at most its
best word across and its best word down; one that lays several, the best word with all of its tiles new and
the best crossing words. The bound is that of the best division of the rack into turns.

In a word with one new tile, the others of the rack have been laid before. The fewer tiles have been laid, the
fewer there can be in the words of a turn.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import FREE, LINES, POINTS, TILE
from app.games.fribble.endgame_move_kernels import PLIES, SLOT_BITS, count_tiles, holds
from app.games.fribble.gaddag_kernels import LETTERS, TARGET, follow, peek
from app.games.fribble.layout import SIDE
from app.games.fribble.rack_kernels import BLANK, KINDS, NATURAL
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, lowest_bit, popcount
from app.words.gaddag import ENDS, NOWHERE, SEPARATOR, START

# The columns of a table of bounds, which has a row for each ply: the stride of each slot of the rack, and the
# bound for each set of its tiles. The number of a set is the sum of the strides of its tiles.
STRIDES, BOUNDS = 0, RACK
BOUND_SHAPE: Final = (PLIES + 1, RACK + (1 << RACK))

LEVELS: Final = 4
"""The scores of a tile are kept by the number of tiles of the rack that its word has besides: none, one, two,
or any number."""
ALL_NEW: Final = RACK * LEVELS
"""The column of the best word with two or more tiles that are all new, after those of each slot and level."""
SCORE_COLUMNS: Final = ALL_NEW + 1
KNOWN_LINES: Final = 1 << 15
_OF_LINES, _OF_SLOTS = 2 * BLANK - 1, 2 * BLANK - 2
"""Tiles that there are not: their keys are those of lines and of slots in use."""

# The columns of strings of tiles that grow into words.
(_NODE, _USED, _SLOTS, _SUM, _HAVE, _PLACE, _PENDING, _SQUARES, _RIGHTWARDS) = range(9)
STRING_SHAPE: Final = (1 << 14, 9)
_SLOT_SHIFT: Final = 3

# The columns of words: the squares of the line that tiles of the rack are laid on, their slots, the lowest
# square's in the lowest bits, and the sum of the word's points without premium squares.
_WORD_SQUARES, _WORD_SLOTS, _WORD_SUM = range(3)
WORD_SHAPE: Final = (1 << 16, 3)


@inlined
def most_alone(bounds: NDArray[np.int64], row: int, rack: int) -> int:
    """Return the bound for tiles that are those of the row's rack or some of them."""
    number = BOUNDS
    for slot in range(RACK):
        number += (rack >> SLOT_BITS * slot & 7) * bounds[row, STRIDES + slot]
    return int(bounds[row, number])


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
    longer[_SLOTS] = string[_SLOTS] << _SLOT_SHIFT | slot
    longer[_SUM] = string[_SUM] + values[tile]
    longer[_HAVE] = have
    return peek(gaddag, node + 1 + popcount(peek(gaddag, node) & ((1 << letter) - 1)))


@inlined
def add_word(words: NDArray[np.int64], first: int, end: int, squares: int, slots: int, points: int) -> int:
    """Add a word to the list from ``first`` to ``end``; return the list's new end.

    No word is added that has the tiles of another one on the same squares, a blank for another letter.
    """
    for row in range(end - 1, first - 1, -1):
        if words[row, _WORD_SLOTS] == slots and words[row, _WORD_SQUARES] == squares:
            words[row, _WORD_SUM] = max(words[row, _WORD_SUM], points)
            return end
    if end < len(words):
        words[end, _WORD_SQUARES] = squares
        words[end, _WORD_SLOTS] = slots
        words[end, _WORD_SUM] = points
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
                longer[_SLOTS] = string[_SLOTS] | (longer[_SLOTS] & RACK) << _SLOT_SHIFT * depth
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


@inlined
def note_scores(
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    kinds: NDArray[np.int64],
    line: int,
    squares: int,
    slots: int,
    total: int,
    scores: NDArray[np.int32],
) -> None:
    """Note what a word on a line scores with each of its tiles as the only new one, and with all new."""
    tiles = popcount(squares)
    level = min(tiles, LEVELS) - 1
    letters = total
    factor = 1
    while squares:
        premium = int(premiums[line * SIDE + lowest_bit(squares)])
        squares &= squares - 1
        slot = slots & RACK
        slots >>= _SLOT_SHIFT
        more = values[kinds[slot]] * ((premium & 15) - 1)
        letters += more
        factor *= premium >> 4
        score = (total + more) * (premium >> 4)
        for column in range(slot * LEVELS + level, (slot + 1) * LEVELS):
            scores[column] = max(scores[column], score)
    if tiles > 1 and letters * factor > scores[ALL_NEW]:
        scores[ALL_NEW] = letters * factor


@inlined
def score_line(
    gaddag: NDArray[np.uint32],
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    kinds: NDArray[np.int64],
    slots: NDArray[np.int64],
    grid: NDArray[np.int32],
    rack: int,
    line: int,
    strings: NDArray[np.int64],
    words: NDArray[np.int64],
    own: int,
    scores: NDArray[np.int32],
) -> bool:
    """Compute the best scores of words on a line; return whether there was room for its words.

    The ``own`` words, those of the rack alone, are listed first. They count wherever they fit.
    """
    occupied = 0
    for place in range(SIDE):
        if grid[TILE, line * SIDE + place] != FREE:
            occupied |= 1 << place
    end = list_joined_words(gaddag, values, slots, grid, rack, line, occupied, strings, words, own)
    if end > len(words):
        return False
    for column in range(SCORE_COLUMNS):
        scores[column] = 0
    for row in range(own, end):
        word = words[row]
        note_scores(
            premiums, values, kinds, line, word[_WORD_SQUARES], word[_WORD_SLOTS], word[_WORD_SUM], scores
        )
    for row in range(own):
        word = words[row]
        squares = word[_WORD_SQUARES]
        while squares < 1 << SIDE:
            if not (squares | squares << 1 | squares >> 1) & occupied:
                note_scores(
                    premiums, values, kinds, line, squares, word[_WORD_SLOTS], word[_WORD_SUM], scores
                )
            squares <<= 1
    return True


@inlined
def combine(across: NDArray[np.int32], down: NDArray[np.int32], both: NDArray[np.int32]) -> None:
    """Write what each tile scores at most in two words, by its slot and the tiles of the rack in them."""
    for slot in range(RACK):
        column = slot * LEVELS
        for level in range(LEVELS - 1):
            most = 0
            for others in range(level + 1):
                most = max(most, across[column + others] + down[column + level - others])
            both[column + level] = most
        last = column + LEVELS - 1
        both[last] = across[last] + down[last]


@inlined
def bound_alone(
    gaddag: NDArray[np.uint32],
    premiums: NDArray[np.int32],
    values: NDArray[np.int32],
    bonus: int,
    kinds: NDArray[np.int64],
    slots: NDArray[np.int64],
    grid: NDArray[np.int32],
    rack: int,
    square_keys: NDArray[np.int64],
    rack_keys: NDArray[np.int64],
    line_keys: NDArray[np.int64],
    known_lines: NDArray[np.int64],
    line_scores: NDArray[np.int32],
    best_scores: NDArray[np.int32],
    strings: NDArray[np.int64],
    words: NDArray[np.int64],
    sets: NDArray[np.int64],
    bounds: NDArray[np.int64],
    row: int,
) -> bool:
    """Write a row of bounds for a rack; return whether there was room for all words.

    The scores of lines are known by their keys: those of the line's tiles, the line and the rack.
    """
    key_of_rack = 0
    for slot in range(RACK):
        held = rack >> SLOT_BITS * slot & 7
        if held:
            key_of_rack ^= rack_keys[kinds[slot], held] ^ square_keys[slot, _OF_SLOTS]
    for side in range(2):
        for column in range(SCORE_COLUMNS):
            best_scores[side, column] = 0
    own = -1
    for line in range(LINES):
        key = line_keys[line] ^ square_keys[line, _OF_LINES] ^ key_of_rack
        place = key & (len(known_lines) - 1)
        scores = line_scores[place]
        if known_lines[place] != key:
            if own < 0:
                own = list_own_words(gaddag, values, slots, rack, strings, words)
                if own > len(words):
                    return False
            known_lines[place] = 0
            if not score_line(
                gaddag, premiums, values, kinds, slots, grid, rack, line, strings, words, own, scores
            ):
                return False
            known_lines[place] = key
        best = best_scores[line // SIDE]
        for column in range(SCORE_COLUMNS):
            best[column] = max(best[column], scores[column])
    across = best_scores[0]
    down = best_scores[1]
    both = best_scores[2]
    combine(across, down, both)
    most_new = max(across[ALL_NEW], down[ALL_NEW])
    count = count_tiles(rack)
    total = 1
    sets[0] = 0
    bounds[row, BOUNDS] = 0
    for slot in range(RACK):
        stride = total
        total *= (rack >> SLOT_BITS * slot & 7) + 1
        bounds[row, STRIDES + slot] = stride
        for number in range(stride, total):
            sets[number] = sets[number - stride] + (1 << SLOT_BITS * slot)
    for number in range(1, total):
        tiles = sets[number]
        level = min(count - count_tiles(tiles), LEVELS - 1)
        most = 0
        for part in range(1, number + 1):
            laid = sets[part]
            if not holds(tiles, laid):
                continue
            size = count_tiles(laid)
            gained = bounds[row, BOUNDS + number - part]
            if size == 1:
                gained += both[lowest_bit(laid) // SLOT_BITS * LEVELS + level]
            else:
                gained += most_new + (bonus if size == RACK else 0)
                for slot in range(RACK):
                    last = (slot + 1) * LEVELS - 1
                    gained += (laid >> SLOT_BITS * slot & 7) * max(across[last], down[last])
            most = max(most, gained)
        bounds[row, BOUNDS + number] = most
    return True
