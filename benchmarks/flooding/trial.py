"""A single flood: its effect on the player and the server's memory, and the recovery time."""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE
from typing import Final

from benchmarks.flooding.player import Player, PlayerResults
from benchmarks.flooding.requests import Request, Requests
from benchmarks.live.client import Connection

CONNECTIONS: Final = 60
PAGE: Final = 0.3
"""Floor for the page p99 in seconds."""
MOVE: Final = 0.5
"""Floor for the move p99 in seconds."""
GROWTH: Final = 1.5
"""Floor for peak memory, relative to the start."""
BACK: Final = 1.15
"""Floor for memory after the flood, relative to the start."""
RECOVERY: Final = 2.0
"""Floor for the seconds after a flood until response times are normal."""
_SAMPLE_SECONDS: Final = 0.2
"""Seconds between readings of the server's memory."""
_PATIENCE: Final = 60.0
"""Timeout for recovery and for memory to be returned."""


@dataclass(frozen=True)
class Server:
    """The flooded server."""

    port: int
    process: int

    def memory(self) -> float:
        """Return the resident memory in MB."""
        lines = Path(f"/proc/{self.process}/status").read_text(encoding="ascii").splitlines()
        return next(float(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


@dataclass(frozen=True)
class Trial:
    """The results of a flood."""

    seconds: float
    player: PlayerResults
    answers: Counter[str]
    """Responses to the flood by status."""
    start: float
    """Memory at the start in MB."""
    peak: float
    after: float
    """Memory after recovery or timeout in MB."""
    recovery: float
    """Seconds until response times were normal."""

    @property
    def failed(self) -> list[str]:
        """The names of the missed floors."""
        floors = {
            "page": p99(self.player.pages) < PAGE,
            "move": p99(self.player.moves) < MOVE,
            "refused": not self.player.errors,
            "memory": self.peak < GROWTH * self.start and self.after < BACK * self.start,
            "recovery": self.recovery < RECOVERY,
        }
        return [name for name, kept in floors.items() if not kept]

    @property
    def severity(self) -> float:
        """The worst ratio of a figure to its floor; below 1 all floors are kept."""
        return max(
            p99(self.player.pages) / PAGE,
            p99(self.player.moves) / MOVE,
            self.peak / self.start / GROWTH,
            self.after / self.start / BACK,
            self.recovery / RECOVERY,
            2.0 * bool(self.player.errors),
        )


def percentile(times: Sequence[float], share: float) -> float:
    """Return the percentile for a share from 0 to 1; 0 for no times."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] if times else 0.0


def p99(times: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return percentile(times, 0.99)


async def flood(
    port: int, address: str, requests: Requests, seconds: float, connections: int = CONNECTIONS
) -> Counter[str]:
    """Flood from a loopback address in a separate process; return the responses by status."""
    task = {
        "port": port,
        "address": address,
        "requests": requests,
        "connections": connections,
        "seconds": seconds,
    }
    command = [sys.executable, "-m", "benchmarks.flooding.flooder"]
    root = Path(__file__).parents[2]
    flooder = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=root)
    try:
        counted, _ = await flooder.communicate(json.dumps(task).encode())
    finally:
        with suppress(ProcessLookupError):
            flooder.kill()
    return Counter(json.loads(counted))


async def send_each(port: int, address: str, requests: Requests) -> list[tuple[Request, int]]:
    """Send the requests one by one, except streams; return each with its status."""
    connection = await Connection.open(port, address)
    statuses = []
    try:
        for request in requests:
            if not request.is_stream:
                body = request.body.encode()
                answer = await connection.ask(request.method, request.path, request.headers, body, _PATIENCE)
                statuses.append((request, answer.status))
    finally:
        connection.close()
    return statuses


async def run_trial(
    server: Server, address: str, requests: Requests, seconds: float, connections: int = CONNECTIONS
) -> Trial:
    """Flood a server during play and wait for its recovery."""
    player = Player(server.port, _PATIENCE)
    await player.open_game()
    start = peak = server.memory()
    over = asyncio.Event()

    async def watch() -> None:
        nonlocal peak
        while True:
            peak = max(peak, server.memory())
            await asyncio.sleep(_SAMPLE_SECONDS)

    watching = asyncio.create_task(watch())
    playing = asyncio.create_task(player.play(over))
    answers = await flood(server.port, address, requests, seconds, connections)
    ended = time.perf_counter()
    over.set()
    await playing
    while await player.load_page() > PAGE or await player.move() > MOVE:
        if time.perf_counter() - ended > _PATIENCE:
            break
    recovery = time.perf_counter() - ended
    while server.memory() > BACK * start and time.perf_counter() - ended < _PATIENCE:
        await asyncio.sleep(_SAMPLE_SECONDS)
    watching.cancel()
    player.close()
    return Trial(seconds, player.results, answers, start, peak, server.memory(), recovery)
