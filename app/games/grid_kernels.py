"""Trie-guided depth-first search for the words on a letter grid; shared by Wibble and Boggle.

The standard Boggle search: walk the paths of the board and the lexicon's trie together, and prune a path as
soon as it is not a prefix of any word. Iterative, with a stack of one entry per tile of the path; entry 0 is
the start, off the board, at the trie's root. Sets of cells are 64-bit masks (bit ``i`` is cell ``i``); cells
are tried in ascending order. ``nodes`` is the lexicon's trie with each node's two numbers interleaved, for
one memory access per visit: ``nodes[2n]`` has its children and word-end bit, ``nodes[2n + 1]`` its first
child.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import inlined, kernel, lowest_bit, popcount, readonly
from app.words.trie import ALPHABET_SIZE, Trie

LETTERS: Final = (1 << ALPHABET_SIZE) - 1
WORD: Final = 1 << ALPHABET_SIZE
NO_LETTER: Final = 31
LONGEST_PATH: Final = 64
"""Cells on the largest board."""
ROOM: Final = LONGEST_PATH + 1
"""Stack entries: one per tile of a path, and one for the start off the board."""


def paired_nodes(trie: Trie) -> NDArray[np.uint32]:
    """Return the trie's nodes in the kernels' layout."""
    return np.stack([trie.children, trie.first], axis=1).reshape(-1)


@inlined
def neighbour_mask(
    cells: np.int64,
    columns: np.int64,
    all_cells: np.int64,
    not_first: np.int64,
    not_last: np.int64,
    not_bottom: np.int64,
) -> np.int64:
    """Return the mask of all cells next to any of ``cells``; the other arguments are ``Grid.frame``."""
    beside = ((cells << 1) & not_first) | ((cells >> 1) & not_last)
    level = cells | beside
    return beside | ((level << columns) & all_cells) | ((level >> columns) & not_bottom)


@inlined
def letters_near(near: NDArray[np.int64], letters: NDArray[np.int64], result: NDArray[np.int64]) -> None:
    """Write the letter of each entry of ``Grid.near``; NO_LETTER where there is no cell."""
    for entry in range(len(near)):
        result[entry] = letters[near[entry]] if near[entry] >= 0 else NO_LETTER


@inlined
def next_cells(
    mask: np.int64, cell: int, near: NDArray[np.int64], near_letters: NDArray[np.int64]
) -> np.int64:
    """Return the mask of the cells next to ``cell`` whose letters are in ``mask``. Branch-free for speed."""
    cells = np.int64(0)
    for entry in range(8 * cell, 8 * cell + 8):
        cells |= ((mask >> near_letters[entry]) & 1) << (near[entry] & 63)
    return cells


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('int64')}, {readonly('int64')}, "
    "int64, int64[::1], int64[::1], int32[::1], int32[::1])"
)
def find_words(
    nodes: NDArray[np.uint32],
    word_of_node: NDArray[np.int32],
    near: NDArray[np.int64],
    letters: NDArray[np.int64],
    enough: int,
    near_letters: NDArray[np.int64],
    stack: NDArray[np.int64],
    slots: NDArray[np.int32],
    found: NDArray[np.int32],
) -> int:
    """Write the distinct words on a board to ``found``, unordered, and return their number.

    The search stops at ``enough`` words. ``letters`` has a number per cell, 0 = a. ``near_letters`` holds 8
    numbers per cell, ``stack`` 4 * ROOM. ``slots`` and ``found`` have an entry for each word of the lexicon;
    their initial content does not matter.
    """
    letters_near(near, letters, near_letters)
    pending = stack[0:ROOM]
    visited = stack[ROOM : 2 * ROOM]
    masks = stack[2 * ROOM : 3 * ROOM]
    firsts = stack[3 * ROOM : 4 * ROOM]

    count = 0
    depth = 0
    pending[0] = 0
    masks[0] = nodes[0]
    for cell in range(len(letters)):
        pending[0] |= ((masks[0] >> letters[cell]) & 1) << cell
    visited[0] = 0
    firsts[0] = nodes[1]
    while count < enough:
        if pending[depth] == 0:
            if depth == 0:
                break
            depth -= 1
            continue
        cell = lowest_bit(pending[depth])
        cell_bit = np.int64(1) << cell
        pending[depth] ^= cell_bit
        node = firsts[depth] + popcount(masks[depth] & ((1 << letters[cell]) - 1))
        mask = np.int64(nodes[2 * node])
        if mask & WORD:
            word = word_of_node[node]
            slot = slots[word]
            if slot < 0 or slot >= count or found[slot] != word:
                slots[word] = count
                found[count] = word
                count += 1
        reachable = next_cells(mask, cell, near, near_letters) & ~visited[depth]
        if reachable:
            next_depth = depth + 1
            pending[next_depth] = reachable
            visited[next_depth] = visited[depth] | cell_bit
            masks[next_depth] = mask
            firsts[next_depth] = nodes[2 * node + 1]
            depth = next_depth
    return count
