"""Chooses the seed of a daily game: a board with a typical number of common words."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

USUAL_WORDS: Final = 100
"""Common words on a daily board: the median over random seeds."""
CANDIDATES: Final = 12


def usual_seed(seeds: Iterator[str], common_words: Callable[[str], int]) -> str:
    """Return the seed, among the first CANDIDATES, whose board is nearest to USUAL_WORDS.

    ``common_words`` counts the common words on a seed's board.
    """
    return min(islice(seeds, CANDIDATES), key=lambda seed: abs(common_words(seed) - USUAL_WORDS))
