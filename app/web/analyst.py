"""The analysis of a finished game: computed once in the pool, kept, shown when ready."""

from concurrent.futures import Future
from contextlib import suppress
from threading import Lock

from app.store.games import NO_WRITES, GameStore
from app.store.results import ResultStore
from app.store.tables import Table
from app.web.pool import EnginePool, PoolFull


class Analyst:
    """Sees to it that each finished game is analysed once."""

    def __init__(self, games: GameStore, results: ResultStore, pool: EnginePool) -> None:
        self._games = games
        self._results = results
        self._pool = pool
        self._running: dict[str, Future[str]] = {}
        self._lock = Lock()

    def prepare(self, table: Table) -> None:
        """Begin with the analysis, if the pool has room; nobody waits for it."""
        with suppress(PoolFull):
            self._begin(table)

    def analysis(self, table: Table) -> str:
        """The analysis of a finished game as JSON; the first to ask waits until it is computed.

        Raises PoolFull.
        """
        kept = self._results.analysis(table.id)
        return kept if kept is not None else self._begin(table).result()

    def _begin(self, table: Table) -> Future[str]:
        with self._lock:
            running = self._running.get(table.id)
            if running is None:
                running = self._running[table.id] = self._pool.start(
                    f"{table.kind} analysis", self._compute, table
                )
                running.add_done_callback(lambda _: self._running.pop(table.id, None))
        return running

    def _compute(self, table: Table) -> str:
        found = table.game.analyse(self._games.states(table.id))
        text: str = found.model_dump_json()
        with suppress(*NO_WRITES):  # it is told all the same, and kept when somebody asks again
            self._results.keep_analysis(table.id, text, [seat.accuracy for seat in found.seats])
        return text
