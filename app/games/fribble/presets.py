"""The ways to play, one file each in ``data/fribble``: board, tiles and the numbers of the rules.

Another layout or set of tiles is another file there, or in the user's own folder; its name without ``.toml``
is what games ask for.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, Field, ValidationError, field_validator

from app.games.fribble.layout import Layout
from app.games.fribble.tileset import TileSet
from app.games.game import Frozen
from app.resources import resource
from app.words.library import DEFAULT_LEXICON

DEFAULT_PRESET: Final = "wwf"
_FEWEST: Final = 2
_MOST: Final = 4


class Preset(Frozen):
    """One way to play."""

    title: str
    blurb: str
    seats: tuple[int, int]
    """The fewest and the most players at one table."""
    layout: Layout
    tiles: TileSet
    lexicon: str = DEFAULT_LEXICON
    """The name of the word list that it is played with, where nobody asks for another."""
    bingo: int = Field(ge=0, le=1000)
    """Points for playing a full rack at once."""
    exchange_minimum: int = Field(ge=1)
    """Tiles that the bag must hold before any may be exchanged."""
    scoreless_turns: int = Field(ge=2)
    """So many turns without points, one after the other, end the game."""
    scoreless_from_zero: bool
    """Whether they do so while every score is 0."""

    @field_validator("seats")
    @classmethod
    def _few(cls, seats: tuple[int, int]) -> tuple[int, int]:
        if not _FEWEST <= seats[0] <= seats[1] <= _MOST:
            raise ValueError(f"a table is for {_FEWEST} to {_MOST}: the fewest, then the most")
        return seats

    @field_validator("layout", mode="before")
    @classmethod
    def _rows(cls, rows: object) -> object:
        return {"rows": rows} if isinstance(rows, list) else rows


class BadPreset(ValueError):
    """A file is no preset, or its name is no name; the message says which and why."""


_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,31}")
_own: Final[dict[str, Preset]] = {}


def presets() -> dict[str, Preset]:
    """Every preset by name, the default first and the user's own last."""
    return {**_shipped(), **_own}


def read_preset(file: Path) -> Preset:
    """The preset in ``file``. Raises BadPreset."""
    try:
        return Preset.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise BadPreset(f"{file.name}: {'; '.join(faults)}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadPreset(f"{file.name}: {error}") from None


def check_name(name: str) -> None:
    """Raise BadPreset where a new preset cannot have this name: games keep to what a name once meant."""
    if not _NAME.fullmatch(name):
        raise BadPreset(f"{name!r} is no name: it takes a letter a-z, then up to 31 of a-z, 0-9 and -")
    if name in presets():
        raise BadPreset(f"there is a preset named {name!r} already: choose another name for yours")


def use_own(folder: Path) -> list[str]:
    """Let games be played with the presets in the user's ``folder``, too, if it is there.

    Files that are none are left out; returned is what is wrong with them.
    """
    faults = []
    for file in sorted(folder.glob("*.toml")):
        if file.stem in _own:
            continue
        try:
            check_name(file.stem)
            _own[file.stem] = read_preset(file)
        except BadPreset as bad:
            faults.append(str(bad))
    return faults


@cache
def _shipped() -> dict[str, Preset]:
    files = {file.stem: file for file in sorted((resource("data") / "fribble").glob("*.toml"))}
    names = sorted(files, key=lambda name: (name != DEFAULT_PRESET, name))
    return {name: read_preset(files[name]) for name in names}


def _known(name: str) -> str:
    if name not in presets():
        raise ValueError(f"there is no preset named {name!r}; there are {', '.join(presets())}")
    return name


PresetName = Annotated[str, AfterValidator(_known), Field(examples=[DEFAULT_PRESET])]
"""The name of a preset there is."""
