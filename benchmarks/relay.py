"""Messages between workers through one Redis and through a Redis Cluster of three nodes.

Two relays in this process stand for two workers, each with a player at the same tables. Prints the number of
presence messages, at the start and in a quiet minute, then the events per second from one relay to the other
and the processor time of Redis per event; for a cluster, that of its busiest node.

Run it as ``python -m benchmarks.relay``.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import which
from statistics import median
from typing import Final

from app.web.live.bus import Bus, Listener
from app.web.live.presence import Presence
from app.web.live.redis_relay import RedisRelay
from tests.servers import RedisCluster, RedisServer

BURST: Final = 200
"""Events published at a time, each at a table of its own."""
TICKS: Final = os.sysconf("SC_CLK_TCK")


def published(nodes: Sequence[RedisServer]) -> int:
    """Return the number of messages published so far."""
    lines = "".join(node.command("INFO", "commandstats") for node in nodes).splitlines()
    counts = [line for line in lines if line.startswith(("cmdstat_publish:", "cmdstat_spublish:"))]
    return sum(int(line.partition("calls=")[2].partition(",")[0]) for line in counts)


def processor_seconds(nodes: Sequence[RedisServer]) -> list[float]:
    """Return the processor time of each node."""
    stats = [Path(f"/proc/{node.pid}/stat").read_text(encoding="utf-8") for node in nodes]
    return [sum(map(int, each.rpartition(")")[2].split()[11:13])) / TICKS for each in stats]


async def quiet(page: Listener) -> None:
    """Wait until no more events arrive."""
    while await page.receive(1.0):
        pass


async def passing(bus: Bus, pages: Sequence[Listener], rounds: int) -> None:
    """Publish events in bursts, each as soon as the one before has arrived at all tables."""
    for number in range(rounds):
        for table in range(BURST):
            bus.publish(str(table), "table", str(number))
        for page in pages[:BURST]:
            while (await page.receive(10)).get("table") != str(number):
                pass


async def measure(name: str, url: str, nodes: Sequence[RedisServer], arguments: argparse.Namespace) -> None:
    """Print the figures of one Redis."""
    buses = Bus(), Bus()
    presences = [Presence(bus) for bus in buses]
    relays = [RedisRelay(url, bus, presence) for bus, presence in zip(buses, presences, strict=True)]
    for bus, relay in zip(buses, relays, strict=True):
        bus.open()
        bus.relay = relay
        await relay.open()
    with ExitStack() as open_pages:
        before = published(nodes)
        for seat, (bus, presence) in enumerate(zip(buses, presences, strict=True)):
            pages = []
            for table in map(str, range(arguments.tables)):
                pages.append(open_pages.enter_context(bus.listen(table)))
                open_pages.enter_context(presence.count_page(table, seat))
            await quiet(pages[-1])
        began, opened = time.perf_counter(), published(nodes)
        await asyncio.sleep(arguments.quiet)
        minutes = (time.perf_counter() - began) / 60
        waiting = published(nodes) - opened
        print(
            f"{name}: {(opened - before) / arguments.tables:.2f} presence messages to open a table, "
            f"{waiting / arguments.tables / minutes:.2f} a minute and table",
            flush=True,
        )
        await passing(buses[0], pages, 5)
        rates, costs = [], []
        for _ in range(arguments.runs):
            used, began = processor_seconds(nodes), time.perf_counter()
            await passing(buses[0], pages, arguments.rounds)
            events = BURST * arguments.rounds
            rates.append(events / (time.perf_counter() - began))
            spent = [now - then for now, then in zip(processor_seconds(nodes), used, strict=True)]
            costs.append(max(spent) / events)
        print(f"{name}: {median(rates):,.0f} events a second, {median(costs) * 1e6:.1f} µs of Redis each")
    for relay in relays:
        await relay.close()


@contextmanager
def redis(kind: str) -> Iterator[tuple[str, list[RedisServer]]]:
    """Start a Redis; yield its URL and its nodes."""
    executable = which("redis-server")
    if executable is None:
        raise SystemExit("redis-server is not on the PATH")
    with tempfile.TemporaryDirectory() as folder:
        server: RedisServer | RedisCluster
        if kind == "cluster":
            server = RedisCluster(executable, Path(folder))
            nodes = server.nodes
        else:
            server = RedisServer(executable, Path(folder))
            nodes = [server]
        server.start()
        yield server.url, nodes
        server.stop()


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kinds", nargs="*", default=["one Redis", "cluster"])
    parser.add_argument("--tables", type=int, default=500, help=f"at least {BURST}")
    parser.add_argument("--quiet", type=float, default=60, help="seconds in which nothing happens")
    parser.add_argument("--rounds", type=int, default=50, help=f"bursts of {BURST} events in a run")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    for kind in arguments.kinds:
        with redis(kind) as (url, nodes):
            asyncio.run(measure(kind, url, nodes, arguments))


if __name__ == "__main__":
    main()
