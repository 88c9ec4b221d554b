"""Memory under long mixed traffic: pages, games of all five kinds, engines, event streams.

Visitors open a game over the API, play it with words found by the engines, and load pages; others open event
streams and leave. The server's resident memory is read every few seconds and printed once a minute. Caches of
finished games, boards and database pages fill during the first 60,000 requests or so, and free memory is
returned once a minute, so that single readings vary: the medians of the second and last third are compared.
Floor over 30 minutes (``--minutes 30``): less than 3% growth, no errors.
"""

import argparse
import http.client
import json
import os
import random
import statistics
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.chain_load import free_port, serve

PAGES = (
    "/",
    "/daily",
    "/lobby",
    "/me",
    "/letterpress",
    "/letterpress/solver/random",
    "/boggle",
    "/boggle/daily",
    "/boggle/generator",
    "/fribble",
    "/fribble/board?rack-1=retains&engine=static",
    "/scrabblet",
    "/scrabblet/player?hand=ruolfnt",
    "/words",
    "/words/listen",
    "/nowhere",
    "/static/site/base.css",
    "/api/words/quiz",
    "/api/boggle?count=3",
    "/metrics",
)
WORDS = ("quiz", "retains", "listen", "anagrams", "stone", "bending", "wobbles", "harvest")


class Traffic:
    """State shared by all visitors."""

    def __init__(self, port: int, until: float) -> None:
        self.port = port
        self.until = until
        self.answers: Counter[int] = Counter()
        self.errors: list[str] = []
        self.tables: list[str] = []
        """Recent open games."""

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return time.time() > self.until


