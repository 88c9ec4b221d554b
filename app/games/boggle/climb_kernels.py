"""Kernels of the search for the richest boards: simulated annealing by heat bath and swaps.

A heat-bath step takes one cell and evaluates the board with each of the 26 letters there in a single search:
the paths that avoid the cell are walked once, and only those through it once per letter. It draws the new
letter with probability proportional to exp(value / temperature) (M. Creutz, "Monte Carlo study of quantized
SU(2) gauge theory", Physical Review D 21, 1980). A swap step exchanges two cells and is accepted by the
Metropolis rule.

Arguments are those of :mod:`app.games.boggle.kernels`. ``unit`` selects the objective from a total: ONE_WORD
for words, 1 for points. ``marks`` has an entry per node: from bit MARK_SHIFT the number of the search, below
it the letters with which the node's word was found. Entry 0 is the current search's number.
"""

from math import exp
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.boggle.kernels import (
    FIRST_SHIFT,
    LENGTH_SHIFT,
    LENGTHS,
    ONE_WORD,
    OVERFLOW,
    SEARCH,
    SMALLER,
    TABLES,
    cells_with,
    place_letters,
    score_board,
)
from app.games.grid_kernels import LETTERS
from app.games.kernel import inlined, kernel, lowest_bit, popcount, readonly
from app.words.trie import ALPHABET_SIZE

MARK_SHIFT: Final = ALPHABET_SIZE
MOST_SEARCHES: Final = 1 << (32 - MARK_SHIFT)

PATH: Final = 4
"""Numbers per path: the cells that continue it, its own cells, its node, and the letter of the cell."""
START: Final = 2
"""Numbers per start: the node of a path that ends beside the hole, and its cells."""
NO_LETTER: Final = ALPHABET_SIZE
QUEUE: Final = PATH * (1 << 16)
STARTS: Final = START * (1 << 15)
WORDS: Final = 1 << 17
BATH: Final = QUEUE + STARTS + WORDS
"""Entries of ``bath``, the arrays of :func:`evaluate_letters`: the queue, the starts and the words found."""
CHANCES: Final = 4
"""Random numbers per step."""
REMEMBERED: Final = 1 << 14
"""Cached evaluations; a run that has cooled proposes the same boards again and again."""
UNKNOWN: Final = np.int64(-1)


@inlined
def value_of(total: np.int64, unit: int) -> np.int64:
    """Return the words of a total if ``unit`` is ONE_WORD, otherwise the points."""
    return total // ONE_WORD if unit == ONE_WORD else total % ONE_WORD


@inlined
def next_search(marks: NDArray[np.uint32]) -> np.int64:
    """Number the next search, so that no word counts as found."""
    if marks[0] == MOST_SEARCHES - 1:
        marks[:] = 0
    marks[0] += 1
    return np.int64(marks[0]) << MARK_SHIFT


@inlined
def walk(
    nodes: NDArray[np.int64],
    beside: NDArray[np.int64],
    hole: int,
    workspace: NDArray[np.int64],
    bath: NDArray[np.int64],
    end: np.int64,
    found: np.int64,
) -> tuple[np.int64, np.int64]:
    """Extend the paths in the queue, which ends at ``end``, by all cells but ``hole``.

    Returns the end of the words and of the starts: paths beside the hole without a letter for it. The end of
    the words is OVERFLOW if a queue is too short. No step branches on data; see ``breadth_first``.
    """
    tables = workspace[0:TABLES]
    smaller = workspace[SMALLER:SEARCH]
    queue = bath[0:QUEUE]
    starts = bath[QUEUE : QUEUE + STARTS]
    words = bath[QUEUE + STARTS :]
    others = ~(np.int64(1) << hole)
    started = np.int64(START)
    at = np.int64(0)
    while at < end:
        if end >= QUEUE - PATH or found >= WORDS - 1 or started >= STARTS - START:
            return OVERFLOW, started
        pending = queue[np.uint64(at)]
        used = queue[np.uint64(at + 1)]
        before = queue[np.uint64(at + 2)]
        letter = queue[np.uint64(at + 3)]
        cell = lowest_bit(pending)
        cell_bit = np.int64(1) << cell
        rest = pending ^ cell_bit
        queue[np.uint64(at)] = rest
        at += PATH * (rest == 0)
        number = (before >> FIRST_SHIFT) + popcount(before & smaller[np.uint64(cell)])
        node = nodes[np.uint64(number)]
        length = (node >> LENGTH_SHIFT) & (LENGTHS - 1)
        words[np.uint64(found)] = (number * LENGTHS | length) * LENGTHS | letter
        found += length != 0
        starts[np.uint64(started)] = node
        starts[np.uint64(started + 1)] = used | cell_bit
        started += START * (((beside[np.uint64(cell)] >> hole) & 1) & (letter == NO_LETTER))
        reachable = cells_with(node, tables) & beside[np.uint64(cell)] & ~used & others
        queue[np.uint64(end)] = reachable
        queue[np.uint64(end + 1)] = used | cell_bit
        queue[np.uint64(end + 2)] = node
        queue[np.uint64(end + 3)] = letter
        end += PATH * (reachable != 0)
    return found, started


