"""Boggle search: all words on a board, by walking the board and a trie of the lexicon together.

A path is extended only while it is a prefix of some word. Boards are scored breadth-first with a queue, whose
steps are independent of each other; searches that must report paths, and boards too rich for the queue, are
depth-first.

``nodes`` is a trie as in :mod:`app.words.trie` with one number per node: the letters that continue it, from
bit LENGTH_SHIFT the length of the word that ends there (0: none), and from bit FIRST_SHIFT its first child.
``beside`` is :attr:`app.games.grid.Grid.masks`; ``letters`` has one number per cell, 0 = a. Sets of cells are
64-bit masks.

Totals are one number, points plus ONE_WORD per word; ``word_values`` has an entry per word length. With
``every_path`` a word counts once per path, otherwise once.

``stamps`` has an entry per node: the number of the board on which its word was last found. Entry 0, the
root's, is the current board's number. ``workspace`` has WORKSPACE entries; its initial content does not
matter.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.grid_kernels import LETTERS, LONGEST_PATH, ROOM
from app.games.kernel import inlined, kernel, lowest_bit, popcount, readonly

LENGTH_SHIFT: Final = 27
LENGTHS: Final = 1 << (32 - LENGTH_SHIFT)
"""The number of distinct word lengths; longer words count as LENGTHS - 1."""
FIRST_SHIFT: Final = 32
ONE_WORD: Final = 1 << 40
OVERFLOW: Final = np.int64(-1)
BOARDS_PER_STAMP: Final = 255

GROUP: Final = 7
"""Letters per table of :func:`place_letters`; four tables of 128 sets of letters cover the alphabet."""
TABLE: Final = 1 << GROUP
TABLES: Final = 4 * TABLE

PATH: Final = 3
"""Numbers per path in the queue."""
QUEUE: Final = PATH * (1 << 15)
WORDS: Final = 1 << 16
SMALLER: Final = TABLES + 4 * GROUP
"""Index in the workspace of the masks, per cell, of the letters before the cell's own."""
SEARCH: Final = SMALLER + LONGEST_PATH
WORKSPACE: Final = SEARCH + QUEUE + WORDS


@inlined
def next_stamp(stamps: NDArray[np.uint8]) -> np.uint8:
    """Number the next board, so that no word counts as found on it."""
    if stamps[0] == BOARDS_PER_STAMP:
        stamps[:] = 0
    stamps[0] += 1
    stamp: np.uint8 = stamps[0]
    return stamp


@inlined
def place_letters(letters: NDArray[np.uint8], workspace: NDArray[np.int64]) -> None:
    """Write the tables of the cells with each set of letters, and the masks in SMALLER."""
    cells_of = workspace[TABLES:SMALLER]
    cells_of[:] = 0
    for cell in range(len(letters)):
        cells_of[letters[cell]] |= np.int64(1) << cell
        workspace[SMALLER + cell] = (np.int64(1) << letters[cell]) - 1
    for group in range(4):
        table = workspace[group * TABLE : (group + 1) * TABLE]
        table[0] = 0
        for bit in range(GROUP):
            cells = cells_of[group * GROUP + bit]
            for letter_set in range(1 << bit):
                table[(1 << bit) + letter_set] = table[letter_set] | cells


@inlined
def cells_with(node: np.int64, tables: NDArray[np.int64]) -> np.int64:
    """Return the mask of the cells whose letters continue ``node``."""
    first = tables[np.uint64(node & (TABLE - 1))]
    second = tables[np.uint64(TABLE + ((node >> GROUP) & (TABLE - 1)))]
    third = tables[np.uint64(2 * TABLE + ((node >> 2 * GROUP) & (TABLE - 1)))]
    fourth = tables[np.uint64(3 * TABLE + ((node & LETTERS) >> 3 * GROUP))]
    cells: np.int64 = first | second | third | fourth
    return cells


@inlined
def breadth_first(
    nodes: NDArray[np.int64],
    beside: NDArray[np.int64],
    letters: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    every_path: int,
    stamps: NDArray[np.uint8],
    workspace: NDArray[np.int64],
) -> np.int64:
    """Return the total of a board, or OVERFLOW if the queue is too short.

    A path in the queue is three numbers: the cells that continue it, its own cells, and its node. Every step
    extends the first path by one cell, and appends the result if anything continues it. No step branches on
    data, so the processor works on many at once. Indices are unsigned because Numba lets negative ones count
    from the end.
    """
    place_letters(letters, workspace)
    tables = workspace[0:TABLES]
    smaller = workspace[SMALLER:SEARCH]
    queue = workspace[SEARCH : SEARCH + QUEUE]
    words = workspace[SEARCH + QUEUE :]
    queue[0] = cells_with(nodes[0], tables)
    queue[1] = 0
    queue[2] = nodes[0]
    at = np.int64(0)
    end = np.int64(PATH if queue[0] else 0)
    found = np.int64(0)
    while at < end:
        if end >= QUEUE - PATH or found >= WORDS - 1:
            return OVERFLOW
        pending = queue[np.uint64(at)]
        used = queue[np.uint64(at + 1)]
        before = queue[np.uint64(at + 2)]
        cell = lowest_bit(pending)
        cell_bit = np.int64(1) << cell
        rest = pending ^ cell_bit
        queue[np.uint64(at)] = rest
        at += PATH * (rest == 0)
        number = (before >> FIRST_SHIFT) + popcount(before & smaller[np.uint64(cell)])
        node = nodes[np.uint64(number)]
        length = (node >> LENGTH_SHIFT) & (LENGTHS - 1)
        words[np.uint64(found)] = number * LENGTHS | length
        found += length != 0
        reachable = cells_with(node, tables) & beside[np.uint64(cell)] & ~used
        queue[np.uint64(end)] = reachable
        queue[np.uint64(end + 1)] = used | cell_bit
        queue[np.uint64(end + 2)] = node
        end += PATH * (reachable != 0)

    total = np.int64(0)
    if every_path:
        for entry in range(found):
            total += word_values[np.uint64(words[entry] & (LENGTHS - 1))]
        return total
    stamp = next_stamp(stamps)
    for entry in range(found):
        number = words[entry] // LENGTHS
        value = word_values[np.uint64(words[entry] & (LENGTHS - 1))]
        total += value * (stamps[np.uint64(number)] != stamp)
        stamps[np.uint64(number)] = stamp
    return total


