"""Per-letter tables: frequencies and tile values."""

import tomllib
from decimal import Decimal
from functools import cache, lru_cache
from string import ascii_lowercase
from typing import Any, Final, Literal, TypeAlias

from app.resources import resource
from app.validation import quote
from app.words.lexicon import Lexicon

ALPHABET: Final = ascii_lowercase
ValueTable: TypeAlias = tuple[int, ...]
"""26 integers, a to z: the points of each letter's tile."""
FrequencyTable: TypeAlias = tuple[float, ...]
"""26 numbers, a to z: the share of each letter; they add up to 1."""

ValuesName: TypeAlias = Literal["scrabble", "spellcast"]
FrequenciesName: TypeAlias = Literal["prose", "dictionary"]


@cache
def _tables() -> dict[str, Any]:
    with (resource("data") / "letters.toml").open("rb") as file:
        return tomllib.load(file, parse_float=Decimal)


@cache
def letter_values(name: ValuesName) -> ValueTable:
    """Return the points of each letter's tile in the game ``name``.

    Raises ValueError for a name that is not in ``data/letters.toml``.
    """
    groups: dict[str, str] = _table("values", name)
    points = {letter: int(value) for value, letters in groups.items() for letter in letters}
    return tuple(points[letter] for letter in ALPHABET)


@cache
def tile_counts(name: Literal["scrabble"]) -> tuple[int, ...]:
    """Return how many tiles of each letter, a to z, the bag of the game ``name`` has; blanks do not count.

    Raises ValueError for a name that is not in ``data/letters.toml``.
    """
    groups: dict[str, str] = _table("bags", name)
    counts = {letter: int(count) for count, letters in groups.items() for letter in letters}
    return tuple(counts[letter] for letter in ALPHABET)


@cache
def frequencies(name: FrequenciesName) -> FrequencyTable:
    """Return the published share of each letter in English ``prose`` or in the words of a ``dictionary``.

    Published shares are rounded, so their sum is only close to 1. Raises ValueError for any other name.
    """
    percent: dict[str, Decimal | int] = _table("frequencies", name)
    return tuple(float(Decimal(percent[letter]) / 100) for letter in ALPHABET)


@lru_cache(maxsize=8)
def frequencies_of(lexicon: Lexicon) -> FrequencyTable:
    """Return the share of each letter among all letters of all words of ``lexicon``."""
    counts = lexicon.letter_counts.sum(axis=0, dtype="int64")
    return tuple((counts / counts.sum()).tolist())


def _table(kind: str, name: str) -> dict[str, Any]:
    tables: dict[str, dict[str, Any]] = _tables()[kind]
    if name not in tables:
        raise ValueError(f"there are no letter {kind} named {quote(name)}; there are {', '.join(tables)}")
    return tables[name]