@inlined
def fill_hole(
    nodes: NDArray[np.int64],
    beside: NDArray[np.int64],
    hole: int,
    workspace: NDArray[np.int64],
    bath: NDArray[np.int64],
    started: np.int64,
    found: np.int64,
) -> tuple[np.int64, np.int64]:
    """Queue the starts with every letter in the hole; return the end of the queue and of the words.

    The end of the words is OVERFLOW if a queue is too short.
    """
    queue = bath[0:QUEUE]
    words = bath[QUEUE + STARTS :]
    reach = beside[hole] & ~(np.int64(1) << hole)
    end = np.int64(0)
    for start in range(QUEUE, QUEUE + started, START):
        before = bath[start]
        used = bath[start + 1]
        pending = before & LETTERS
        number = before >> FIRST_SHIFT
        if end >= QUEUE - ALPHABET_SIZE * PATH or found >= WORDS - ALPHABET_SIZE:
            return end, OVERFLOW
        while pending:
            letter = lowest_bit(pending)
            pending ^= np.int64(1) << letter
            node = nodes[np.uint64(number)]
            length = (node >> LENGTH_SHIFT) & (LENGTHS - 1)
            words[np.uint64(found)] = (number * LENGTHS | length) * LENGTHS | letter
            found += length != 0
            number += 1
            reachable = cells_with(node, workspace[0:TABLES]) & reach & ~used
            queue[np.uint64(end)] = reachable
            queue[np.uint64(end + 1)] = used
            queue[np.uint64(end + 2)] = node
            queue[np.uint64(end + 3)] = letter
            end += PATH * (reachable != 0)
    return end, found


