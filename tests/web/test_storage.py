"""A full disk or a locked file: a clear error, no damage, and recovery afterwards."""

import resource
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Pool, event

from app.settings import Settings
from app.web.table.analyst import Analyst
from tests.driver import open_game, open_wibble
from tests.event_streams import open_on
from tests.forked_servers import Forked
from tests.shared_parts import create_app
from tests.web.conftest import Clock


def is_put_off(answer: httpx.Response | httpx2.Response) -> bool:
    """Whether the response is a problem document: nothing was changed, and when to retry."""
    assert answer.status_code == 503, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert int(answer.headers["retry-after"]) >= 1
    return "nothing was changed" in answer.json()["detail"]


def shuffles(client: httpx.Client | TestClient, game: dict[str, Any]) -> httpx.Response | httpx2.Response:
    return client.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "shuffle"}})


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Forked]:
    with Forked(tmp_path) as forked:
        yield forked


def test_a_full_disk_loses_nothing_and_is_forgotten_when_there_is_space(
    server: Forked, tmp_path: Path
) -> None:
    """No file can grow any more, neither the store nor the server's log."""
    client, game = open_on(server, options={"mode": "zen"})
    ply = game["view"]["ply"]
    full = max(file.stat().st_size for file in (tmp_path / "data").iterdir())
    resource.prlimit(server.process, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
    while (answer := shuffles(client, game)).status_code == 200:
        ply += 1
    assert is_put_off(answer)
    assert is_put_off(client.post("/api/games", json={}))
    assert client.get(f"/api/games/{game['id']}").json()["view"]["ply"] == ply
    resource.prlimit(server.process, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert shuffles(client, game).json()["view"]["ply"] == ply + 1
    log = client.get(f"/api/games/{game['id']}/moves").json()["moves"]
    assert [line["ply"] for line in log] == list(range(ply + 1))
    assert "The store does not answer: disk I/O error" in server.log.read_text()


@contextmanager
def read_only() -> Iterator[None]:
    """Every connection refuses to write, as SQLite does on a disk that is mounted read-only."""

    def refuse(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA query_only = 1")

    def allow(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA query_only = 0")

    event.listen(Pool, "checkout", refuse)
    event.listen(Pool, "checkin", allow)
    try:
        yield
    finally:
        event.remove(Pool, "checkout", refuse)
        event.remove(Pool, "checkin", allow)


def test_on_a_disk_that_may_only_be_read_any_more_games_are_shown_and_moves_put_off(
    client: TestClient,
) -> None:
    game = open_wibble(client, "zen")
    before = client.get(f"/api/games/{game['id']}").json()
    with read_only():
        assert is_put_off(shuffles(client, game))
        assert is_put_off(client.post("/api/games", json={}))
        assert is_put_off(client.put("/api/me", json={"nickname": "Ada"}))
        assert client.get(f"/api/games/{game['id']}").json() == before
        assert client.get(f"/games/{game['id']}", headers={"Accept": "text/html"}).status_code == 200
        assert client.get("/", headers={"Accept": "text/html"}).status_code == 200
    assert shuffles(client, game).json()["view"]["ply"] == before["view"]["ply"] + 1


def test_pages_are_shown_where_a_bot_or_a_clock_is_due_on_a_disk_that_may_only_be_read_any_more(
    client: TestClient, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Viewing a table applies its timeouts, but those that cannot be stored have not happened."""
    monkeypatch.setattr(Analyst, "prepare", lambda *_: None)
    finished = open_wibble(client, "zen")["id"]
    client.post(f"/api/games/{finished}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    bot = open_game(client, "fribble", bots=[1], seats=2)["id"]
    client.post(f"/api/games/{bot}/moves", json={"move": {"type": "pass"}}).raise_for_status()
    timed = open_game(client, options={"mode": "blitz"})["id"]
    client.post(f"/api/games/{timed}/moves", json={"move": {"type": "start"}}).raise_for_status()
    before = [client.get(f"/api/games/{game}").json() for game in (bot, timed)]
    clock.now += 3600
    with read_only():
        pages = ("/", "/fribble", "/lobby", *(f"/games/{game}" for game in (bot, timed)))
        for page in (*pages, f"/games/{bot}/table", f"/games/{bot}/plies/0", f"/games/{finished}/analysis"):
            assert client.get(page, headers={"Accept": "text/html"}).status_code == 200, page
        assert [client.get(f"/api/games/{game}").json() for game in (bot, timed)] == before
        assert len(client.get(f"/api/games/{bot}/moves").json()["moves"]) == before[0]["view"]["ply"]
        assert is_put_off(client.post(f"/api/games/{bot}/moves", json={"move": {"type": "pass"}}))
    assert client.get(f"/api/games/{bot}").json()["view"]["ply"] == before[0]["view"]["ply"] + 1
    assert client.get(f"/api/games/{timed}").json()["finished_at"] is not None


@pytest.fixture
def held(
    settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[TestClient, Path]]:
    """An application with a short lock timeout, and its database file."""
    monkeypatch.setattr("app.store.database._BUSY_SECONDS", 1.0)
    with TestClient(create_app(settings, clock=clock), raise_server_exceptions=False) as client:
        yield client, settings.data_dir / "wibble.sqlite3"


def test_while_another_program_writes_moves_are_put_off_and_pages_are_shown(
    held: tuple[TestClient, Path],
) -> None:
    client, file = held
    game = open_wibble(client, "zen")
    before = client.get(f"/api/games/{game['id']}").json()
    with closing(sqlite3.connect(file, isolation_level=None)) as other, ThreadPoolExecutor(12) as hands:
        other.execute("BEGIN EXCLUSIVE")
        waiting = [hands.submit(shuffles, client, game) for _ in range(12)]
        assert client.get(f"/games/{game['id']}", headers={"Accept": "text/html"}).status_code == 200
        assert all(is_put_off(answer.result()) for answer in waiting)
        assert client.get(f"/api/games/{game['id']}").json() == before
        other.execute("ROLLBACK")
    assert shuffles(client, game).json()["view"]["ply"] == before["view"]["ply"] + 1
