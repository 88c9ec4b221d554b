"""A lexicon: a set of words, with the arrays that engines search."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from app.words.anagrams import build_anagram_filter
from app.words.gaddag import build_gaddag
from app.words.trie import ALPHABET_SIZE, NO_WORD, ROOT, Trie, build_trie

UNRANKED: Final = int(np.iinfo(np.int32).max)
"""The rank of a word that is not in the frequency list."""

Derived: TypeAlias = Callable[[str, Callable[[], NDArray[Any]]], NDArray[Any]]
"""A provider of arrays derived from the words alone: returns the named array, cached or newly built."""

_A: Final = ord("a")


def _build_uncached(_name: str, build: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    return build()


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of a list in sorted order, with search arrays; word ``i`` is row ``i`` of each array.

    Immutable (every array is read-only, some are memory maps) and shared between threads.
    """

    name: str
    sha256: str
    """Hash of the sorted list, each word followed by a newline."""
    text: NDArray[np.uint8]
    """That text, one ASCII code per element."""
    starts: NDArray[np.uint32]
    """(n + 1,): the offset of each word in ``text``; last, the length of ``text``."""
    trie: Trie
    letter_masks: NDArray[np.uint32]
    """(n,): bit ``l`` is set if the word contains letter ``l`` (0 = a)."""
    letter_counts: NDArray[np.uint8]
    """(n, 26): the count of each letter in the word."""
    ranks: NDArray[np.int32]
    """(n,): frequency ranks, 1 for the commonest English word; UNRANKED if unknown."""
    family: NDArray[np.uint8]
    """(n,): 1 if Wibble may show the word; 0 for profanity, which only players may play."""
    names: NDArray[np.uint8]
    """(n,): 1 for words best known as a name or an abbreviation: accepted, but never suggested."""
    derived: Derived = _build_uncached

    @classmethod
    def from_words(
        cls,
        words: Iterable[str],
        name: str,
        *,
        ranks: Mapping[str, int] | None = None,
        profanity: Collection[str] = frozenset(),
        names: Collection[str] = frozenset(),
    ) -> "Lexicon":
        """Build the lexicon of ``words``, in any order, duplicates allowed.

        ``ranks`` are known frequency ranks, ``profanity`` the words that Wibble never shows unprompted,
        ``names`` those that it never suggests.
        Raises ValueError if a word is not one or more letters a-z, or if there are no words.
        """
        distinct = sorted(set(words))
        if not distinct:
            raise ValueError(f"the lexicon {name!r} would have no words")
        for word in distinct:
            if not (word.isascii() and word.isalpha() and word.islower()):
                raise ValueError(f"{word!r} is not a word: words are letters a-z")

        content = ("\n".join(distinct) + "\n").encode("ascii")
        text = np.frombuffer(content, np.uint8)
        ends = np.flatnonzero(text == ord("\n"))
        starts = np.concatenate([np.zeros(1, np.int64), ends + 1])
        row = np.repeat(np.arange(len(distinct)), np.diff(starts) - 1)
        letter = text[text != ord("\n")] - _A
        counts = np.bincount(row * ALPHABET_SIZE + letter, minlength=len(distinct) * ALPHABET_SIZE)
        letter_counts = counts.reshape(-1, ALPHABET_SIZE)
        masks = (letter_counts > 0) @ (np.uint32(1) << np.arange(ALPHABET_SIZE, dtype=np.uint32))
        known = ranks or {}
        return cls(
            name=name,
            sha256=hashlib.sha256(content).hexdigest(),
            text=text,
            starts=_frozen(starts, np.uint32),
            trie=Trie(*(_frozen(array) for array in build_trie(distinct))),
            letter_masks=_frozen(masks, np.uint32),
            letter_counts=_frozen(letter_counts, np.uint8),
            ranks=_frozen(np.array([known.get(word, UNRANKED) for word in distinct]), np.int32),
            family=_frozen(np.array([word not in profanity for word in distinct]), np.uint8),
            names=_frozen(np.array([word in names for word in distinct]), np.uint8),
        )

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> str:
        if not 0 <= index < len(self):
            raise IndexError(f"the lexicon {self.name!r} has words 0 to {len(self) - 1}, not {index}")
        return self.text[self.starts[index] : self.starts[index + 1] - 1].tobytes().decode("ascii")

    def __iter__(self) -> Iterator[str]:
        return iter(self.text.tobytes().decode("ascii").splitlines())

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.index(word) is not None

    def __repr__(self) -> str:
        return f"<Lexicon {self.name!r}: {len(self)} words, sha256 {self.sha256[:8]}>"

    def index(self, word: str) -> int | None:
        """Return the index of ``word`` in the sorted list, or None."""
        children, first, ending = self.trie
        node = ROOT
        for character in word:
            letter = ord(character) - _A
            if not 0 <= letter < ALPHABET_SIZE:
                return None
            mask = int(children[node])
            if not mask >> letter & 1:
                return None
            node = int(first[node]) + (mask & ((1 << letter) - 1)).bit_count()
        index = int(ending[node])
        return None if index == NO_WORD else index

    @cached_property
    def longest(self) -> int:
        """Length of the longest word."""
        return int(np.diff(self.starts).max()) - 1

    @cached_property
    def gaddag(self) -> NDArray[np.uint32]:
        """The words as a GADDAG for a 15x15 board; see ``build_gaddag``. Built on first access."""
        return self.derived("gaddag", lambda: build_gaddag(self))

    @cached_property
    def anagrams(self) -> NDArray[np.int64]:
        """A filter of the letters that make a word; see ``build_anagram_filter``. Built on first access."""
        return self.derived("anagrams", lambda: build_anagram_filter(self.letter_counts))


def _frozen(array: NDArray[Any], dtype: DTypeLike | None = None) -> NDArray[Any]:
    result = np.ascontiguousarray(array, dtype)
    result.flags.writeable = False
    return result
