"""The arrays that a thread's searches write to, made once for each thread."""

from typing import Final

import numpy as np

from app.games.grid_kernels import LONGEST_PATH, ROOM

FIRST_ROWS: Final = 4096
"""Words of a board that there is room for at first; only boards made for it have more."""


class FoundRows:
    """The words of one board with their best paths, a row each."""

    def __init__(self, rows: int) -> None:
        self.words: Final = np.zeros(rows, np.int64)
        self.points: Final = np.zeros(rows, np.int64)
        self.gems: Final = np.zeros(rows, np.int64)
        self.lengths: Final = np.zeros(rows, np.int64)
        self.paths: Final = np.zeros(rows * LONGEST_PATH, np.uint8)


class Workspace:
    """What the kernels want for a lexicon of ``words`` words; their docstrings say how much."""

    def __init__(self, words: int) -> None:
        self.stack: Final = np.zeros(8 * ROOM, np.int64)
        self.slots: Final = np.zeros(words, np.int32)
        self.words: Final = np.zeros(words, np.int32)
        self.bounds: Final = np.zeros(words, np.int64)
        self.reach: Final = np.zeros(12 * ROOM, np.int64)
        self.extras: Final = np.zeros(3 * ROOM, np.int64)
        self.ahead: Final = np.zeros(9 * ROOM, np.int64)
        self.result: Final = np.zeros(LONGEST_PATH + 2, np.int64)
        self.rows = FoundRows(min(FIRST_ROWS, words))

    def grow(self) -> None:
        """Make room for twice the words of a board, but not for more than the lexicon has."""
        self.rows = FoundRows(min(2 * len(self.rows.words), len(self.words)))
