"""What an operator's Prometheus reads: counted here, shown at ``/metrics``."""

import time
from collections.abc import Iterator
from typing import Final, Protocol

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from app.web.live.bus import Bus
from app.web.pool import EnginePool

_REQUEST_BUCKETS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_ENGINE_BUCKETS: Final = (0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
_COUNTED_EVERY: Final = 60.0
"""Seconds for which a count of the games in the store holds: it takes longer the more there are."""


class Metrics:
    """The figures of this process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
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

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._requests.labels(method, route, status).observe(seconds)

    def computed(self, engine: str, seconds: float) -> None:
        """An engine has worked."""
        self._engines.labels(engine).observe(seconds)

    def delivered(self, name: str) -> None:
        """An event was sent to a page."""
        self._events.labels(name).inc()

    def watch(self, pool: EnginePool, bus: Bus, count_games: "CountGames") -> None:
        """Show how these are whenever somebody looks."""
        self._registry.register(_Standing(pool, bus, count_games))

    def text(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self._registry)


class CountGames(Protocol):
    """How many games there are of each (kind, status)."""

    def __call__(self) -> dict[tuple[str, str], int]:
        """Count. Raises SQLAlchemyError where the store is away."""
        ...


class _Standing(Collector):
    """What is read off at the moment somebody looks."""

    def __init__(self, pool: EnginePool, bus: Bus, count_games: CountGames) -> None:
        self._pool, self._bus, self._count_games = pool, bus, count_games
        self._games: dict[tuple[str, str], int] = {}
        self._counted_at = float("-inf")

    def describe(self) -> list[Metric]:
        """Nothing, which keeps the registry from looking when we register."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The pool, the streams and the games as they are."""
        pool = self._pool
        yield GaugeMetricFamily("wibble_pool_threads", "Threads of the engine pool.", pool.threads)
        yield GaugeMetricFamily("wibble_pool_places", "Computations that the pool takes.", pool.places)
        yield GaugeMetricFamily("wibble_pool_taken", "Computations running or waiting.", pool.taken)
        yield CounterMetricFamily("wibble_pool_refused", "Computations answered by 503.", pool.refused)
        yield GaugeMetricFamily("wibble_event_streams", "Open event streams.", self._bus.listening)
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
