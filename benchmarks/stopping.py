"""Shutdown time of a busy server.

Many connections request engine work with the longest time limits and others hold event streams open when the
server gets SIGTERM. Floor: the process ends within ten seconds with exit status 0, and every response is 200,
429 or 503.
"""

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.chain_load import free_port

JSON = {"Content-Type": "application/json"}
BOARD = "retainsgoldumpychefbkswiv"
REQUESTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/solve", {"board": BOARD, "plies": 3, "budget_ms": 10_000}),
    ("/api/fribble/moves", {"rack": "RETINAS", "strategy": "simulating", "budget_ms": 10_000}),
    ("/api/solve/batch", {"boards": 30 * [{"board": BOARD, "plies": 3, "budget_ms": 1000}]}),
)


class Client(threading.Thread):
    """Repeats a request until the server refuses connections."""

    def __init__(self, port: int, method: str, path: str, body: dict[str, Any] | None = None) -> None:
        super().__init__(daemon=True)
        self._port = port
        self._request = (method, path, None if body is None else json.dumps(body))
        self.answers: Counter[str] = Counter()

    def run(self) -> None:
        """Send requests, reconnecting when the server closes the connection."""
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            try:
                while True:
                    connection.request(*self._request, headers=JSON)
                    answer = connection.getresponse()
                    answer.read()
                    self.answers[str(answer.status)] += 1
                    if answer.status in {429, 503}:
                        time.sleep(0.05)
            except ConnectionRefusedError:
                return
            except (OSError, http.client.HTTPException) as error:
                self.answers[type(error).__name__] += 1


def measure(connections: int, streams: int, workers: int, folder: Path, redis_url: str | None) -> None:
    """Run the benchmark once; print the shutdown time and the response counts."""
    port = free_port()
    environment = os.environ | {"WIBBLE_DATA_DIR": str(folder), "WIBBLE_RATE_LIMITS": "0"}
    if redis_url is not None:
        environment["WIBBLE_REDIS_URL"] = redis_url
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port), "--workers", str(workers)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    game = ""
    while not game:
        time.sleep(0.2)
        with suppress(OSError):
            first = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            first.request("GET", "/readyz")
            answer = first.getresponse()
            answer.read()
            if answer.status == 200:
                first.request("POST", "/api/games", '{"kind": "letterpress"}', JSON)
                game = json.loads(first.getresponse().read())["id"]
    clients = [Client(port, "POST", *REQUESTS[number % len(REQUESTS)]) for number in range(connections)] + [
        Client(port, "GET", f"/api/games/{game}/events") for _ in range(streams)
    ]
    for client in clients:
        client.start()
    time.sleep(5)
    server.send_signal(signal.SIGTERM)
    began = time.monotonic()
    status = server.wait()
    print(f"{workers} workers: ended after {time.monotonic() - began:.1f} s with exit status {status}")
    print("answers:", dict(sum((client.answers for client in clients), Counter())))
    print((folder / "log").read_text()[-2000:] if status else "", end="")


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--connections", type=int, default=60)
    parser.add_argument("--streams", type=int, default=20)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--redis-url", default=None)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(
            arguments.connections,
            arguments.streams,
            arguments.workers,
            Path(folder),
            arguments.redis_url,
        )


if __name__ == "__main__":
    main()
