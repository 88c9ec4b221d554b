"""The family filter of texts that players write: names of players and of circles.

Characters that look like Latin letters count as these letters: Unicode's list of confusables (Technical
Standard 39, from the library ``confusable-homoglyphs``), characters whose Unicode name contains the Latin
letter (small capitals, with strokes, turned, in squares), and digits and signs used as letters.
"""

import lzma
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Final

from app.resources import resource
from app.words.names import read_names

_FILTERS: Final = ("profanity", "slurs", "english-offensive")
_SIGNS: Final = str.maketrans("03456789@$!|€+(", "oeasgtbgasiietc")
_SPELLED: Final = re.compile(r"(?<![a-z])[a-z](?:[^a-z]+[a-z])+(?![a-z])")
"""Matches single letters in sequence, with other characters between them."""
_DRAWN_FROM: Final = re.compile(
    r"(?:(?:.* )?LATIN .*LETTER|LATIN LETTER SMALL CAPITAL|REGIONAL INDICATOR SYMBOL LETTER)"
    r"(?: TURNED| REVERSED| DOTLESS| LONG)? ([A-Z])(?: WITH .*)?"
)
"""Matches the Unicode name of a character derived from a Latin letter."""
_NAMES: Final = frozenset({"cox", "dick", "fanny", "queer", "willy"})
"""Words of the filter that are accepted: people's names, or words that people use for themselves."""
_ONES: Final = ("i", "l")
"""The letters that a 1 may replace."""


@cache
def _offensive() -> frozenset[str]:
    """The words that are refused."""
    data = resource("data")
    packed = ((data / "words" / f"{name}.txt.xz").read_bytes() for name in _FILTERS)
    words = chain.from_iterable(lzma.decompress(each).decode("ascii").split() for each in packed)
    return frozenset(words) - read_names(data) - _NAMES


def has_offensive_word(text: str) -> bool:
    """Whether a text has an offensive word: as a separate word, spelled out, or in disguise."""
    return any(
        word in _offensive()
        for one in _ONES
        for word in _readings(_latin(text).replace("1", one).translate(_SIGNS))
    )


def _readings(text: str) -> Iterator[str]:
    """The words of a text, also without repeated letters, and all of it as one word."""
    words = re.findall("[a-z]+", text)
    spelled = (re.sub("[^a-z]", "", run) for run in _SPELLED.findall(text))
    for word in (*words, "".join(words), *spelled):
        yield word
        yield re.sub(r"(.)\1+", r"\1", word)
        yield re.sub(r"(.)\1{2,}", r"\1\1", word)


def _latin(text: str) -> str:
    """The text in lower-case ASCII where a letter is or looks like a Latin one."""
    # A capital within a word begins another word.
    parted = re.sub("(?<=[a-z])(?=[A-Z][a-z])", " ", unicodedata.normalize("NFKD", text))
    decomposed = parted.lower()
    return "".join(
        letter if letter.isascii() else _look_alike(letter)
        for letter in decomposed
        if not unicodedata.combining(letter)
    )


@cache
def _look_alikes() -> dict[str, str]:
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415 - reading it takes 0.3 s

    found = {}
    for letter, others in confusables_data.items():
        latin = [each["c"] for each in others if re.fullmatch("[A-Za-z]", each["c"])]
        if latin:
            found[letter] = latin[0].lower()
    return found


def _look_alike(letter: str) -> str:
    for each in (letter, letter.upper()):
        if each in _look_alikes():
            return _look_alikes()[each]
    drawn = _DRAWN_FROM.fullmatch(unicodedata.name(letter, ""))
    return drawn[1].lower() if drawn else letter
