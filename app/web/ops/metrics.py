"""Prometheus metrics, exposed at ``/metrics``.

Several workers share a folder, as in the Prometheus client's multiprocess mode: each writes its metrics
there, and any of them can return those of all.
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
"""Environment variable for the shared folder; must be set before this module is imported."""
_REQUEST_BUCKETS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_ENGINE_BUCKETS: Final = (0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
_COUNT_INTERVAL: Final = 60.0
"""Seconds for which the count of stored games is cached: counting takes longer the more there are."""
_UPDATE_INTERVAL: Final = 1.0
"""Seconds between two updates of the gauges in the shared folder."""


class Metrics:
    """The metrics of this process, or of all workers if they share a folder."""

    def __init__(self, shared: str | None = None) -> None:
        """``shared`` is the workers' folder; None for a single process."""
        self._registry = CollectorRegistry()
        self._shared = None if shared is None else Path(shared)
        self._requests = Histogram(
            "wibble_request_seconds",
            "Time until a response begins.",
            ("method", "route", "status"),
            buckets=_REQUEST_BUCKETS,
            registry=self._registry,
        )
        self._engines = Histogram(
            "wibble_engine_seconds",
            "Duration of a computation in the engine pool.",
            ("engine",),
            buckets=_ENGINE_BUCKETS,
            registry=self._registry,
        )
        self._events = Counter(
            "wibble_events_delivered",
            "Events sent on event streams.",
            ("name",),
            registry=self._registry,
        )
        self._messages = Counter(
            "wibble_messages",
            "Messages to players by web push, mail and webhook.",
            ("channel", "outcome"),
            registry=self._registry,
        )
        self._update: Callable[[], None] = lambda: None
        self._games: Collector | None = None
        ProcessCollector(registry=self._registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Record a request."""
        self._requests.labels(method, route, status).observe(seconds)

    def computed(self, engine: str, seconds: float) -> None:
        """Record a computation."""
        self._engines.labels(engine).observe(seconds)

    def delivered(self, name: str) -> None:
        """Count an event sent to a page."""
        self._events.labels(name).inc()

    def sent(self, channel: str, outcome: str) -> None:
        """Count a message to a player."""
        self._messages.labels(channel, outcome).inc()

    def watch(
        self,
        pool: EnginePool,
        rates: Rates,
        bus: Bus,
        load: LoadMonitor,
        connections: "Connections",
        count_games: "CountGames",
    ) -> None:
        """Include the state of these components in the metrics."""
        self._update = _Gauges(self._registry, pool, rates, bus, load, connections).update
        self._games = _Games(count_games)
        self._registry.register(self._games)

    async def keep_updating(self) -> None:
        """Update the gauges in the shared folder every second; return at once if there is none."""
        while self._shared is not None:
            self._update()
            await asyncio.sleep(_UPDATE_INTERVAL)

    def text(self) -> bytes:
        """All metrics in Prometheus's text format."""
        self._update()
        if self._shared is None:
            return generate_latest(self._registry)
        workers = _workers(self._shared)
        combined = CollectorRegistry()
        MultiProcessCollector(combined, str(self._shared))  # type: ignore[no-untyped-call]
        for collector in (self._games, _Processes(workers)):
            if collector is not None:
                combined.register(collector)
        return generate_latest(combined)


class CountGames(Protocol):
    """Counts the stored games by (kind, status)."""

    def __call__(self) -> dict[tuple[str, str], int]:
        """Count. Raises SQLAlchemyError if the database is unavailable."""
        ...


class _Gauges:
    """Metrics copied from other components; gauges are summed over the live workers."""

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
        self._workers = gauge("wibble_workers", "Worker processes.")
        self._threads = gauge("wibble_pool_threads", "Threads of the engine pool.")
        self._places = gauge("wibble_pool_places", "Computations that the pool can run and queue.")
        self._taken = gauge("wibble_pool_taken", "Computations running or waiting.")
        self._running = gauge("wibble_pool_running", "Computations running.")
        self._page_threads = gauge(
            "wibble_page_threads", "Threads that render pages, and requests waiting for one.", ("state",)
        )
        self._lag, self._page_wait = (
            Gauge(name, text, registry=registry, multiprocess_mode="livemax")
            for name, text in (
                ("wibble_loop_lag_seconds", "Latest lag of the event loop."),
                ("wibble_page_wait_seconds", "How long a request has been waiting for a thread."),
            )
        )
        self._streams = gauge("wibble_event_streams", "Open event streams.")
        self._open = gauge("wibble_connections", "Open connections.")
        self._most = gauge("wibble_connections_most", "Most connections that may be open.")
        self._closed = Counter(
            "wibble_connections_closed",
            "Connections refused, or closed because of a slow client.",
            ("reason",),
            registry=registry,
        )
        self._refused = Counter("wibble_pool_refused", "Computations refused.", registry=registry)
        self._too_often = Counter(
            "wibble_rate_refused", "Requests refused by a rate limit.", ("kind",), registry=registry
        )
        self._unchecked = Counter(
            "wibble_rate_unchecked", "Requests let through because Redis did not answer.", registry=registry
        )
        self._counted: dict[Counter, int] = {}

    def update(self) -> None:
        """Copy the current values."""
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
    """The stored games; all workers have the same database."""

    def __init__(self, count_games: CountGames) -> None:
        self._count_games = count_games
        self._games: dict[tuple[str, str], int] = {}
        self._counted_at = float("-inf")

    def describe(self) -> list[Metric]:
        """Return nothing, so that registering does not collect."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The stored games by kind and status."""
        games = GaugeMetricFamily("wibble_games", "Games in the store.", labels=("kind", "status"))
        for labels, count in self._counted().items():
            games.add_metric(labels, count)
        yield games

    def _counted(self) -> dict[tuple[str, str], int]:
        if time.monotonic() - self._counted_at > _COUNT_INTERVAL:
            try:
                self._games = self._count_games()
            except SQLAlchemyError:
                return {}  # leave the metric out while the database is unavailable
            self._counted_at = time.monotonic()
        return self._games


class _Processes(Collector):
    """Memory, CPU time and open files of each worker."""

    def __init__(self, workers: list[int]) -> None:
        self._workers = workers

    def collect(self) -> Iterator[Metric]:
        """The process metrics, labelled by process ID."""
        families: dict[str, Metric] = {}
        for pid in self._workers:
            for found in ProcessCollector(pid=partial(int, pid), registry=None).collect():
                family = families.setdefault(found.name, Metric(found.name, found.documentation, found.type))
                for sample in found.samples:
                    family.add_sample(sample.name, {"pid": str(pid)}, sample.value)
        yield from families.values()


def _workers(folder: Path) -> list[int]:
    """Process IDs of the live workers. Drops the gauges of dead ones and keeps their counters."""
    living = []
    for pid in sorted({int(file.stem.rpartition("_")[2]) for file in folder.glob("*.db")}):
        try:
            os.kill(pid, 0)  # only checks whether the process exists
        except OSError:
            mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]
        else:
            living.append(pid)
    return living
