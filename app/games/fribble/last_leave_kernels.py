"""Leave evaluation with the bag empty, in a two-player game: a linear model of both racks, and its training.

A player who goes out gains twice the points of the opponent's tiles. The value of any other leave is the
average gain from then on, modelled by the number and kinds of tiles that each player holds.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.leave_kernels import BLANK_KIND, COUNTS, VOWELS, add_equation
from app.games.fribble.rack_kernels import KINDS, POINT
from app.games.kernel import inlined, kernel, readonly

NUMBERS: Final = 0
"""A pair: the number of tiles kept and the number of the opponent's tiles."""
KEPT: Final = NUMBERS + COUNTS * COUNTS
"""The first feature of the tiles kept; the following are relative to it."""
TILE: Final = 0
"""The count of a kind of tile."""
MORE: Final = TILE + KINDS
"""Each tile of a kind beyond the first."""
BALANCE: Final = MORE + KINDS
"""A pair: the number of vowels and the number of consonants."""
POINTS: Final = BALANCE + COUNTS * COUNTS
"""The points of the tiles, by the number of tiles that the opponent holds."""
THEIRS: Final = KEPT + POINTS + COUNTS
"""The first of the same features of the opponent's tiles."""
FEATURES: Final = THEIRS + POINTS + COUNTS
_MOST_PLACES: Final = 64


@inlined
def _side_features(
    counts: NDArray[np.int32],
    points: NDArray[np.int32],
    first: int,
    against: int,
    places: NDArray[np.int64],
    amounts: NDArray[np.float64],
    total: int,
) -> int:
    """Append the features of one player's tiles to the ``total`` so far; return the new total."""
    vowels = 0
    consonants = 0
    held = 0
    for kind in range(KINDS):
        count = int(counts[kind])
        if count == 0:
            continue
        held += count * int(points[kind])
        if VOWELS >> kind & 1:
            vowels += count
        elif kind != BLANK_KIND:
            consonants += count
        places[total] = first + TILE + kind
        amounts[total] = count
        total += 1
        if count > 1:
            places[total] = first + MORE + kind
            amounts[total] = count - 1
            total += 1
    places[total] = first + BALANCE + vowels * COUNTS + consonants
    amounts[total] = 1
    places[total + 1] = first + POINTS + against
    amounts[total + 1] = held
    return total + 2


@inlined
def _features(
    kept: NDArray[np.int32],
    theirs: NDArray[np.int32],
    points: NDArray[np.int32],
    places: NDArray[np.int64],
    amounts: NDArray[np.float64],
) -> int:
    """Write the features of a leave, given the count of each kind on both racks; return their number."""
    number = 0
    other_number = 0
    for kind in range(KINDS):
        number += int(kept[kind])
        other_number += int(theirs[kind])
    places[0] = NUMBERS + number * COUNTS + other_number
    amounts[0] = 1
    total = _side_features(kept, points, KEPT, other_number, places, amounts, 1)
    return _side_features(theirs, points, THEIRS, number, places, amounts, total)


@kernel(
    f"void(int32[::1], int64[::1], int32[::1], int32[::1], {readonly('int32')}, int32[::1])", allocates=True
)
def evaluate_last_leaves(
    rack: NDArray[np.int32],
    strides: NDArray[np.int64],
    theirs: NDArray[np.int32],
    points: NDArray[np.int32],
    weights: NDArray[np.int32],
    leave_values: NDArray[np.int32],
) -> None:
    """Write the value of each leave of the rack: the sum of its features' ``weights``.

    ``theirs`` counts the opponent's tiles of each kind, and ``points`` has the points of each kind of tile.
    """
    places = np.zeros(_MOST_PLACES, np.int64)
    amounts = np.zeros(_MOST_PLACES, np.float64)
    kept = np.zeros(KINDS, np.int32)
    other_number = 0
    leave_values[0] = 0
    for kind in range(KINDS):
        other_number += int(theirs[kind])
        leave_values[0] += 2 * POINT * theirs[kind] * points[kind]
    # The part of the value that depends only on the number of tiles kept.
    by_number = np.zeros(COUNTS, np.float64)
    for number in range(COUNTS):
        by_number[number] = weights[NUMBERS + number * COUNTS + other_number]
        for index in range(_side_features(theirs, points, THEIRS, number, places, amounts, 0)):
            by_number[number] += amounts[index] * weights[places[index]]
    for leave in range(1, len(leave_values)):
        number = 0
        for kind in range(KINDS):
            if rack[kind] > 0:
                kept[kind] = leave // strides[kind] % (rack[kind] + 1)
                number += int(kept[kind])
        value = by_number[number]
        for index in range(_side_features(kept, points, KEPT, other_number, places, amounts, 0)):
            value += amounts[index] * weights[places[index]]
        leave_values[leave] = int(np.floor(value + 0.5))


@kernel(
    "void(int32[:, ::1], int32[:, ::1], float64[::1], int32[::1], float64[:, ::1], float64[::1])",
    allocates=True,
)
def learn_last(
    kept: NDArray[np.int32],
    theirs: NDArray[np.int32],
    gains: NDArray[np.float64],
    points: NDArray[np.int32],
    products: NDArray[np.float64],
    responses: NDArray[np.float64],
) -> None:
    """Add turns to the normal equations of a least-squares fit of the points gained to the features.

    Each row is a turn: the count of each kind kept and of each kind that the opponent holds, and the points
    gained on the opponent from then on.
    """
    places = np.zeros(_MOST_PLACES, np.int64)
    amounts = np.zeros(_MOST_PLACES, np.float64)
    for row in range(len(kept)):
        total = _features(kept[row], theirs[row], points, places, amounts)
        add_equation(places[:total], amounts[:total], gains[row], products, responses)
