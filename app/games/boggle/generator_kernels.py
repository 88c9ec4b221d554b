"""Kernels of the board generators that choose letters by those already on the board.

Letters are drawn by roulette-wheel selection. Letters are numbers, 0 = a. ``chances`` holds, board after
board, two random numbers in [0, 1) per cell: the first chooses the cell, the second the letter. ``near`` is
:attr:`app.games.grid.Grid.near`. Boards are written end to end to ``boards``.
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
    """Return a letter with probability proportional to ``weights``; -1 if all are 0. ``sums`` is scratch."""
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
    while drawn >= LETTERS or weights[drawn] == 0.0:  # only if rounding pushed the bound past the last weight
        drawn -= 1
    return drawn


@inlined
def multiply(weights: NDArray[np.float64], cell: int, table: NDArray[np.float64], row: int) -> None:
    """Multiply the weights of a cell's letters by a row of ``table``."""
    for letter in range(LETTERS):
        weights[LETTERS * cell + letter] *= table[LETTERS * row + letter]


@kernel(f"void({_FLOATS}, {_FLOATS}, {_NEAR}, int64, {_FLOATS}, uint8[::1])", allocates=True)
def fill_by_mark(
    letters: NDArray[np.float64],
    adjacency: NDArray[np.float64],
    near: NDArray[np.int64],
    seeds: int,
    chances: NDArray[np.float64],
    boards: NDArray[np.uint8],
) -> None:
    """ADJ: place ``seeds`` random letters, then repeatedly fill a random mark with a letter that suits it.

    Each letter placed leaves a mark on every empty cell next to it.
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
            cell_chance = chances[2 * (start + placed)]
            letter_chance = chances[2 * (start + placed) + 1]
            letter = -1
            if placed < seeds:
                entry = int(cell_chance * (cells - placed))
                cell = empty[entry]
                empty[entry] = empty[cells - placed - 1]
            else:
                entry = int(cell_chance * marks)
                cell = mark_cells[entry]
                row = LETTERS * mark_letters[entry]
                letter = roulette(adjacency[row : row + LETTERS], sums, letter_chance)
            if letter < 0:
                letter = roulette(letters, sums, letter_chance)
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
    """Return an empty cell: if ``greedy``, one with the most marks, else with probability by number of marks.

    ``marks`` is the number of marks per cell, -1 for cells with a letter.
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


@kernel(f"void({_FLOATS}, {_FLOATS}, {_NEAR}, boolean, float64, {_FLOATS}, uint8[::1])", allocates=True)
def fill_combined(
    letters: NDArray[np.float64],
    adjacency: NDArray[np.float64],
    near: NDArray[np.int64],
    greedy: bool,  # noqa: FBT001
    decay: float,
    chances: NDArray[np.float64],
    boards: NDArray[np.uint8],
) -> None:
    """CAD: draw each letter from the product of the distributions of all its neighbours.

    The first letter is random. The weight of a letter already on the board ``c`` times is multiplied by
    ``decay ** c``.
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
            letter_chance = chances[2 * (start + placed) + 1]
            letter = -1
            if placed == 0:
                cell = int(chances[2 * start] * cells)
            else:
                cell = next_cell(marks, greedy, chances[2 * (start + placed)])
                for other in range(LETTERS):
                    product[other] = weights[LETTERS * cell + other] * scarcity[other]
                letter = roulette(product, sums, letter_chance)
            if letter < 0:
                letter = roulette(letters, sums, letter_chance)
            boards[start + cell] = letter
            scarcity[letter] *= decay
            marks[cell] = -1
            for entry in range(8 * cell, 8 * cell + 8):
                neighbour = near[entry]
                if neighbour >= 0 and marks[neighbour] >= 0:
                    marks[neighbour] += 1
                    multiply(weights, neighbour, adjacency, letter)


@kernel(
    f"void({_FLOATS}, {_FLOATS}, {_FLOATS}, {_FLOATS}, {_NEAR}, float64, {_FLOATS}, uint8[::1])",
    allocates=True,
)
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
    """TRIP: greedy CAD that also takes into account every three-cell path whose other two cells are filled.

    ``ends`` has the weights of a triplet's last letter given the first two, ``middles`` of its middle letter
    given the outer two; both have rows of LETTERS, one per pair of letters.
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
            letter_chance = chances[2 * (start + placed) + 1]
            letter = -1
            if placed == 0:
                cell = int(chances[2 * start] * cells)
            else:
                cell = next_cell(marks, True, chances[2 * (start + placed)])  # noqa: FBT003
                for other in range(LETTERS):
                    product[other] = weights[LETTERS * cell + other] * scarcity[other]
                letter = roulette(product, sums, letter_chance)
            if letter < 0:
                letter = roulette(letters, sums, letter_chance)
            boards[start + cell] = letter
            scarcity[letter] *= decay
            marks[cell] = -1
            for entry in range(8 * cell, 8 * cell + 8):
                neighbour = near[entry]
                if neighbour < 0:
                    break
                if marks[neighbour] >= 0:
                    marks[neighbour] += 1
                    multiply(weights, neighbour, pairs, letter)
                    for further in range(8 * cell, 8 * cell + 8):
                        other = near[further]
                        if other >= 0 and marks[other] < 0:
                            multiply(weights, neighbour, ends, LETTERS * int(boards[start + other]) + letter)
                    for further in range(8 * neighbour, 8 * neighbour + 8):
                        other = near[further]
                        if other >= 0 and other != cell and marks[other] < 0:
                            multiply(
                                weights, neighbour, middles, LETTERS * letter + int(boards[start + other])
                            )
                else:
                    row = LETTERS * letter + int(boards[start + neighbour])
                    for further in range(8 * neighbour, 8 * neighbour + 8):
                        other = near[further]
                        if other >= 0 and marks[other] >= 0:
                            multiply(weights, other, ends, row)
