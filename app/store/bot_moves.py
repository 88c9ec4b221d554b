"""Bot moves, computed once per position, no matter how many requests need them."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import Any, Final, TypeAlias, TypeVar

from app.games.game import Thought
from app.store.models import Table

_CACHE_SIZE: Final = 1024
"""Number of positions."""

Position: TypeAlias = tuple[str, int, int, int]
"""A position of a table: its ID, ply, and the bot's seat and level."""

_T = TypeVar("_T")

StartThinking: TypeAlias = Callable[[Table, Callable[[], Thought[Any]]], Future[Thought[Any]] | None]
"""Starts computing a bot's move for a table; returns None if the engine pool is full."""


def think_at_once(_table: Table, think: Callable[[], Thought[Any]]) -> Future[Thought[Any]]:
    """Compute the move synchronously in the calling thread."""
    thought: Future[Thought[Any]] = Future()
    thought.set_result(think())
    return thought


class Thoughts:
    """Cache of the bot moves this process computed most recently.

    Every page of a table asks for the same move: first for when it happens, then for the move itself.
    """

    def __init__(self, start: StartThinking) -> None:
        self._start = start
        self._thoughts: dict[Position, Future[Thought[Any]]] = {}
        self._hurried: dict[Position, float] = {}
        self._lock = Lock()

    def get(self, table: Table, seat: int, level: int) -> Thought[Any] | None:
        """The move of a bot of this level on ``seat``; None while it is being computed or the pool is full.

        The first call starts the computation. A later call retries it if the pool was full.
        """
        position = _position(table, seat, level)
        with self._lock:
            thought = self._thoughts.get(position)
            if thought is None or thought.cancelled():
                thought = self._start(table, partial(table.game.bot, table.state, seat, level))
                if thought is None:
                    return None
                _store(self._thoughts, position, thought)
        if not thought.done() or thought.cancelled():
            return None
        if thought.exception() is not None:
            with self._lock:
                self._thoughts.pop(position, None)  # the next call retries
        result = thought.result()
        seconds = self._hurried.get(position, result.seconds)
        return replace(result, seconds=min(result.seconds, seconds))

    def hurry(self, table: Table, seat: int, level: int, at: float) -> None:
        """Make the move of this bot due at ``at``, or as soon as it is computed if that is later."""
        with self._lock:
            _store(self._hurried, _position(table, seat, level), max(0.0, at - table.moved_at))


def _position(table: Table, seat: int, level: int) -> Position:
    return table.id, table.state.ply, seat, level


def _store(cache: dict[Position, _T], position: Position, value: _T) -> None:
    cache[position] = value
    if len(cache) > _CACHE_SIZE:
        del cache[next(iter(cache))]
