"""The bank of tiles, and how a hand is drawn from it."""

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
    """How many tiles of each face there are, from ``data/scrabblet.toml``."""

    blanks: int = Field(ge=0)
    letters: dict[int, str]
    """Under each number, the letters of which there are that many tiles."""

    @property
    def tiles(self) -> str:
        """All of them, the letters by the alphabet and the blanks at the end."""
        count = {letter: number for number, letters in self.letters.items() for letter in letters}
        return "".join(letter * count.get(letter, 0) for letter in ALPHABET) + BLANK * self.blanks


@cache
def bank() -> Bank:
    """The bank of English Scrabble."""
    table = tomllib.loads((resource("data") / "scrabblet.toml").read_text(encoding="utf-8"))
    return TypeAdapter(Bank).validate_python(table["bank"])


def tile_score(tile: str) -> int:
    """What a letter's tile scores; nothing for a blank."""
    return 0 if tile == BLANK else letter_values("scrabble")[ord(tile) - ord("a")]


def draw(random: Random, size: int) -> str:
    """``size`` tiles drawn from the whole bank one by one, each of those left as likely as the next."""
    left = list(bank().tiles)
    return "".join(left.pop(int(random.random() * len(left))) for _ in range(size))
