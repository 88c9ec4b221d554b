"""``wibble admin`` as an operator types it."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.serving import Served


@pytest.fixture
def server(tmp_path: Path) -> Served:
    return Served(tmp_path)


def admin(
    server: Served, *arguments: str, given: str | None = None, **settings: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        env=server.environment | settings,
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_an_operator_at_a_running_server(server: Served, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    server.start()
    try:
        with httpx.Client(base_url=server.url) as client:
            game = client.post("/api/games", json={"options": {"mode": "zen"}}).json()["id"]
            client.post(f"/api/games/{game}/moves", json={"move": {"type": "shuffle"}})
            made = admin(server, "admin", "backup", str(copy))
            assert made.returncode == 0, made.stderr
            client.post(f"/api/games/{game}/moves", json={"move": {"type": "resign"}})
        counted = admin(server, "admin", "stats")
        assert "1 players, 2 moves, 1 results" in counted.stdout
        record = admin(server, "admin", "export", game).stdout
        shown = admin(server, "replay", "-", given=record)
        assert shown.returncode == 0, shown.stderr
        kept = admin(server, "admin", "prune", "--dry-run", WIBBLE_KEEP_FINISHED_DAYS="1")
        assert kept.stdout == "Would remove 0 finished and 0 abandoned games.\n"
        refused = admin(server, "admin", "backup", str(copy))
        assert refused.returncode == 2
        assert "exists already" in refused.stderr
    finally:
        server.stop()
    with sqlite3.connect(copy) as store:
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert store.execute("SELECT id, status FROM games").fetchall() == [(game, "open")]
        assert store.execute("SELECT count(*) FROM moves").fetchone() == (1,)
    assert sorted(tmp_path.glob("copy*")) == [copy]


def test_what_cannot_be_is_told_with_status_2(server: Served, tmp_path: Path) -> None:
    unknown = admin(server, "admin", "export", "nosuchgame")
    assert (unknown.returncode, "no game 'nosuchgame'" in unknown.stderr) == (2, True)
    nowhere = admin(server, "admin", "backup", str(tmp_path / "no" / "folder"))
    assert (nowhere.returncode, "no backup was made" in nowhere.stderr) == (2, True)
    postgresql = admin(
        server, "admin", "backup", "copy", WIBBLE_DATABASE_URL="postgresql://nobody@127.0.0.1:1/wibble"
    )
    assert (postgresql.returncode, "pg_dump" in postgresql.stderr) == (2, True)
    wrong = admin(server, "admin", "prune", WIBBLE_KEEP_ABANDONED_DAYS="0")
    assert (wrong.returncode, "WIBBLE_KEEP_ABANDONED_DAYS" in wrong.stderr) == (2, True)
