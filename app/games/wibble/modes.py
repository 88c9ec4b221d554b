"""The modes of Wibble, read from ``data/wibble.toml``."""

import tomllib
from functools import cache
from typing import Literal

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.games.wibble.state import Mode, Power
from app.resources import resource


class Gems(Frozen):
    """How gems come and go."""

    start: int
    """What each seat holds at the start."""
    most: int
    """What a seat can hold."""
    on_board: int
    """Tiles with a gem, topped up after each word."""


class ModeRules(Frozen):
    """What one mode adds to chaining and cleaning up."""

    title: str
    blurb: str
    values: Literal["scrabble", "spellcast"]
    """The letter values unless the options name others."""
    seats: tuple[int, int] = (1, 1)
    """The fewest and the most players at one table."""
    rounds: int | None = None
    """Rounds in a game; None is endless."""
    seconds: float | None = None
    """How long a game lasts; None is as long as one likes."""
    once_per_word: bool = False
    letter_bonus_factors: tuple[int, ...] = ()
    """The factors of the moving letter bonus, equally likely; empty for none."""
    word_bonus_factor: int | None = None
    word_bonus_from_round: int = 1
    long_word_length: int | None = None
    long_word_bonus: int = 0
    gems: Gems | None = None
    costs: dict[Power, int] = Field(default_factory=dict)
    """The powers the mode has and what each costs in gems."""


@cache
def modes() -> dict[Mode, ModeRules]:
    """All modes by name, in the order in which a page shows them."""
    table = tomllib.loads((resource("data") / "wibble.toml").read_text(encoding="utf-8"))
    for rules in table.values():
        if like := rules.pop("like", None):
            rules |= {**table[like], **rules}
    return TypeAdapter(dict[Mode, ModeRules]).validate_python(table)
