"""Analyses of finished games, computed once in the engine pool and stored."""

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
"""Most requests that may wait for an analysis at a time."""


class Analyst:
    """Analyses each finished game once."""

    def __init__(self, games: GameStore, results: ResultStore, pool: EnginePool) -> None:
        self._games = games
        self._results = results
        self._pool = pool
        self._running: dict[str, Future[str]] = {}
        self._lock = Lock()
        self._waiting = 0

    def prepare(self, table: Table, caller: Caller) -> None:
        """Start the analysis in the background; do nothing if the pool is full."""
        with suppress(PoolFull):
            self._start(table, caller)

    async def analysis(self, table: Table, caller: Caller) -> str:
        """The analysis of a finished game as JSON. Waits for it without holding a thread.

        Raises PoolFull, also if too many requests are waiting.
        """
        kept = await to_thread.run_sync(self._results.analysis, table.id)
        if kept is not None:
            return kept
        if self._waiting >= _MOST_WAITING:
            raise PoolFull
        running = self._start(table, caller)
        self._waiting += 1
        leave_slot()
        try:
            # Shielded, so that a client that disconnects does not cancel it for the others.
            return await asyncio.shield(asyncio.wrap_future(running))
        except asyncio.CancelledError:
            if running.cancelled():  # cancelled by the pool's shutdown, not by the client
                raise PoolFull from None
            raise
        finally:
            self._waiting -= 1

    def _start(self, table: Table, caller: Caller) -> Future[str]:
        with self._lock:
            running = self._running.get(table.id)
            if running is None:
                running = self._running[table.id] = self._pool.start(
                    caller, f"{table.kind} analysis", self._compute, table
                )
                running.add_done_callback(lambda _: self._running.pop(table.id, None))
        return running

    def _compute(self, table: Table) -> str:
        kept = self._results.analysis(table.id)  # another may have stored it since the caller looked
        if kept is not None:
            return kept
        found = table.game.analyse(self._games.states(table.id))
        text: str = found.model_dump_json()
        with suppress(*NO_WRITES):  # still answered; the next request tries again to store it
            self._results.keep_analysis(table.id, text, [seat.accuracy for seat in found.seats])
        return text
