"""Response times with a large store: the daily, old games and analyses.

Starts a server on an SQLite store in which 10,000 players have finished today's daily; one client with one
connection sends requests. Floors: ``GET /daily`` with a median under 30 ms; the analysis of a game of five
rounds within 200 ms of its last move; the page of a game finished a year ago as fast as that of today's.

The baseline is ``GET /healthz``: the cost of a request that does nothing.
"""

import argparse
import http.client
import json
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import insert

from app.games.kernel import warm_up
from app.games.wibble.moves import Chain
from app.games.wibble.options import Setup
from app.games.wibble.rules import Wibble
from app.resources import resource
from app.rooms import ROOMS
from app.store.dailies import DailyStore
from app.store.database import Database
from app.store.games import GameStore
from app.store.models import Seat
from app.store.players import PlayerStore
from app.store.schema import attempts, games, players, results, seats
from app.words.library import Library
from benchmarks.chain_load import free_port, serve

YEAR = 365 * 24 * 3600


class Browser:
    """An HTTP connection with a cookie."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._cookie = ""

    def ask(self, method: str, path: str, body: Any = None) -> tuple[float, str]:
        """Send a request; return the seconds taken and the body, or the location of a redirect."""
        headers = {"Cookie": self._cookie} if self._cookie else {}
        if isinstance(body, dict):
            api = path.startswith("/api/")
            headers["Content-Type"] = "application/json" if api else "application/x-www-form-urlencoded"
            body = json.dumps(body) if api else urlencode(body)
        began = time.perf_counter()
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        seconds = time.perf_counter() - began
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {text}")
        if cookie := answer.headers.get("Set-Cookie"):
            self._cookie = cookie.split(";")[0]
        return seconds, answer.headers.get("Location", "") if answer.status == 303 else text

    def best(self, game: dict[str, Any]) -> list[int]:
        """Return the cells of the best word on the board."""
        board = "".join(tile["letter"] for tile in game["view"]["tiles"])
        found = json.loads(self.ask("POST", "/api/wibble/solve", {"board": board, "limit": 1})[1])
        cells: list[int] = found["words"][0]["cells"]
        return cells

    def play_out(self, game_id: str) -> tuple[float, float]:
        """Play a Classic game; return the seconds of the last move, without and with the analysis."""
        path = f"/api/games/{game_id}"
        game = json.loads(self.ask("GET", path)[1])
        moved = 0.0
        while game["outcome"] is None:
            move = {"move": {"type": "chain", "cells": self.best(game)}}
            moved, answer = self.ask("POST", f"{path}/moves", move)
            game = json.loads(answer)
        waited, _ = self.ask("GET", f"{path}/analysis")
        return moved, moved + waited


def fill(folder: Path, count: int) -> str:
    """Create a store with ``count`` attempts at today's daily; return a year-old game's ID."""
    database = Database(f"sqlite:///{folder / 'data' / 'wibble.sqlite3'}")
    database.migrate()
    rulebook = ROOMS.rulebook(Library(resource("data"), folder / "data", folder / "cache"))
    store = GameStore(database, rulebook)
    now = time.time()
    old = _played(store, PlayerStore(database).create(now - YEAR), now - YEAR)
    day = datetime.fromtimestamp(now, UTC).date()
    first = DailyStore(database, rulebook, store, Wibble.kind).attempt(
        day, PlayerStore(database).create(now), now
    )
    options = first.state.options.model_dump_json()
    rng = random.Random(1)
    crowd = [(f"player-{number}", f"game-{number}", rng.randrange(60, 260)) for number in range(count)]
    times = [now - rng.random() * 3600 for _ in crowd]
    common = {"kind": Wibble.kind, "finished_at": now}
    with database.writing() as connection:
        connection.execute(
            insert(players),
            [{"id": player, "created_at": now, "nickname": f"N. {player}"} for player, _, _ in crowd],
        )
        connection.execute(
            insert(games),
            [
                common
                | {
                    "id": game,
                    "options": options,
                    "seed": first.seed,
                    "status": "finished",
                    "created_at": now,
                }
                for _, game, _ in crowd
            ],
        )
        connection.execute(
            insert(seats), [{"game_id": game, "seat": 0, "player_id": player} for player, game, _ in crowd]
        )
        connection.execute(
            insert(attempts),
            [
                common
                | {
                    "day": day.isoformat(),
                    "player_id": player,
                    "game_id": game,
                    "score": score,
                    "finished_at": at,
                }
                for (player, game, score), at in zip(crowd, times, strict=True)
            ],
        )
        connection.execute(
            insert(results),
            [
                common
                | {
                    "game_id": game,
                    "seat": 0,
                    "player_id": player,
                    "mode": "classic",
                    "seats": 1,
                    "won": True,
                    "score": score,
                    "words": 5,
                    "best_word": "quizzes",
                    "best_points": 40,
                    "longest_word": "quizzes",
                    "accuracy": 60 + score % 40,
                }
                for player, game, score in crowd
            ],
        )
    database.close()
    return old


def _played(store: GameStore, player: str, at: float) -> str:
    """Play a Classic game to the end at time ``at``; return its ID."""
    table = store.open(Wibble.kind, Setup(mode="classic"), [Seat(player)], at)
    while table.finished_at is None:
        game, state = table.game, table.state
        assert isinstance(game, Wibble)
        found = game.solver.best(state.board, state.options.size, game.scoring(state.options))
        assert found is not None
        table = store.play(table.id, player, Chain(cells=found.cells), at)
    return table.id


def show(name: str, seconds: list[float], floor: float | None = None) -> None:
    """Print a line of the table."""
    median, worst = statistics.median(seconds) * 1000, max(seconds) * 1000
    p90 = statistics.quantiles(seconds, n=10)[8] * 1000
    verdict = "" if floor is None else f"  floor {floor:5.0f} ms: {'kept' if median < floor else 'MISSED'}"
    print(
        f"{name:34} {len(seconds):4}x  median {median:7.2f}  p90 {p90:7.2f}  worst {worst:7.2f} ms{verdict}"
    )


def measure(count: int, times: int, matches: int, folder: Path) -> None:
    """Fill the store, start the server, measure and print."""
    old = fill(folder, count)
    port = free_port()
    server = serve(port, folder)
    try:
        guest, player = Browser(port), Browser(port)
        ranked = player.ask("POST", "/daily/play")[1].rpartition("/")[2]
        player.play_out(ranked)
        pages = {
            "GET /healthz (baseline)": (guest, "/healthz", None),
            f"GET /daily, {count:,} results, guest": (guest, "/daily", 30.0),
            "GET /daily, finished": (player, "/daily", 30.0),
            "GET /api/daily": (player, "/api/daily", 30.0),
            "GET /": (player, "/", None),
            "today's game": (guest, f"/games/{ranked}", None),
            "game from a year ago": (guest, f"/games/{old}", None),
            "replay of today's game": (guest, f"/games/{ranked}/plies/3", None),
            "replay of a game from a year ago": (guest, f"/games/{old}/plies/3", None),
        }
        taken: dict[str, list[float]] = {name: [] for name in pages}
        for browser, path, _ in pages.values():
            browser.ask("GET", path)
        for _ in range(times):
            for name, (browser, path, _) in pages.items():
                taken[name].append(browser.ask("GET", path)[0])
        for name, (_, _, floor) in pages.items():
            show(name, taken[name], floor)
        ends = []
        for _ in range(matches):
            body = {"options": {"mode": "classic"}}
            game = json.loads(player.ask("POST", "/api/games", body)[1])
            ends.append(player.play_out(game["id"]))
        show("last move of five rounds", [moved for moved, _ in ends])
        show("... and its analysis", [there for _, there in ends], 200.0)
    finally:
        server.terminate()
        server.wait(10)


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--games", type=int, default=30)
    arguments = parser.parse_args()
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        measure(arguments.results, arguments.times, arguments.games, Path(folder))


if __name__ == "__main__":
    main()
