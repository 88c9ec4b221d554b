"""What can be asked of a lexicon: anagrams, hooks, extensions, patterns, stems, and what it is made of.

Letters are lower case; ``?`` in a rack of letters is a blank, which stands for any.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.patterns import BadLetters

BLANK: Final = "?"
BEGINNING: Final = 4
"""Letters of a beginning."""
BINGO: Final = 7
"""Letters of a word that empties a full rack."""
_RACK: Final = re.compile(r"[a-z?]+")


class Hooks(NamedTuple):
    """The letters that make another word of a word."""

    front: str
    """Put before it, as ``s`` before ``top``."""
    back: str
    """Put after it, as ``s`` after ``top``."""
    without_first: bool
    """Whether it stays a word without its first letter."""
    without_last: bool


class Words(Sequence[str]):
    """Words of a lexicon, each read when it is looked at: there may be 200,000."""

    def __init__(self, lexicon: Lexicon, entries: NDArray[np.int64]) -> None:
        """``entries`` are the words' indices."""
        self._lexicon: Final = lexicon
        self._entries: Final = entries

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        """The word at ``index``, or those of a slice."""
        if isinstance(index, slice):
            return tuple(self._lexicon[entry] for entry in self._entries[index].tolist())
        return self._lexicon[int(self._entries[index])]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._entries)


class Extensions(NamedTuple):
    """The words that contain a word, and are longer."""

    front: Sequence[str]
    """They end with it."""
    back: Sequence[str]
    """They begin with it."""
    both: Sequence[str]
    """They have it inside."""


class Stem(NamedTuple):
    """Six letters and what they make with a seventh."""

    letters: str
    """In the order of the alphabet."""
    with_letters: str
    """The letters that make at least one word of seven with them."""
    words: int
    """How many words of seven letters these are."""


class Statistics(NamedTuple):
    """What a lexicon is made of."""

    words: int
    lengths: dict[int, int]
    """How many words there are of each length."""
    plurals: int
    """How many words become another by an ``s`` at the end: the seed's count of plurals."""
    letters: dict[str, float]
    """The share of each letter among all letters, 1 being all."""
    vowelless: int
    """How many words have none of ``aeiou``."""
    anagrams: int
    """How many words have an anagram."""
    longest: tuple[str, ...]

    @property
    def plurals_share(self) -> float:
        """Words that end in such an ``s``, of all words: 0 to 1."""
        return self.plurals / self.words


def anagrams(lexicon: Lexicon, letters: str, shortest: int | None = None) -> tuple[str, ...]:
    """The words that use all of ``letters``; with ``shortest``, those of at least so many of them.

    The longest come first, then by the alphabet. Raises BadLetters.
    """
    if not _RACK.fullmatch(letters):
        raise BadLetters(f"{letters!r} are no letters: accepted are a to z, and ? for any letter")
    least = len(letters) if shortest is None else shortest
    have = np.array([letters.count(letter) for letter in ALPHABET], np.int16)
    lengths = _lengths(lexicon)
    fitting = np.flatnonzero((lengths >= least) & (lengths <= len(letters)))
    lacking = np.maximum(lexicon.letter_counts[fitting] - have, 0).sum(axis=1)
    found = [lexicon[int(index)] for index in fitting[lacking <= letters.count(BLANK)]]
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


def hooks(lexicon: Lexicon, word: str) -> Hooks:
    """The hooks of ``word``, which need not be a word itself. Raises BadLetters."""
    _check_word(word)
    return Hooks(
        front="".join(letter for letter in ALPHABET if letter + word in lexicon),
        back="".join(letter for letter in ALPHABET if word + letter in lexicon),
        without_first=word[1:] in lexicon,
        without_last=word[:-1] in lexicon,
    )


def extensions(lexicon: Lexicon, word: str) -> Extensions:
    """The longer words that contain ``word``, each under the first heading that it suits.

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
    for kind, chosen in enumerate((entries, entries[first], entries[last]), 1):  # the latest heading holds
        kinds[chosen] = kind
    kinds[entries[first & last]] = 0  # the word itself
    both, back, front = (Words(lexicon, np.flatnonzero(kinds == kind)) for kind in (1, 2, 3))
    return Extensions(front, back, both)


def stems(lexicon: Lexicon) -> tuple[Stem, ...]:
    """Every set of six letters that some seventh makes a word of seven with.

    Those that most letters do so for come first, then those with most words.
    """
    partners: defaultdict[str, set[str]] = defaultdict(set)
    words: Counter[str] = Counter()
    for sevens, count in Counter("".join(sorted(word)) for word in _of_length(lexicon, BINGO)).items():
        for letter in set(sevens):
            stem = sevens.replace(letter, "", 1)
            partners[stem].add(letter)
            words[stem] += count
    found = (Stem(stem, "".join(sorted(letters)), words[stem]) for stem, letters in partners.items())
    return tuple(sorted(found, key=lambda stem: (-len(stem.with_letters), -stem.words, stem.letters)))


def bingos(lexicon: Lexicon, stem: str) -> dict[str, tuple[str, ...]]:
    """By each letter that ``stem`` makes a word with: the words of all its letters and that one.

    Raises BadLetters.
    """
    _check_word(stem)
    found: defaultdict[str, list[str]] = defaultdict(list)
    for word in anagrams(lexicon, stem + BLANK):
        (letter,) = (Counter(word) - Counter(stem)).elements()
        found[letter].append(word)
    return {letter: tuple(found[letter]) for letter in sorted(found)}


def statistics(lexicon: Lexicon) -> Statistics:
    """What the lexicon is made of."""
    lengths = _lengths(lexicon)
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
    """How many words begin with each four letters that some word begins with, in the order of the alphabet.

    The Fribble document rules out words by them: no word begins with ``zqii``.
    """
    return dict(sorted(Counter(word[:BEGINNING] for word in lexicon if len(word) >= BEGINNING).items()))


def _lengths(lexicon: Lexicon) -> NDArray[np.int64]:
    return np.diff(lexicon.starts).astype(np.int64) - 1


def _of_length(lexicon: Lexicon, length: int) -> Iterable[str]:
    return (lexicon[int(index)] for index in np.flatnonzero(_lengths(lexicon) == length))


def _check_word(word: str) -> None:
    if not (word and set(word) <= set(ALPHABET)):
        raise BadLetters(f"{word!r} is not a word: words are letters a-z")
