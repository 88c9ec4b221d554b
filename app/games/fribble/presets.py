"""Presets: board layout, tile set and rule parameters, one TOML file each in ``data/fribble/presets``.

A new layout or tile set is a new file there or in the user's own folder. Games refer to it by its name
without ``.toml``.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field, ValidationError, field_validator, model_validator

from app.games.fribble.layout import SIDE, Layout
from app.games.fribble.tileset import RACK, TileSet
from app.games.game import Frozen
from app.resources import resource
from app.text_files import Unreadable, read_text
from app.validation import message_of, quote
from app.words.library import DEFAULT_LEXICON

DEFAULT_PRESET: Final = "wwf"
_FEWEST: Final = 2
MOST_SEATS: Final = 4
_MOST_SCORE: Final = int(np.iinfo(np.int16).max)
"""The engine adds up scores in 16 bits."""


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
        if not _FEWEST <= seats[0] <= seats[1] <= MOST_SEATS:
            raise ValueError(f"a table is for {_FEWEST} to {MOST_SEATS}: the fewest, then the most")
        return seats

    @model_validator(mode="after")
    def _scores_fit(self) -> Self:
        if (most := self._score_bound() + self.bingo) > _MOST_SCORE:
            raise ValueError(
                f"with these values and premium squares a play might score {most:,} points: at most "
                f"{_MOST_SCORE:,} can be counted"
            )
        return self

    def _score_bound(self) -> int:
        """An upper bound on a play's score: a full line of the most valuable tile, with 7 crossing words."""
        best = int(self.tiles.points.max())
        squares = self.layout.letter_multipliers, self.layout.word_multipliers
        letters, words = (factors.reshape(SIDE, SIDE).astype(np.int64) for factors in squares)
        crossing = best * (SIDE - 1 + letters) * words
        lines = (
            best * letters.sum(axis) * _largest(words, axis).prod(axis) + _largest(crossing, axis).sum(axis)
            for axis in (0, 1)
        )
        return max(int(line.max()) for line in lines)

    @field_validator("layout", mode="before")
    @classmethod
    def _rows(cls, rows: object) -> object:
        return {"rows": rows} if isinstance(rows, list) else rows


def _largest(numbers: NDArray[np.int64], axis: int) -> NDArray[np.int64]:
    """The RACK largest numbers of each line."""
    return np.sort(numbers, axis).take(range(SIDE - RACK, SIDE), axis)


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
        faults = (f"{'.'.join(map(str, fault['loc']))}: {message_of(fault)}" for fault in error.errors())
        raise BadPreset(f"{file.name}: {'; '.join(faults)}") from None
    except (Unreadable, tomllib.TOMLDecodeError) as error:
        raise BadPreset(f"{file.name}: {error}") from None


def check_name(name: str) -> None:
    """Raise BadPreset if a new preset cannot have this name. Old games refer to names: none is reused."""
    if not _NAME.fullmatch(name):
        raise BadPreset(f"{name!r} is not a valid name: use a letter a-z, then up to 31 of a-z, 0-9 and -")
    if name in presets():
        raise BadPreset(f"there is a preset named {name!r} already: choose another name for yours")


def own_folder(data_dir: Path) -> Path:
    """Return the folder of the user's own presets."""
    return data_dir / "fribble"


def use_own(folder: Path) -> list[str]:
    """Add the presets in the user's ``folder``, if it exists, and return the errors of invalid files.

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
        raise ValueError(f"there is no preset named {quote(name)}; there are {', '.join(presets())}")
    return name


def with_lexicon(given: Any) -> Any:
    """Return the fields of a game or position, with the preset's lexicon if they name none."""
    if not isinstance(given, dict) or given.get("lexicon"):
        return given
    preset = presets().get(str(given.get("preset", DEFAULT_PRESET)))
    return given if preset is None else given | {"lexicon": preset.lexicon}


PresetName = Annotated[str, AfterValidator(_known), Field(examples=[DEFAULT_PRESET])]
"""The name of an existing preset."""
