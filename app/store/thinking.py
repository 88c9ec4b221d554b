"""What bots play: thought out once for each position, however many look at it meanwhile."""

from threading import Lock
from typing import Any, Final

from app.games.game import Thought
from app.store.tables import Table

_REMEMBERED: Final = 1024
"""Positions."""
_AT_ONCE: Final = 16
"""Positions that are thought about at the same time, at most."""


class Thoughts:
    """The latest thoughts of this process's bots.

    The pages of a table all want to know when its bot will have moved, and again what, when it has.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int, int], Thought[Any]] = {}
        self._thinking = tuple(Lock() for _ in range(_AT_ONCE))
        self._remembering = Lock()

    def of(self, table: Table, seat: int, level: int) -> Thought[Any]:
        """What a bot of this level plays on ``seat``; who asks for what is being thought about waits."""
        position = table.id, table.state.ply, seat, level
        with self._thinking[hash(table.id) % _AT_ONCE]:
            thought = self._known.get(position)
            if thought is None:
                thought = table.game.bot(table.state, seat, level)
                self._remember(position, thought)
        return thought

    def _remember(self, position: tuple[str, int, int, int], thought: Thought[Any]) -> None:
        with self._remembering:
            self._known[position] = thought
            if len(self._known) > _REMEMBERED:
                del self._known[next(iter(self._known))]
