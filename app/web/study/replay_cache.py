"""Cache of the positions of recently viewed study boards."""

from threading import Lock
from typing import Final

from cachetools import LRUCache

from app.games.study_tree import Played
from app.store.study_boards import BoardInfo

MOST_MOVES: Final = 20_000
"""Most moves whose positions are in memory, a few kilobytes each."""


class Replayed:
    """The most recently replayed boards, by revision."""

    def __init__(self) -> None:
        self._known: Final = LRUCache[tuple[str, int], tuple[Played, ...]](MOST_MOVES, getsizeof=len)
        self._changing = Lock()

    def get(self, info: BoardInfo) -> tuple[Played, ...] | None:
        """The steps of a board; None if they are not cached."""
        with self._changing:
            return self._known.get((info.id, info.revision))

    def keep(self, info: BoardInfo, steps: tuple[Played, ...]) -> None:
        """Add the steps of a board to the cache."""
        with self._changing:
            if len(steps) <= self._known.maxsize:
                self._known[info.id, info.revision] = steps
