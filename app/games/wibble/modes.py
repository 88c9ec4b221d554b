"""The modes of Wibble, from ``data/wibble/modes.toml``."""

import tomllib
from functools import cache, lru_cache
from typing import Literal

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.games.wibble.levels import Level
from app.games.wibble.options import Mode, Options, Power
from app.resources import resource


class Gems(Frozen):
    """The rules for gems."""

    start: int
    """Gems per seat at the start."""
    most: int
    """Maximum gems per seat."""
    on_board: int
    """Gems on the board, refilled after each word."""


class ModeRules(Frozen):
    """The rules of one mode."""

    title: str
    blurb: str
    values: Literal["scrabble", "spellcast"]
    """The letter values, unless set in the options."""
    seats: tuple[int, int] = (1, 1)
    """The minimum and maximum number of players."""
    teams: int | None = None
    """The number of teams, of equal size, whose players alternate; None: everyone plays for themselves."""
    rounds: int | None = None
    """Rounds in a game; None for no limit."""
    seconds: float | None = None
    """The time limit of the game; None for no limit."""
    once_per_word: bool = False
    letter_bonus_factors: tuple[int, ...] = ()
    """The factors of the moving letter bonus, equally likely; empty for none."""
    word_bonus_factor: int | None = None
    word_bonus_from_round: int = 1
    long_word_length: int | None = None
    long_word_bonus: int = 0
    gems: Gems | None = None
    costs: dict[Power, int] = Field(default_factory=dict)
    """The powers of the mode and their costs in gems."""


@cache
def modes() -> dict[Mode, ModeRules]:
    """Return all modes by name, in display order."""
    table = tomllib.loads((resource("data") / "wibble" / "modes.toml").read_text(encoding="utf-8"))
    for rules in table.values():
        if like := rules.pop("like", None):
            rules |= {**table[like], **rules}
    return TypeAdapter(dict[Mode, ModeRules]).validate_python(table)


def rules_of(options: Options) -> ModeRules:
    """Return the rules of a game: those of its mode, in Adventure with the gems and powers of its level."""
    rules = modes()[options.mode]
    return rules if options.level is None else _with_level(rules.title, options.level)


@lru_cache(maxsize=128)
def _with_level(title: str, level: Level) -> ModeRules:
    rules = next(rules for rules in modes().values() if rules.title == title)
    costs = {power: cost for power, cost in level.costs.model_dump().items() if cost is not None}
    gems = Gems(**level.gems.model_dump()) if level.gems else None
    return rules.model_copy(update={"costs": costs, "gems": gems})
