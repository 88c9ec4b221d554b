"""Wibble's compiled searches; :mod:`app.games.grid_kernels` explains the walk they share.

A board comes as four numbers per cell: ``letters`` (0 = a), ``cell_points`` (the letter's value times its
bonus), ``cell_factors`` (what the cell multiplies the word by) and ``cell_gems``.
"""

import numpy as np
from numpy.typing import NDArray

from app.games.grid_kernels import LONGEST_PATH, WORD
from app.games.kernel import kernel, popcount, readonly

OVERFLOW = -1


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('uint8')}, "
    f"{readonly('int64')}, {readonly('int64')}, {readonly('int64')}, {readonly('int64')}, "
    f"{readonly('int64')}, {readonly('int64')}, int64, int64, "
    "int64[::1], int32[::1], int64[::1], int64[::1], int64[::1], int64[::1], uint8[::1])"
)
def best_paths(  # noqa: PLR0917 - a kernel takes arrays, not objects
    nodes: NDArray[np.uint32],
    word_of_node: NDArray[np.int32],
    allowed: NDArray[np.uint8],
    steps: NDArray[np.int64],
    step_rows: NDArray[np.int64],
    letters: NDArray[np.int64],
    cell_points: NDArray[np.int64],
    cell_factors: NDArray[np.int64],
    cell_gems: NDArray[np.int64],
    long_word_length: int,
    long_word_bonus: int,
    stack: NDArray[np.int64],
    slots: NDArray[np.int32],
    found: NDArray[np.int64],
    found_points: NDArray[np.int64],
    found_gems: NDArray[np.int64],
    found_lengths: NDArray[np.int64],
    found_paths: NDArray[np.uint8],
) -> int:
    """Find every allowed word with its best path: most points, then most gems, then the smallest cells.

    Fills the ``found`` arrays, a row per word in no order (row ``r`` of ``found_paths`` starts at
    ``r * LONGEST_PATH``), and returns how many; OVERFLOW if they are too short. ``stack`` takes
    7 * (LONGEST_PATH + 1) numbers, ``slots`` one for each word of the lexicon.
    """
    cells = len(letters)
    near_letters = np.zeros(cells, np.int64)
    for cell in range(cells):
        for step in range(step_rows[cell], step_rows[cell + 1]):
            near_letters[cell] |= 1 << letters[steps[step]]
    room = LONGEST_PATH + 1
    next_step = stack[0:room]
    path = stack[room : 2 * room]
    masks = stack[2 * room : 3 * room]
    firsts = stack[3 * room : 4 * room]
    sums = stack[4 * room : 5 * room]
    factors = stack[5 * room : 6 * room]
    gems = stack[6 * room : 7 * room]

    count = 0
    visited = np.int64(0)
    depth = 0
    next_step[0] = step_rows[cells]
    path[0] = cells
    masks[0] = nodes[0]
    firsts[0] = nodes[1]
    sums[0] = 0
    factors[0] = 1
    gems[0] = 0
    while True:
        step = next_step[depth]
        if step == step_rows[path[depth] + 1]:
            if depth == 0:
                return count
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
        # The entry above the top: judged if a word ends here, and on the path if the walk goes on.
        above = depth + 1
        path[above] = cell
        sums[above] = sums[depth] + cell_points[cell]
        factors[above] = factors[depth] * cell_factors[cell]
        gems[above] = gems[depth] + cell_gems[cell]
        if mask & WORD and allowed[word_of_node[node]]:
            word = word_of_node[node]
            points = sums[above] * factors[above]
            if above >= long_word_length:
                points += long_word_bonus
            slot = slots[word]
            if slot < 0 or slot >= count or found[slot] != word:
                if count == len(found):
                    return OVERFLOW
                slot = np.int32(count)
                slots[word] = slot
                found[slot] = word
                count += 1
                better = True
            else:
                # Cells are tried in ascending order, so of equals the first path has the smallest cells.
                better = points > found_points[slot] or (
                    points == found_points[slot] and gems[above] > found_gems[slot]
                )
            if better:
                found_points[slot] = points
                found_gems[slot] = gems[above]
                found_lengths[slot] = above
                for place in range(above):
                    found_paths[slot * LONGEST_PATH + place] = path[place + 1]
        if mask & near_letters[cell]:
            visited ^= np.int64(1) << cell
            next_step[above] = step_rows[cell]
            masks[above] = mask
            firsts[above] = nodes[2 * node + 1]
            depth = above
