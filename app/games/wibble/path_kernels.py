"""All words of a board: trie-guided depth-first search, as in :mod:`app.games.grid_kernels`.

A board is four numbers per cell: ``letters`` (0 = a), ``cell_points`` (letter value times letter bonus),
``cell_factors`` (word multiplier) and ``cell_gems``.
"""

import numpy as np
from numpy.typing import NDArray

from app.games.grid_kernels import ROOM, WORD, letters_near, next_cells
from app.games.kernel import kernel, lowest_bit, popcount, readonly

OVERFLOW = -1


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('uint8')}, {readonly('int64')}, "
    f"{readonly('int64')}, {readonly('int64')}, {readonly('int64')}, {readonly('int64')}, int64, int64, "
    "int64[::1], int64[::1], int32[::1], int64[::1], int64[::1], int64[::1], int64[::1], "
    "int64[::1], uint8[::1])"
)
def best_paths(
    nodes: NDArray[np.uint32],
    word_of_node: NDArray[np.int32],
    allowed: NDArray[np.uint8],
    near: NDArray[np.int64],
    letters: NDArray[np.int64],
    cell_points: NDArray[np.int64],
    cell_factors: NDArray[np.int64],
    cell_gems: NDArray[np.int64],
    long_word_length: int,
    long_word_bonus: int,
    near_letters: NDArray[np.int64],
    stack: NDArray[np.int64],
    slots: NDArray[np.int32],
    found: NDArray[np.int64],
    found_points: NDArray[np.int64],
    found_gems: NDArray[np.int64],
    found_starts: NDArray[np.int64],
    found_ends: NDArray[np.int64],
    found_cells: NDArray[np.uint8],
) -> int:
    """Find every allowed word with its best path: most points, then most gems, then the smallest cells.

    Fills the ``found`` arrays, one entry per word, unordered, and returns the number of words; OVERFLOW if an
    array is too short. The path of word ``i`` is ``found_cells[found_starts[i] : found_ends[i]]``.
    ``near_letters`` holds 8 numbers per cell, ``stack`` 8 * ROOM, ``slots`` one per word of the lexicon.
    """
    letters_near(near, letters, near_letters)
    pending = stack[0:ROOM]
    visited = stack[ROOM : 2 * ROOM]
    masks = stack[2 * ROOM : 3 * ROOM]
    firsts = stack[3 * ROOM : 4 * ROOM]
    path = stack[4 * ROOM : 5 * ROOM]
    sums = stack[5 * ROOM : 6 * ROOM]
    factors = stack[6 * ROOM : 7 * ROOM]
    gems = stack[7 * ROOM : 8 * ROOM]

    count = 0
    depth = 0
    pending[0] = 0
    masks[0] = nodes[0]
    for cell in range(len(letters)):
        pending[0] |= ((masks[0] >> letters[cell]) & 1) << cell
    visited[0] = 0
    firsts[0] = nodes[1]
    sums[0] = 0
    factors[0] = 1
    gems[0] = 0
    while True:
        if pending[depth] == 0:
            if depth == 0:
                return count
            depth -= 1
            continue
        cell = lowest_bit(pending[depth])
        cell_bit = np.int64(1) << cell
        pending[depth] ^= cell_bit
        node = firsts[depth] + popcount(masks[depth] & ((1 << letters[cell]) - 1))
        mask = np.int64(nodes[2 * node])
        # The next stack entry: scored if a word ends here, and pushed if the path can be extended.
        next_depth = depth + 1
        path[next_depth] = cell
        sums[next_depth] = sums[depth] + cell_points[cell]
        factors[next_depth] = factors[depth] * cell_factors[cell]
        gems[next_depth] = gems[depth] + cell_gems[cell]
        if mask & WORD and allowed[word_of_node[node]]:
            word = word_of_node[node]
            points = sums[next_depth] * factors[next_depth]
            if next_depth >= long_word_length:
                points += long_word_bonus
            slot = slots[word]
            if slot < 0 or slot >= count or found[slot] != word:
                used = found_ends[count - 1] if count else np.int64(0)
                if count == len(found) or used + next_depth > len(found_cells):
                    return OVERFLOW
                slot = np.int32(count)
                slots[word] = slot
                found[slot] = word
                found_starts[slot] = used
                found_ends[slot] = used + next_depth
                count += 1
                better = True
            else:
                # Cells are tried in ascending order, so the first of equal paths has the smallest cells.
                better = points > found_points[slot] or (
                    points == found_points[slot] and gems[next_depth] > found_gems[slot]
                )
            if better:
                found_points[slot] = points
                found_gems[slot] = gems[next_depth]
                for place in range(next_depth):
                    found_cells[found_starts[slot] + place] = path[place + 1]
        reachable = next_cells(mask, cell, near, near_letters) & ~visited[depth]
        if reachable:
            pending[next_depth] = reachable
            visited[next_depth] = visited[depth] | cell_bit
            masks[next_depth] = mask
            firsts[next_depth] = nodes[2 * node + 1]
            depth = next_depth
