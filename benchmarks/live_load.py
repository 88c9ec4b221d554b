"""500 people in 250 live games against two workers: what they wait for, and what it costs.

Starts ``wibble serve`` with a PostgreSQL and a Redis of its own, and plays Letterpress as pages do: the mover
posts a form, the other hears of it on an event stream and fetches the fragment. Floors: no error, move median
under 25 ms and p99 under 250 ms, event p99 under 500 ms, under 60 KB a stream that is silent.

Run it as ``python -m benchmarks.live_load``. Everything shares the machine, the players too.
"""

import argparse
import asyncio
import random
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvloop

from app.resources import resource
from app.words.library import Library
from benchmarks.live.client import EventStream
from benchmarks.live.cluster import Cluster, cluster
from benchmarks.live.players import Game, Seen, open_games, playable_words

WARM = 6.0
"""Seconds of play before anything counts."""


async def idle_stream(world: Cluster, games: Sequence[Game], count: int) -> float:
    """Bytes that the workers hold for one more stream on which nothing happens."""

    async def opened(number: int) -> EventStream:
        stream, told = await EventStream.open(world.port), asyncio.Event()
        stream.heard = lambda *_: told.set()
        stream.listen(f"/games/{games[number % len(games)].id}/events")
        await told.wait()
        return stream

    async def crowd(size: int) -> list[EventStream]:
        some = 20
        begins = range(0, size, some)
        return [
            stream
            for begin in begins
            for stream in await asyncio.gather(*map(opened, range(begin, min(begin + some, size))))
        ]

    async def disperse(streams: Sequence[EventStream]) -> None:
        for stream in streams:
            stream.close()
        await asyncio.sleep(1)

    await disperse(await crowd(200))  # what is made once is not a stream's
    before = world.resident()
    streams = await crowd(count)
    await asyncio.sleep(2)
    grown = world.resident() - before
    await disperse(streams)
    return grown / count


def unhurried() -> float:
    """Seconds before a move; two of them, one's own and the other's, lie between a player's two moves."""
    return random.uniform(1.0, 2.5)


def at_once() -> float:
    """No pause at all."""
    return 0.0


@dataclass
class Cost:
    """What a time of play took of the machine."""

    processors: Mapping[str, float]
    """Processors used, by process."""
    logged: int
    """Bytes that PostgreSQL wrote to its log."""


async def play(
    world: Cluster, games: Sequence[Game], seconds: float, think: Callable[[], float]
) -> tuple[Seen, Cost]:
    """What the players see and what it costs, once they have got going."""
    for some in range(0, len(games), 20):
        await asyncio.gather(*(game.open(world.port) for game in games[some : some + 20]))
    warm, seen = Seen(), Seen()
    until = time.perf_counter() + WARM
    await asyncio.gather(*(game.play(until, think, warm) for game in games))
    logged, used, began = world.logged(), world.processor_seconds(), time.perf_counter()
    await asyncio.gather(*(game.play(began + seconds, think, seen) for game in games))
    lasted = time.perf_counter() - began
    processors = {name: (now - used[name]) / lasted for name, now in world.processor_seconds().items()}
    cost = Cost(processors, world.logged() - logged)
    for game in games:
        game.close()
    seen.errors += warm.errors
    return seen, cost


def show(title: str, seen: Seen, cost: Cost, seconds: float) -> None:
    """A block of the table."""
    print(f"\n{title}")
    for name, times in (
        ("move, POST to fragment", seen.moves),
        ("view, GET to fragment", seen.fetches),
        ("event, after the answer", seen.deliveries),
        ("event, after the POST", seen.journeys),
    ):
        cuts = [cut * 1000 for cut in statistics.quantiles(times, n=100)]
        print(
            f"  {name:24} {len(times):6}  {len(times) / seconds:6.1f}/s   "
            f"p50 {cuts[49]:7.1f} ms   p90 {cuts[89]:7.1f} ms   p99 {cuts[98]:7.1f} ms"
        )
    print(f"  errors {len(seen.errors)} {seen.errors[:3] or ''}")
    print("  processors: " + ", ".join(f"{name} {used:.2f}" for name, used in cost.processors.items()))
    moves = len(seen.moves)
    workers = sum(used for name, used in cost.processors.items() if name.startswith("worker"))
    each = {"workers": workers} | {name: cost.processors[name] for name in ("PostgreSQL", "Redis")}
    told = ", ".join(f"{name} {used * seconds / moves * 1000:.2f} ms" for name, used in each.items())
    print(f"  a move: {told}, {cost.logged / moves / 1000:.1f} KB of PostgreSQL's log", flush=True)


async def measure(workers: int, given: argparse.Namespace, words: Sequence[str], folder: Path) -> None:
    """All there is to say of so many workers."""
    with cluster(workers, folder) as world:
        games = await open_games(world.port, given.games, words)
        if workers > 1:
            idle = await idle_stream(world, games, given.idle)
            print(f"\nan event stream on which nothing happens: {idle / 1000:.1f} KB, ", end="")
            print(f"a worker: {world.resident() / workers / 1e6:.0f} MB", flush=True)
        title = (
            f"{workers} worker{'s' * (workers > 1)}, {2 * given.games} players, each moving every 2 to 5 s"
        )
        show(title, *await play(world, games, given.seconds, unhurried), given.seconds)
        some = await open_games(world.port, given.eager, words)
        title = f"{workers} worker{'s' * (workers > 1)}, {given.eager} games as fast as they go"
        show(title, *await play(world, some, given.seconds / 3, at_once), given.seconds / 3)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=250, help="between two players each")
    parser.add_argument("--seconds", type=float, default=45, help="of play that counts")
    parser.add_argument("--idle", type=int, default=1000, help="silent event streams to weigh")
    parser.add_argument("--eager", type=int, default=16, help="games that are played without a pause")
    parser.add_argument("--workers", type=int, nargs="*", default=[2, 1], help="one run for each number")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is also ended then
    with tempfile.TemporaryDirectory() as folder:
        words = playable_words(
            Library(resource("data"), Path(folder) / "home", Path(folder) / "cache").load()
        )
        for workers in given.workers:
            uvloop.run(measure(workers, given, words, Path(folder) / str(workers)))


if __name__ == "__main__":
    main()
