"""Whether pages stay responsive while the engines are flooded.

Many connections ask ``POST /api/solve`` for hard boards, one question after the other; whoever the pool has
no place for is told so (503) and asks again at once, which is ruder than any program should be. Meanwhile a
few readers look at pages, and every look is timed. Floor: p99 of a page under 300 ms on a machine with
nothing else to do, and every 503 with Retry-After.
"""

import argparse
import http.client
import json
import os
import random
import statistics
import string
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from benchmarks.chain_load import free_port, serve

PAGES = ("/", "/lobby", "/letterpress", "/fribble", "/daily", "/me", "/healthz", "/static/css/base.css")
VOWELS = "aeiou"


class Asker(threading.Thread):
    """A connection that asks again and again until the time is over."""

    def __init__(self, port: int, until: float, number: int) -> None:
        super().__init__(daemon=True)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._until = until
        self._random = random.Random(number)
        self.answers: Counter[int] = Counter()
        self.errors: list[str] = []
        self.times: list[float] = []

    def run(self) -> None:
        """Ask until the time is over."""
        while time.time() < self._until:
            try:
                self.ask()
            except (OSError, http.client.HTTPException) as error:
                self.errors.append(repr(error))
                self._connection.close()

    def ask(self) -> None:
        """One question and what follows from its answer."""
        raise NotImplementedError

    def send(self, method: str, path: str, body: str | None = None) -> http.client.HTTPResponse:
        """The answer, read to its end and timed."""
        began = time.perf_counter()
        self._connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = self._connection.getresponse()
        answer.read()
        self.times.append(time.perf_counter() - began)
        self.answers[answer.status] += 1
        return answer


class Flooder(Asker):
    """Asks for hard boards: many words, three plies, all the time there is."""

    def ask(self) -> None:
        """Solve a board; where there is no place for it, hardly wait."""
        letters = self._random.choices(VOWELS, k=9) + self._random.choices(string.ascii_lowercase, k=16)
        board = "".join(self._random.sample(letters, 25))
        body = {"board": board, "plies": 3, "budget_ms": 2000, "top": 100}
        answer = self.send("POST", "/api/solve", json.dumps(body))
        if answer.status == 503:
            if not answer.headers.get("Retry-After"):
                self.errors.append("503 without Retry-After")
            time.sleep(0.05)


class Reader(Asker):
    """Looks at pages."""

    def ask(self) -> None:
        """Look at one, then read."""
        answer = self.send("GET", self._random.choice(PAGES))
        if answer.status != 200:
            self.errors.append(f"a page answered {answer.status}")
        time.sleep(self._random.expovariate(5))


def measure(flooders: int, readers: int, seconds: float, folder: Path) -> None:
    """One run: print what both saw."""
    port = free_port()
    server = serve(port, folder)
    try:
        until = time.time() + seconds
        crowd = [
            *(Flooder(port, until, number) for number in range(flooders)),
            *(Reader(port, until, -1 - number) for number in range(readers)),
        ]
        for each in crowd:
            each.start()
        for each in crowd:
            each.join()
    finally:
        server.terminate()
        server.wait(20)
    print(f"{flooders} connections flood, {readers} read, {seconds:.0f} s")
    for kind in (Flooder, Reader):
        own = [each for each in crowd if isinstance(each, kind)]
        answers = sum((each.answers for each in own), Counter[int]())
        times = [one for each in own for one in each.times]
        if len(times) > 1:
            cuts = statistics.quantiles(times, n=100)
            print(
                f"  {kind.__name__:8} {len(times) / seconds:6.1f}/s  median {cuts[49] * 1000:6.1f} ms  p90 "
                f"{cuts[89] * 1000:6.1f} ms  p99 {cuts[98] * 1000:6.1f} ms  {dict(sorted(answers.items()))}"
            )
    errors = [error for each in crowd for error in each.errors]
    print(f"  errors: {len(errors)} {errors[:3]}")


def main() -> None:
    """Measure and print: without a flood, then with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flooders", type=int, default=40)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    os.environ["WIBBLE_RATE_LIMITS"] = "0"  # all come from one address, and nobody is to be let off by that
    for flooders in (0, given.flooders):
        with tempfile.TemporaryDirectory() as folder:
            measure(flooders, given.readers, given.seconds, Path(folder))


if __name__ == "__main__":
    main()
