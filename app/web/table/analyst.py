"""The analysis of a finished game: computed once in the pool, kept, shown when ready."""

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock
from typing import Final

from anyio import to_thread

from app.store.database import NO_WRITES
from app.store.games import GameStore
from app.store.models import Table
from app.store.results import ResultStore
from app.web.guard.concurrency import leave_slot
from app.web.guard.rates import Caller
from app.web.pool import EnginePool, PoolFull

_MOST_WAITING: Final = 200
"""Requests that wait for analyses at the same time, at most."""


class Analyst:
    """Sees to it that each finished game is analysed once."""

    def __init__(self, games: GameStore, results: ResultStore, pool: EnginePool) -> None:
        self._games = games
        self._results = results
        self._pool = pool
        self._running: dict[str, Future[str]] = {}
        self._lock = Lock()
        self._waiting = 0

    def prepare(self, table: Table, caller: Caller) -> None:
        """Begin with the analysis, if the pool has room; nobody waits for it."""
        with suppress(PoolFull):
            self._begin(table, caller)

    async def analysis(self, table: Table, caller: Caller) -> str:
        """The analysis of a finished game as JSON, as soon as it is computed; who waits holds no thread.

        Raises PoolFull, also where too many wait.
        """
        kept = await to_thread.run_sync(self._results.analysis, table.id)
        if kept is not None:
            return kept
        if self._waiting >= _MOST_WAITING:
            raise PoolFull
        running = self._begin(table, caller)
        self._waiting += 1
        leave_slot()
        try:
            # Shielded: who goes away does not take the analysis from those who go on waiting.
            return await asyncio.shield(asyncio.wrap_future(running))
        except asyncio.CancelledError:
            if running.cancelled():  # the pool has stopped, and this request goes on
                raise PoolFull from None
            raise
        finally:
            self._waiting -= 1

    def _begin(self, table: Table, caller: Caller) -> Future[str]:
        with self._lock:
            running = self._running.get(table.id)
            if running is None:
                running = self._running[table.id] = self._pool.start(
                    caller, f"{table.kind} analysis", self._compute, table
                )
                running.add_done_callback(lambda _: self._running.pop(table.id, None))
        return running

    def _compute(self, table: Table) -> str:
        found = table.game.analyse(self._games.states(table.id))
        text: str = found.model_dump_json()
        with suppress(*NO_WRITES):  # it is told all the same, and kept when somebody asks again
            self._results.keep_analysis(table.id, text, [seat.accuracy for seat in found.seats])
        return text
