"""Analyses of finished games, computed once in the engine pool and stored.

Some games are then searched deeper, turn by turn (``Game.deepen``). Each turn is a job of its own, so that
other jobs run in between, and one turn is searched at a time, so that reviews leave cores to requests that
wait for an engine. A request gets the results so far.
"""

import asyncio
import json
import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from threading import RLock
from typing import Any, Final

from anyio import to_thread

from app.store.database import NO_WRITES
from app.store.game_reader import GameReader
from app.store.models import Table
from app.store.results import ResultStore
from app.web.guard.concurrency import leave_slot
from app.web.guard.rates import Caller
from app.web.pool import EnginePool, PoolFull, ShareTaken

_MOST_WAITING: Final = 200
"""Most requests that may wait for an analysis at a time."""
_MOST_UNASKED: Final = 200
"""Most finished games whose analyses are queued without a request."""
_FAILED_KEPT: Final = 1000
"""Most games kept in the list of failed deeper searches."""

log = logging.getLogger("uvicorn.error.wibble")


@dataclass(slots=True)
class _Review:
    """A game that is being searched deeper."""

    table: Table
    caller: Caller
    milliseconds: float
    """Search time per turn."""
    states: tuple[Any, ...] = ()


class Analyst:
    """Analyses each finished game once."""

    def __init__(
        self,
        games: GameReader,
        results: ResultStore,
        pool: EnginePool,
        seconds: float,
        analysed: Callable[[Table, str], None] = lambda _table, _analysis: None,
    ) -> None:
        """``seconds`` is the time of one core for searching a game deeper; 0 for no deeper search.

        ``analysed`` is called with each new analysis before it is stored.
        """
        self._seconds = seconds
        self._analysed = analysed
        self._reviews: deque[_Review] = deque()
        self._failed = deque[str](maxlen=_FAILED_KEPT)
        self._games = games
        self._results = results
        self._pool = pool
        self._running: dict[str, Future[str]] = {}
        self._unasked: deque[tuple[Table, Caller]] = deque()
        self._started_unasked = ""
        """The game of the queue that was started last."""
        self._lock = RLock()
        """Reentrant, since a job that gives way to a new one calls back at once."""
        self._waiting = 0

    def searches_on(self, game_id: str) -> bool:
        """Whether a game is searched deeper after its first analysis; not after a failure."""
        with self._lock:
            return self._seconds > 0 and game_id not in self._failed

    def prepare(self, table: Table, caller: Caller) -> None:
        """Queue the analysis of a game for which no request has asked yet.

        One such analysis takes a place in the pool at a time, so that they do not use up the caller's share.
        """
        with self._lock:
            if len(self._unasked) < _MOST_UNASKED:
                self._unasked.append((table, caller))
                self._start_unasked()

    async def analysis(self, table: Table, caller: Caller) -> str:
        """The analysis of a finished game as JSON. Waits for it without holding a thread.

        Raises PoolFull, also if too many requests are waiting.
        """
        kept = await to_thread.run_sync(self._results.analysis, table.id)
        if kept is not None:
            await to_thread.run_sync(self._deepen, table, caller, kept)
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
            if running.cancelled():  # cancelled by the pool, not by the client
                raise PoolFull from None
            raise
        finally:
            self._waiting -= 1

    def _start(self, table: Table, caller: Caller) -> Future[str]:
        with self._lock:
            running = self._running.get(table.id)
            if running is None:
                running = self._running[table.id] = self._pool.start_long(
                    caller, f"{table.kind} analysis", self._compute, table
                )
                running.add_done_callback(lambda _: self._end(table.id))
        return running

    def _end(self, game_id: str) -> None:
        with self._lock:
            self._running.pop(game_id, None)
            self._start_unasked()

    def _start_unasked(self) -> None:
        """Start the next analysis of the queue, unless one of them is in the pool. Call it with the lock.

        In a full pool it waits for the next analysis that begins or ends. If the caller's share is used up,
        it is left out: it starts when a request asks for it.
        """
        while self._unasked and self._started_unasked not in self._running:
            table, caller = self._unasked.popleft()
            self._started_unasked = table.id
            try:
                self._start(table, caller)
            except ShareTaken:
                continue
            except PoolFull:
                self._unasked.appendleft((table, caller))
                return

    def _compute(self, table: Table) -> str:
        kept = self._results.analysis(table.id)  # another may have stored it since the caller looked
        if kept is not None:
            return kept
        found = table.game.analyse(self._games.states(table.id))
        text: str = found.model_dump_json()
        # First this, then storing: a request that finds the analysis stored expects this to be done.
        self._analysed(table, text)
        with suppress(*NO_WRITES):  # still answered; the next request tries again to store it
            self._results.keep_analysis(table.id, text, [seat.accuracy for seat in found.seats])
        return text

    def _deepen(self, table: Table, caller: Caller, analysis: str) -> None:
        """Queue a game for the deeper search, unless that is done or under way in this process."""
        progress = json.loads(analysis)
        to_search = progress.get("to_search", 0)
        if not self._seconds or progress.get("searched", 0) >= to_search:
            return
        with self._lock:
            if table.id in self._failed or any(review.table.id == table.id for review in self._reviews):
                return
            self._reviews.append(_Review(table, caller, self._seconds * 1000 / to_search))
            first = len(self._reviews) == 1
        if first:
            self._search()

    def _search(self) -> None:
        """Submit a turn of the first review. If the pool is full, drop all; later requests begin again."""
        review = self._reviews[0]
        try:
            running = self._pool.start_long(
                review.caller, f"{review.table.kind} review", self._search_turn, review
            )
        except PoolFull:
            with self._lock:
                self._reviews.clear()
        else:
            running.add_done_callback(self._go_on)

    def _go_on(self, done: Future[bool]) -> None:
        error = None if done.cancelled() else done.exception()
        with self._lock:
            if done.cancelled() or error is not None or not done.result():
                game_id = self._reviews.popleft().table.id
                if error is not None and not isinstance(error, NO_WRITES):  # else a later request tries again
                    self._failed.append(game_id)
                    log.error("The deeper review of game %s failed and is given up", game_id, exc_info=error)
            else:
                self._reviews.rotate(-1)
            more = bool(self._reviews)
        if more:
            self._search()

    def _search_turn(self, review: _Review) -> bool:
        """Judge one more turn and store it. Returns whether there is more to do."""
        table = review.table
        stored = self._results.analysis(table.id)
        if stored is None:  # the game was removed
            return False
        review.states = review.states or self._games.states(table.id)
        before = table.game.analysis_type.model_validate_json(stored)
        after = table.game.deepen(review.states, before, self._pool.deadline(review.milliseconds))
        if after is before or self._pool.stopping:
            return False
        self._results.deepen_analysis(table.id, after.model_dump_json(), after.searched)
        return bool(after.searched < after.to_search)
