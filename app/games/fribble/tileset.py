"""Tile sets: the number and value of the tiles of each letter."""

from functools import cached_property
from string import ascii_uppercase
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from app.games.game import Frozen
from app.grammar import format_count

BLANK: Final = "?"
TILES: Final = ascii_uppercase + BLANK
"""All kinds of tile: indices 0 to 25 are the letters, 26 is the blank."""
RACK: Final = 7
"""The number of tiles on a full rack."""
MOST_POINTS: Final = 100
"""The maximum value of a letter."""


class TileSet(Frozen):
    """The contents of a full bag."""

    counts: dict[str, int]
    """The number of tiles of each kind; 0 for missing kinds."""
    values: dict[int, str]
    """The letters by value: ``{1: "AEIO", 10: "QZ"}``. Blanks are worth 0."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for kind, count in self.counts.items():
            if kind not in list(TILES) or not 0 <= count < 256:
                raise ValueError(
                    f"{format_count(count, 'tile')} of {kind!r}: "
                    f"tiles are A to Z and {BLANK}, 0 to 255 of each"
                )
        if sorted("".join(self.values.values())) != list(ascii_uppercase):
            raise ValueError("each letter A to Z has one value")
        if wrong := [value for value in self.values if not 0 <= value <= MOST_POINTS]:
            raise ValueError(f"a letter is worth 0 to {MOST_POINTS} points, not {wrong[0]}")
        return self

    @cached_property
    def points(self) -> NDArray[np.uint8]:
        """(27,): the value of each kind of tile, in the order of TILES; read-only."""
        by_letter = {letter: points for points, letters in self.values.items() for letter in letters}
        array = np.array([by_letter.get(kind, 0) for kind in TILES], np.uint8)
        array.flags.writeable = False
        return array

    @cached_property
    def full_bag(self) -> str:
        """All tiles of the set, in the order of TILES."""
        return "".join(kind * self.counts.get(kind, 0) for kind in TILES)

    def value(self, tile: str) -> int:
        """Return the value of a tile: an upper-case letter's points; 0 for a blank, ``?`` or lower case."""
        return int(self.points[TILES.index(tile)]) if tile in ascii_uppercase else 0

    def total_points(self, tiles: str) -> int:
        """Return the total value of these tiles."""
        return sum(map(self.value, tiles))
