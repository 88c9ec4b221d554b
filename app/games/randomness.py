"""Randomness that a replay repeats: each move draws from a generator derived from the game's seed and ply.

Only ``Random.random`` is used: it alone is promised to give the same sequence in every Python version. Where
numbers are wanted by the thousand they come from a bit generator of NumPy's, whose raw numbers are promised.
"""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")


def generator(seed: str, ply: int) -> Random:
    """The generator of the move that is made on top of ``ply`` earlier ones."""
    return Random(f"{seed}/{ply}")


def pick(random: Random, items: Sequence[T]) -> T:
    """One of ``items``, each as likely as the next."""
    return items[int(random.random() * len(items))]


def shuffled(random: Random, items: Sequence[T]) -> list[T]:
    """All of ``items`` in random order (Fisher-Yates)."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


def drawn(random: Random, items: Sequence[T], count: int) -> list[T]:
    """``count`` of ``items`` in random order, or all where there are fewer."""
    left = list(items)
    most = min(count, len(left))
    for place in range(most):
        other = place + int(random.random() * (len(left) - place))
        left[place], left[other] = left[other], left[place]
    return left[:most]


def unit(random: Random) -> float:
    """A number in (0, 1], as a cumulative distribution wants it."""
    return 1.0 - random.random()


def chances(seed: str, count: int) -> NDArray[np.float64]:
    """(count,): numbers in [0, 1), the same for the same seed; fewer of them are the first of more."""
    source = np.random.PCG64(int.from_bytes(sha256(seed.encode()).digest()))
    return (source.random_raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
