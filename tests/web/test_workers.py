"""Several workers with one store: they communicate through Redis, and do not start without it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import uvicorn
from uvicorn.config import STARTUP_FAILURE

from app.commands.serve import _serve_with_workers
from app.store.database import Database
from tests.driver import PASS, move, sit_down
from tests.event_streams import SOON, EventStream, eventually, open_on
from tests.forked_servers import Forked
from tests.metrics import figure
from tests.servers import RedisCluster, RedisServer, Served

KEY = "the same for all workers, and long enough"


@contextmanager
def two_workers(
    folder: Path, database_url: str, redis: RedisServer | RedisCluster
) -> Iterator[tuple[Served, Served]]:
    """Two workers with one PostgreSQL and one Redis or cluster between them."""
    one, two = (
        Forked(folder / name, database_url, redis_url=redis.url, secret_key=KEY) for name in ("one", "two")
    )
    one.start()
    two.start()
    yield one, two
    one.stop()
    two.stop()


@pytest.fixture
def workers(
    tmp_path: Path, postgresql_url: str, redis_server: RedisServer
) -> Iterator[tuple[Served, Served]]:
    """Two workers with one Redis."""
    with two_workers(tmp_path, postgresql_url, redis_server) as both:
        yield both


@pytest.fixture
def workers_of_any(
    tmp_path: Path, postgresql_url: str, any_redis: RedisServer | RedisCluster
) -> Iterator[tuple[Served, Served]]:
    """Two workers with one Redis, then with a cluster."""
    with two_workers(tmp_path, postgresql_url, any_redis) as both:
        yield both


def seated(one: Served, two: Served) -> tuple[httpx.Client, httpx.Client, dict[str, Any]]:
    """A game of Letterpress between a player at each worker."""
    host, game = open_on(one, kind="letterpress")
    guest = httpx.Client(base_url=two.url, timeout=SOON)
    sit_down(guest, game)
    return host, guest, game


def test_a_move_at_one_worker_reaches_the_other(workers_of_any: tuple[Served, Served]) -> None:
    one, two = workers_of_any
    host, guest, game = seated(one, two)
    at_two, at_one = EventStream(two, game["id"], guest), EventStream(one, game["id"], host)
    assert at_two.wait_for("table") == at_one.wait_for("table") == "0-2"
    assert move(host, game, PASS, ply=0).status_code == 200
    assert at_two.wait_for("table") == "1-2"
    assert guest.get(f"/api/games/{game['id']}").json()["view"]["to_move"] == 1
    guest.post(f"/api/games/{game['id']}/remarks", json={"line": 1})
    assert at_one.wait_for("table", "1-2-1")
    assert EventStream(one, game["id"], host).wait_for("here") == "[0, 1]"
    program = EventStream(one, None, host)
    eventually(lambda: program.last_event != "")
    assert guest.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}}).status_code == 200
    assert program.wait_for("over") == json.dumps({"game": game["id"]})


def test_leaving_at_one_worker_is_noticed_at_the_other(workers_of_any: tuple[Served, Served]) -> None:
    one, two = workers_of_any
    host, game = open_on(one, kind="wibble", options={"mode": "versus"}, seats=3)
    guest = httpx.Client(base_url=two.url, timeout=SOON)
    sit_down(guest, game)
    stream = EventStream(one, game["id"], host)
    stream.wait_for("table", "0-2")
    guest.delete("/api/me").raise_for_status()
    stream.wait_for("table", "0-3")


def test_event_streams_end_when_a_command_removes_their_game(workers_of_any: tuple[Served, Served]) -> None:
    one, two = workers_of_any
    host, guest, game = seated(one, two)
    streams = EventStream(one, game["id"], host), EventStream(two, game["id"], guest)
    for stream in streams:
        stream.wait_for("table")
    command = [sys.executable, "-m", "app.cli", "admin", "remove-game", "--reason", "rude", "--", game["id"]]
    subprocess.run(command, env=one.environment, check=True, timeout=SOON)
    for stream in streams:
        assert stream.ended.wait(SOON)
    assert guest.get(f"/api/games/{game['id']}").status_code == 404


def test_a_name_that_a_command_removes_goes_from_open_pages(workers: tuple[Served, Served]) -> None:
    one, two = workers
    host, guest, game = seated(one, two)
    guest.put("/api/me", json={"nickname": "Pest"}).raise_for_status()
    stream = EventStream(one, game["id"], host)
    stream.wait_for("table", "0-4")
    for version, action in (("0-6", ["rename"]), ("0-8", ["mute", "--days", "1"])):
        player = f"{game['id']}/1"
        command = [
            sys.executable,
            "-m",
            "app.cli",
            "admin",
            "players",
            *action,
            "--reason",
            "x",
            "--",
            player,
        ]
        subprocess.run(command, env=one.environment, check=True, timeout=SOON)
        stream.wait_for("table", version)
    seats = host.get(f"/api/games/{game['id']}").json()["seats"]
    assert "Pest" not in [seat["name"] for seat in seats]


def test_one_of_two_concurrent_moves_is_made_and_one_refused(workers: tuple[Served, Served]) -> None:
    one, two = workers
    host, guest, game = seated(one, two)
    elsewhere = httpx.Client(base_url=two.url, cookies=host.cookies, timeout=SOON)
    for ply in range(0, 4, 2):
        both = threading.Barrier(2)

        def move(client: httpx.Client, ply: int = ply, both: threading.Barrier = both) -> int:
            both.wait()
            word = {"type": "resign"} if ply else {"type": "pass"}
            return client.post(f"/api/games/{game['id']}/moves", json={"ply": ply, "move": word}).status_code

        with ThreadPoolExecutor(2) as hands:
            statuses = sorted(hands.map(move, (host, elsewhere)))
        assert statuses == [200, 409]
        if ply == 0:
            word = _some_word(guest, game)
            assert word.status_code == 200, word.text
    log = host.get(f"/api/games/{game['id']}/moves").json()["moves"]
    assert [line["ply"] for line in log] == [0, 1, 2]


def _some_word(client: httpx.Client, game: dict[str, Any]) -> httpx.Response:
    board = game["view"]["board"]
    best = client.get("/api/solve", params={"board": board, "limit": 1}).json()["moves"][0]
    move = {"type": "word", "cells": best["cells"]}
    return client.post(f"/api/games/{game['id']}/moves", json={"ply": 1, "move": move})


def test_redis_may_go_and_come_back_in_the_middle_of_a_game(
    workers: tuple[Served, Served], redis_server: RedisServer
) -> None:
    one, two = workers
    host, guest, game = seated(one, two)
    stream = EventStream(two, game["id"], guest)
    stream.wait_for("table", "0-2")
    redis_server.stop()
    assert move(host, game, PASS, ply=0).status_code == 200
    redis_server.start()
    assert stream.wait_for("table", "1-2"), "the stream catches up when Redis is back"
    assert _some_word(guest, game).status_code == 200
    assert guest.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "resign"}}).status_code == 200
    assert EventStream(one, game["id"], host).wait_for("table") == "3-2"


def test_workers_of_one_command_share_the_games(
    tmp_path: Path, postgresql_url: str, redis_server: RedisServer
) -> None:
    server = Served(tmp_path, postgresql_url, arguments=("--workers", "2"), redis_url=redis_server.url)
    server.start()
    host, game = open_on(server, kind="letterpress", bots=[1])
    streams = [EventStream(server, game["id"], host) for _ in range(6)]
    assert move(host, game, PASS, ply=0).status_code == 200
    for stream in streams:
        stream.wait_for("table", "1-2")
    server.stop()
    assert all(stream.ended.wait(SOON) for stream in streams), "they ended normally and were not cut off"
    assert "timeout graceful shutdown exceeded" not in server.log.read_text()


def test_the_figures_of_one_worker_are_those_of_all(
    tmp_path: Path, postgresql_url: str, redis_server: RedisServer
) -> None:
    server = Served(tmp_path, postgresql_url, arguments=("--workers", "2"), redis_url=redis_server.url)
    server.environment["TMPDIR"] = str(tmp_path)
    server.start()
    eventually(lambda: figure(httpx.Client(base_url=server.url, timeout=SOON), "wibble_workers") == 2)
    host, game = open_on(server, kind="letterpress")
    with ExitStack() as pages:
        for _ in range(6):
            pages.enter_context(
                httpx.stream("GET", f"{server.url}/api/games/{game['id']}/events", timeout=SOON)
            )
        eventually(lambda: figure(host, "wibble_event_streams") == 6)
    seen = {"method": "GET", "route": "/api/games/{game_id}", "status": 200}
    for asked in range(1, 9):
        fresh = httpx.Client(
            base_url=server.url, timeout=SOON
        )  # a connection of its own, which either worker may take
        fresh.get(f"/api/games/{game['id']}")
        assert figure(fresh, "wibble_request_seconds_count", **seen) == asked
    pids = re.findall(r'process_resident_memory_bytes{pid="(\d+)"}', host.get("/metrics").text)
    assert len(pids) == 2

    os.kill(int(pids[0]), signal.SIGKILL)
    other = httpx.Client(base_url=server.url, timeout=SOON)
    eventually(lambda: f'pid="{pids[0]}"' not in answered(other))
    assert figure(other, "wibble_request_seconds_count", **seen) == 8, "counters keep their values"
    server.stop()
    assert not list(tmp_path.glob("wibble-metrics-*"))


def answered(client: httpx.Client) -> str:
    """The metrics from any worker that is alive."""
    try:
        return client.get("/metrics").text
    except httpx.TransportError:
        return client.get("/metrics").text


def run(folder: Path, *arguments: str, database_url: str | None = None) -> subprocess.CompletedProcess[str]:
    served = Served(folder, database_url)
    command = [sys.executable, "-m", "app.cli", "serve", "--port", "0", *arguments]
    return subprocess.run(
        command, env=served.environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_more_workers_than_one_are_refused_without_redis(tmp_path: Path) -> None:
    refused = run(tmp_path, "--workers", "2")
    assert refused.returncode == 2
    assert "set WIBBLE_REDIS_URL" in refused.stderr


class BrokenWorkers:
    """Uvicorn's workers after one of them failed to start."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.processes = [SimpleNamespace(exitcode=None), SimpleNamespace(exitcode=STARTUP_FAILURE)]

    def run(self) -> None:
        """Return at once."""


