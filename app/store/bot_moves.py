"""What bots play: thought out once for each position, however many look at it meanwhile."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import Any, Final, TypeAlias

from app.games.game import Thought
from app.store.models import Table

_REMEMBERED: Final = 1024
"""Positions."""

StartThinking: TypeAlias = Callable[[Table, Callable[[], Thought[Any]]], Future[Thought[Any]] | None]
"""Starts to think about the position of a table; None where there is no room for that now."""


def think_at_once(_table: Table, think: Callable[[], Thought[Any]]) -> Future[Thought[Any]]:
    """Think in the thread of the caller, who waits."""
    thought: Future[Thought[Any]] = Future()
    thought.set_result(think())
    return thought


class Thoughts:
    """The latest thoughts of this process's bots.

    The pages of a table all want to know when its bot will have moved, and again what, when it has.
    """

    def __init__(self, start: StartThinking) -> None:
        self._start = start
        self._thoughts: dict[tuple[str, int, int, int], Future[Thought[Any]]] = {}
        self._lock = Lock()

    def of(self, table: Table, seat: int, level: int) -> Thought[Any] | None:
        """What a bot of this level plays on ``seat``; None while it thinks, or waits for room to do so.

        Who asks first makes it start, and asking again is what makes up for a lack of room.
        """
        position = table.id, table.state.ply, seat, level
        with self._lock:
            thought = self._thoughts.get(position)
            if thought is None or thought.cancelled():
                thought = self._start(table, partial(table.game.bot, table.state, seat, level))
                if thought is None:
                    return None
                self._remember(position, thought)
        if not thought.done() or thought.cancelled():
            return None
        if thought.exception() is not None:
            with self._lock:
                self._thoughts.pop(position, None)  # who asks next tries again
        return thought.result()

    def _remember(self, position: tuple[str, int, int, int], thought: Future[Thought[Any]]) -> None:
        self._thoughts[position] = thought
        if len(self._thoughts) > _REMEMBERED:
            del self._thoughts[next(iter(self._thoughts))]
