"""What a hand holds: all its words, and which of them a player is expected to know."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.scrabblet.solver import Words
from app.words.vocabulary import Level, rarest_rank

REQUIRED: Final[Level] = "common"
"""Words of this level, but for profanity, are required; all others are a bonus."""


@dataclass(frozen=True)
class Goal:
    """The words of a hand, split into required ones and bonus ones."""

    words: Words

    @cached_property
    def is_required(self) -> NDArray[np.bool_]:
        """For each of the words."""
        lexicon, indices = self.words.lexicon, self.words.indices
        common: NDArray[np.bool_] = lexicon.ranks[indices] <= rarest_rank(REQUIRED)
        common &= lexicon.family[indices] == 1
        return common

    @cached_property
    def required(self) -> Words:
        """The required words; their score is what ranks go by."""
        return self.words.where(self.is_required)

    @property
    def pangrams(self) -> int:
        """How many required words use every letter of the hand."""
        return int(self.required.pangrams.sum())

    def requires(self, word: str) -> bool:
        """Whether the word is one of the required."""
        index = self.words.lexicon.index(word)
        return index is not None and bool((self.required.indices == index).any())
