"""The tiles of a preview picture, as returned by rooms."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Look: TypeAlias = Literal["plain", "empty", "first", "second", "first-safe", "second-safe"]


@dataclass(frozen=True, slots=True)
class PreviewTile:
    """A tile of the picture."""

    letter: str
    """Empty for a square without a tile."""
    look: Look = "plain"
    """``first`` and ``second``: the seat that owns it; ``safe``: also protected."""


Tiles: TypeAlias = tuple[tuple[PreviewTile, ...], ...]
"""Rows of tiles."""


def tile_rows(rows: Iterable[str]) -> Tiles:
    """Plain tiles with these letters; ``.`` is an empty square."""
    return tuple(
        tuple(PreviewTile("", "empty") if letter == "." else PreviewTile(letter.upper()) for letter in row)
        for row in rows
    )


def square(letters: str, looks: Iterable[Look] = ()) -> Tiles:
    """The tiles of a square board, given row by row in one text; no tiles for an empty text."""
    size = max(1, round(len(letters) ** 0.5))
    plain: Look = "plain"
    given = tuple(looks) or (plain,) * len(letters)
    tiles = [PreviewTile(letter.upper(), look) for letter, look in zip(letters, given, strict=True)]
    return tuple(tuple(tiles[start : start + size]) for start in range(0, len(tiles), size))
