"""Presets: board layout, tile set and rule parameters, one TOML file each in ``data/fribble/presets``.

A new layout or tile set is a new file there or in the user's own folder. Games refer to it by its name
without ``.toml``.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, ValidationError, field_validator

from app.games.fribble.layout import Layout
from app.games.fribble.tileset import TileSet
from app.games.game import Frozen
from app.resources import resource
from app.text_files import Unreadable, read_text
from app.words.library import DEFAULT_LEXICON

DEFAULT_PRESET: Final = "wwf"
_FEWEST: Final = 2
_MOST: Final = 4


class Preset(Frozen):
    """A variant of the game."""

    title: str
    blurb: str
    seats: tuple[int, int]
    """The minimum and maximum number of players."""
    layout: Layout
    tiles: TileSet
    lexicon: str = DEFAULT_LEXICON
    """The name of the default word list."""
    bingo: int = Field(ge=0, le=1000)
    """Bonus for playing a full rack at once."""
    exchange_minimum: int = Field(ge=1)
    """The minimum number of tiles in the bag for an exchange."""
    scoreless_turns: int = Field(ge=2)
    """The number of consecutive scoreless turns that ends the game."""
    scoreless_from_zero: bool
    """Whether that also applies while all scores are 0."""

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
    """A preset file or name is invalid; the message says which and why."""


_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,31}")
_own: Final[dict[str, Preset]] = {}


def presets() -> dict[str, Preset]:
    """Return all presets by name: the default first, the user's own last."""
    return {**_shipped(), **_own}


def read_preset(file: Path) -> Preset:
    """Read the preset in ``file``. Raises BadPreset."""
    try:
        return Preset.model_validate(tomllib.loads(read_text(file)))
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise BadPreset(f"{file.name}: {'; '.join(faults)}") from None
    except (Unreadable, tomllib.TOMLDecodeError) as error:
        raise BadPreset(f"{file.name}: {error}") from None


def check_name(name: str) -> None:
    """Raise BadPreset if a new preset cannot have this name. Old games refer to names, so none is reused."""
    if not _NAME.fullmatch(name):
        raise BadPreset(f"{name!r} is not a valid name: use a letter a-z, then up to 31 of a-z, 0-9 and -")
    if name in presets():
        raise BadPreset(f"there is a preset named {name!r} already: choose another name for yours")


def own_folder(data_dir: Path) -> Path:
    """Return the folder of the user's own presets."""
    return data_dir / "fribble"


def use_own(folder: Path) -> list[str]:
    """Add the presets in the user's ``folder``, if it exists, and return what is wrong with invalid files.

    Invalid files are skipped.
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
    files = {file.stem: file for file in sorted((resource("data") / "fribble" / "presets").glob("*.toml"))}
    names = sorted(files, key=lambda name: (name != DEFAULT_PRESET, name))
    return {name: read_preset(files[name]) for name in names}


def _known(name: str) -> str:
    if name not in presets():
        raise ValueError(f"there is no preset named {name!r}; there are {', '.join(presets())}")
    return name


def with_lexicon(given: Any) -> Any:
    """Return the fields of a game or position, with the preset's lexicon if they name none."""
    if not isinstance(given, dict) or given.get("lexicon"):
        return given
    preset = presets().get(str(given.get("preset", DEFAULT_PRESET)))
    return given if preset is None else given | {"lexicon": preset.lexicon}


PresetName = Annotated[str, AfterValidator(_known), Field(examples=[DEFAULT_PRESET])]
"""The name of an existing preset."""
