"""Leave evaluation: a linear model of tile counts, tile pairs and vowel balance, and its training."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.rack_kernels import KINDS
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, kernel, readonly

COUNTS: Final = RACK + 1
VOWELS: Final = 1 << 0 | 1 << 4 | 1 << 8 | 1 << 14 | 1 << 20
BLANK_KIND: Final = KINDS - 1

SINGLES: Final = KINDS * COUNTS
PAIRS: Final = KINDS * KINDS
BALANCES: Final = COUNTS * COUNTS
FEATURES: Final = SINGLES + PAIRS + BALANCES
"""The features of a leave, numbered in this order: the count of a kind of tile; a pair of different kinds;
the numbers of vowels and consonants."""
MOST_FEATURES: Final = RACK + RACK * (RACK - 1) // 2 + 1


@inlined
def features(counts: NDArray[np.int32], found: NDArray[np.int64]) -> int:
    """Write the features of a leave, given its count of each kind of tile; return their number."""
    total = 0
    vowels = 0
    consonants = 0
    for kind in range(KINDS):
        count = int(counts[kind])
        if count == 0:
            continue
        if VOWELS >> kind & 1:
            vowels += count
        elif kind != BLANK_KIND:
            consonants += count
        found[total] = kind * COUNTS + count
        total += 1
        for other in range(kind + 1, KINDS):
            if counts[other] > 0:
                found[total] = SINGLES + kind * KINDS + other
                total += 1
    found[total] = SINGLES + PAIRS + vowels * COUNTS + consonants
    return total + 1


@kernel(f"void(int32[::1], int64[::1], {readonly('int32')}, int32[::1])", allocates=True)
def evaluate_leaves(
    rack: NDArray[np.int32],
    strides: NDArray[np.int64],
    weights: NDArray[np.int32],
    leave_values: NDArray[np.int32],
) -> None:
    """Write the value of each leave of the rack: the sum of its features' ``weights``.

    Kind by kind, the leaves with some tiles of a kind are those without it and these tiles added.
    """
    beside = np.zeros(len(leave_values), np.int32)
    mixture = np.zeros(len(leave_values), np.int64)
    leave_values[0] = 0
    for kind in range(KINDS):
        if rack[kind] == 0:
            continue
        without = strides[kind]
        # The pairs that the kind makes with the tiles of each leave without it.
        for other in range(kind):
            for count in range(1, rack[other] + 1):
                begin = count * strides[other]
                for rest in range(strides[other]):
                    beside[begin + rest] = beside[rest] + weights[SINGLES + other * KINDS + kind]
        step = COUNTS if VOWELS >> kind & 1 else 0 if kind == BLANK_KIND else 1
        for count in range(1, rack[kind] + 1):
            begin = count * without
            for rest in range(without):
                added = weights[kind * COUNTS + count] + beside[rest]
                leave_values[begin + rest] = leave_values[rest] + added
                mixture[begin + rest] = mixture[rest] + count * step
    for leave in range(1, len(leave_values)):
        leave_values[leave] += weights[SINGLES + PAIRS + mixture[leave]]


@kernel("void(int64[:, ::1], float64[::1], float64[:, ::1], float64[::1])", allocates=True)
def learn(
    racks: NDArray[np.int64],
    equities: NDArray[np.float64],
    products: NDArray[np.float64],
    responses: NDArray[np.float64],
) -> None:
    """Add racks to the normal equations of a least-squares fit of equity to leave features.

    ``racks`` has the kinds of seven tiles in random order: the first, the first two and so on each count as a
    leave, and the rest as drawn. ``equities`` are those of the racks, minus their mean.
    """
    found = np.zeros(MOST_FEATURES, np.int64)
    counts = np.zeros(KINDS, np.int32)
    for row in range(len(racks)):
        counts[:] = 0
        for kept in range(RACK - 1):
            counts[racks[row, kept]] += 1
            total = features(counts, found)
            for first in range(total):
                responses[found[first]] += equities[row]
                for second in range(total):
                    products[found[first], found[second]] += 1.0
