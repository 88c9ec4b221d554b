"""Scratch arrays of the searches, one set per thread."""

from typing import Final

import numpy as np

from app.games.grid_kernels import LONGEST_PATH, ROOM
from app.games.wibble.bound_kernels import COUNTS, SETS
from app.games.wibble.trace_kernels import PLACE

FIRST_WORDS: Final = 4096
"""Initial capacity for words; only constructed boards have more."""
CELLS_PER_WORD: Final = 16


class FoundWords:
    """Capacity for the words of a board with their best paths, an entry each; paths are end to end."""

    def __init__(self, words: int) -> None:
        self.words: Final = np.zeros(words, np.int64)
        self.points: Final = np.zeros(words, np.int64)
        self.gems: Final = np.zeros(words, np.int64)
        self.starts: Final = np.zeros(words, np.int64)
        self.ends: Final = np.zeros(words, np.int64)
        self.cells: Final = np.zeros(words * CELLS_PER_WORD, np.uint8)


class Workspace:
    """The kernels' scratch arrays for a lexicon of ``words`` words; sizes are in the kernels' docstrings."""

    def __init__(self, words: int) -> None:
        self.near_letters: Final = np.zeros(8 * LONGEST_PATH, np.int64)
        self.stack: Final = np.zeros(9 * ROOM, np.int64)
        self.slots: Final = np.zeros(words, np.int32)
        self.words: Final = np.zeros(words, np.int32)
        self.bounds: Final = np.zeros(words, np.int64)
        self.reach: Final = np.zeros(SETS * ROOM, np.int64)
        self.extras: Final = np.zeros(COUNTS * ROOM, np.int64)
        self.ahead: Final = np.zeros(PLACE * ROOM, np.int64)
        self.result: Final = np.zeros(LONGEST_PATH + 2, np.int64)
        self.found = FoundWords(FIRST_WORDS)

    def grow(self) -> None:
        """Double the capacity for words."""
        self.found = FoundWords(2 * len(self.found.words))
