"""The quality of a board for all players, such as a daily: common words by length, and no dead cells."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

CANDIDATES: Final = 100
"""The number of boards from which a day's is chosen."""
LENGTH_WEIGHTS: Final = (0, 0, 0, 0, 1, 2, 4, 7, 11)
"""The weight of a word by its number of letters; longer words count like the last entry."""
ALIVE: Final = 3
"""A cell is dead if fewer words than this use it."""


class Quality(NamedTuple):
    """The quality of a board: compared first by the least used cell, then by long common words."""

    least_used: int
    """The number of words that use the least used cell, up to ALIVE."""
    richness: int
    """The sum of the weights of the common words."""


def quality(words: Iterable[tuple[str, Iterable[int]]], cells: int) -> Quality:
    """Return the quality of a board from its common words, each with the cells that it uses."""
    uses: Counter[int] = Counter()
    richness = 0
    for word, path in words:
        uses.update(set(path))
        richness += LENGTH_WEIGHTS[min(len(word), len(LENGTH_WEIGHTS) - 1)]
    return Quality(min(ALIVE, *(uses[cell] for cell in range(cells))), richness)


def best_seed(seeds: Iterator[str], quality_of: Callable[[str], Quality]) -> str:
    """Return the seed of the best board among the first CANDIDATES."""
    return max(islice(seeds, CANDIDATES), key=quality_of)
