"""The compiled path finder over a grid of letters, shared by every game that chains tiles.

All kernels walk the same way: depth first, one trie node per tile, with a stack of one entry per tile of
the path. Entry 0 stands off the board, at the trie's root, and steps to every cell. ``nodes`` is the trie of
the lexicon with a node's two numbers side by side, ``nodes[2n]`` its children and word-end bit,
``nodes[2n + 1]`` its first child, so that visiting a node touches memory once.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import inlined, kernel, popcount, readonly
from app.words.trie import ALPHABET_SIZE, Trie

LETTERS: Final = (1 << ALPHABET_SIZE) - 1
WORD: Final = 1 << ALPHABET_SIZE
LONGEST_PATH: Final = 64
"""Cells of the largest board."""
ROOM: Final = LONGEST_PATH + 1
"""Entries of a stack: one for each tile of a path, and one for the place off the board where it starts."""


def paired_nodes(trie: Trie) -> NDArray[np.uint32]:
    """The trie's nodes as the kernels read them."""
    return np.stack([trie.children, trie.first], axis=1).reshape(-1)


@inlined
def around(cells: int, columns: int, every: int, not_first: int, not_last: int, not_bottom: int) -> int:
    """The mask of all cells that touch any of ``cells``; the rest as in :attr:`app.games.grid.Grid.frame`."""
    beside = ((cells << 1) & not_first) | ((cells >> 1) & not_last)
    level = cells | beside
    return beside | ((level << columns) & every) | ((level >> columns) & not_bottom)


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('int64')}, {readonly('int64')}, "
    f"{readonly('int64')}, int64, int64[::1], int32[::1], int32[::1])"
)
def find_words(
    nodes: NDArray[np.uint32],
    word_of_node: NDArray[np.int32],
    steps: NDArray[np.int64],
    step_rows: NDArray[np.int64],
    letters: NDArray[np.int64],
    enough: int,
    stack: NDArray[np.int64],
    slots: NDArray[np.int32],
    found: NDArray[np.int32],
) -> int:
    """Write the distinct words of a board into ``found``, in no order, and return how many.

    The search stops at ``enough``. ``letters`` has a number per cell, 0 = a. ``stack`` takes
    4 * ROOM numbers. ``slots`` and ``found`` have room for every word of the lexicon; what they
    hold before does not matter.
    """
    cells = len(letters)
    near_letters = np.zeros(cells, np.int64)
    for cell in range(cells):
        for step in range(step_rows[cell], step_rows[cell + 1]):
            near_letters[cell] |= 1 << letters[steps[step]]
    next_step = stack[0:ROOM]
    path = stack[ROOM : 2 * ROOM]
    masks = stack[2 * ROOM : 3 * ROOM]
    firsts = stack[3 * ROOM : 4 * ROOM]

    count = 0
    visited = np.int64(0)
    depth = 0
    next_step[0] = step_rows[cells]
    path[0] = cells
    masks[0] = nodes[0]
    firsts[0] = nodes[1]
    while count < enough:
        step = next_step[depth]
        if step == step_rows[path[depth] + 1]:
            if depth == 0:
                break
            visited ^= np.int64(1) << path[depth]
            depth -= 1
            continue
        next_step[depth] = step + 1
        cell = steps[step]
        bit = 1 << letters[cell]
        if masks[depth] & bit == 0 or (visited >> cell) & 1:
            continue
        node = firsts[depth] + popcount(masks[depth] & (bit - 1))
        mask = np.int64(nodes[2 * node])
        if mask & WORD:
            word = word_of_node[node]
            slot = slots[word]
            if slot < 0 or slot >= count or found[slot] != word:
                slots[word] = count
                found[count] = word
                count += 1
        if mask & near_letters[cell]:
            depth += 1
            visited ^= np.int64(1) << cell
            next_step[depth] = step_rows[cell]
            path[depth] = cell
            masks[depth] = mask
            firsts[depth] = nodes[2 * node + 1]
    return count
