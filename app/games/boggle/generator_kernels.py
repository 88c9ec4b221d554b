"""The compiled inner loops of the generators that grow a board from the letters already on it.

All letters are numbers, 0 = a. Chance comes as an argument: ``chances`` holds, board after board, two numbers
in [0, 1) for each cell, the first for where to go on and the second for the letter. ``near`` is the table of
neighbours of :attr:`app.games.grid.Grid.near`. Boards are written end to end into ``boards``.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import inlined, kernel, readonly

LETTERS: Final = 26
EMPTY: Final = 255
_FLOATS: Final = readonly("float64")
_NEAR: Final = readonly("int64")


@inlined
def roulette(weights: NDArray[np.float64], sums: NDArray[np.float64], chance: float) -> int:
    """A letter, each as likely as its share of ``weights``; -1 if there is no weight. ``sums`` is scratch."""
    total = 0.0
    for letter in range(LETTERS):
        total += weights[letter]
        sums[letter] = total
    if total <= 0.0:
        return -1
    bound = chance * total
    drawn = 0
    for letter in range(LETTERS):
        drawn += int(sums[letter] <= bound)
    while (
        drawn >= LETTERS or weights[drawn] == 0.0
    ):  # only where rounding carried the bound past the last weight
        drawn -= 1
    return drawn


@inlined
def multiply(weights: NDArray[np.float64], cell: int, table: NDArray[np.float64], row: int) -> None:
    """Multiply the weights of a cell's letters by a row of ``table``."""
    for letter in range(LETTERS):
        weights[LETTERS * cell + letter] *= table[LETTERS * row + letter]


