"""Performance: the rating of players whose average accuracy is that of one game.

It is calibrated with the bots: their ratings and mean accuracy are in ``data/ratings.toml``, both measured in
the same games by ``data/build/bot_ratings.py``. Between two levels it is interpolated; beyond the weakest and
the strongest it is theirs. A single game says little, so the performance does not change a rating.
"""

import tomllib
from bisect import bisect_left
from functools import cache
from itertools import pairwise
from typing import Final

from app.resources import resource

_ROUNDED_TO: Final = 10


def performance(kind: str, accuracy: float | None) -> int | None:
    """The performance in a game with this accuracy, 0 to 100; None if the kind has no measurements."""
    known = _measured().get(kind)
    if accuracy is None or not known:
        return None
    found = _interpolated(known, accuracy)
    return round(found / _ROUNDED_TO) * _ROUNDED_TO


def _interpolated(known: list[tuple[float, float]], accuracy: float) -> float:
    """The rating for an accuracy, from ``known`` pairs of accuracy and rating, both increasing."""
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
    # A level that plays less accurately than a weaker one is left out; one that plans ahead may do so.
    return {kind: _increasing(found) for kind, found in points.items()}


def _increasing(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points without those whose accuracy is not above that of an earlier point."""
    kept = points[:1]
    for _, point in pairwise(points):
        if point[0] > kept[-1][0]:
            kept.append(point)
    return kept
