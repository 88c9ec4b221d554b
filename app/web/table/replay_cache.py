"""Positions of finished games, kept in memory as long as somebody steps through them."""

from collections import deque
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import Any, Final

from cachetools import LRUCache

from app.store.games import GameStore, fold
from app.store.models import Table

_CHECKPOINTS: Final = 128
"""States kept of one game, about."""
_AT_ONCE: Final = 16
"""Games that are replayed at the same time, at most."""
_BYTES_PER_CHARACTER: Final = 4
"""Memory that a state takes, for each character of its JSON."""


class NoSuchPly(LookupError):
    """The game has no such ply; the text says which it has."""


@dataclass(frozen=True, slots=True)
class Position:
    """A finished game after some of its moves."""

    state: Any
    before: Any | None
    """The state before the latest move; None at ply 0."""


@dataclass(frozen=True, slots=True)
class _Checkpoints:
    """Every ``step``-th state of a game, from the first."""

    states: tuple[Any, ...]
    step: int
    size: int
    """Bytes, by estimate."""


class Replays:
    """The games that were looked at last: short ones whole, of long ones checkpoints to go on from."""

    def __init__(self, games: GameStore, most_bytes: int) -> None:
        self._games: Final = games
        self._known: Final = LRUCache[str, _Checkpoints](most_bytes, getsizeof=lambda known: known.size)
        self._changing = Lock()
        self._replaying = tuple(Lock() for _ in range(_AT_ONCE))

    def knows(self, game_id: str) -> bool:
        """Whether positions of the game are at hand, without the game being replayed."""
        with self._changing:
            return game_id in self._known

    @property
    def size(self) -> int:
        """Bytes that are kept, by estimate."""
        with self._changing:
            return int(self._known.currsize)

    def position(self, table: Table, ply: int) -> Position:
        """The position after ``ply`` moves of a finished game; who asks for one being replayed waits.

        Raises NoSuchPly.
        """
        if not 0 <= ply <= table.state.ply:
            raise NoSuchPly(f"this game has plies 0 to {table.state.ply}, not {ply}")
        known = self._checkpoints(table)
        if known.step == 1:
            return Position(known.states[ply], known.states[ply - 1] if ply else None)
        passed = max(0, ply - 1) // known.step
        state, at = known.states[passed], passed * known.step
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
