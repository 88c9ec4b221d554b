"""The words that a rack can make on a line, and their scores, whatever is on other lines.

They are found with the GADDAG, like moves (``movegen_kernels``), but crossing words are ignored. The results
are cached by line and rack, and so are a rack's own words: those made of its tiles only.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import FREE, LINES, POINTS, TILE
from app.games.fribble.endgame_move_kernels import SLOT_BITS, Keys, LiveBoard, count_tiles
from app.games.fribble.gaddag_kernels import LETTERS, TARGET, follow, peek
from app.games.fribble.layout import SIDE
from app.games.fribble.rack_kernels import BLANK, KINDS, NATURAL
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, lowest_bit, popcount
from app.words.gaddag import ENDS, NOWHERE, SEPARATOR, START

# The columns of partial words ("strings").
(_NODE, _USED, _SLOTS, _SUM, _HAVE, _PLACE, _PENDING, _SQUARES, _RIGHTWARDS) = range(9)
_STRING_SHAPE: Final = (1 << 14, 9)
SLOT_SHIFT: Final = 3

# The columns of own words: the squares of the line they are laid on, the slots of their tiles (the lowest
# square's in the lowest bits), and the sum of their points without premium squares.
WORD_SQUARES, WORD_SLOTS, WORD_SUM = range(3)
_WORD_SHAPE: Final = (1 << 16, 3)
_MOST_OWN: Final = 1 << 14
"""An upper bound on the own words of a rack: up to seven tiles can be laid in 13,699 orders."""

# The columns of racks whose own words are listed: the key, and the begin and end of the list.
RACK_KEY, RACK_BEGIN, RACK_END = range(3)
_RACK_SHAPE: Final = (1 << 9, 3)

LEVELS: Final = 4
"""Best scores of a tile are kept by the number of other rack tiles in its word: none, one, two, or more."""
ALL_NEW: Final = RACK * LEVELS
"""The column of the best word with two or more tiles that are all new, after those of each slot and level."""
_SCORE_SHAPE: Final = (1 << 17, 32)
"""Entries of the cache of line scores, and columns: at least ALL_NEW + 1; 32 fill a cache line."""
_OF_SLOTS: Final = 2 * BLANK - 2
"""A number that no tile has: its keys are those of slots in use."""


class WordArrays(NamedTuple):
    """The arrays of lines' scores and racks' own words."""

    known_lines: NDArray[np.int64]
    """The keys of lines and racks whose scores are known."""
    line_scores: NDArray[np.int16]
    """The best scores of those lines and racks; -1 where there is no word."""
    best_scores: NDArray[np.int16]
    """The best scores of all lines across, and of all lines down; what a tile scores at most in two words at
    once, and in one."""
    strings: NDArray[np.int64]
    words: NDArray[np.int64]
    """The words that racks make by themselves."""
    known_racks: NDArray[np.int64]
    """The keys of the racks whose words are in ``words``, and their place there."""


def word_arrays() -> WordArrays:
    """Return new, empty arrays."""
    return WordArrays(
        np.zeros(_SCORE_SHAPE[0], np.int64),
        np.zeros(_SCORE_SHAPE, np.int16),
        np.zeros((4, _SCORE_SHAPE[1]), np.int16),
        np.zeros(_STRING_SHAPE, np.int64),
        np.zeros(_WORD_SHAPE, np.int64),
        np.zeros(_RACK_SHAPE, np.int64),
    )


@inlined
def following_tiles(gaddag: NDArray[np.uint32], node: int, have: int) -> int:
    """Return the tiles of the set ``have`` that can follow ``node``."""
    letters = peek(gaddag, node) & LETTERS
    return (letters | letters << BLANK) & have


@inlined
def add_tile(
    board: LiveBoard,
    slots: NDArray[np.int64],
    rack: int,
    tile: int,
    string: NDArray[np.int64],
    longer: NDArray[np.int64],
) -> int:
    """Write the string extended by a tile; return the arc to its node."""
    gaddag = board.gaddag
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
    longer[_SUM] = string[_SUM] + board.values[tile]
    longer[_HAVE] = have
    return peek(gaddag, node + 1 + popcount(peek(gaddag, node) & ((1 << letter) - 1)))


@inlined
def update_scores(
    board: LiveBoard,
    kinds: NDArray[np.int64],
    line: int,
    squares: int,
    slots: int,
    total: int,
    scores: NDArray[np.int16],
) -> None:
    """Update the best scores with a word on a line: with only one of its tiles new, or all of them."""
    tiles = popcount(squares)
    level = min(tiles, LEVELS) - 1
    letters = total
    factor = 1
    while squares:
        premium = int(board.premiums[line * SIDE + lowest_bit(squares)])
        squares &= squares - 1
        slot = slots & RACK
        slots >>= SLOT_SHIFT
        more = board.values[kinds[slot]] * ((premium & 15) - 1)
        letters += more
        factor *= premium >> 4
        column = slot * LEVELS + level
        scores[column] = max(scores[column], (total + more) * (premium >> 4))
    if tiles > 1 and letters * factor > scores[ALL_NEW]:
        scores[ALL_NEW] = letters * factor


@inlined
def add_own_word(
    words: NDArray[np.int64], first: int, end: int, squares: int, slots: int, points: int
) -> int:
    """Add a word to the list from ``first`` to ``end``; return the list's new end.

    Words of the same tiles in the same order, which differ in the letters of blanks, are merged.
    """
    for row in range(end - 1, first - 1, -1):
        if words[row, WORD_SLOTS] == slots:
            words[row, WORD_SUM] = max(words[row, WORD_SUM], points)
            return end
    words[end, WORD_SQUARES] = squares
    words[end, WORD_SLOTS] = slots
    words[end, WORD_SUM] = points
    return end + 1


@inlined
def start_strings(slots: NDArray[np.int64], rack: int, strings: NDArray[np.int64]) -> None:
    """Initialise the first string: no tiles laid, all of the rack available."""
    have = 0
    for kind in range(KINDS):
        if slots[kind] and rack >> lowest_bit(slots[kind]) & 7:
            have |= LETTERS << BLANK if kind == KINDS - 1 else 1 << kind
    for column in range(_PLACE):
        strings[0, column] = 0
    strings[0, _NODE] = START
    strings[0, _HAVE] = have


@inlined
def list_own_words(
    board: LiveBoard,
    slots: NDArray[np.int64],
    rack: int,
    strings: NDArray[np.int64],
    words: NDArray[np.int64],
    first: int,
) -> int:
    """List the own words of a rack, as if laid on the first squares of a line, shortest first.

    Returns the end of the list, which begins at ``first``; -1 if ``strings`` overflows.
    """
    gaddag = board.gaddag
    begin = 0
    end = 1
    last = first
    for length in range(1, count_tiles(rack) + 1):
        total = end
        shortest = last
        for row in range(begin, end):
            pending = following_tiles(gaddag, strings[row, _NODE], strings[row, _HAVE])
            while pending:
                if total == len(strings):
                    return -1
                longer = strings[total]
                arc = add_tile(board, slots, rack, lowest_bit(pending), strings[row], longer)
                pending &= pending - 1
                longer[_NODE] = arc & TARGET
                if arc >= ENDS:
                    squares = (1 << length) - 1
                    last = add_own_word(words, shortest, last, squares, longer[_SLOTS], longer[_SUM])
                total += 1
        begin = end
        end = total
    return last


@inlined
def find_own_words(board: LiveBoard, slots: NDArray[np.int64], rack: int, key: int, cache: WordArrays) -> int:
    """Return the row of ``known_racks`` for the rack, listing its own words if they are not yet listed.

    Returns -1 if ``strings`` overflows. The first row of ``words`` has the end of all lists.
    """
    strings, words, known_racks = cache.strings, cache.words, cache.known_racks
    row = key & (len(known_racks) - 1)
    if known_racks[row, RACK_KEY] != key:
        begin = max(1, words[0, 0])
        if begin + _MOST_OWN > len(words):
            known_racks[:] = 0
            begin = 1
        end = list_own_words(board, slots, rack, strings, words, begin)
        if end < 0:
            return -1
        words[0, 0] = end
        known_racks[row, RACK_KEY] = key
        known_racks[row, RACK_BEGIN] = begin
        known_racks[row, RACK_END] = end
    return int(row)


@inlined
def score_joined_words(
    board: LiveBoard,
    kinds: NDArray[np.int64],
    slots: NDArray[np.int64],
    rack: int,
    line: int,
    occupied: int,
    strings: NDArray[np.int64],
    scores: NDArray[np.int16],
) -> None:
    """Update the best scores with the words of a line that join tiles of the rack to tiles on the board.

    A word is found from its first run of tiles on the board; ``occupied`` is the mask of squares with tiles.
    """
    gaddag, grid = board.gaddag, board.grid
    count = count_tiles(rack)
    have = strings[0, _HAVE]
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
        strings[0, _PENDING] = following_tiles(gaddag, node, have) if begin > leftmost else 0
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
                    string[_PENDING] = following_tiles(gaddag, node, string[_HAVE])
                continue
            string[_PENDING] = pending & (pending - 1)
            longer = strings[depth + 1]
            arc = add_tile(board, slots, rack, lowest_bit(pending), string, longer)
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
                update_scores(board, kinds, line, longer[_SQUARES], longer[_SLOTS], longer[_SUM], scores)
            node = arc & TARGET
            if node == NOWHERE:
                continue
            depth += 1
            longer[_NODE] = node
            longer[_PLACE] = place
            longer[_PENDING] = following_tiles(gaddag, node, longer[_HAVE]) if more and depth < count else 0
        # The next run's words must not join this run, so the square next to it stays free.
        leftmost = last + 2


@inlined
def score_line(
    board: LiveBoard,
    kinds: NDArray[np.int64],
    slots: NDArray[np.int64],
    rack: int,
    line: int,
    cache: WordArrays,
    own: int,
    scores: NDArray[np.int16],
) -> None:
    """Compute the best scores of words on a line.

    The rack's own words, in the row ``own`` of ``known_racks``, are scored wherever they fit.
    """
    occupied = 0
    for place in range(SIDE):
        if board.grid[TILE, line * SIDE + place] != FREE:
            occupied |= 1 << place
    scores[:] = -1
    score_joined_words(board, kinds, slots, rack, line, occupied, cache.strings, scores)
    # The squares where words of one tile can begin; below, of two tiles and so on.
    begins = ~(occupied | occupied << 1 | occupied >> 1) & ((1 << SIDE) - 1)
    free = begins
    length = 1
    for row in range(cache.known_racks[own, RACK_BEGIN], cache.known_racks[own, RACK_END]):
        word = cache.words[row]
        while word[WORD_SQUARES] >> length:
            begins &= free >> length
            length += 1
        pending = begins
        while pending:
            squares = word[WORD_SQUARES] << lowest_bit(pending)
            pending &= pending - 1
            update_scores(board, kinds, line, squares, word[WORD_SLOTS], word[WORD_SUM], scores)


@inlined
def compute_best_scores(
    board: LiveBoard,
    keys: Keys,
    cache: WordArrays,
    kinds: NDArray[np.int64],
    slots: NDArray[np.int64],
    rack: int,
) -> bool:
    """Write the best scores of all lines across, and of all down; return False if ``strings`` overflows.

    Scores are cached by a key that combines the line's tiles, the line and the rack.
    """
    key_of_rack = 0
    for slot in range(RACK):
        held = rack >> SLOT_BITS * slot & 7
        if held:
            key_of_rack ^= keys.racks[0, kinds[slot], held] ^ keys.squares[slot, _OF_SLOTS]
    cache.best_scores[:2] = -1
    own = -1
    for line in range(LINES):
        key = keys.lines[line] ^ key_of_rack
        place = key & (len(cache.known_lines) - 1)
        scores = cache.line_scores[place]
        if cache.known_lines[place] != key:
            if own < 0:
                start_strings(slots, rack, cache.strings)
                own = find_own_words(board, slots, rack, key_of_rack, cache)
                if own < 0:
                    return False
            score_line(board, kinds, slots, rack, line, cache, own, scores)
            cache.known_lines[place] = key
        best = cache.best_scores[line // SIDE]
        # The compiler vectorises this only if the number of columns is not a constant.
        for column in range(len(scores)):
            best[column] = max(best[column], scores[column])
    return True
