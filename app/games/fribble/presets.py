"""The ways to play, one file each in ``data/fribble``: board, tiles and the numbers of the rules.

Another layout or set of tiles is another file there; its name without ``.toml`` is what games ask for.
"""

import tomllib
from functools import cache
from typing import Annotated, Final

from pydantic import AfterValidator, Field, field_validator

from app.games.fribble.layout import Layout
from app.games.fribble.tileset import TileSet
from app.games.game import Frozen
from app.resources import resource

DEFAULT_PRESET: Final = "wwf"


class Preset(Frozen):
    """One way to play."""

    title: str
    blurb: str
    seats: tuple[int, int]
    """The fewest and the most players at one table."""
    layout: Layout
    tiles: TileSet
    bingo: int = Field(ge=0)
    """Points for playing a full rack at once."""
    exchange_minimum: int = Field(ge=1)
    """Tiles that the bag must hold before any may be exchanged."""
    scoreless_turns: int = Field(ge=2)
    """So many turns without points, one after the other, end the game."""
    scoreless_from_zero: bool
    """Whether they do so while every score is 0."""

    @field_validator("layout", mode="before")
    @classmethod
    def _rows(cls, rows: object) -> object:
        return {"rows": rows} if isinstance(rows, list) else rows


@cache
def presets() -> dict[str, Preset]:
    """Every preset by name, the default first."""
    files = {file.stem: file for file in sorted((resource("data") / "fribble").glob("*.toml"))}
    names = sorted(files, key=lambda name: (name != DEFAULT_PRESET, name))
    return {
        name: Preset.model_validate(tomllib.loads(files[name].read_text(encoding="utf-8"))) for name in names
    }


def _known(name: str) -> str:
    if name not in presets():
        raise ValueError(f"there is no preset named {name!r}; there are {', '.join(presets())}")
    return name


PresetName = Annotated[str, AfterValidator(_known), Field(examples=[DEFAULT_PRESET])]
"""The name of a preset there is."""
