"""What a word is worth by its number of letters."""

import tomllib
from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.boggle.kernels import LENGTHS, ONE_WORD
from app.resources import resource

PointsTable: TypeAlias = tuple[int, ...]
"""Points by number of letters, from 0 letters on; longer words are worth as much as the last."""

SHORTEST: Final = 2
"""The fewest letters that a word can be asked to have."""


@cache
def classic_points() -> PointsTable:
    """The points of the dice game, from ``data/boggle.toml``."""
    table = tomllib.loads((resource("data") / "boggle.toml").read_text(encoding="utf-8"))["points"]
    points = {int(letters): int(value) for letters, value in table.items()}
    return tuple(points.get(letters, 0) for letters in range(max(points) + 1))


def points_of(word: str, points: PointsTable) -> int:
    """What ``word`` is worth, each letter counted, those of a ``Qu`` face too."""
    return points[min(len(word), len(points) - 1)]


def worths(points: PointsTable, min_length: int) -> NDArray[np.int64]:
    """(LENGTHS,): what a kernel adds up for a word of so many letters; 0 below ``min_length``.

    One word and its points in one number, as :data:`app.games.boggle.kernels.ONE_WORD` tells. Raises
    ValueError for a table that is empty or has negative points.
    """
    if not points or min(points) < 0:
        raise ValueError(f"points by number of letters are 0 or more; got {points}")
    last = len(points) - 1
    worth = [ONE_WORD + points[min(letters, last)] for letters in range(LENGTHS)]
    return np.array([value if letters >= min_length else 0 for letters, value in enumerate(worth)])