@kernel(f"void({_FLOATS}, {_FLOATS}, {_NEAR}, int64, {_FLOATS}, uint8[::1])")
def fill_by_mark(
    letters: NDArray[np.float64],
    adjacency: NDArray[np.float64],
    near: NDArray[np.int64],
    seeds: int,
    chances: NDArray[np.float64],
    boards: NDArray[np.uint8],
) -> None:
    """ADJ: after ``seeds`` letters at random, each letter goes with that of one mark, taken at random.

    Every letter placed leaves a mark on each empty cell beside it.
    """
    cells = len(near) // 8
    sums = np.zeros(LETTERS)
    mark_cells = np.zeros(8 * cells, np.int64)
    mark_letters = np.zeros(8 * cells, np.int64)
    empty = np.zeros(cells, np.int64)
    for board in range(len(boards) // cells):
        start = board * cells
        for cell in range(cells):
            boards[start + cell] = EMPTY
            empty[cell] = cell
        marks = 0
        for placed in range(cells):
            where = chances[2 * (start + placed)]
            which = chances[2 * (start + placed) + 1]
            letter = -1
            if placed < seeds:
                entry = int(where * (cells - placed))
                cell = empty[entry]
                empty[entry] = empty[cells - placed - 1]
            else:
                entry = int(where * marks)
                cell = mark_cells[entry]
                row = LETTERS * mark_letters[entry]
                letter = roulette(adjacency[row : row + LETTERS], sums, which)
            if letter < 0:
                letter = roulette(letters, sums, which)
            boards[start + cell] = letter
            kept = 0
            for mark in range(marks):
                mark_cells[kept] = mark_cells[mark]
                mark_letters[kept] = mark_letters[mark]
                kept += int(mark_cells[mark] != cell)
            marks = kept
            for entry in range(8 * cell, 8 * cell + 8):
                if near[entry] >= 0 and boards[start + near[entry]] == EMPTY:
                    mark_cells[marks] = near[entry]
                    mark_letters[marks] = letter
                    marks += 1


@inlined
def next_cell(marks: NDArray[np.int64], greedy: bool, chance: float) -> int:  # noqa: FBT001 - kernels take arguments by position
    """An empty cell: one of those with the most marks if ``greedy``, else each as likely as it has marks.

    ``marks`` counts those of each cell, -1 on a cell that has its letter.
    """
    most = 0
    total = 0
    for cell in range(len(marks)):
        most = max(most, marks[cell])
        total += max(marks[cell], 0)
    if greedy:
        total = 0
        for cell in range(len(marks)):
            total += int(marks[cell] == most)
    left = int(chance * total)
    for cell in range(len(marks)):
        if greedy:
            left -= int(marks[cell] == most)
        else:
            left -= max(marks[cell], 0)
        if left < 0:
            return cell
    return -1


@kernel(f"void({_FLOATS}, {_FLOATS}, {_NEAR}, boolean, float64, {_FLOATS}, uint8[::1])")
def fill_combined(
    letters: NDArray[np.float64],
    adjacency: NDArray[np.float64],
    near: NDArray[np.int64],
    greedy: bool,  # noqa: FBT001
    decay: float,
    chances: NDArray[np.float64],
    boards: NDArray[np.uint8],
) -> None:
    """CAD: each letter goes with all its neighbours, drawn from the product of their distributions.

    The first letter stands at random. A letter that the board has ``c`` times already is ``decay ** c`` times
    as likely as it would be.
    """
    cells = len(near) // 8
    sums = np.zeros(LETTERS)
    product = np.zeros(LETTERS)
    weights = np.zeros(LETTERS * cells)
    scarcity = np.zeros(LETTERS)
    marks = np.zeros(cells, np.int64)
    for board in range(len(boards) // cells):
        start = board * cells
        scarcity[:] = 1.0
        weights[:] = 1.0
        marks[:] = 0
        for placed in range(cells):
            which = chances[2 * (start + placed) + 1]
            letter = -1
            if placed == 0:
                cell = int(chances[2 * start] * cells)
            else:
                cell = next_cell(marks, greedy, chances[2 * (start + placed)])
                for other in range(LETTERS):
                    product[other] = weights[LETTERS * cell + other] * scarcity[other]
                letter = roulette(product, sums, which)
            if letter < 0:
                letter = roulette(letters, sums, which)
            boards[start + cell] = letter
            scarcity[letter] *= decay
            marks[cell] = -1
            for entry in range(8 * cell, 8 * cell + 8):
                beside = near[entry]
                if beside >= 0 and marks[beside] >= 0:
                    marks[beside] += 1
                    multiply(weights, beside, adjacency, letter)


@kernel(f"void({_FLOATS}, {_FLOATS}, {_FLOATS}, {_FLOATS}, {_NEAR}, float64, {_FLOATS}, uint8[::1])")
def fill_with_triplets(
    letters: NDArray[np.float64],
    pairs: NDArray[np.float64],
    ends: NDArray[np.float64],
    middles: NDArray[np.float64],
    near: NDArray[np.int64],
    decay: float,
    chances: NDArray[np.float64],
    boards: NDArray[np.uint8],
) -> None:
    """TRIP: greedy CAD in which every path of three cells whose other two have their letters counts as well.

    Of a triplet ``ends`` has the weight of the last letter after the first two, ``middles`` that of the
    middle one between the other two; both stand in rows of LETTERS, a row for each two letters.
    """
    cells = len(near) // 8
    sums = np.zeros(LETTERS)
    product = np.zeros(LETTERS)
    weights = np.zeros(LETTERS * cells)
    scarcity = np.zeros(LETTERS)
    marks = np.zeros(cells, np.int64)
    for board in range(len(boards) // cells):
        start = board * cells
        scarcity[:] = 1.0
        weights[:] = 1.0
        marks[:] = 0
        for placed in range(cells):
            which = chances[2 * (start + placed) + 1]
            letter = -1
            if placed == 0:
                cell = int(chances[2 * start] * cells)
            else:
                cell = next_cell(marks, True, chances[2 * (start + placed)])  # noqa: FBT003
                for other in range(LETTERS):
                    product[other] = weights[LETTERS * cell + other] * scarcity[other]
                letter = roulette(product, sums, which)
            if letter < 0:
                letter = roulette(letters, sums, which)
            boards[start + cell] = letter
            scarcity[letter] *= decay
            marks[cell] = -1
            for entry in range(8 * cell, 8 * cell + 8):
                beside = near[entry]
                if beside < 0:
                    break
                if marks[beside] >= 0:
                    marks[beside] += 1
                    multiply(weights, beside, pairs, letter)
                    for further in range(8 * cell, 8 * cell + 8):
                        other = near[further]
                        if other >= 0 and marks[other] < 0:
                            multiply(weights, beside, ends, LETTERS * int(boards[start + other]) + letter)
                    for further in range(8 * beside, 8 * beside + 8):
                        other = near[further]
                        if other >= 0 and other != cell and marks[other] < 0:
                            multiply(weights, beside, middles, LETTERS * letter + int(boards[start + other]))
                else:
                    row = LETTERS * letter + int(boards[start + beside])
                    for further in range(8 * beside, 8 * beside + 8):
                        other = near[further]
                        if other >= 0 and marks[other] >= 0:
                            multiply(weights, other, ends, row)