class Visitor:
    """A visitor with a connection and a cookie."""

    def __init__(self, traffic: Traffic, chance: random.Random) -> None:
        self._traffic = traffic
        self._chance = chance
        self._connection = http.client.HTTPConnection("127.0.0.1", traffic.port, timeout=60)
        self._cookie = ""

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request; return the JSON response, or None if it is an error or not JSON."""
        headers = {"Cookie": self._cookie} if self._cookie else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        self._traffic.answers[answer.status] += 1
        if answer.status >= 500 and answer.status != 503:
            self._traffic.errors.append(f"{method} {path}: {answer.status}")
        if cookie := answer.headers.get("Set-Cookie"):
            self._cookie = cookie.split(";")[0]
        is_json = answer.headers.get("Content-Type", "").startswith("application/json")
        return json.loads(text) if is_json and answer.status < 400 else None

    def visit(self) -> None:
        """Play a game of a random kind, loading other pages between the moves."""
        kind = self._chance.choice(sorted(PLAYED))
        options, moves, last = PLAYED[kind]
        game = self.ask("POST", "/api/games", {"kind": kind, **options})
        if game is None:
            return
        table = game["id"]
        self._traffic.tables = [*self._traffic.tables[-20:], table]
        for _ in range(self._chance.randrange(2, 8)):
            move = moves(self, game["view"])
            if move is None:
                break
            self.ask("POST", f"/api/games/{table}/moves", {"move": move})
            self.ask("GET", self._chance.choice([*PAGES, f"/words/{self._chance.choice(WORDS)}"]))
            self.ask("GET", f"/games/{table}")
            game = self.ask("GET", f"/api/games/{table}") or game
        if self._chance.random() < 0.8:
            self.ask("POST", f"/api/games/{table}/moves", {"move": {"type": last}})
            for path in ("analysis", "plies/1", "record"):
                self.ask("GET", f"/api/games/{table}/{path}")
        self.ask("PUT", "/api/me", {"nickname": f"Visitor {self._chance.randrange(10_000)}"})

    def listen(self, table: str) -> None:
        """Open an event stream, read the first event and disconnect."""
        self._connection.request("GET", f"/api/games/{table}/events")
        answer = self._connection.getresponse()
        self._traffic.answers[answer.status] += 1
        while answer.status == 200 and answer.readline().strip():
            pass
        time.sleep(self._chance.random() * 2)

    def leave(self) -> None:
        """Close the connection."""
        self._connection.close()

    def choose(self, answer: Any, member: str) -> Any:
        """Return a random result of an engine; None if there is none."""
        return self._chance.choice(answer[member]) if answer and answer[member] else None


def wibble(visitor: Visitor, view: Any) -> Any:
    """Return a move with a word of the board."""
    board = "".join(tile["letter"] for tile in view["tiles"])
    found = visitor.ask("POST", "/api/wibble/solve", {"board": board, "limit": 50, "swaps": 1})
    word = visitor.choose(found, "words")
    return word and {"type": "chain", "cells": word["cells"]}


def letterpress(visitor: Visitor, view: Any) -> Any:
    """Return a move with a good word, ignoring owners."""
    request = {"board": view["board"], "played": [turn["word"] for turn in view["turns"]], "budget_ms": 50}
    move = visitor.choose(visitor.ask("POST", "/api/solve", request), "moves")
    return move and {"type": "word", "cells": move["cells"]}


def boggle(visitor: Visitor, view: Any) -> Any:
    """Start the round, then return moves with words of the board."""
    if not view["board"]:
        return {"type": "start"}
    word = visitor.choose(visitor.ask("POST", "/api/boggle/solve", {"rows": view["board"]}), "words")
    return word and {"type": "word", "cells": word["path"]}


def fribble(visitor: Visitor, view: Any) -> Any:
    """Return one of the best moves by simulation."""
    if view["to_move"] != view["seat"]:
        return {"type": "pass"}
    request = {"board": list(view["board"]), "rack": view["rack"], "strategy": "simulating", "budget_ms": 50}
    move = visitor.choose(visitor.ask("POST", "/api/fribble/moves", request), "moves")
    return {"type": "write", "text": move["coordinate"]} if move else {"type": "pass"}


def scrabblet(visitor: Visitor, view: Any) -> Any:
    """Return a guess with a word of the hand."""
    word = visitor.choose(visitor.ask("POST", "/api/scrabblet/words", {"rack": view["rack"]}), "words")
    return word and {"type": "guess", "word": word["word"]}


PLAYED: dict[str, tuple[dict[str, Any], Any, str]] = {
    "wibble": ({"options": {"mode": "classic"}}, wibble, "pass"),
    "letterpress": ({"bots": [1]}, letterpress, "resign"),
    "boggle": ({}, boggle, "finish"),
    "fribble": ({"bots": [2]}, fribble, "resign"),
    "scrabblet": ({}, scrabblet, "quit"),
}
"""By kind: fields to open a game, function that finds a move, and the type of the final move."""


def send_visitors(traffic: Traffic, number: int, *, listens: bool) -> None:
    """Make visits until the time is up, each by a new visitor."""
    chance = random.Random(number)
    while not traffic.over:
        visitor = Visitor(traffic, chance)
        try:
            if not listens:
                visitor.visit()
            elif traffic.tables:
                visitor.listen(chance.choice(traffic.tables))
            else:
                time.sleep(1)
        except (OSError, http.client.HTTPException) as error:
            traffic.errors.append(repr(error))
        visitor.leave()


def resident(process: int) -> float:
    """Return the resident memory of a process in KB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return float(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def watch(process: int, traffic: Traffic, began: float, every: float) -> list[tuple[float, float]]:
    """Record minutes and resident KB until the time is up."""
    seen: list[tuple[float, float]] = []
    printed = -1
    while not traffic.over:
        minutes = (time.time() - began) / 60
        seen.append((minutes, resident(process)))
        if int(minutes) > printed:
            printed = int(minutes)
            files = len(list(Path(f"/proc/{process}/fd").iterdir()))
            tasks = len(list(Path(f"/proc/{process}/task").iterdir()))
            print(
                f"{printed:3} min  {seen[-1][1] / 1024:7.1f} MB  {files:3} files  {tasks:3} threads  "
                f"{sum(traffic.answers.values()):7} requests",
                flush=True,
            )
        time.sleep(every)
    return seen


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--visitors", type=int, default=6)
    parser.add_argument("--listeners", type=int, default=6)
    arguments = parser.parse_args()
    os.environ["WIBBLE_RATE_LIMITS"] = "0"  # all visitors share one address
    with tempfile.TemporaryDirectory() as folder:
        port, began = free_port(), time.time()
        server = serve(port, Path(folder))
        traffic = Traffic(port, began + 60 * arguments.minutes)
        crowd = [
            threading.Thread(
                target=send_visitors, args=(traffic, number), kwargs={"listens": listens}, daemon=True
            )
            for number, listens in enumerate([False] * arguments.visitors + [True] * arguments.listeners)
        ]
        try:
            for each in crowd:
                each.start()
            seen = watch(server.pid, traffic, began, every=5)
            for each in crowd:
                each.join(60)
        finally:
            server.terminate()
            server.wait(20)
    second, last = (
        statistics.median(
            size for minutes, size in seen if third <= 3 * minutes / arguments.minutes < third + 1
        )
        for third in (1, 2)
    )
    print(
        f"{second / 1024:.1f} MB in the second third, {last / 1024:.1f} in the last: {last / second - 1:+.1%}"
    )
    print(f"answers: {dict(sorted(traffic.answers.items()))}")
    print(f"errors: {len(traffic.errors)} {traffic.errors[:3]}")


if __name__ == "__main__":
    main()
