"""Chooses the seed of a daily game: a typical first board."""

from collections.abc import Callable, Iterator
from itertools import islice

from app.games.wibble.solver import FoundWord

USUAL_WORDS = 144
"""Common words on a first board: the median over random seeds."""
USUAL_BEST = 27
"""Points of its best common word: the median over random seeds."""
CANDIDATES = 40


def usual_seed(seeds: Iterator[str], first_words: Callable[[str], list[FoundWord]]) -> str:
    """Return the seed, among the first CANDIDATES, nearest to the usual number of words and best points.

    ``first_words`` returns the common words on a seed's first board, best first.
    """

    def deviation(seed: str) -> float:
        found = first_words(seed)
        best = found[0].points if found else 0
        return abs(len(found) - USUAL_WORDS) / USUAL_WORDS + abs(best - USUAL_BEST) / USUAL_BEST

    return min(islice(seeds, CANDIDATES), key=deviation)
