"""The compiled inner loops over the tiles that are kept: what they are worth, and how that is learned."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.kernels import KINDS
from app.games.fribble.tileset import RACK
from app.games.kernel import inlined, kernel, readonly

COUNTS: Final = RACK + 1
VOWELS: Final = 1 << 0 | 1 << 4 | 1 << 8 | 1 << 14 | 1 << 20
BLANK_KIND: Final = KINDS - 1

SINGLES: Final = KINDS * COUNTS
PAIRS: Final = KINDS * KINDS
BALANCES: Final = COUNTS * COUNTS
FEATURES: Final = SINGLES + PAIRS + BALANCES
"""What a set of tiles may have: so many of a kind; a kind together with a later one; so many vowels and so
many consonants. They are numbered in this order."""
MOST_FEATURES: Final = RACK + RACK * (RACK - 1) // 2 + 1


@inlined
def features(counts: NDArray[np.int32], found: NDArray[np.int64]) -> int:
    """Write the features of a set of tiles, ``counts`` of each kind, into ``found``; return how many."""
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


@kernel(f"void(int32[::1], int64[::1], {readonly('int32')}, int32[::1])")
def leave_worths(
    rack: NDArray[np.int32], strides: NDArray[np.int64], weights: NDArray[np.int32], worths: NDArray[np.int32]
) -> None:
    """Write what each way to keep some of the rack is worth: the ``weights`` of its features."""
    found = np.zeros(MOST_FEATURES, np.int64)
    counts = np.zeros(KINDS, np.int32)
    worths[0] = 0
    for way in range(1, len(worths)):
        for kind in range(KINDS):
            if rack[kind] > 0:
                counts[kind] = way // strides[kind] % (rack[kind] + 1)
        total = 0
        for place in range(features(counts, found)):
            total += weights[found[place]]
        worths[way] = total


@kernel("void(int64[:, ::1], float64[::1], float64[:, ::1], float64[::1])")
def learn(
    racks: NDArray[np.int64],
    equities: NDArray[np.float64],
    products: NDArray[np.float64],
    responses: NDArray[np.float64],
) -> None:
    """Add what racks teach to the normal equations of a least-squares fit of equity by what was kept.

    ``racks`` has the kinds of the seven tiles in random order: the first, the first two and so on are each
    taken as kept, and the others as drawn to them. ``equities`` are the racks', less their mean.
    """
    found = np.zeros(MOST_FEATURES, np.int64)
    counts = np.zeros(KINDS, np.int32)
    for each in range(len(racks)):
        counts[:] = 0
        for kept in range(RACK - 1):
            counts[racks[each, kept]] += 1
            total = features(counts, found)
            for one in range(total):
                responses[found[one]] += equities[each]
                for other in range(total):
                    products[found[one], found[other]] += 1.0
