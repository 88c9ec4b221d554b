"""Latency and cost of 500 players in 250 live games on two workers.

Starts ``wibble serve`` with its own PostgreSQL and Redis and plays Letterpress as the pages do: the mover
posts a form; the opponent gets an event with the fragment. Floors: no errors, move median under 25 ms
and p99 under 250 ms, event p99 under 500 ms, under 60 KB per idle stream.

With ``--pushes N`` the workers send so many pushes to a local endpoint meanwhile. Floor: no effect on p99.

Run it as ``python -m benchmarks.live_load``. Servers and players share the machine.
"""

import argparse
import asyncio
import random
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvloop

from app.resources import resource
from app.store.database import Database
from app.store.outbox import Outbox
from app.words.library import Library
from benchmarks.live.client import EventStream
from benchmarks.live.cluster import Cluster, cluster
from benchmarks.live.players import Game, Seen, open_games, playable_words
from benchmarks.notifications import fill, push_endpoint

WARM = 6.0
"""Warm-up in seconds."""
MESSAGES: Final = {"site_url": "https://words.example", "private_webhooks": "true"}
"""Settings that enable turn notifications."""


async def idle_stream(system: Cluster, games: Sequence[Game], count: int) -> float:
    """Return the workers' memory per idle event stream, in bytes."""

    async def open_stream(number: int) -> EventStream:
        stream, first_event = await EventStream.open(system.port), asyncio.Event()
        stream.on_event = lambda *_: first_event.set()
        stream.listen(f"/games/{games[number % len(games)].id}/events")
        await first_event.wait()
        return stream

    async def open_streams(size: int) -> list[EventStream]:
        batch = 20
        begins = range(0, size, batch)
        return [
            stream
            for begin in begins
            for stream in await asyncio.gather(*map(open_stream, range(begin, min(begin + batch, size))))
        ]

    async def close_streams(streams: Sequence[EventStream]) -> None:
        for stream in streams:
            stream.close()
        await asyncio.sleep(1)

    await close_streams(await open_streams(200))  # one-time allocations
    before = system.resident()
    streams = await open_streams(count)
    await asyncio.sleep(2)
    grown = system.resident() - before
    await close_streams(streams)
    return grown / count


def random_pause() -> float:
    """Return the pause before a move in seconds. A player moves after two of them."""
    return random.uniform(1.0, 2.5)


def no_pause() -> float:
    """Return 0."""
    return 0.0


@dataclass
class Cost:
    """Resources used during play."""

    processors: Mapping[str, float]
    """CPU cores used, by process."""
    wal_bytes: int
    """Bytes that PostgreSQL wrote to its write-ahead log."""


async def play(
    system: Cluster, games: Sequence[Game], seconds: float, think: Callable[[], float]
) -> tuple[Seen, Cost]:
    """Play after a warm-up; return the times and the resources used."""
    for start in range(0, len(games), 20):
        await asyncio.gather(*(game.open(system.port) for game in games[start : start + 20]))
    warm, seen = Seen(), Seen()
    until = time.perf_counter() + WARM
    await asyncio.gather(*(game.play(until, think, warm) for game in games))
    wal_bytes, used, began = system.wal_bytes(), system.processor_seconds(), time.perf_counter()
    await asyncio.gather(*(game.play(began + seconds, think, seen) for game in games))
    lasted = time.perf_counter() - began
    processors = {name: (now - used[name]) / lasted for name, now in system.processor_seconds().items()}
    cost = Cost(processors, system.wal_bytes() - wal_bytes)
    for game in games:
        game.close()
    seen.errors += warm.errors
    return seen, cost


def show(title: str, seen: Seen, cost: Cost, seconds: float) -> None:
    """Print a block of the results."""
    print(f"\n{title}")
    for name, times in (
        ("move, POST to fragment", seen.moves),
        ("view, after the response", seen.deliveries),
        ("view, after the POST", seen.journeys),
    ):
        cuts = [cut * 1000 for cut in statistics.quantiles(times, n=100)]
        print(
            f"  {name:24} {len(times):6}  {len(times) / seconds:6.1f}/s   "
            f"p50 {cuts[49]:7.1f} ms   p90 {cuts[89]:7.1f} ms   p99 {cuts[98]:7.1f} ms"
        )
    print(f"  errors {len(seen.errors)} {seen.errors[:3] or ''}")
    print("  CPU cores: " + ", ".join(f"{name} {used:.2f}" for name, used in cost.processors.items()))
    moves = len(seen.moves)
    workers = sum(used for name, used in cost.processors.items() if name.startswith("worker"))
    each = {"workers": workers} | {name: cost.processors[name] for name in ("PostgreSQL", "Redis")}
    costs = ", ".join(f"{name} {used * seconds / moves * 1000:.2f} ms" for name, used in each.items())
    print(f"  per move: {costs}, {cost.wal_bytes / moves / 1000:.1f} KB of PostgreSQL WAL", flush=True)


async def measure(workers: int, arguments: argparse.Namespace, words: Sequence[str], folder: Path) -> None:
    """Run all measurements with this number of workers."""
    with ExitStack() as ends:
        system = ends.enter_context(cluster(workers, folder, **MESSAGES))
        if arguments.pushes:
            port, database = ends.enter_context(push_endpoint()), Database(system.database_url)
        games = await open_games(system.port, arguments.games, words)
        if workers > 1:
            idle = await idle_stream(system, games, arguments.idle)
            print(f"\nper idle event stream: {idle / 1000:.1f} KB, ", end="")
            print(f"per worker: {system.resident() / workers / 1e6:.0f} MB", flush=True)
        label = f"{workers} worker{'s' * (workers > 1)}"
        title = f"{label}, {2 * arguments.games} players, each moving every 2 to 5 s"
        if arguments.pushes:
            fill(database, port, arguments.pushes)
        show(title, *await play(system, games, arguments.seconds, random_pause), arguments.seconds)
        if arguments.pushes:
            print(f"  pushes sent {arguments.pushes - Outbox(database).waiting():,}")
        eager = await open_games(system.port, arguments.eager, words)
        title = f"{label}, {arguments.eager} games without pauses"
        show(title, *await play(system, eager, arguments.seconds / 3, no_pause), arguments.seconds / 3)


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=250, help="number of two-player games")
    parser.add_argument("--seconds", type=float, default=45, help="seconds of measured play")
    parser.add_argument("--idle", type=int, default=1000, help="number of idle event streams")
    parser.add_argument("--pushes", type=int, default=0, help="number of pushes to be sent meanwhile")
    parser.add_argument("--eager", type=int, default=16, help="number of games without pauses")
    parser.add_argument(
        "--workers", type=int, nargs="*", default=[2, 1], help="numbers of workers, one run for each"
    )
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the finally blocks run
    with tempfile.TemporaryDirectory() as folder:
        words = playable_words(
            Library(resource("data"), Path(folder) / "home", Path(folder) / "cache").load()
        )
        for workers in arguments.workers:
            uvloop.run(measure(workers, arguments, words, Path(folder) / str(workers)))


if __name__ == "__main__":
    main()
