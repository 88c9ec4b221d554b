"""The compiled path finder over a grid of letters, shared by every game that chains tiles.

All kernels walk the same way: depth first, one trie node per tile, with a stack of one entry per tile of
the path. Entry 0 stands off the board, at the trie's root, and steps to every cell. ``nodes`` is the trie of
the lexicon with a node's two numbers side by side, ``nodes[2n]`` its children and word-end bit,
``nodes[2n + 1]`` its first child, so that visiting a node touches memory once.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import kernel, popcount, readonly
from app.words.trie import ALPHABET_SIZE, Trie

LETTERS: Final = (1 << ALPHABET_SIZE) - 1
WORD: Final = 1 << ALPHABET_SIZE
LONGEST_PATH: Final = 64
"""Cells of the largest board."""


def paired_nodes(trie: Trie) -> NDArray[np.uint32]:
    """The trie's nodes as the kernels read them."""
    return np.stack([trie.children, trie.first], axis=1).reshape(-1)


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('int64')}, {readonly('int64')}, "
    f"{readonly('int64')}, int64, int64[::1], int32[::1], int32[::1])"
)
def find_words(  # noqa: PLR0917 - a kernel takes arrays, not objects
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
    4 * (LONGEST_PATH + 1) numbers. ``slots`` and ``found`` have room for every word of the lexicon; what they
    hold before does not matter.
    """
    cells = len(letters)
    near_letters = np.zeros(cells, np.int64)
    for cell in range(cells):
        for step in range(step_rows[cell], step_rows[cell + 1]):
            near_letters[cell] |= 1 << letters[steps[step]]
    next_step = stack[0 : LONGEST_PATH + 1]
    path = stack[LONGEST_PATH + 1 : 2 * (LONGEST_PATH + 1)]
    masks = stack[2 * (LONGEST_PATH + 1) : 3 * (LONGEST_PATH + 1)]
    firsts = stack[3 * (LONGEST_PATH + 1) : 4 * (LONGEST_PATH + 1)]

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
