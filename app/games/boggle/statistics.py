"""What a lexicon says about its letters: how often each occurs, and which stand beside which."""

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
    """Counts over all words of a lexicon, each word once; letters are numbers, 0 = a. All read-only."""

    letters: NDArray[np.float64]
    """(26,): how many of each letter there are."""
    adjacency: NDArray[np.float64]
    """(26, 26), symmetric: how often two letters follow each other in either order.

    The two halves of the table of ordered pairs folded together; the diagonal is not doubled.
    """
    triplets: NDArray[np.float64]
    """(26, 26, 26): how often three letters follow each other, forwards or backwards; palindromes once."""

    @property
    def vowel_share(self) -> float:
        """The share of a, e, i, o and u among all letters."""
        return float(self.letters[VOWELS].sum() / self.letters.sum())


@lru_cache(maxsize=8)
def statistics_of(lexicon: Lexicon) -> Statistics:
    """The statistics of ``lexicon``, counted once and kept."""
    letters = lexicon.text.astype(np.int64) - _A
    inside = letters >= 0  # between words stands a newline
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
    """How often each run of so many letters occurs inside words; an axis for each letter of the run."""
    windows = len(letters) - length + 1
    code = np.zeros(windows, np.int64)
    whole = np.ones(windows, bool)
    for offset in range(length):
        code = code * 26 + letters[offset : offset + windows]
        whole &= inside[offset : offset + windows]
    return np.bincount(code[whole], minlength=26**length).reshape((26,) * length).astype(np.float64)
