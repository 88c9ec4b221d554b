"""Shared parts of all rules pages: drawn tiles, and letters grouped by their points."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final, Literal, NamedTuple

TIMES: Final = "\N{MULTIPLICATION SIGN}"


class DrawnTile(NamedTuple):
    """A square of a drawn example."""

    letter: str = ""
    """Empty for a square without a tile."""
    value: int | None = None
    mark: str = ""
    """A multiplier: ``2x`` for the word, or DL, TL, DW, TW."""
    used: bool = False
    """Whether the example's word uses it."""
    gem: bool = False
    owner: Literal["", "ours", "theirs"] = ""
    protected: bool = False


class LetterGroup(NamedTuple):
    """Letters of the same value."""

    points: int
    letters: str


def letter_groups(values: Mapping[str, int]) -> list[LetterGroup]:
    """Return the letters by value, the lowest first: ``1 AEIO``."""
    by_value = sorted(values, key=lambda letter: (values[letter], letter))
    return [
        LetterGroup(points, "".join(same).upper()) for points, same in groupby(by_value, values.__getitem__)
    ]


def spoken(tiles: Iterable[DrawnTile]) -> str:
    """Return the letters of drawn tiles for a text alternative."""
    return " ".join(tile.letter.upper() or "empty" for tile in tiles)
