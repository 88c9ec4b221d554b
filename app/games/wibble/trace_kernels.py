"""The best word with letters that may be swapped, second step: words traced in the order of their bounds.

The bounds are those of :mod:`app.games.wibble.bound_kernels`.
"""

import numpy as np
from numpy.typing import NDArray

from app.games.grid_kernels import ROOM, neighbour_mask
from app.games.kernel import kernel, lowest_bit, readonly
from app.games.wibble.bound_kernels import COUNTS

NOTHING = -1
PLACE = 3 * COUNTS
"""Sets of cells kept for each letter of a word, in ``best_trace``."""


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

    ``neighbours`` has the mask of each cell's neighbours and, last, that of all cells that a path may use;
    they do not include walls. ``words`` are row numbers of ``starts``, the offsets of words in ``text``;
    ``bounds`` are upper bounds on their values, descending. The value of a word is its points plus
    ``gem_value[gems on its path]``, as in ``promising_words``. Returns the word of the highest value, at
    least ``least``; ties go to most gems, then alphabetical order, then the smallest cells; NOTHING if there
    is none. ``result`` receives the value, the gems and the cells. After ``patience`` steps, the best word so
    far is returned.
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
                    after = neighbour_mask(after, columns, all_cells, not_first, not_last, not_bottom)
                    after_w = neighbour_mask(after_w, columns, all_cells, not_first, not_last, not_bottom)
                    after_l = neighbour_mask(after_l, columns, all_cells, not_first, not_last, not_bottom)
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
