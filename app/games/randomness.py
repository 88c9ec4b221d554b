"""Reproducible randomness: each move draws from a generator derived from the game's seed and ply.

Uses only ``Random.random``, the one method whose sequence Python guarantees across versions. Bulk numbers
come from the raw output of a NumPy bit generator, which NumPy guarantees likewise.
"""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")


def generator(seed: str, ply: int) -> Random:
    """Return the generator for the move made at ``ply``, the number of earlier moves."""
    return Random(f"{seed}/{ply}")


def pick(random: Random, items: Sequence[T]) -> T:
    """Return one of ``items``, uniformly at random."""
    return items[int(random.random() * len(items))]


def shuffled(random: Random, items: Sequence[T]) -> list[T]:
    """Return ``items`` in random order (Fisher-Yates shuffle)."""
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        result[last], result[other] = result[other], result[last]
    return result


def drawn(random: Random, items: Sequence[T], count: int) -> list[T]:
    """Return ``count`` of ``items`` in random order, or all if there are fewer."""
    left = list(items)
    size = min(count, len(left))
    for place in range(size):
        other = place + int(random.random() * (len(left) - place))
        left[place], left[other] = left[other], left[place]
    return left[:size]


def unit(random: Random) -> float:
    """Return a number in (0, 1], the argument of an inverse cumulative distribution."""
    return 1.0 - random.random()


def chances(seed: str, count: int) -> NDArray[np.float64]:
    """(count,): numbers in [0, 1), determined by the seed; a smaller ``count`` gives a prefix of a larger."""
    bits = np.random.PCG64(int.from_bytes(sha256(seed.encode()).digest()))
    return (bits.random_raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
