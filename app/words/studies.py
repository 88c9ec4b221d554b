"""Word study: anagrams, hooks, extensions, bingo stems, patterns, and lexicon statistics.

Letters are lower case; ``?`` in a rack is a blank, which can be any letter.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import comb, prod
from typing import Final, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from app.words.letters import ALPHABET, tile_counts
from app.words.lexicon import Lexicon
from app.words.patterns import BadLetters

BLANK: Final = "?"
BEGINNING: Final = 4
"""Length of the prefixes counted by ``beginnings``."""
BINGO: Final = 7
"""Length of a word that uses a full rack."""
_RACK: Final = re.compile(r"[a-z?]+")


class Hooks(NamedTuple):
    """The letters that extend a word to another word."""

    front: str
    """Letters before it, like ``s`` in ``stop`` from ``top``."""
    back: str
    """Letters after it, like ``s`` in ``tops`` from ``top``."""
    without_first: bool
    """Whether it is still a word without its first letter."""
    without_last: bool


class Words(Sequence[str]):
    """A sequence of words of a lexicon, decoded on access: there may be 200,000."""

    def __init__(self, lexicon: Lexicon, entries: NDArray[np.int64]) -> None:
        """``entries`` are the word indices."""
        self._lexicon: Final = lexicon
        self._entries: Final = entries

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        """Return the word at ``index``, or the words of a slice."""
        if isinstance(index, slice):
            return tuple(self._lexicon[entry] for entry in self._entries[index].tolist())
        return self._lexicon[int(self._entries[index])]

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self._entries)


class Extensions(NamedTuple):
    """The longer words that contain a word."""

    front: Sequence[str]
    """Words that end with it."""
    back: Sequence[str]
    """Words that start with it."""
    both: Sequence[str]
    """Words with it inside."""


class Stem(NamedTuple):
    """A bingo stem: six letters that make a word of seven with some other letter."""

    letters: str
    """In alphabetical order."""
    with_letters: str
    """The letters that make at least one seven-letter word with the stem."""
    words: int
    """The number of those words."""
    chance: float
    """The chance that seven tiles from a full Scrabble bag without blanks are such a word, 0 to 1."""


class Statistics(NamedTuple):
    """Statistics of a lexicon."""

    words: int
    lengths: dict[int, int]
    """Word count by length."""
    plurals: int
    """Words that are also words with an ``s`` appended: the plural count of the Fribble README."""
    letters: dict[str, float]
    """The share of each letter among all letters; they add up to 1."""
    vowelless: int
    """Words without any of ``aeiou``."""
    anagrams: int
    """Words with at least one anagram."""
    longest: tuple[str, ...]

    @property
    def plurals_share(self) -> float:
        """``plurals`` as a share of all words, 0 to 1."""
        return self.plurals / self.words


def anagrams(lexicon: Lexicon, letters: str, shortest: int | None = None) -> tuple[str, ...]:
    """Return the words that ``anagram_entries`` finds. Raises BadLetters."""
    return tuple(map(lexicon.__getitem__, anagram_entries(lexicon, letters, shortest).tolist()))


def anagram_entries(lexicon: Lexicon, letters: str, shortest: int | None = None) -> NDArray[np.int64]:
    """Return the indices of the words that use all of ``letters``; with ``shortest``, also shorter ones.

    Longest first, then alphabetically. Raises BadLetters.
    """
    if not _RACK.fullmatch(letters):
        raise BadLetters(f"{letters!r} are not letters; accepted: a to z, and ? for any letter")
    least, blanks = len(letters) if shortest is None else shortest, letters.count(BLANK)
    missing = np.uint32(sum(1 << index for index, letter in enumerate(ALPHABET) if letter not in letters))
    lengths = lengths_of(lexicon)
    fitting = np.flatnonzero(
        (lengths >= least)
        & (lengths <= len(letters))
        & (np.bitwise_count(lexicon.letter_masks & missing) <= blanks)
    )
    have = np.array([letters.count(letter) for letter in ALPHABET], np.int16)
    lacking = np.maximum(lexicon.letter_counts[fitting] - have, 0).sum(axis=1)
    found: NDArray[np.int64] = fitting[lacking <= blanks]
    return found[np.argsort(-lengths[found], kind="stable")]


def hooks(lexicon: Lexicon, word: str) -> Hooks:
    """Return the hooks of ``word``, which need not be a word itself. Raises BadLetters."""
    _check_word(word)
    return Hooks(
        front="".join(letter for letter in ALPHABET if letter + word in lexicon),
        back="".join(letter for letter in ALPHABET if word + letter in lexicon),
        without_first=word[1:] in lexicon,
        without_last=word[:-1] in lexicon,
    )


def extensions(lexicon: Lexicon, word: str) -> Extensions:
    """Return the longer words that contain ``word``, each in the first category that applies.

    Raises BadLetters.
    """
    _check_word(word)
    begins = np.flatnonzero(lexicon.text == ord(word[0]))
    for place, letter in enumerate(word[1:], 1):
        begins = begins[begins + place < len(lexicon.text)]
        begins = begins[lexicon.text[begins + place] == ord(letter)]
    entries = np.searchsorted(lexicon.starts, begins, side="right") - 1
    first = begins == lexicon.starts[entries]
    last = begins + len(word) + 1 == lexicon.starts[entries + 1]  # a newline ends each word
    kinds = np.zeros(len(lexicon), np.uint8)
    for kind, chosen in enumerate((entries, entries[first], entries[last]), 1):  # the last match wins
        kinds[chosen] = kind
    kinds[entries[first & last]] = 0  # the word itself
    both, back, front = (Words(lexicon, np.flatnonzero(kinds == kind)) for kind in (1, 2, 3))
    return Extensions(front, back, both)


def stems(lexicon: Lexicon) -> tuple[Stem, ...]:
    """Return all stems: six letters that make a word of seven with some other letter.

    Sorted by the number of such letters, then of words, descending.
    """
    partners: defaultdict[str, set[str]] = defaultdict(set)
    words: Counter[str] = Counter()
    chances: defaultdict[str, float] = defaultdict(float)
    for alphagram, count in Counter("".join(sorted(word)) for word in _of_length(lexicon, BINGO)).items():
        chance = draw_chance(alphagram)
        for letter in set(alphagram):
            stem = alphagram.replace(letter, "", 1)
            partners[stem].add(letter)
            words[stem] += count
            chances[stem] += chance
    found = (
        Stem(stem, "".join(sorted(letters)), words[stem], chances[stem]) for stem, letters in partners.items()
    )
    return tuple(sorted(found, key=lambda stem: (-len(stem.with_letters), -stem.words, stem.letters)))


def draw_chance(letters: str) -> float:
    """Return the chance to draw exactly these letters from a full Scrabble bag without blanks, 0 to 1."""
    bag = tile_counts("scrabble")
    ways = prod(comb(bag[ALPHABET.index(letter)], count) for letter, count in Counter(letters).items())
    return ways / comb(sum(bag), len(letters))


def bingos(lexicon: Lexicon, stem: str) -> dict[str, tuple[str, ...]]:
    """Return, for each letter that completes ``stem`` to a word, the anagrams of the stem and that letter.

    Raises BadLetters.
    """
    _check_word(stem)
    found: defaultdict[str, list[str]] = defaultdict(list)
    for word in anagrams(lexicon, stem + BLANK):
        (letter,) = (Counter(word) - Counter(stem)).elements()
        found[letter].append(word)
    return {letter: tuple(found[letter]) for letter in sorted(found)}


def statistics(lexicon: Lexicon) -> Statistics:
    """Return the statistics of a lexicon."""
    lengths = lengths_of(lexicon)
    letters = lexicon.letter_counts.sum(axis=0, dtype=np.int64)
    vowels = sum(1 << ALPHABET.index(vowel) for vowel in "aeiou")
    alphagrams = Counter(row.tobytes() for row in lexicon.letter_counts)
    words = list(lexicon)
    known = set(words)
    return Statistics(
        words=len(lexicon),
        lengths={int(length): int(count) for length, count in enumerate(np.bincount(lengths)) if count},
        plurals=sum(f"{word}s" in known for word in words),
        letters={
            letter: float(share) for letter, share in zip(ALPHABET, letters / letters.sum(), strict=True)
        },
        vowelless=int(np.count_nonzero((lexicon.letter_masks & np.uint32(vowels)) == 0)),
        anagrams=sum(count for count in alphagrams.values() if count > 1),
        longest=tuple(_of_length(lexicon, lexicon.longest)),
    )


def beginnings(lexicon: Lexicon) -> dict[str, int]:
    """Return the number of words for each four-letter prefix, alphabetically.

    The Fribble README uses such prefixes to rule out words: no word begins with ``zqii``.
    """
    return dict(sorted(Counter(word[:BEGINNING] for word in lexicon if len(word) >= BEGINNING).items()))


def lengths_of(lexicon: Lexicon) -> NDArray[np.int64]:
    """(n,): the number of letters of each word."""
    return np.diff(lexicon.starts).astype(np.int64) - 1


def _of_length(lexicon: Lexicon, length: int) -> Iterable[str]:
    return (lexicon[int(index)] for index in np.flatnonzero(lengths_of(lexicon) == length))


def _check_word(word: str) -> None:
    if not (word and set(word) <= set(ALPHABET)):
        raise BadLetters(f"{word!r} is not a word: words are letters a-z")
