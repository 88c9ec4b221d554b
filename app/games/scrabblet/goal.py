"""The words of a hand, split into required and bonus words."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.scrabblet.hand import Hand
from app.games.scrabblet.solver import Words
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.vocabulary import Level, suggested_words

REQUIRED: Final[Level] = "common"
"""Words of this level, except profanity and names, are required; all others are bonus words."""


@dataclass(frozen=True)
class Goal:
    """The words of a hand, split into required and bonus words."""

    words: Words

    @cached_property
    def is_required(self) -> NDArray[np.bool_]:
        """Per word: whether it is required."""
        return _required(self.words.lexicon)[self.words.indices]

    @cached_property
    def required(self) -> Words:
        """The required words; ranks depend on their score."""
        return self.words.where(self.is_required)

    @property
    def pangrams(self) -> int:
        """The number of required words that use every letter of the hand."""
        return int(self.required.pangrams.sum())

    def requires(self, word: str) -> bool:
        """Return whether the word is required."""
        index = self.words.lexicon.index(word)
        return index is not None and bool((self.required.indices == index).any())


@lru_cache(maxsize=8)
def _required(lexicon: Lexicon) -> NDArray[np.bool_]:
    """Per word of the lexicon: whether it is required in a hand that has it."""
    return suggested_words(lexicon, REQUIRED).view(np.bool_)


@lru_cache(maxsize=8)
def required_sets(lexicon: Lexicon) -> frozenset[int]:
    """The sets of letters of the required words, as masks."""
    return frozenset(lexicon.letter_masks[_required(lexicon)].tolist())


def has_pangram(lexicon: Lexicon, hand: Hand) -> bool:
    """Return whether some required word, of any length, uses every letter of the hand."""
    others = [1 << bit for bit in range(len(ALPHABET)) if not hand.mask >> bit & 1]
    return any(
        hand.mask | sum(extra) in required_sets(lexicon)
        for blanks in range(hand.blanks + 1)
        for extra in combinations(others, blanks)
    )
