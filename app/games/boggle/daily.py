"""Which seed makes a day: one whose board has neither few common words nor lavishly many."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

USUAL_WORDS: Final = 100
"""Common words on a board of the daily's kind: the median over random seeds."""
CANDIDATES: Final = 12


def usual_seed(seeds: Iterator[str], common_words: Callable[[str], int]) -> str:
    """Of the first CANDIDATES of ``seeds``, the one whose board comes nearest to the usual number.

    ``common_words`` tells how many common words the board of a seed has.
    """
    return min(islice(seeds, CANDIDATES), key=lambda seed: abs(common_words(seed) - USUAL_WORDS))
