"""A hand of tiles; words may use each letter any number of times."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from app.games.scrabblet.bag import BLANK, bank, tile_score
from app.words.letters import ALPHABET

LARGEST: Final = 15
"""The maximum number of tiles in a hand."""
VOWELS: Final = "aeiou"


def mask_of(letters: str) -> int:
    """Return the set of these letters as a mask: bit ``l`` for letter ``l`` (0 = a)."""
    mask = 0
    for letter in letters:
        mask |= 1 << ord(letter) - ord("a")
    return mask


def letters_of(mask: int) -> str:
    """Return the letters of the set in alphabetical order."""
    letters = []
    while mask:
        letters.append(ALPHABET[(mask & -mask).bit_length() - 1])
        mask &= mask - 1
    return "".join(letters)


@dataclass(frozen=True)
class Hand:
    """Tiles as drawn or given: letters a-z, and ``?`` for each blank."""

    tiles: str

    @cached_property
    def letters(self) -> str:
        """The distinct letters of the hand, in the order of the tiles."""
        return "".join(dict.fromkeys(self.tiles.replace(BLANK, "")))

    @cached_property
    def mask(self) -> int:
        """The letters as a mask."""
        return mask_of(self.letters)

    @cached_property
    def blanks(self) -> int:
        """The number of blanks: of additional letters a word may use."""
        return self.tiles.count(BLANK)

    @property
    def vowels(self) -> int:
        """The number of vowels among the tiles; Y and blanks do not count."""
        return sum(tile in VOWELS for tile in self.tiles)

    def makes(self, word: str) -> bool:
        """Return whether the word can be made from the letters of the hand, plus one letter per blank."""
        return (mask_of(word) & ~self.mask).bit_count() <= self.blanks

    def score(self, word: str) -> int:
        """Return the score of a word that can be made; letters from blanks score 0."""
        return sum(tile_score(letter) for letter in word if letter in self.letters)

    def used(self, word: str) -> str:
        """Return the letters of the hand used in the word, in the order of the tiles."""
        return "".join(letter for letter in self.letters if letter in word)

    def blanked(self, word: str) -> str:
        """Return the letters of the word supplied by blanks, in alphabetical order."""
        return letters_of(mask_of(word) & ~self.mask)

    def subsets(self) -> Iterator[str]:
        """Yield every non-empty subset of the hand's letters, in binary order with the first letter as bit 0.

        ``able`` gives a, b, ab, l, al, bl, abl, e, ...
        """
        for number in range(1, 1 << len(self.letters)):
            yield "".join(letter for bit, letter in enumerate(self.letters) if number >> bit & 1)


def read_tiles(text: str) -> str:
    """Parse tiles: spaces and capitals are accepted, a blank is ``?`` or ``_``.

    Repeated letters are accepted but have no effect. Raises ValueError for an invalid hand.
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
"""The tiles of a hand, in any form accepted by :func:`read_tiles`."""