@inlined
def depth_first(
    nodes: NDArray[np.int64],
    beside: NDArray[np.int64],
    letters: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    every_path: int,
    stamps: NDArray[np.uint8],
    workspace: NDArray[np.int64],
    found: NDArray[np.int64],
    cells: NDArray[np.uint8],
) -> np.int64:
    """Return the total of a board of any size, and write its paths to ``found`` (node, length) and ``cells``.

    Paths are in order of their cells, and stored in ``cells`` end to end. ``cells`` has space for all paths
    in ``found``; further paths are counted but not written.
    """
    place_letters(letters, workspace)
    tables = workspace[0:TABLES]
    smaller = workspace[SMALLER:SEARCH]
    stack = workspace[SEARCH:]
    pending = stack[0:ROOM]
    used = stack[ROOM : 2 * ROOM]
    before = stack[2 * ROOM : 3 * ROOM]
    path = stack[3 * ROOM : 4 * ROOM]

    stamp = next_stamp(stamps)
    total = np.int64(0)
    count = 0
    written = 0
    depth = 0
    pending[0] = cells_with(nodes[0], tables)
    used[0] = 0
    before[0] = nodes[0]
    while True:
        if pending[depth] == 0:
            if depth == 0:
                return total
            depth -= 1
            continue
        cell = lowest_bit(pending[depth])
        cell_bit = np.int64(1) << cell
        pending[depth] ^= cell_bit
        path[depth] = cell
        number = (before[depth] >> FIRST_SHIFT) + popcount(before[depth] & smaller[cell])
        node = nodes[number]
        value = word_values[(node >> LENGTH_SHIFT) & (LENGTHS - 1)]
        if value and (every_path or stamps[number] != stamp):
            stamps[number] = stamp
            total += value
            if count < len(found):
                found[count, 0] = number
                found[count, 1] = depth + 1
                count += 1
                for step in range(depth + 1):
                    cells[written] = path[step]
                    written += 1
        reachable = cells_with(node, tables) & beside[cell] & ~(used[depth] | cell_bit)
        if reachable:
            depth += 1
            pending[depth] = reachable
            used[depth] = used[depth - 1] | cell_bit
            before[depth] = node


@inlined
def score_board(
    nodes: NDArray[np.int64],
    beside: NDArray[np.int64],
    letters: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    every_path: int,
    stamps: NDArray[np.uint8],
    workspace: NDArray[np.int64],
) -> np.int64:
    """Return the total of any board: words times ONE_WORD, plus points."""
    total = breadth_first(nodes, beside, letters, word_values, every_path, stamps, workspace)
    if total == OVERFLOW:
        no_paths = workspace[0:0].reshape(0, 2)
        total = depth_first(
            nodes, beside, letters, word_values, every_path, stamps, workspace, no_paths, stamps[0:0]
        )
    return total


@kernel(
    f"void({readonly('int64')}, {readonly('int64')}, Array(uint8, 2, 'C', readonly=True), "
    f"{readonly('int64')}, int64, uint8[::1], int64[::1], int64[::1])"
)
def score_boards(
    nodes: NDArray[np.int64],
    beside: NDArray[np.int64],
    boards: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    every_path: int,
    stamps: NDArray[np.uint8],
    workspace: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> None:
    """Write the total of each row of ``boards`` to ``totals``."""
    for board in range(len(boards)):
        totals[board] = score_board(nodes, beside, boards[board], word_values, every_path, stamps, workspace)


@kernel(
    f"int64({readonly('int64')}, {readonly('int64')}, {readonly('uint8')}, {readonly('int64')}, int64, "
    "uint8[::1], int64[::1], int64[:, ::1], uint8[::1])"
)
def find_paths(
    nodes: NDArray[np.int64],
    beside: NDArray[np.int64],
    letters: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    every_path: int,
    stamps: NDArray[np.uint8],
    workspace: NDArray[np.int64],
    found: NDArray[np.int64],
    cells: NDArray[np.uint8],
) -> np.int64:
    """Return the total of a board, and write its paths like :func:`depth_first`."""
    return depth_first(nodes, beside, letters, word_values, every_path, stamps, workspace, found, cells)
