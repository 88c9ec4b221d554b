"""Performance: the rating of those who usually play as accurately as somebody did in one game.

The bots are the measure: their ratings and the mean accuracy of their play are in ``data/ratings.toml``, both
measured in the same games by ``data/build/bot_ratings.py``. Between two levels it is interpolated, and beyond
the weakest and the strongest it is theirs. A single game says little: that is why it changes no rating.
"""

import tomllib
from bisect import bisect_left
from functools import cache
from itertools import pairwise
from typing import Final

from app.resources import resource

_ROUNDED_TO: Final = 10


def performance(kind: str, accuracy: float | None) -> int | None:
    """The performance in a game with this accuracy, 0 to 100; None where it is not measured."""
    known = _measured().get(kind)
    if accuracy is None or not known:
        return None
    found = _interpolated(known, accuracy)
    return round(found / _ROUNDED_TO) * _ROUNDED_TO


def _interpolated(known: list[tuple[float, float]], accuracy: float) -> float:
    """The rating for an accuracy, from points of both that increase."""
    place = bisect_left([each for each, _ in known], accuracy)
    if place in (0, len(known)):
        return known[min(place, len(known) - 1)][1]
    (low, low_rating), (high, high_rating) = known[place - 1], known[place]
    return low_rating + (high_rating - low_rating) * (accuracy - low) / (high - low)


@cache
def _measured() -> dict[str, list[tuple[float, float]]]:
    """Accuracy and rating of the bots, by kind of game, both increasing."""
    table = tomllib.loads((resource("data") / "ratings.toml").read_text(encoding="utf-8"))
    points = {
        kind: list(zip(accuracies, (value for value, _ in table["bots"][kind]), strict=True))
        for kind, accuracies in table.get("accuracy", {}).items()
    }
    # A level that plays less accurately than a weaker one, as one that plans ahead may, is left out.
    return {kind: _increasing(found) for kind, found in points.items()}


def _increasing(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points without those whose accuracy is no higher than an earlier one's."""
    kept = points[:1]
    for _, point in pairwise(points):
        if point[0] > kept[-1][0]:
            kept.append(point)
    return kept
