"""The compiled path finder over a grid of letters, shared by every game that chains tiles.

All kernels walk the same way: depth first, one trie node per tile, with a stack of one entry per tile of
the path; entry 0 stands off the board, at the trie's root. Sets of cells are masks, cell ``i`` being bit
``i``, and cells are tried in ascending order. ``nodes`` is the trie of the lexicon with a node's two numbers
side by side, ``nodes[2n]`` its children and word-end bit, ``nodes[2n + 1]`` its first child, so that visiting
a node touches memory once.
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
"""Cells of the largest board."""
ROOM: Final = LONGEST_PATH + 1
"""Entries of a stack: one for each tile of a path, and one for the place off the board where it starts."""


def paired_nodes(trie: Trie) -> NDArray[np.uint32]:
    """The trie's nodes as the kernels read them."""
    return np.stack([trie.children, trie.first], axis=1).reshape(-1)


@inlined
def around(
    cells: np.int64,
    columns: np.int64,
    every: np.int64,
    not_first: np.int64,
    not_last: np.int64,
    not_bottom: np.int64,
) -> np.int64:
    """The mask of all cells that touch any of ``cells``; the rest as in :attr:`app.games.grid.Grid.frame`."""
    beside = ((cells << 1) & not_first) | ((cells >> 1) & not_last)
    level = cells | beside
    return beside | ((level << columns) & every) | ((level >> columns) & not_bottom)


@inlined
def letters_near(near: NDArray[np.int64], letters: NDArray[np.int64], result: NDArray[np.int64]) -> None:
    """Write the letter for each entry of :attr:`app.games.grid.Grid.near`; where it is no cell, NO_LETTER."""
    for entry in range(len(near)):
        result[entry] = letters[near[entry]] if near[entry] >= 0 else NO_LETTER


@inlined
def next_cells(
    mask: np.int64, cell: int, near: NDArray[np.int64], near_letters: NDArray[np.int64]
) -> np.int64:
    """The mask of the cells next to ``cell`` whose letters are in ``mask``; without a branch, on purpose."""
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
    """Write the distinct words of a board into ``found``, in no order, and return how many.

    The search stops at ``enough``. ``letters`` has a number per cell, 0 = a. ``near_letters`` takes 8 numbers
    per cell, ``stack`` 4 * ROOM. ``slots`` and ``found`` have room for every word of the lexicon; what they
    hold before does not matter.
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
        going_on = next_cells(mask, cell, near, near_letters) & ~visited[depth]
        if going_on:
            above = depth + 1
            pending[above] = going_on
            visited[above] = visited[depth] | cell_bit
            masks[above] = mask
            firsts[above] = nodes[2 * node + 1]
            depth = above
    return count
