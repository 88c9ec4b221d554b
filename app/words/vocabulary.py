"""Five vocabulary levels by frequency rank, from basic to everything."""

import tomllib
from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from app.resources import resource
from app.words.lexicon import UNRANKED, Lexicon

Level: TypeAlias = Literal["basic", "common", "highbrow", "obscure", "everything"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""From the best-known words to all words; each level includes the previous ones."""
Counted: TypeAlias = Literal["common", "everything"]
"""The words that count when a board is dealt: common ones that may be shown, or all."""


@cache
def rarest_rank(level: Level) -> int:
    """Return the rank of the rarest word in ``level``, from ``data/vocabulary.toml``.

    Raises ValueError for an unknown level.
    """
    if level not in LEVELS:
        raise ValueError(f"there is no level of vocabulary named {level!r}; there are {', '.join(LEVELS)}")
    if level == "everything":
        return UNRANKED
    rarest: dict[str, int] = tomllib.loads((resource("data") / "vocabulary.toml").read_text("utf-8"))[
        "rarest"
    ]
    return rarest[level]


def level_of(lexicon: Lexicon, word: str) -> Level:
    """Return the lowest level that includes ``word``. Raises ValueError if the word is not in the lexicon."""
    index = lexicon.index(word)
    if index is None:
        raise ValueError(f"{word!r} is not in the lexicon {lexicon.name!r}")
    rank = int(lexicon.ranks[index])
    return next(level for level in LEVELS if rank <= rarest_rank(level))


def allowed_words(
    lexicon: Lexicon, level: Level = "everything", *, family_only: bool = True
) -> NDArray[np.uint8]:
    """(n,): 1 for each word of ``lexicon`` in ``level``. The array is read-only.

    ``family_only`` excludes profanity; it applies to everything that Wibble itself shows or plays.
    """
    known = lexicon.ranks <= rarest_rank(level)
    allowed = (known & lexicon.family.view(np.bool_) if family_only else known).view(np.uint8)
    allowed.flags.writeable = False
    return allowed


def suggested_words(lexicon: Lexicon, level: Level = "everything") -> NDArray[np.uint8]:
    """(n,): 1 for each word in ``level`` that hints, bots and analyses may suggest; read-only.

    No profanity, and no names.
    """
    suggested = allowed_words(lexicon, level) & ~lexicon.names.view(np.bool_)
    suggested.flags.writeable = False
    return suggested


@lru_cache(maxsize=8)
def _common(lexicon: Lexicon) -> NDArray[np.bool_]:
    return suggested_words(lexicon, "common").view(np.bool_)


def is_common(lexicon: Lexicon, entry: int | None) -> bool:
    """Return whether an entry of the lexicon is a common word that may be suggested; False for None."""
    return entry is not None and bool(_common(lexicon)[entry])


@lru_cache(maxsize=8)
def common_words(lexicon: Lexicon) -> Lexicon:
    """Return the lexicon of the common words that may be shown; of all words if none are common."""
    known = allowed_words(lexicon, "common")
    words = [lexicon[index] for index in known.nonzero()[0].tolist()]
    return Lexicon.from_words(words, lexicon.name) if words else lexicon
