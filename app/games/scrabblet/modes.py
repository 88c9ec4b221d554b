"""The modes of Scrabblet, read from ``data/scrabblet.toml``."""

import tomllib
from functools import cache
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.resources import resource

Mode: TypeAlias = Literal["dealer", "daily"]
Penalize: TypeAlias = Literal["non_words", "wrong_guesses"]
"""Which guesses cost the penalty: those that are no words, or also words too short or not in the hand."""


class ModeRules(Frozen):
    """What one mode asks of a hand and of the player."""

    title: str
    blurb: str
    penalty: dict[Penalize, Annotated[int, Field(ge=0)]]
    """Points that a penalised guess costs, unless the options say otherwise."""
    distinct: bool = False
    """Whether a dealt hand has as many letters as tiles: none twice, and no blank."""
    required: tuple[int, int] | None = None
    """The fewest and the most required words of a dealt hand; None for any number."""
    pangrams: int = Field(default=0, ge=0)
    """The fewest required words with every letter of the hand."""


@cache
def modes() -> dict[Mode, ModeRules]:
    """All modes by name."""
    table = tomllib.loads((resource("data") / "scrabblet.toml").read_text(encoding="utf-8"))
    return TypeAdapter(dict[Mode, ModeRules]).validate_python(table["modes"])
