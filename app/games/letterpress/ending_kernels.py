"""Kernels of the proof search: the results a side can reach from a position, and the words that end the game.

A move's *result* is the set of cells that change owner: the placement's cells that are free or held by an
unprotected tile of the opponent. Many placements have the same result.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.kernel import inlined, kernel
from app.games.letterpress.evaluation import CELLS, EVERY, MAJORITY, count, protected
from app.games.letterpress.placement_kernels import class_at

NONE: Final = -1
_LOW: Final = 9
"""Cells are renumbered by tables of 512 and 256 entries: cells 0 to 8, 9 to 16, 17 to 24."""
_HIGH: Final = 8


@inlined
def renumbering(first: int, second: int, tables: NDArray[np.int32]) -> None:
    """Write tables that renumber a mask's cells: those of ``first`` from bit 0, then those of ``second``."""
    bit = 1
    for chosen in (first, second):
        for cell in range(CELLS):
            if chosen >> cell & 1:
                table = 0 if cell < _LOW else 1 if cell < _LOW + _HIGH else 2
                within = cell - (0 if table == 0 else _LOW if table == 1 else _LOW + _HIGH)
                for value in range(1 << _LOW):
                    if value >> within & 1:
                        tables[table << _LOW | value] |= bit
                bit <<= 1


@kernel(
    "int64(int32[::1], int64[::1], uint8[::1], int32, int32, int32[::1], uint8[::1], int32[::1])",
    allocates=True,
)
def largest_results(
    masks: NDArray[np.int32],
    starts: NDArray[np.int64],
    open_: NDArray[np.uint8],
    free: np.int32,
    vulnerable: np.int32,
    first: NDArray[np.int32],
    reached: NDArray[np.uint8],
    found: NDArray[np.int32],
) -> int:
    """Write a placement for each result that is not a subset of another one with the same free cells.

    ``open_`` is 1 for each class that may be played. ``first`` and ``reached`` are scratch space with an
    entry for each set of the free and the vulnerable cells. Returns the number of placements in ``found``.
    """
    tables = np.zeros(3 << _LOW, np.int32)
    renumbering(int(vulnerable), int(free), tables)
    size = 1 << (count(vulnerable) + count(free))
    for index in range(size):
        first[index] = NONE
        reached[index] = 0
    for class_ in range(len(open_)):
        if open_[class_]:
            for place in range(starts[class_], starts[class_ + 1]):
                mask = masks[place]
                index = (
                    tables[mask & 511] | tables[512 | (mask >> 9 & 255)] | tables[1024 | (mask >> 17 & 255)]
                )
                if first[index] == NONE:
                    first[index] = place
                    reached[index] = 1
    bits = int(count(vulnerable))
    for bit in range(bits):  # a superset of a result counts as reaching it
        step = 1 << bit
        for begin in range(0, size, 2 * step):
            for index in range(begin, begin + step):
                reached[index] |= reached[index + step]
    total = 0
    for index in range(size):
        if first[index] != NONE:
            largest = True
            for bit in range(bits):
                if not index >> bit & 1 and reached[index | 1 << bit]:
                    largest = False
                    break
            if largest:
                found[total] = first[index]
                total += 1
    return total


@largest_results.uncompiled
def _largest_results_numpy(
    masks: NDArray[np.int32],
    starts: NDArray[np.int64],
    open_: NDArray[np.uint8],
    free: np.int32,
    vulnerable: np.int32,
    first: NDArray[np.int32],  # noqa: ARG001
    reached: NDArray[np.uint8],  # noqa: ARG001
    found: NDArray[np.int32],
) -> int:
    places = np.flatnonzero(np.repeat(open_, np.diff(starts)))
    own = [cell for cell in range(CELLS) if vulnerable >> cell & 1]
    rest = [cell for cell in range(CELLS) if free >> cell & 1]
    indices = np.zeros(len(places), np.int64)
    for bit, cell in enumerate(own + rest):
        indices |= (masks[places].astype(np.int64) >> cell & 1) << bit
    results, begins = np.unique(indices, return_index=True)
    above = np.zeros(1 << len(own + rest), np.bool_)
    above[results] = True
    largest = np.ones(len(results), np.bool_)
    for bit in range(len(own)):
        pairs = above.reshape(-1, 2, 1 << bit)
        pairs[:, 0] |= pairs[:, 1]
    for bit in range(len(own)):
        largest &= (results >> bit & 1 == 1) | ~above[results | 1 << bit]
    total = int(largest.sum())
    found[:total] = places[begins[largest]]
    return total


@kernel("int64(int32[::1], int32[::1], int64[::1], uint8[::1], int32, int32)")
def ending_word(
    masks: NDArray[np.int32],
    places: NDArray[np.int32],
    starts: NDArray[np.int64],
    open_: NDArray[np.uint8],
    ours: np.int32,
    theirs: np.int32,
) -> int:
    """Return the first of ``places`` after which ``ours`` have a majority and whose class is open, or NONE.

    ``masks`` are the cells of the placements ``places``.
    """
    takeable = np.int32(~protected(theirs))
    for index in range(len(masks)):
        if count(np.int32(ours | np.int32(masks[index] & takeable))) >= MAJORITY:
            place = int(places[index])
            if open_[class_at(starts, place)]:
                return place
    return NONE


@ending_word.uncompiled
def _ending_word_numpy(
    masks: NDArray[np.int32],
    places: NDArray[np.int32],
    starts: NDArray[np.int64],
    open_: NDArray[np.uint8],
    ours: np.int32,
    theirs: np.int32,
) -> int:
    winning = places[np.bitwise_count(ours | (masks & ~protected(theirs))) >= MAJORITY]
    for place in winning.tolist():
        if open_[np.searchsorted(starts, place, side="right") - 1]:
            return int(place)
    return NONE


@kernel("int64(int32[::1], int64, int32, int32, int32[::1], int32[::1])")
def find_final_replies(
    taken: NDArray[np.int32],
    begin: int,
    ours: np.int32,
    theirs: np.int32,
    endings: NDArray[np.int32],
    answers: NDArray[np.int32],
) -> int:
    """Find for each result from ``begin`` on a placement of ``endings`` that fills the board and wins.

    ``taken`` are the cells that we take. Writes the index of the placement, or NONE if the result itself
    fills the board. Returns the first result without an answer, or the number of results.
    """
    for index in range(begin, len(taken)):
        own = np.int32(ours | taken[index])
        other = np.int32(theirs & ~taken[index])
        free = np.int32(EVERY & ~np.int32(own | other))
        takeable = np.int32(~protected(own))
        answers[index] = NONE
        if free:
            for number in range(len(endings)):
                if (endings[number] & free) == free and (
                    count(np.int32(other | np.int32(endings[number] & takeable))) >= MAJORITY
                ):
                    answers[index] = number
                    break
            if answers[index] == NONE:
                return index
    return len(taken)
