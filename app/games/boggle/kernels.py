"""Boggle search: all words on a board, by walking the board and a trie of the lexicon together.

A path is extended only while it is a prefix of some word. Boards of up to 32 cells are searched breadth-first
with a queue, which pipelines better; larger ones, and searches that must report paths, depth-first.

``nodes`` is a trie as in :mod:`app.words.trie`, with each node's two numbers interleaved: ``nodes[2n]`` has
the letters that continue it and, from bit LENGTH_SHIFT on, the length of the word that ends there (0: none);
``nodes[2n + 1]`` its first child. ``near`` is :attr:`app.games.grid.Grid.near`; ``letters`` has one number
per cell, 0 = a.

Totals are one number, points plus ONE_WORD per word; ``word_values`` has an entry per word length. With
``every_path`` a word counts once per path, otherwise once.

``stamps`` has an entry per node: the number of the board on which its word was last found. Entry 0, the
root's, is the current board's number. ``workspace`` has WORKSPACE entries; its initial content does not
matter.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.boggle.vector_kernels import append_longer_at_once
from app.games.grid_kernels import LETTERS, LONGEST_PATH, ROOM
from app.games.kernel import inlined, inlined_as, kernel, lowest_bit, popcount, readonly

LENGTH_SHIFT: Final = 27
LENGTHS: Final = 1 << (32 - LENGTH_SHIFT)
"""The number of distinct word lengths; longer words count as LENGTHS - 1."""
ONE_WORD: Final = 1 << 40
OVERFLOW: Final = np.int64(-1)
BOARDS_PER_STAMP: Final = 255

MOST_QUEUED_CELLS: Final = 32
"""The largest board whose paths fit in a queue entry."""
CELL_BITS: Final = 5
NODE_SHIFT: Final = CELL_BITS + MOST_QUEUED_CELLS
MOST_NODES: Final = 1 << (63 - NODE_SHIFT)

QUEUE: Final = 1 << 16
STEPS: Final = 8 * LONGEST_PATH
WORKSPACE: Final = 2 * STEPS + 4 * ROOM + QUEUE


@inlined
def next_stamp(stamps: NDArray[np.uint8]) -> np.uint8:
    """Number the next board, so that no word counts as found on it."""
    if stamps[0] == BOARDS_PER_STAMP:
        stamps[:] = 0
    stamps[0] += 1
    stamp: np.uint8 = stamps[0]
    return stamp


@inlined_as(append_longer_at_once)
def append_longer(
    queue: NDArray[np.int64],
    end: int,
    used: np.int64,
    longer: np.int64,
    letters: np.int64,
    letter_bits: NDArray[np.int64],
    steps: NDArray[np.int64],
    first: np.int64,
) -> int:
    """Append ``longer`` combined with each of eight steps that leads to one of ``letters`` on an unused cell.

    ``first`` is the index of the eight steps. Returns the new end of the queue, which needs space for all
    eight.
    """
    for entry in range(first, first + 8):
        queue[end] = longer | steps[entry]
        end += ((letters & letter_bits[entry]) != 0) & ((used & steps[entry]) == 0)
    return end


@inlined
def breadth_first(
    nodes: NDArray[np.uint32],
    near: NDArray[np.int64],
    letters: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    every_path: int,
    stamps: NDArray[np.uint8],
    workspace: NDArray[np.int64],
) -> np.int64:
    """Return the total of a board of up to MOST_QUEUED_CELLS, or OVERFLOW if the queue is too short.

    A path is one number: its last cell, a mask of its cells and, above, the trie node before the last cell.
    The queue holds paths by length, so the processor can work on many at once; there are no data-dependent
    branches. Words found overwrite the beginning of the queue.
    """
    letter_bits = workspace[0:STEPS]
    steps = workspace[STEPS : 2 * STEPS]
    queue = workspace[2 * STEPS + 4 * ROOM :]
    for entry in range(len(near)):
        cell = near[entry]
        letter_bits[entry] = np.int64(1) << letters[cell] if cell >= 0 else 0
        steps[entry] = np.int64(1) << (cell + CELL_BITS) | cell if cell >= 0 else 0

    end = 0
    root = np.int64(nodes[0])
    for cell in range(len(letters)):
        queue[end] = np.int64(1) << (cell + CELL_BITS) | cell
        end += (root >> letters[cell]) & 1
    found = 0
    at = 0
    while at < end:
        if end > QUEUE - 8:
            return OVERFLOW
        path = queue[at]
        at += 1
        cell = path & (MOST_QUEUED_CELLS - 1)
        before = path >> NODE_SHIFT
        smaller = (np.int64(1) << letters[cell]) - 1
        node = np.int64(nodes[2 * before + 1]) + popcount(np.int64(nodes[2 * before]) & smaller)
        mask = np.int64(nodes[2 * node])
        length = mask >> LENGTH_SHIFT
        queue[found] = node << CELL_BITS | length
        found += length != 0
        longer = (path & ((np.int64(1) << NODE_SHIFT) - MOST_QUEUED_CELLS)) | node << NODE_SHIFT
        end = append_longer(queue, end, path & -MOST_QUEUED_CELLS, longer, mask, letter_bits, steps, 8 * cell)

    total = np.int64(0)
    if every_path:
        for entry in range(found):
            total += word_values[queue[entry] & (LENGTHS - 1)]
        return total
    stamp = next_stamp(stamps)
    for entry in range(found):
        node = queue[entry] >> CELL_BITS
        total += word_values[queue[entry] & (LENGTHS - 1)] * (stamps[node] != stamp)
        stamps[node] = stamp
    return total


@inlined
def depth_first(
    nodes: NDArray[np.uint32],
    near: NDArray[np.int64],
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
    near_letters = workspace[0:STEPS]
    stack = workspace[2 * STEPS :]
    for entry in range(len(near)):
        near_letters[entry] = letters[near[entry]] if near[entry] >= 0 else LENGTHS - 1
    pending = stack[0:ROOM]
    used = stack[ROOM : 2 * ROOM]
    parents = stack[2 * ROOM : 3 * ROOM]
    path = stack[3 * ROOM : 4 * ROOM]

    stamp = next_stamp(stamps)
    total = np.int64(0)
    count = 0
    written = 0
    depth = 0
    pending[0] = 0
    for cell in range(len(letters)):
        pending[0] |= ((np.int64(nodes[0]) >> letters[cell]) & 1) << cell
    used[0] = 0
    parents[0] = 0
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
        before = parents[depth]
        smaller = (np.int64(1) << letters[cell]) - 1
        node = np.int64(nodes[2 * before + 1]) + popcount(np.int64(nodes[2 * before]) & smaller)
        mask = np.int64(nodes[2 * node])
        value = word_values[mask >> LENGTH_SHIFT]
        if value and (every_path or stamps[node] != stamp):
            stamps[node] = stamp
            total += value
            if count < len(found):
                found[count, 0] = node
                found[count, 1] = depth + 1
                count += 1
                for step in range(depth + 1):
                    cells[written] = path[step]
                    written += 1
        reachable = np.int64(0)
        mask &= LETTERS
        for entry in range(8 * cell, 8 * cell + 8):
            reachable |= ((mask >> near_letters[entry]) & 1) << (near[entry] & 63)
        reachable &= ~(used[depth] | cell_bit)
        if reachable:
            depth += 1
            pending[depth] = reachable
            used[depth] = used[depth - 1] | cell_bit
            parents[depth] = node


@inlined
def score_board(
    nodes: NDArray[np.uint32],
    near: NDArray[np.int64],
    letters: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    every_path: int,
    stamps: NDArray[np.uint8],
    workspace: NDArray[np.int64],
) -> np.int64:
    """Return the total of any board: words times ONE_WORD, plus points."""
    total = OVERFLOW
    if len(letters) <= MOST_QUEUED_CELLS:
        total = breadth_first(nodes, near, letters, word_values, every_path, stamps, workspace)
    if total == OVERFLOW:
        no_paths = workspace[0:0].reshape(0, 2)
        total = depth_first(
            nodes, near, letters, word_values, every_path, stamps, workspace, no_paths, stamps[0:0]
        )
    return total


@kernel(
    f"void({readonly('uint32')}, {readonly('int64')}, Array(uint8, 2, 'C', readonly=True), "
    f"{readonly('int64')}, int64, uint8[::1], int64[::1], int64[::1])"
)
def score_boards(
    nodes: NDArray[np.uint32],
    near: NDArray[np.int64],
    boards: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    every_path: int,
    stamps: NDArray[np.uint8],
    workspace: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> None:
    """Write the total of each row of ``boards`` to ``totals``."""
    for board in range(len(boards)):
        totals[board] = score_board(nodes, near, boards[board], word_values, every_path, stamps, workspace)


@kernel(
    f"int64({readonly('uint32')}, {readonly('int64')}, {readonly('uint8')}, {readonly('int64')}, int64, "
    "uint8[::1], int64[::1], int64[:, ::1], uint8[::1])"
)
def find_paths(
    nodes: NDArray[np.uint32],
    near: NDArray[np.int64],
    letters: NDArray[np.uint8],
    word_values: NDArray[np.int64],
    every_path: int,
    stamps: NDArray[np.uint8],
    workspace: NDArray[np.int64],
    found: NDArray[np.int64],
    cells: NDArray[np.uint8],
) -> np.int64:
    """Return the total of a board, and write its paths like :func:`depth_first`."""
    return depth_first(nodes, near, letters, word_values, every_path, stamps, workspace, found, cells)
