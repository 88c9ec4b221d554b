"""Ranks by share of the required score: nine steps from Beginner to Queen."""

import tomllib
from functools import cache

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.resources import resource


class Rank(Frozen):
    """A rank, from ``data/scrabblet/game.toml``."""

    name: str
    percent: int = Field(ge=0, le=100)
    """The share of the required score needed, in percent."""

    def points(self, total: int) -> int:
        """Return the minimum points for this rank, given the required ``total``."""
        return -(-self.percent * total // 100)


@cache
def ranks() -> tuple[Rank, ...]:
    """Return all ranks, lowest first."""
    table = tomllib.loads((resource("data") / "scrabblet" / "game.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[Rank, ...]).validate_python(table["rank"])


def rank_of(points: int, total: int) -> int:
    """Return the index in :func:`ranks` earned by ``points`` of ``total``.

    The lowest rank if there are no required words.
    """
    earned = [number for number, rank in enumerate(ranks()) if rank.points(total) <= points]
    return earned[-1] if total else 0
