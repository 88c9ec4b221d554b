"""The words of a hand, split into required and bonus words."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.scrabblet.solver import Words
from app.words.vocabulary import Level, rarest_rank

REQUIRED: Final[Level] = "common"
"""Words of this level, except profanity, are required; all others are bonus words."""


@dataclass(frozen=True)
class Goal:
    """The words of a hand, split into required and bonus words."""

    words: Words

    @cached_property
    def is_required(self) -> NDArray[np.bool_]:
        """Per word: whether it is required."""
        lexicon, indices = self.words.lexicon, self.words.indices
        common: NDArray[np.bool_] = lexicon.ranks[indices] <= rarest_rank(REQUIRED)
        common &= lexicon.family[indices] == 1
        return common

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
