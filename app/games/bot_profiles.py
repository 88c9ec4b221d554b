"""The names of the bots: the same five, by level, in every game. Each game defines their strength."""

import tomllib
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter

from app.games.game import Frozen
from app.resources import resource

QUICK_LEVELS: Final = 2
"""Levels that answer within 2 seconds."""
_LONG_MOVE: Final = 8
"""Number of tiles from which a move takes the full time."""


class BotProfile(Frozen):
    """A bot as shown to players, from ``data/bots.toml``."""

    name: str
    line: str
    """How it introduces itself."""


@cache
def bot_profiles() -> tuple[BotProfile, ...]:
    """Return the bots, weakest first: level 1 is the first."""
    table = tomllib.loads((resource("data") / "bots.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[BotProfile, ...]).validate_python(table["bot"])


def with_names(levels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give a game's levels, weakest first, the names of the bots. Raises ValueError unless there are five."""
    return [{"name": profile.name} | level for profile, level in zip(bot_profiles(), levels, strict=True)]


def thinking_time(level: int, tiles: int, chance: float) -> float:
    """Return the seconds a bot takes: 1 to 2 at levels 1 and 2, else 1 to 4, more for a move of many tiles.

    ``chance`` is a random number from 0 to 1.
    """
    most = 1.0 if level <= QUICK_LEVELS else 3.0
    return 1.0 + most * (0.6 * chance + 0.4 * min(1.0, tiles / _LONG_MOVE))
