"""Randomness that a replay repeats: each move draws from a generator derived from the game's seed and ply.

Only ``Random.random`` is used: it alone is promised to give the same sequence in every Python version.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

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


def unit(random: Random) -> float:
    """A number in (0, 1], as a cumulative distribution wants it."""
    return 1.0 - random.random()
