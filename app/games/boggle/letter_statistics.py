"""Letter statistics of a lexicon: single letters, adjacent pairs and triplets."""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon

VOWELS: Final = np.array([ALPHABET.index(vowel) for vowel in "aeiou"], np.uint8)
CONSONANTS: Final = np.setdiff1d(np.arange(26, dtype=np.uint8), VOWELS)
_A: Final = ord("a")


class Statistics(NamedTuple):
    """Counts over all words of a lexicon, each word once; letters are numbers, 0 = a. All are read-only."""

    letters: NDArray[np.float64]
    """(26,): the count of each letter."""
    adjacency: NDArray[np.float64]
    """(26, 26), symmetric: how often two letters are adjacent, in either order.

    The matrix of ordered pairs plus its transpose; the diagonal is not doubled.
    """
    triplets: NDArray[np.float64]
    """(26, 26, 26): how often three letters are consecutive, in either direction; palindromes count once."""

    @property
    def vowel_share(self) -> float:
        """The share of a, e, i, o and u among all letters."""
        return float(self.letters[VOWELS].sum() / self.letters.sum())


@lru_cache(maxsize=8)
def statistics_of(lexicon: Lexicon) -> Statistics:
    """Return the statistics of ``lexicon``; cached."""
    letters = lexicon.text.astype(np.int64) - _A
    inside = letters >= 0  # words are separated by newlines
    pairs = _counts(letters, inside, 2)
    triplets = _counts(letters, inside, 3)
    backwards = triplets.transpose(2, 1, 0)
    first, _, last = np.indices(triplets.shape)
    counted = Statistics(
        letters=_counts(letters, inside, 1),
        adjacency=np.where(np.eye(26, dtype=bool), pairs, pairs + pairs.T),
        triplets=np.where(first == last, triplets, triplets + backwards),
    )
    for table in counted:
        table.flags.writeable = False
    return counted


def _counts(letters: NDArray[np.int64], inside: NDArray[np.bool_], length: int) -> NDArray[np.float64]:
    """Count the runs of ``length`` letters within words; one axis per letter of the run."""
    windows = len(letters) - length + 1
    code = np.zeros(windows, np.int64)
    within_word = np.ones(windows, bool)
    for offset in range(length):
        code = code * 26 + letters[offset : offset + windows]
        within_word &= inside[offset : offset + windows]
    return np.bincount(code[within_word], minlength=26**length).reshape((26,) * length).astype(np.float64)
