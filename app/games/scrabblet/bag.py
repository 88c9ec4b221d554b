"""The bank of tiles, and drawing a hand from it."""

import tomllib
from functools import cache
from random import Random
from typing import Final

from pydantic import Field, TypeAdapter

from app.games.game import Frozen
from app.resources import resource
from app.words.letters import ALPHABET, letter_values

BLANK: Final = "?"


class Bank(Frozen):
    """The number of tiles of each kind, from ``data/scrabblet/game.toml``."""

    blanks: int = Field(ge=0)
    letters: dict[int, str]
    """By count: the letters that have this many tiles."""

    @property
    def tiles(self) -> str:
        """All tiles, letters in alphabetical order, then blanks."""
        count = {letter: number for number, letters in self.letters.items() for letter in letters}
        return "".join(letter * count.get(letter, 0) for letter in ALPHABET) + BLANK * self.blanks


@cache
def bank() -> Bank:
    """Return the bank of English Scrabble."""
    table = tomllib.loads((resource("data") / "scrabblet" / "game.toml").read_text(encoding="utf-8"))
    return TypeAdapter(Bank).validate_python(table["bank"])


def tile_score(tile: str) -> int:
    """Return a tile's score; 0 for a blank."""
    return 0 if tile == BLANK else letter_values("scrabble")[ord(tile) - ord("a")]


def draw(random: Random, size: int) -> str:
    """Draw ``size`` tiles from the full bank without replacement, uniformly."""
    left = list(bank().tiles)
    return "".join(left.pop(int(random.random() * len(left))) for _ in range(size))
