"""A hand: the tiles that words are made of, every letter as often as one likes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from app.games.scrabblet.bag import BLANK, bank, tile_score
from app.words.letters import ALPHABET

LARGEST: Final = 15
"""Tiles in a hand."""
VOWELS: Final = "aeiou"


def mask_of(letters: str) -> int:
    """The set of these letters: bit ``l`` for letter ``l`` (0 = a)."""
    mask = 0
    for letter in letters:
        mask |= 1 << ord(letter) - ord("a")
    return mask


def letters_of(mask: int) -> str:
    """The letters of the set by the alphabet."""
    letters = []
    while mask:
        letters.append(ALPHABET[(mask & -mask).bit_length() - 1])
        mask &= mask - 1
    return "".join(letters)


@dataclass(frozen=True)
class Hand:
    """Tiles as they were drawn or given: letters a-z, and ``?`` for each blank."""

    tiles: str

    @cached_property
    def letters(self) -> str:
        """The letters that the hand has, each once, in the order of the tiles."""
        return "".join(dict.fromkeys(self.tiles.replace(BLANK, "")))

    @cached_property
    def mask(self) -> int:
        """The same as a set."""
        return mask_of(self.letters)

    @cached_property
    def blanks(self) -> int:
        """How many further letters a word may have."""
        return self.tiles.count(BLANK)

    @property
    def vowels(self) -> int:
        """How many of the tiles are vowels; a Y or a blank is none."""
        return sum(tile in VOWELS for tile in self.tiles)

    def makes(self, word: str) -> bool:
        """Whether the word can be made: its letters are of the hand, but for one for each blank."""
        return (mask_of(word) & ~self.mask).bit_count() <= self.blanks

    def score(self, word: str) -> int:
        """What a word that can be made scores: a letter that a blank stands for scores nothing."""
        return sum(tile_score(letter) for letter in word if letter in self.letters)

    def used(self, word: str) -> str:
        """The letters of the hand that the word uses, in the order of the tiles."""
        return "".join(letter for letter in self.letters if letter in word)

    def blanked(self, word: str) -> str:
        """The letters that blanks stand for in the word, by the alphabet."""
        return letters_of(mask_of(word) & ~self.mask)

    def subsets(self) -> Iterator[str]:
        """Every non-empty set of the hand's letters, counted in binary with the first tile as the ones.

        ``able`` gives a, b, ab, l, al, bl, abl, e, ...
        """
        for number in range(1, 1 << len(self.letters)):
            yield "".join(letter for bit, letter in enumerate(self.letters) if number >> bit & 1)


def read_tiles(text: str) -> str:
    """The tiles that were written: spaces and capitals are fine, a blank is ``?`` or ``_``.

    A letter written twice is no fault, though the second changes nothing. Raises ValueError for what is no
    hand.
    """
    tiles = "".join(text.lower().split()).replace("_", BLANK)
    for position, tile in enumerate(tiles):
        if tile != BLANK and tile not in ALPHABET:
            raise ValueError(f"tile {position} is {tile!r}: tiles are the letters a to z, and ? for a blank")
    if not 1 <= len(tiles) <= LARGEST:
        raise ValueError(f"there are {len(tiles)} tiles: a hand has 1 to {LARGEST}")
    if tiles.count(BLANK) > bank().blanks:
        raise ValueError(f"there are {tiles.count(BLANK)} blanks: the bank has {bank().blanks}")
    return tiles


Tiles = Annotated[
    str,
    Field(max_length=200, json_schema_extra={"pattern": "^\\s*([a-zA-Z?_]\\s*){1,15}$"}),
    AfterValidator(read_tiles),
]
"""The tiles of a hand, from whatever :func:`read_tiles` understands."""
