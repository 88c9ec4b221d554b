"""The quality of a board that everybody plays on: common words by length, and no dead cell."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

CANDIDATES: Final = 100
"""Boards among which a day's is chosen."""
LENGTH_WEIGHTS: Final = (0, 0, 0, 0, 1, 2, 4, 7, 11)
"""What a word counts by its number of letters; a longer one counts as much as the last."""
ALIVE: Final = 3
"""Words that use a cell which is not dead."""


class Quality(NamedTuple):
    """The quality of a board, to be compared: first no cell dead, then the most in long common words."""

    least_used: int
    """Words that use the cell used least, up to ALIVE."""
    richness: int
    """The weights of the common words, added up."""


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