@inlined
def evaluate_letters(
    nodes: NDArray[np.int64],
    beside: NDArray[np.int64],
    letters: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    hole: int,
    marks: NDArray[np.uint32],
    workspace: NDArray[np.int64],
    bath: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> bool:
    """Write the total of the board with each letter in ``hole``; return False if a queue is too short."""
    place_letters(letters, workspace)
    words = bath[QUEUE + STARTS :]
    bath[0] = cells_with(nodes[0], workspace[0:TABLES]) & ~(np.int64(1) << hole)
    bath[1] = 0
    bath[2] = nodes[0]
    bath[3] = NO_LETTER
    bath[QUEUE] = nodes[0]
    bath[QUEUE + 1] = 0
    base, started = walk(nodes, beside, hole, workspace, bath, np.int64(PATH * (bath[0] != 0)), np.int64(0))
    if base == OVERFLOW:
        return False
    end, found = fill_hole(nodes, beside, hole, workspace, bath, started, base)
    if found == OVERFLOW:
        return False
    found, _ = walk(nodes, beside, hole, workspace, bath, end, found)
    if found == OVERFLOW:
        return False

    search = next_search(marks)
    totals[:] = 0
    total = np.int64(0)
    for entry in range(base):
        number = words[entry] // (LENGTHS * LENGTHS)
        value = word_values[np.uint64((words[entry] // LENGTHS) & (LENGTHS - 1))]
        total += value * (marks[np.uint64(number)] != search | LETTERS)
        marks[np.uint64(number)] = search | LETTERS
    for entry in range(base, found):
        letter = words[entry] & (LENGTHS - 1)
        number = words[entry] // (LENGTHS * LENGTHS)
        value = word_values[np.uint64((words[entry] // LENGTHS) & (LENGTHS - 1))]
        mark = np.int64(marks[np.uint64(number)])
        seen = mark & LETTERS if mark & ~LETTERS == search else 0
        totals[np.uint64(letter)] += value * (1 - ((seen >> letter) & 1))
        marks[np.uint64(number)] = search | seen | np.int64(1) << letter
    totals += total
    return True


@inlined
def draw_letter(values: NDArray[np.int64], temperature: float, luck: float) -> int:
    """Return a letter with probability proportional to exp(value / temperature)."""
    best = values[0]
    for letter in range(1, ALPHABET_SIZE):
        best = max(best, values[letter])
    left = 0.0
    for letter in range(ALPHABET_SIZE):
        left += exp((values[letter] - best) / temperature)
    left *= luck
    letter = -1
    while left >= 0 and letter < ALPHABET_SIZE - 1:
        letter += 1
        left -= exp((values[letter] - best) / temperature)
    return letter


@inlined
def cache_row(
    board: NDArray[np.uint8], hole: int, keys: NDArray[np.int64], cache: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the cache row of ``board``, without the letter of cell ``hole`` unless that is negative.

    Entry 0 of a row is the hash of its board (A. Zobrist, "A New Hashing Method", 1970); entry 1 is UNKNOWN
    in a new row.
    """
    key = np.int64(0)
    for cell in range(len(board)):
        key ^= keys[cell, board[cell] if cell != hole else ALPHABET_SIZE]
    row: NDArray[np.int64] = cache[key & (len(cache) - 1)]
    if row[0] != key:
        row[0] = key
        row[1] = UNKNOWN
    return row


@kernel(
    f"int64({readonly('int64')}, {readonly('int64')}, uint8[::1], {readonly('int64')}, int64, float64, "
    "float64, float64, float64[:, ::1], int64, int64, uint8[::1], uint32[::1], int64[::1], int64[::1], "
    "int64[:, ::1], int64[:, ::1], int64[::1])",
    allocates=True,
)
def anneal(
    nodes: NDArray[np.int64],
    beside: NDArray[np.int64],
    board: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    unit: int,
    temperature: float,
    cooling: float,
    swaps: float,
    chances: NDArray[np.float64],
    value: int,
    record: int,
    stamps: NDArray[np.uint8],
    marks: NDArray[np.uint32],
    workspace: NDArray[np.int64],
    bath: NDArray[np.int64],
    keys: NDArray[np.int64],
    cache: NDArray[np.int64],
    result: NDArray[np.int64],
) -> int:
    """Change ``board``, of this ``value``, step by step; return the number of steps made.

    There is a step per row of ``chances``; fewer if a step exceeds ``record``. ``result[0]`` is the final
    value. ``temperature`` is multiplied by ``cooling`` after every step; a share ``swaps`` of the steps are
    swaps. ``keys`` has random numbers per cell and letter, and one for no letter.
    """
    for step in range(len(chances)):
        place = int(chances[step, 0] * len(board))
        before = board[place]
        luck = chances[step, 3]
        if chances[step, 1] < swaps:
            other = int(chances[step, 2] * len(board))
            board[place] = board[other]
            board[other] = before
            if board[place] != before:
                row = cache_row(board, -1, keys, cache)
                if row[1] == UNKNOWN:
                    total = score_board(nodes, beside, board, word_values, 0, stamps, workspace)
                    row[1] = value_of(total, unit)
                if row[1] >= value or luck < exp((row[1] - value) / temperature):
                    value = row[1]
                else:
                    board[other] = board[place]
                    board[place] = before
        else:
            row = cache_row(board, place, keys, cache)
            values = row[1:]
            if row[1] == UNKNOWN:
                in_one = evaluate_letters(
                    nodes, beside, board, word_values, place, marks, workspace, bath, values
                )
                for letter in range(ALPHABET_SIZE):
                    if not in_one:
                        board[place] = letter
                        values[letter] = score_board(nodes, beside, board, word_values, 0, stamps, workspace)
                    values[letter] = value_of(values[letter], unit)
            letter = draw_letter(values, temperature, luck)
            board[place] = letter
            value = values[letter]
        temperature *= cooling
        if value > record:
            result[0] = value
            return step + 1
    result[0] = value
    return len(chances)
