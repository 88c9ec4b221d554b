"""Response time of a chain, from POST to HTML fragment, with many players on one worker.

Each player is a thread with its own connection and cookie. It opens a Zen game, reads the board from the
fragment, finds a word with the solver, waits, and posts the chain. The store is SQLite on disk with full
synchronisation. Floors: median under 8 ms and p99 under 40 ms with 50 players, no errors.

The baseline is ``GET /healthz``, timed between the chains: the cost of a request that does nothing.
"""

import argparse
import http.client
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

from app.games.kernel import warm_up
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import Solver
from app.games.wibble.state import Board
from app.resources import resource
from app.words.letters import letter_values
from app.words.library import Library

TILE = re.compile(r'data-cell="\d+" data-letter="(\w)"')
PLY = re.compile(r'data-ply="(\d+)"')


class Player(threading.Thread):
    """A player of one Zen game at a brisk human pace."""

    def __init__(self, port: int, solver: Solver, think: float, until: float, number: int) -> None:
        super().__init__(daemon=True)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._solver = solver
        self._think = think
        self._until = until
        self._random = random.Random(number)
        self._cookie = ""
        self.chains: list[float] = []
        self.baseline: list[float] = []
        self.errors: list[str] = []

    def run(self) -> None:
        """Open a game and play until the deadline."""
        try:
            self._play()
        except (OSError, http.client.HTTPException, AssertionError) as error:
            self.errors.append(repr(error))

    def _play(self) -> None:
        time.sleep(self._random.random() * self._think)
        _, _, game = self._request("POST", "/play", {"mode": "zen"})
        _, page, _ = self._request("GET", game)
        while time.time() < self._until:
            time.sleep(self._random.expovariate(1 / self._think))
            fields = {"type": "chain", "ply": PLY.findall(page)[0], "cells": self._word(page)}
            seconds, page, _ = self._request("POST", f"{game}/moves", fields)
            self.chains.append(seconds)
            if 'data-result="scored"' not in page:
                self.errors.append("the chain did not score")
            self.baseline.append(self._request("GET", "/healthz")[0])

    def _word(self, page: str) -> str:
        letters = "".join(TILE.findall(page))
        found = self._solver.words(Board(letters=letters), 5, Scoring(letter_values("scrabble")))
        return ",".join(map(str, self._random.choice(found[:50]).cells))

    def _request(
        self, method: str, path: str, fields: dict[str, str] | None = None
    ) -> tuple[float, str, str]:
        headers = {"HX-Request": "true"} if path.endswith("/moves") else {}
        if self._cookie:
            headers["Cookie"] = self._cookie
        body = urlencode(fields) if fields else None
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        began = time.perf_counter()
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        seconds = time.perf_counter() - began
        if answer.status >= 400:
            self.errors.append(f"{method} {path}: {answer.status}")
        if cookie := answer.headers.get("Set-Cookie"):
            self._cookie = cookie.split(";")[0]
        return seconds, text, answer.headers.get("Location", "")


def serve(port: int, folder: Path) -> subprocess.Popen[bytes]:
    """Start a server and wait until it is ready."""
    settings = {
        "WIBBLE_DATA_DIR": str(folder / "data"),
        "WIBBLE_CACHE_DIR": str(folder / "cache"),
    }
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port)]
    silent = subprocess.DEVNULL
    server = subprocess.Popen(command, env=os.environ | settings, stdout=silent, stderr=silent)
    for _ in range(600):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return server
        except OSError:
            pass
        time.sleep(0.1)
    server.kill()
    raise RuntimeError("the server did not become ready within a minute")


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def measure(players: int, seconds: float, think: float, folder: Path) -> None:
    """Run the benchmark once and print the results."""
    solver = Solver(Library(resource("data"), folder / "home", folder / "library").load())
    port = free_port()
    server = serve(port, folder)
    try:
        until = time.time() + seconds
        crowd = [Player(port, solver, think, until, number) for number in range(players)]
        for player in crowd:
            player.start()
        for player in crowd:
            player.join()
    finally:
        server.terminate()
        server.wait(10)
    errors = [error for player in crowd for error in player.errors]
    for name, times in (
        ("chain POST", [seconds for player in crowd for seconds in player.chains]),
        ("GET /healthz", [seconds for player in crowd for seconds in player.baseline]),
    ):
        cuts = statistics.quantiles(times, n=100)
        print(
            f"{name:14} {len(times):6} requests  {len(times) / seconds:6.1f}/s  "
            f"median {cuts[49] * 1000:6.2f} ms  p90 {cuts[89] * 1000:6.2f} ms  p99 {cuts[98] * 1000:6.2f} ms"
        )
    print(f"errors: {len(errors)} {errors[:3]}")


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--think", type=float, default=2.0, help="seconds between chains, on average")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    warm_up()
    for _ in range(arguments.runs):
        with tempfile.TemporaryDirectory() as folder:
            measure(arguments.players, arguments.seconds, arguments.think, Path(folder))


if __name__ == "__main__":
    main()
