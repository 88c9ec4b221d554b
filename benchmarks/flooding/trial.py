"""One flood: what it did to the player, to the server's memory, and how soon it was over."""

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

from benchmarks.flooding.player import Player, Seen
from benchmarks.flooding.questions import Question, Questions
from benchmarks.live.client import Connection

CONNECTIONS: Final = 60
PAGE: Final = 0.3
"""Seconds of a page's p99, at most."""
MOVE: Final = 0.5
"""Seconds of a move's p99, at most."""
GROWTH: Final = 1.5
"""Times the memory of the start, at most."""
BACK: Final = 1.15
"""Times the memory of the start that is as good as the start: what is kept has bounds of its own."""
RECOVERY: Final = 2.0
"""Seconds after a flood until the player is answered as if there had been none, at most."""
_LOOKED_AT: Final = 0.2
"""Seconds between two looks at the server's memory."""
_PATIENCE: Final = 60.0
"""Seconds to wait for recovery and for memory to be given back, at most."""


@dataclass(frozen=True)
class Server:
    """Who is flooded."""

    port: int
    process: int

    def memory(self) -> float:
        """Resident, in MB."""
        lines = Path(f"/proc/{self.process}/status").read_text(encoding="ascii").splitlines()
        return next(float(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


@dataclass(frozen=True)
class Trial:
    """What came of a flood."""

    seconds: float
    seen: Seen
    answers: Counter[str]
    """Of the flood, by status."""
    start: float
    """MB, as the others."""
    peak: float
    after: float
    """When it was back, or at the end of our patience."""
    recovery: float

    @property
    def failed(self) -> list[str]:
        """The floors that were not kept."""
        floors = {
            "page": p99(self.seen.pages) < PAGE,
            "move": p99(self.seen.moves) < MOVE,
            "refused": not self.seen.faults,
            "memory": self.peak < GROWTH * self.start and self.after < BACK * self.start,
            "recovery": self.recovery < RECOVERY,
        }
        return [name for name, kept in floors.items() if not kept]

    @property
    def badness(self) -> float:
        """How far beyond its floor the worst figure is; under 1 all are kept."""
        return max(
            p99(self.seen.pages) / PAGE,
            p99(self.seen.moves) / MOVE,
            self.peak / self.start / GROWTH,
            self.after / self.start / BACK,
            self.recovery / RECOVERY,
            2.0 * bool(self.seen.faults),
        )


def percentile(times: Sequence[float], share: float) -> float:
    """The time that so many are not above."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] if times else 0.0


def p99(times: Sequence[float]) -> float:
    """The time that 99 of 100 are not above."""
    return percentile(times, 0.99)


async def flood(
    port: int, address: str, questions: Questions, seconds: float, connections: int = CONNECTIONS
) -> Counter[str]:
    """Flood from one loopback address, by a process of its own; how it was answered."""
    told = {
        "port": port,
        "address": address,
        "questions": questions,
        "connections": connections,
        "seconds": seconds,
    }
    command = [sys.executable, "-m", "benchmarks.flooding.flooder"]
    root = Path(__file__).parents[2]
    flooder = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=root)
    try:
        counted, _ = await flooder.communicate(json.dumps(told).encode())
    finally:
        with suppress(ProcessLookupError):
            flooder.kill()
    return Counter(json.loads(counted))


async def answers_to(port: int, address: str, questions: Questions) -> list[tuple[Question, int]]:
    """The questions with the status that each is answered with, one after the other; but for streams."""
    connection = await Connection.open(port, address)
    statuses = []
    try:
        for each in questions:
            if not each.is_stream:
                body = each.body.encode()
                answer = await connection.ask(each.method, each.path, each.headers, body, _PATIENCE)
                statuses.append((each, answer.status))
    finally:
        connection.close()
    return statuses


async def attempt(
    server: Server, address: str, questions: Questions, seconds: float, connections: int = CONNECTIONS
) -> Trial:
    """Flood a server while somebody plays there, and wait until it is as before."""
    player = Player(server.port, _PATIENCE)
    await player.sit_down()
    start = peak = server.memory()
    over = asyncio.Event()

    async def watch() -> None:
        nonlocal peak
        while True:
            peak = max(peak, server.memory())
            await asyncio.sleep(_LOOKED_AT)

    watching = asyncio.create_task(watch())
    playing = asyncio.create_task(player.play(over))
    answers = await flood(server.port, address, questions, seconds, connections)
    ended = time.perf_counter()
    over.set()
    await playing
    while await player.look() > PAGE or await player.move() > MOVE:
        if time.perf_counter() - ended > _PATIENCE:
            break
    recovery = time.perf_counter() - ended
    while server.memory() > BACK * start and time.perf_counter() - ended < _PATIENCE:
        await asyncio.sleep(_LOOKED_AT)
    watching.cancel()
    player.leave()
    return Trial(seconds, player.seen, answers, start, peak, server.memory(), recovery)
