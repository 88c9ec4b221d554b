"""Which seed makes a day: one whose first board is neither poor nor lavish."""

from collections.abc import Callable, Iterator
from itertools import islice

from app.games.wibble.solver import FoundWord

USUAL_WORDS = 144
"""Common words on the first board of a game: the median over random seeds."""
USUAL_BEST = 27
"""Points of the best common word on it: likewise."""
CANDIDATES = 40


def usual_seed(seeds: Iterator[str], first_words: Callable[[str], list[FoundWord]]) -> str:
    """Of the first CANDIDATES of ``seeds``, the one nearest to the usual number of words and best points.

    ``first_words`` gives the common words of a seed's first board, best first.
    """

    def strangeness(seed: str) -> float:
        found = first_words(seed)
        best = found[0].points if found else 0
        return abs(len(found) - USUAL_WORDS) / USUAL_WORDS + abs(best - USUAL_BEST) / USUAL_BEST

    return min(islice(seeds, CANDIDATES), key=strangeness)
