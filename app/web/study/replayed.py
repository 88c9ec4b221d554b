"""The positions of study boards that were looked at last."""

from threading import Lock
from typing import Final

from cachetools import LRUCache

from app.games.study_tree import Played
from app.store.study_boards import BoardInfo

MOST_MOVES: Final = 20_000
"""Moves whose positions are in memory, of a few kilobytes each."""


class Replayed:
    """The latest boards that were replayed, by their revision."""

    def __init__(self) -> None:
        self._known: Final = LRUCache[tuple[str, int], tuple[Played, ...]](MOST_MOVES, getsizeof=len)
        self._changing = Lock()

    def get(self, info: BoardInfo) -> tuple[Played, ...] | None:
        """The steps of a board; None if they are not known."""
        with self._changing:
            return self._known.get((info.id, info.revision))

    def keep(self, info: BoardInfo, steps: tuple[Played, ...]) -> None:
        """Keep the steps of a board."""
        with self._changing:
            if len(steps) <= self._known.maxsize:
                self._known[info.id, info.revision] = steps
