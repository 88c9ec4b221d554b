"""The catalogue of board algorithms: descriptions, published averages and our own measurements."""

import tomllib
from functools import cache
from typing import Final

from pydantic import TypeAdapter

from app.games.boggle.board_request import NAMES, OPTIONS
from app.games.game import Frozen
from app.resources import resource

AVERAGES_FILE: Final = "averages.toml"


PUBLISHED_SIDE: Final = 4
PUBLISHED_LIST: Final = "32430f9f3f9716c123e0b7cdaeb7942b6368720cbbffab8da3993302679f727c"
"""The hash of the published study's list: dwyl's words_alpha without single letters, 370,073 words."""
NOT_PUBLISHED: Final = (
    "The published averages are for boards of 4x4 and dwyl’s words_alpha (370,073 words): "
    "there are none for other lists and sizes."
)


def has_published(lexicon_sha256: str, rows: int, columns: int) -> bool:
    """Return whether the published averages apply to this list and size."""
    return lexicon_sha256 == PUBLISHED_LIST and rows == columns == PUBLISHED_SIDE


class Published(Frozen):
    """Published averages over 100,000 4x4 boards with dwyl's words_alpha, each word counted once per path."""

    words: float
    points: float


class Averages(Frozen):
    """Averages measured by our own study with the published list and size; errors are standard errors."""

    lexicon: str
    boards: int
    words: float
    """Distinct words of three letters or more."""
    words_error: float
    points: float
    points_error: float
    path_words: float
    """Counted as in the published study: every path of a word of two letters or more."""
    path_words_error: float
    path_points: float
    path_points_error: float
    microseconds: float
    """Time per board without solving it (a climb solves as it goes)."""


class Entry(Frozen):
    """An algorithm."""

    name: str
    title: str
    description: str
    options: tuple[str, ...]
    """The names of its options, besides size, count and seed."""
    published: Published | None = None
    averages: Averages | None = None
    """None for algorithms whose boards depend on the caller."""


@cache
def catalogue() -> tuple[Entry, ...]:
    """Return all algorithms, from ``data/boggle/generators.toml`` and the study's results."""
    described = _table("generators.toml")
    measured = _table(AVERAGES_FILE)
    return TypeAdapter(tuple[Entry, ...]).validate_python(
        [
            {"name": name, "options": OPTIONS[name], "averages": measured.get(name), **described[name]}
            for name in NAMES
        ]
    )


def _table(name: str) -> dict[str, dict[str, object]]:
    return tomllib.loads((resource("data") / "boggle" / name).read_text(encoding="utf-8"))
