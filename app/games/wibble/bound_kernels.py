"""The best word with letters that may be swapped, first step: upper bounds by sets of reachable cells.

The words are then traced in descending order of their bounds; see :mod:`app.games.wibble.trace_kernels`.
"""

import numpy as np
from numpy.typing import NDArray

from app.games.grid_kernels import LETTERS, ROOM, WORD, neighbour_mask
from app.games.kernel import kernel, lowest_bit, popcount, readonly

MOST_SWAPS = 3
COUNTS = MOST_SWAPS + 1
"""Possible numbers of swaps."""
SETS = 4 * COUNTS
"""Sets of cells kept for each letter of a prefix, in ``promising_words``."""


@kernel(
    f"int64({readonly('uint32')}, {readonly('int32')}, {readonly('uint8')}, {readonly('int32')}, "
    f"{readonly('int32')}, {readonly('int64')}, {readonly('int64')}, {readonly('int64')}, "
    f"{readonly('int64')}, int64, int64, int64, int64, int64, int64, int64, int64, "
    "int64[::1], int64[::1], int64[::1], int32[::1], int64[::1])"
)
def promising_words(
    nodes: NDArray[np.uint32],
    word_of_node: NDArray[np.int32],
    allowed: NDArray[np.uint8],
    rest: NDArray[np.int32],
    rest_with_bonus: NDArray[np.int32],
    values: NDArray[np.int64],
    cells_of_letter: NDArray[np.int64],
    frame: NDArray[np.int64],
    gem_value: NDArray[np.int64],
    letter_bonus_cell: int,
    letter_bonus_factor: int,
    word_bonus_cell: int,
    word_bonus_factor: int,
    long_word_length: int,
    long_word_bonus: int,
    swaps: int,
    least: int,
    stack: NDArray[np.int64],
    reach: NDArray[np.int64],
    extras: NDArray[np.int64],
    found: NDArray[np.int32],
    found_bounds: NDArray[np.int64],
) -> int:
    """Find every allowed word whose value may be ``least`` or more with up to ``swaps`` swaps.

    The value of a word is its points plus ``gem_value[gems on its path]``, which has an entry for each number
    of gems, from 0 to all on the board, in non-decreasing order.

    Writes the words and upper bounds on their values, unordered, and returns their number. Walks the trie,
    visiting each prefix once, instead of the paths: it keeps the set of cells where a path of the prefix may
    end, one set for each number of swaps and for whether the word bonus (W) and the letter bonus (L) are
    used. These paths may repeat cells other than bonus cells, so the result is only a bound.

    A bonus cell is a mask of one bit, or 0 if there is no such bonus. ``values`` and ``cells_of_letter`` have
    an entry per letter. ``stack`` holds 4 * ROOM numbers, ``reach`` SETS * ROOM, ``extras`` COUNTS * ROOM,
    the results one per word of the lexicon.
    """
    columns = frame[0]
    all_cells = frame[1]
    not_first = frame[2]
    not_last = frame[3]
    not_bottom = frame[4]
    pending = stack[0:ROOM]
    masks = stack[ROOM : 2 * ROOM]
    firsts = stack[2 * ROOM : 3 * ROOM]
    sums = stack[3 * ROOM : 4 * ROOM]
    longest = popcount(all_cells)
    all_gems = len(gem_value) - 1
    most_added = long_word_bonus + gem_value[all_gems]
    neither_bonus = ~(letter_bonus_cell | word_bonus_cell)
    only_letter_bonus = letter_bonus_cell & ~word_bonus_cell
    only_word_bonus = word_bonus_cell & ~letter_bonus_cell
    both_bonuses = letter_bonus_cell & word_bonus_cell

    count = 0
    depth = 0
    masks[0] = nodes[0]
    pending[0] = masks[0] & LETTERS
    firsts[0] = nodes[1]
    sums[0] = 0
    # reach[SETS * depth + 4 * swaps made + 2 * (W used) + (L used)]: the cells where the next letter may be.
    for index in range(SETS):
        reach[index] = 0
    reach[0] = all_cells
    # extras[COUNTS * depth + swaps made]: the most that L added to any path that uses it.
    for index in range(COUNTS):
        extras[index] = 0
    while True:
        if pending[depth] == 0:
            if depth == 0:
                return count
            depth -= 1
            continue
        letter = lowest_bit(pending[depth])
        bit = np.int64(1) << letter
        pending[depth] ^= bit
        node = firsts[depth] + popcount(masks[depth] & (bit - 1))
        value = values[letter]
        total = sums[depth] + value
        extra = (letter_bonus_factor - 1) * value
        most = max(
            total + max(extra, extras[COUNTS * depth + swaps]) + rest[node], total + rest_with_bonus[node]
        )
        if most * word_bonus_factor + most_added < least:
            continue

        next_depth = depth + 1
        here = cells_of_letter[letter]
        bound = np.int64(-1)
        most = np.int64(-1)
        taken = np.int64(0)
        for swapped in range(swaps + 1):
            base = SETS * depth + 4 * swapped
            free = reach[base] & here
            with_l = reach[base + 1] & here
            with_w = reach[base + 2] & here
            with_both = reach[base + 3] & here
            if with_l | with_both:
                taken = max(taken, extras[COUNTS * depth + swapped])
            if swapped > 0:
                free |= reach[base - 4] & ~here
                swapped_with_l = reach[base - 3] & ~here
                with_w |= reach[base - 2] & ~here
                swapped_with_both = reach[base - 1] & ~here
                if swapped_with_l | swapped_with_both:
                    taken = max(taken, extras[COUNTS * depth + swapped - 1])
                with_l |= swapped_with_l
                with_both |= swapped_with_both
            if (free | with_w) & letter_bonus_cell:
                taken = max(taken, extra)
            with_both |= (with_w & letter_bonus_cell) | (with_l & word_bonus_cell) | (free & both_bonuses)
            with_w = (with_w & ~letter_bonus_cell) | (free & only_word_bonus)
            with_l = (with_l & ~word_bonus_cell) | (free & only_letter_bonus)
            free &= neither_bonus
            extras[COUNTS * next_depth + swapped] = taken
            base = SETS * next_depth + 4 * swapped
            reach[base] = free
            reach[base + 1] = with_l
            reach[base + 2] = with_w
            reach[base + 3] = with_both
            if free | with_w:
                most = max(most, total + rest_with_bonus[node])
            if with_l | with_both:
                most = max(most, total + taken + rest[node])
            if free:
                bound = max(bound, total)
            if with_l:
                bound = max(bound, total + taken)
            if with_w:
                bound = max(bound, total * word_bonus_factor)
            if with_both:
                bound = max(bound, (total + taken) * word_bonus_factor)
        if most < 0:
            continue
        mask = np.int64(nodes[2 * node])
        if mask & WORD and allowed[word_of_node[node]]:
            if next_depth >= long_word_length:
                bound += long_word_bonus
            bound += gem_value[min(next_depth, all_gems)]
            if bound >= least:
                found[count] = word_of_node[node]
                found_bounds[count] = bound
                count += 1
        if mask & LETTERS and next_depth < longest and most * word_bonus_factor + most_added >= least:
            for swapped in range(swaps + 1):
                base = SETS * next_depth + 4 * swapped
                if reach[base]:
                    reach[base] = neighbour_mask(
                        reach[base], columns, all_cells, not_first, not_last, not_bottom
                    )
                for index in range(base + 1, base + 4):
                    if reach[index]:
                        next_cells = neighbour_mask(
                            reach[index], columns, all_cells, not_first, not_last, not_bottom
                        )
                        if index & 1:
                            next_cells &= ~letter_bonus_cell
                        if index & 2:
                            next_cells &= ~word_bonus_cell
                        reach[index] = next_cells
            pending[next_depth] = mask & LETTERS
            masks[next_depth] = mask
            firsts[next_depth] = nodes[2 * node + 1]
            sums[next_depth] = total
            depth = next_depth
