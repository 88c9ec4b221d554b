"""The modes of Scrabblet, from ``data/scrabblet/game.toml``."""

import tomllib
from functools import cache
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.resources import resource

Mode: TypeAlias = Literal["dealer", "daily"]
Penalize: TypeAlias = Literal["non_words", "wrong_guesses"]
"""Which guesses cost the penalty: non-words only, or also words that are too short or not in the hand."""


class ModeRules(Frozen):
    """The rules of one mode."""

    title: str
    blurb: str
    penalty: dict[Penalize, Annotated[int, Field(ge=0)]]
    """The cost of a penalised guess in points, unless set in the options."""
    distinct: bool = False
    """Whether a dealt hand has no repeated letters and no blanks."""
    required: tuple[int, int] | None = None
    """The minimum and maximum number of required words of a dealt hand; None for any number."""
    pangrams: int = Field(default=0, ge=0)
    """The minimum number of required words that use every letter of the hand."""


@cache
def modes() -> dict[Mode, ModeRules]:
    """Return all modes by name."""
    table = tomllib.loads((resource("data") / "scrabblet" / "game.toml").read_text(encoding="utf-8"))
    return TypeAdapter(dict[Mode, ModeRules]).validate_python(table["modes"])
