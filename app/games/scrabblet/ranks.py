"""Ranks: how much of the required words' score was found, in nine steps from Beginner to Queen."""

import tomllib
from functools import cache

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.resources import resource


class Rank(Frozen):
    """A rank, from ``data/scrabblet.toml``."""

    name: str
    percent: int = Field(ge=0, le=100)
    """The share of the required score that earns it."""

    def points(self, total: int) -> int:
        """The fewest points that earn it where ``total`` can be had."""
        return -(-self.percent * total // 100)


@cache
def ranks() -> tuple[Rank, ...]:
    """All of them, lowest first."""
    table = tomllib.loads((resource("data") / "scrabblet.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Rank, ...]).validate_python(table["rank"])


def rank_of(points: int, total: int) -> int:
    """Which of :func:`ranks` that many points of ``total`` have earned.

    Where nothing is required nothing can be earned, and the rank is the lowest.
    """
    earned = [number for number, rank in enumerate(ranks()) if rank.points(total) <= points]
    return earned[-1] if total else 0