def test_a_worker_that_fails_to_start_ends_the_command_as_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uvicorn.supervisors.Multiprocess", BrokenWorkers)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit) as ended:
        _serve_with_workers(uvicorn.Config(""), socket.socket())
    assert ended.value.code == STARTUP_FAILURE


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_a_second_server_of_the_same_games_is_refused_without_redis(
    tmp_path: Path, store: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgresql_url") if store == "postgresql" else None
    first = Forked(tmp_path, url)
    first.start()
    refused = run(tmp_path, database_url=url)
    assert refused.returncode == 2
    if url is None:
        assert f"another Wibble is using the data folder {tmp_path}" in refused.stderr
        assert "choose another folder with WIBBLE_DATA_DIR" in refused.stderr
    else:
        assert "choose another database with WIBBLE_DATABASE_URL" in refused.stderr
    assert "set WIBBLE_REDIS_URL for each of them" in refused.stderr
    first.kill()
    again = Forked(tmp_path, url)
    again.start()
    again.stop()


def test_a_server_that_loses_its_claim_claims_again_or_stops(tmp_path: Path, postgresql_url: str) -> None:
    server, other = Served(tmp_path, postgresql_url), Database(postgresql_url)
    locks = "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND granted"
    server.start()
    with other.reading() as connection:
        assert connection.exec_driver_sql(locks).all() == [(True,)]
    eventually(lambda: "The database is claimed again" in server.log.read_text())
    with other.reading() as connection:
        assert connection.exec_driver_sql(locks).all() == [(True,)]
    other.claim()
    eventually(lambda: not server.runs)
    assert "Another Wibble process has claimed the database" in server.log.read_text()
    assert server._process is not None
    assert server._process.returncode == 1
    other.close()


def test_a_rematch_reaches_the_other_worker_and_is_one_table(workers: tuple[Served, Served]) -> None:
    one, two = workers
    host, guest, game = seated(one, two)
    address = f"/api/games/{game['id']}"
    assert host.post(f"{address}/moves", json={"move": {"type": "resign"}}).status_code == 200
    at_two = EventStream(two, game["id"], guest)
    assert at_two.wait_for("table") == "1-2"
    asked = host.post(f"{address}/rematch").json()
    at_two.wait_for("table", "1-3")
    assert guest.get(address).json()["rematch"] == {"game_id": asked["id"], "seats": [0]}
    at_one = EventStream(one, asked["id"], host)
    assert at_one.wait_for("table") == "0-1"
    joined = guest.post(f"{address}/rematch").json()
    assert (joined["id"], joined["seat"]) == (asked["id"], 1)
    at_one.wait_for("table", "0-2")

    assert host.post(f"/api/games/{asked['id']}/moves", json={"move": {"type": "resign"}}).status_code == 200
    both = threading.Barrier(2)

    def ask(client: httpx.Client) -> str:
        both.wait()
        answer = client.post(f"{address}/rematch")
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    with ThreadPoolExecutor(2) as hands:
        found = set(hands.map(ask, (host, guest)))
    assert len(found) == 1
    seats = host.get(f"/api/games/{found.pop()}").json()["seats"]
    assert [seat["occupant"] for seat in seats] == ["player", "player"]
