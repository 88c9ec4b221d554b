"""LRU cache of positions of finished games, for stepping through a replay."""

from collections import deque
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import Any, Final

from cachetools import LRUCache

from app.store.game_reader import GameReader, fold
from app.store.models import Table

_CHECKPOINTS: Final = 128
"""Approximate number of states cached per game."""
_AT_ONCE: Final = 16
"""Most games replayed at the same time."""
_BYTES_PER_CHARACTER: Final = 4
"""Estimated memory of a state, per character of its JSON."""


class NoSuchPly(LookupError):
    """The game has no such ply; the message has the valid range."""


@dataclass(frozen=True, slots=True)
class Position:
    """A finished game after some of its moves."""

    state: Any
    before: Any | None
    """The state before the latest move; None at ply 0."""


@dataclass(frozen=True, slots=True)
class _Checkpoints:
    """Every ``step``-th state of a game, beginning with the first."""

    states: tuple[Any, ...]
    step: int
    size: int
    """Estimated bytes."""


class Replays:
    """Cache of the games replayed most recently: all states of short games, checkpoints of long ones."""

    def __init__(self, games: GameReader, most_bytes: int) -> None:
        self._games: Final = games
        self._known: Final = LRUCache[str, _Checkpoints](most_bytes, getsizeof=lambda known: known.size)
        self._changing = Lock()
        self._replaying = tuple(Lock() for _ in range(_AT_ONCE))

    def knows(self, game_id: str) -> bool:
        """Whether the game is in the cache."""
        with self._changing:
            return game_id in self._known

    @property
    def size(self) -> int:
        """Estimated bytes in the cache."""
        with self._changing:
            return int(self._known.currsize)

    def position(self, table: Table, ply: int) -> Position:
        """The position after ``ply`` moves of a finished game. Raises NoSuchPly.

        Concurrent calls for the same game wait for one replay.
        """
        if not 0 <= ply <= table.state.ply:
            raise NoSuchPly(f"this game has plies 0 to {table.state.ply}, not {ply}")
        known = self._checkpoints(table)
        if known.step == 1:
            return Position(known.states[ply], known.states[ply - 1] if ply else None)
        checkpoint = max(0, ply - 1) // known.step
        state, at = known.states[checkpoint], checkpoint * known.step
        states = deque([state, *fold(table.game, state, self._games.log(table.id, at, ply))], maxlen=2)
        return Position(states[-1], states[0] if ply else None)

    def _checkpoints(self, table: Table) -> _Checkpoints:
        with self._replaying[hash(table.id) % _AT_ONCE]:
            with self._changing:
                known = self._known.get(table.id)
            if known is None:
                step = table.state.ply // _CHECKPOINTS + 1
                states = tuple(islice(self._games.positions(table.id), 0, None, step))
                size = sum(len(state.model_dump_json()) for state in states) * _BYTES_PER_CHARACTER
                known = _Checkpoints(states, step, size)
                with self._changing:
                    if size <= self._known.maxsize:
                        self._known[table.id] = known
        return known
