"""Word values by length."""

import tomllib
from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.boggle.kernels import LENGTHS, ONE_WORD
from app.resources import resource

PointsTable: TypeAlias = tuple[int, ...]
"""Points by word length, from 0; longer words score like the last entry."""

SHORTEST: Final = 2
"""The smallest minimum word length."""


@cache
def classic_points() -> PointsTable:
    """Return the points of the dice game, from ``data/boggle/game.toml``."""
    table = tomllib.loads((resource("data") / "boggle" / "game.toml").read_text(encoding="utf-8"))["points"]
    points = {int(letters): int(value) for letters, value in table.items()}
    return tuple(points.get(letters, 0) for letters in range(max(points) + 1))


def points_of(word: str, points: PointsTable) -> int:
    """Return the points of ``word``; both letters of a ``Qu`` face count."""
    return points[min(len(word), len(points) - 1)]


def word_values(points: PointsTable, min_length: int) -> NDArray[np.int64]:
    """(LENGTHS,): the kernels' value of a word by length; 0 below ``min_length``.

    A value combines one word and its points; see :data:`app.games.boggle.kernels.ONE_WORD`. Raises ValueError
    if ``points`` is empty or has negative entries.
    """
    if not points or min(points) < 0:
        raise ValueError(f"points by number of letters are 0 or more; got {points}")
    last = len(points) - 1
    values = [ONE_WORD + points[min(letters, last)] for letters in range(LENGTHS)]
    return np.array([value if letters >= min_length else 0 for letters, value in enumerate(values)])
