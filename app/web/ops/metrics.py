"""What an operator's Prometheus reads: counted here, shown at ``/metrics``.

Workers of one command share a folder, named by the environment as the client of Prometheus wants it: each
writes its figures there, and whichever is asked shows those of all.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from app.web.guard.rates import Rates
from app.web.live.bus import Bus
from app.web.ops.load import LoadMonitor
from app.web.pool import EnginePool

if TYPE_CHECKING:
    from app.web.guard.connections import Connections

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder; it must be set before this module is imported."""
_REQUEST_BUCKETS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_ENGINE_BUCKETS: Final = (0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
_COUNTED_EVERY: Final = 60.0
"""Seconds for which a count of the games in the store holds: it takes longer the more there are."""
_NOTED_EVERY: Final = 1.0
"""Seconds between two looks at what stands, for a worker that is not asked itself."""


class Metrics:
    """The figures of this process, and where workers share them of all."""

    def __init__(self, shared: str | None = None) -> None:
        """``shared`` is the workers' folder; None where this process serves alone."""
        self._registry = CollectorRegistry()
        self._shared = None if shared is None else Path(shared)
        self._requests = Histogram(
            "wibble_request_seconds",
            "Time until an answer begins.",
            ("method", "route", "status"),
            buckets=_REQUEST_BUCKETS,
            registry=self._registry,
        )
        self._engines = Histogram(
            "wibble_engine_seconds",
            "Time that a computation keeps a thread of the pool busy.",
            ("engine",),
            buckets=_ENGINE_BUCKETS,
            registry=self._registry,
        )
        self._events = Counter(
            "wibble_events_delivered",
            "Events sent to the pages that listen to a table.",
            ("name",),
            registry=self._registry,
        )
        self._note: Callable[[], None] = lambda: None
        self._games: Collector | None = None
        ProcessCollector(registry=self._registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._requests.labels(method, route, status).observe(seconds)

    def computed(self, engine: str, seconds: float) -> None:
        """An engine has worked."""
        self._engines.labels(engine).observe(seconds)

    def delivered(self, name: str) -> None:
        """An event was sent to a page."""
        self._events.labels(name).inc()

    def watch(
        self,
        pool: EnginePool,
        rates: Rates,
        bus: Bus,
        load: LoadMonitor,
        connections: "Connections",
        count_games: "CountGames",
    ) -> None:
        """Show how these are whenever somebody looks."""
        self._note = _Standing(self._registry, pool, rates, bus, load, connections).note
        self._games = _Games(count_games)
        self._registry.register(self._games)

    async def keep_noting(self) -> None:
        """Let the worker that is asked know how things stand at this one, where there are others."""
        while self._shared is not None:
            self._note()
            await asyncio.sleep(_NOTED_EVERY)

    def text(self) -> bytes:
        """All figures in Prometheus' text format."""
        self._note()
        if self._shared is None:
            return generate_latest(self._registry)
        workers = _workers(self._shared)
        together = CollectorRegistry()
        MultiProcessCollector(together, str(self._shared))  # type: ignore[no-untyped-call]
        for other in (self._games, _Processes(workers)):
            if other is not None:
                together.register(other)
        return generate_latest(together)


class CountGames(Protocol):
    """How many games there are of each (kind, status)."""

    def __call__(self) -> dict[tuple[str, str], int]:
        """Count. Raises SQLAlchemyError where the store is away."""
        ...


class _Standing:
    """What others count, read off from time to time; gauges are sums over the workers that live."""

    def __init__(
        self,
        registry: CollectorRegistry,
        pool: EnginePool,
        rates: Rates,
        bus: Bus,
        load: LoadMonitor,
        connections: "Connections",
    ) -> None:
        self._pool, self._rates, self._bus, self._pulse = pool, rates, bus, load
        self._connections = connections
        gauge = partial(Gauge, registry=registry, multiprocess_mode="livesum")
        self._workers = gauge("wibble_workers", "Processes that these figures are of.")
        self._threads = gauge("wibble_pool_threads", "Threads of the engine pool.")
        self._places = gauge("wibble_pool_places", "Computations that the pool takes.")
        self._taken = gauge("wibble_pool_taken", "Computations running or waiting.")
        self._running = gauge("wibble_pool_running", "Computations that have a thread.")
        self._page_threads = gauge(
            "wibble_page_threads", "Threads that pages are made in, and pages that wait for one.", ("state",)
        )
        self._lag, self._page_wait = (
            Gauge(name, told, registry=registry, multiprocess_mode="livemax")
            for name, told in (
                ("wibble_loop_lag_seconds", "How late the event loop was when it was looked at last."),
                ("wibble_page_wait_seconds", "How long a page has been waiting for a thread by now."),
            )
        )
        self._streams = gauge("wibble_event_streams", "Open event streams.")
        self._open = gauge("wibble_connections", "Open connections.")
        self._most = gauge("wibble_connections_most", "Connections that may be open.")
        self._closed = Counter(
            "wibble_connections_closed",
            "Connections refused, or closed as their client was too slow.",
            ("reason",),
            registry=registry,
        )
        self._refused = Counter("wibble_pool_refused", "Computations refused.", registry=registry)
        self._too_often = Counter(
            "wibble_rate_refused", "Requests answered by 429.", ("kind",), registry=registry
        )
        self._unchecked = Counter(
            "wibble_rate_unchecked", "Requests let through because Redis did not answer.", registry=registry
        )
        self._counted: dict[Counter, int] = {}

    def note(self) -> None:
        """Take over how everything stands now."""
        self._workers.set(1)
        self._threads.set(self._pool.threads)
        self._places.set(self._pool.places)
        self._taken.set(self._pool.taken)
        self._running.set(self._pool.running)
        threads = self._pulse.page_threads
        for state, count in (
            ("free", threads.total - threads.busy),
            ("busy", threads.busy),
            ("waited_for", threads.waiting),
        ):
            self._page_threads.labels(state).set(count)
        self._lag.set(self._pulse.lag)
        self._page_wait.set(self._pulse.page_wait)
        self._streams.set(self._bus.listening)
        self._open.set(len(self._connections))
        self._most.set(self._connections.most)
        for reason, count in self._connections.closed.items():
            self._raise(self._closed.labels(reason), count)
        self._raise(self._refused, self._pool.refused)
        for kind, count in self._rates.refused.items():
            self._raise(self._too_often.labels(kind), count)
        self._raise(self._unchecked, self._rates.unchecked)

    def _raise(self, counter: Counter, count: int) -> None:
        counter.inc(count - self._counted.get(counter, 0))
        self._counted[counter] = count


class _Games(Collector):
    """The games in the store, which is one for all workers."""

    def __init__(self, count_games: CountGames) -> None:
        self._count_games = count_games
        self._games: dict[tuple[str, str], int] = {}
        self._counted_at = float("-inf")

    def describe(self) -> list[Metric]:
        """Nothing, which keeps the registry from looking when we register."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The games by kind and status."""
        games = GaugeMetricFamily("wibble_games", "Games in the store.", labels=("kind", "status"))
        for labels, count in self._counted().items():
            games.add_metric(labels, count)
        yield games

    def _counted(self) -> dict[tuple[str, str], int]:
        if time.monotonic() - self._counted_at > _COUNTED_EVERY:
            try:
                self._games = self._count_games()
            except SQLAlchemyError:
                return {}  # what is not known is not shown
            self._counted_at = time.monotonic()
        return self._games


class _Processes(Collector):
    """Memory, processor time and open files of each worker."""

    def __init__(self, workers: list[int]) -> None:
        self._workers = workers

    def collect(self) -> Iterator[Metric]:
        """The figures by the worker's number."""
        families: dict[str, Metric] = {}
        for pid in self._workers:
            for found in ProcessCollector(pid=partial(int, pid), registry=None).collect():
                family = families.setdefault(found.name, Metric(found.name, found.documentation, found.type))
                for sample in found.samples:
                    family.add_sample(sample.name, {"pid": str(pid)}, sample.value)
        yield from families.values()


def _workers(folder: Path) -> list[int]:
    """The workers that live; of others what stood at them is forgotten, and what they counted is kept."""
    living = []
    for pid in sorted({int(file.stem.rpartition("_")[2]) for file in folder.glob("*.db")}):
        try:
            os.kill(pid, 0)  # asks only whether it is there
        except OSError:
            mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]
        else:
            living.append(pid)
    return living
