"""Wibble searches: trie-guided depth-first search, as in :mod:`app.games.grid_kernels`, and branch and bound.

``best_paths`` finds all words. The best word alone, with letters that may be swapped, is found in two steps:
a walk over the trie computes upper bounds by sets of reachable cells (``promising_words``), then the words
are traced in descending order of their bounds (``best_trace``).

A board is four numbers per cell: ``letters`` (0 = a), ``cell_points`` (letter value times letter bonus),
``cell_factors`` (word multiplier) and ``cell_gems``.
"""

import numpy as np
from numpy.typing import NDArray

from app.games.grid_kernels import LETTERS, ROOM, WORD, around, letters_near, next_cells
from app.games.kernel import kernel, lowest_bit, popcount, readonly

OVERFLOW = -1
NOTHING = -1
MOST_SWAPS = 3
COUNTS = MOST_SWAPS + 1
"""Possible numbers of swaps."""
SETS = 4 * COUNTS
"""Sets of cells kept for each letter of a prefix, in ``promising_words``."""
PLACE = 3 * COUNTS
"""Sets of cells kept for each letter of a word, in ``best_trace``."""


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
                # Cells are tried in ascending order, so among equals the first path has the smallest cells.
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
    """Find every allowed word that may be worth ``least`` or more with up to ``swaps`` swaps.

    A word is worth its points and ``gem_value[gems on its path]``, with an entry for each number of gems,
    from 0 to all on the board, in non-decreasing order.

    Writes the words and upper bounds of their worth, unordered, and returns their number. Walks the trie,
    each prefix once, not the paths: it keeps the set of cells where a path of the prefix may end, one set for
    each number of swaps and for whether the word bonus (W) and the letter bonus (L) are used. These paths may
    repeat cells other than bonus cells, so the result is a bound.

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
                    reach[base] = around(reach[base], columns, all_cells, not_first, not_last, not_bottom)
                for index in range(base + 1, base + 4):
                    if reach[index]:
                        next_cells = around(reach[index], columns, all_cells, not_first, not_last, not_bottom)
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


@kernel(
    f"int64({readonly('uint8')}, {readonly('uint32')}, {readonly('int32')}, {readonly('int64')}, "
    f"{readonly('int64')}, {readonly('int64')}, {readonly('int64')}, {readonly('int64')}, "
    f"{readonly('int64')}, {readonly('int64')}, "
    f"{readonly('int64')}, "
    "int64, int64, int64, int64, int64, int64, int64, int64, int64, int64[::1], int64[::1], int64[::1])"
)
def best_trace(
    text: NDArray[np.uint8],
    starts: NDArray[np.uint32],
    words: NDArray[np.int32],
    bounds: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    frame: NDArray[np.int64],
    letters: NDArray[np.int64],
    cell_gems: NDArray[np.int64],
    values: NDArray[np.int64],
    cells_of_letter: NDArray[np.int64],
    gem_value: NDArray[np.int64],
    letter_bonus_cell: int,
    letter_bonus_factor: int,
    word_bonus_cell: int,
    word_bonus_factor: int,
    long_word_length: int,
    long_word_bonus: int,
    swaps: int,
    least: int,
    patience: int,
    stack: NDArray[np.int64],
    ahead: NDArray[np.int64],
    result: NDArray[np.int64],
) -> int:
    """Find the best of some words by tracing them on the board, with at most ``swaps`` letters swapped.

    ``neighbours`` has the mask of each cell's neighbours and, last, that of all cells where a path may go:
    walls are in none of them. ``words`` are row numbers of ``starts``, the offsets of words in ``text``;
    ``bounds`` are upper bounds of their worth, descending. A word is worth its points and ``gem_value[gems on
    its path]``, as in ``promising_words``. Returns the word that is worth most, at least ``least``; ties go
    to most gems, then alphabetical order, then the smallest cells; NOTHING if there is none. ``result``
    receives the worth, the gems and the cells. After ``patience`` steps, the best word so far is returned.
    ``stack`` holds 9 * ROOM numbers, ``ahead`` PLACE * ROOM, ``result`` LONGEST_PATH + 2.
    """
    columns = frame[0]
    all_cells = frame[1]
    not_first = frame[2]
    not_last = frame[3]
    not_bottom = frame[4]
    cells = len(letters)
    all_gems = np.int64(len(gem_value) - 1)
    pending = stack[0:ROOM]
    path = stack[ROOM : 2 * ROOM]
    left = stack[2 * ROOM : 3 * ROOM]
    factors = stack[3 * ROOM : 4 * ROOM]
    extras = stack[4 * ROOM : 5 * ROOM]
    gems = stack[5 * ROOM : 6 * ROOM]
    spelled = stack[6 * ROOM : 7 * ROOM]
    best_extra = stack[7 * ROOM : 8 * ROOM]
    visited = stack[8 * ROOM : 9 * ROOM]

    best_word = np.int64(NOTHING)
    best_points = np.int64(least - 1)
    best_gems = np.int64(ROOM)
    steps_left = patience
    for rank in range(len(words)):
        if bounds[rank] < best_points:
            break
        word = np.int64(words[rank])
        start = np.int64(starts[word])
        length = np.int64(starts[word + 1]) - start - 1
        if length > cells:
            continue
        total = np.int64(0)
        for place in range(length):
            spelled[place] = np.int64(text[start + place]) - ord("a")
            total += values[spelled[place]]
        added = long_word_bonus if length >= long_word_length else 0

        # ahead[PLACE * place + swaps left]: the cells where a completable path may be at this place (repeated
        # cells allowed); + COUNTS: those from which it may still reach W; + 2 * COUNTS: L.
        best_extra[length] = 0
        for index in range(PLACE):
            ahead[PLACE * length + index] = all_cells if index < COUNTS else 0
        for place in range(length - 1, -1, -1):
            letter = spelled[place]
            best_extra[place] = max(best_extra[place + 1], (letter_bonus_factor - 1) * values[letter])
            here = cells_of_letter[letter]
            before = np.int64(0)
            before_w = np.int64(0)
            before_l = np.int64(0)
            for index in range(PLACE * place, PLACE * place + swaps + 1):
                after = ahead[index + PLACE]
                after_w = ahead[index + PLACE + COUNTS]
                after_l = ahead[index + PLACE + 2 * COUNTS]
                if place < length - 1:
                    after = around(after, columns, all_cells, not_first, not_last, not_bottom)
                    after_w = around(after_w, columns, all_cells, not_first, not_last, not_bottom)
                    after_l = around(after_l, columns, all_cells, not_first, not_last, not_bottom)
                fits = (after & here) | (before & ~here)
                ahead[index] = fits
                ahead[index + COUNTS] = (after_w & here) | (before_w & ~here) | (fits & word_bonus_cell)
                ahead[index + 2 * COUNTS] = (after_l & here) | (before_l & ~here) | (fits & letter_bonus_cell)
                before = after
                before_w = after_w
                before_l = after_l

        depth = 0
        pending[0] = ahead[swaps] & neighbours[cells]
        visited[0] = 0
        left[0] = swaps
        factors[0] = 1
        extras[0] = -1  # L not used yet
        gems[0] = 0
        while True:
            if pending[depth] == 0:
                if depth == 0:
                    break
                depth -= 1
                continue
            if steps_left == 0:
                return int(best_word)
            steps_left -= 1
            cell = lowest_bit(pending[depth])
            bit = np.int64(1) << cell
            pending[depth] ^= bit
            index = PLACE * depth + left[depth]
            next_depth = depth + 1
            extra = extras[depth]
            if bit & letter_bonus_cell:
                extra = (letter_bonus_factor - 1) * values[spelled[depth]]
            most = extra
            if extra < 0:
                most = best_extra[next_depth] if ahead[index + 2 * COUNTS] & bit else np.int64(0)
            factor = factors[depth]
            if bit & word_bonus_cell:
                factor = word_bonus_factor
            most_factor = word_bonus_factor if ahead[index + COUNTS] & bit else factor
            own_gems = gems[depth] + cell_gems[cell]
            most_gems = min(own_gems + length - next_depth, all_gems)
            points = (total + most) * most_factor + added + gem_value[most_gems]
            if points < best_points or (
                points == best_points
                and (most_gems < best_gems or (most_gems == best_gems and word >= best_word))
            ):
                continue
            path[next_depth] = cell
            if next_depth == length:
                best_word = word
                best_points = points
                best_gems = most_gems
                result[0] = points
                result[1] = most_gems
                for place in range(length):
                    result[place + 2] = path[place + 1]
            else:
                visited[next_depth] = visited[depth] | bit
                left[next_depth] = left[depth] - (letters[cell] != spelled[depth])
                pending[next_depth] = (
                    neighbours[cell] & ahead[PLACE * next_depth + left[next_depth]] & ~visited[next_depth]
                )
                factors[next_depth] = factor
                extras[next_depth] = extra
                gems[next_depth] = own_gems
                depth = next_depth
    return int(best_word)
