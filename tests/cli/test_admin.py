"""``wibble admin``."""

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import NullPool, create_engine, inspect, select, text
from typer.testing import CliRunner, Result

from app.commands.root import app
from app.store import retention
from app.store.schema import metadata
from tests.cli.command_list import leaves
from tests.driver import open_wibble
from tests.event_streams import SOON
from tests.servers import Served
from tests.shared_parts import empty_store


@pytest.fixture
def server(tmp_path: Path) -> Served:
    """A server that is not started; its store has empty tables."""
    served = Served(tmp_path)
    folder = Path(served.environment["WIBBLE_DATA_DIR"])
    folder.mkdir(exist_ok=True)
    (folder / "wibble.sqlite3").write_bytes(empty_store())
    return served


def wibble(server: Served, *arguments: str, given: str | None = None, **settings: str) -> Result:
    environment = {"WIBBLE_DATA_DIR": server.environment["WIBBLE_DATA_DIR"]} | settings
    return CliRunner().invoke(app, arguments, input=given, env=environment)


def test_stats_backup_export_and_prune_work_while_the_server_runs(server: Served, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    server.start()
    try:
        with httpx.Client(base_url=server.url, timeout=SOON) as client:
            game = open_wibble(client, "zen")["id"]
            client.post(f"/api/games/{game}/moves", json={"move": {"type": "shuffle"}})
            made = wibble(server, "admin", "backup", str(copy))
            assert made.exit_code == 0, made.stderr
            client.post(f"/api/games/{game}/moves", json={"move": {"type": "resign"}})
        counted = wibble(server, "admin", "stats")
        assert "1 player, 3 moves, 1 result" in counted.stdout
        assert "0 study boards, 0 cards in" in counted.stdout
        record = wibble(server, "admin", "export", game).stdout
        shown = wibble(server, "replay", "-", given=record)
        assert shown.exit_code == 0, shown.stderr
        kept = wibble(server, "admin", "prune", "--dry-run", WIBBLE_KEEP_FINISHED_DAYS="1")
        assert kept.stdout == (
            "Would remove 0 finished, 0 abandoned and 0 imported games, 0 lessons, "
            "and the study boards and cards of 0 guests.\n"
        )
        refused = wibble(server, "admin", "backup", str(copy))
        assert refused.exit_code == 2
        assert "exists already" in refused.stderr
    finally:
        server.stop()
    with sqlite3.connect(copy) as store:
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert store.execute("SELECT id, status FROM games").fetchall() == [(game, "open")]
        assert store.execute("SELECT count(*) FROM moves").fetchone() == (2,)


@pytest.fixture
def empty_url(postgresql_url: str) -> Iterator[str]:
    """The URL of a PostgreSQL database without tables."""
    server = create_engine(postgresql_url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with server.connect() as connection:
        connection.execute(text("CREATE DATABASE wibble_test_moved"))
    yield server.url.set(database="wibble_test_moved").render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(text("DROP DATABASE wibble_test_moved WITH (FORCE)"))


def test_a_store_moves_to_postgresql(server: Served, empty_url: str) -> None:
    file = Path(server.environment["WIBBLE_DATA_DIR"]) / "wibble.sqlite3"
    server.start()
    try:
        with httpx.Client(base_url=server.url, timeout=SOON) as client:
            game = open_wibble(client, "zen")["id"]
            client.post(f"/api/games/{game}/moves", json={"move": {"type": "shuffle"}})
            client.post("/api/cards", json={"words": ["quiz"]}).raise_for_status()
            card = {"word": "quiz", "ask": "anagram", "reps": 0, "answer": "quiz"}
            client.post("/api/cards/answers", json=card).raise_for_status()
        served = wibble(server, "admin", "copy-sqlite", str(file), WIBBLE_DATABASE_URL=empty_url)
        assert (served.exit_code, "stop it first" in served.stderr) == (2, True)
    finally:
        server.stop()
    nowhere = wibble(server, "admin", "copy-sqlite", str(file))
    assert (nowhere.exit_code, "WIBBLE_DATABASE_URL" in nowhere.stderr) == (2, True)
    moved = wibble(server, "admin", "copy-sqlite", str(file), WIBBLE_DATABASE_URL=empty_url)
    assert (moved.exit_code, moved.stdout.startswith("Copied ")) == (0, True), moved.stderr
    databases = [create_engine(url, poolclass=NullPool) for url in (f"sqlite:///{file}", empty_url)]
    with databases[0].connect() as old, databases[1].connect() as new:
        for table in metadata.sorted_tables:
            rows = [sorted(map(repr, each.execute(select(table)))) for each in (old, new)]
            assert rows[0] == rows[1], table.name
    for command in (("stats",), ("export", game)):
        before, after = (
            wibble(server, "admin", *command, **settings).stdout
            for settings in ({}, {"WIBBLE_DATABASE_URL": empty_url})
        )
        assert before.partition(" in sqlite")[0] == after.partition(" in postgresql")[0]
    with create_engine(empty_url, poolclass=NullPool).connect() as connection:
        # The next review has a new number.
        used = connection.scalar(text("SELECT max(number) FROM card_reviews"))
        following = text("SELECT nextval(pg_get_serial_sequence('card_reviews', 'number'))")
        assert connection.scalar(following) == used + 1
    other = file.with_name("other.sqlite3")
    sqlite3.connect(other).execute("CREATE TABLE notes (text)").connection.close()
    content = other.read_bytes()
    foreign = wibble(server, "admin", "copy-sqlite", str(other), WIBBLE_DATABASE_URL=empty_url)
    assert (foreign.exit_code, "not an SQLite store of Wibble" in foreign.stderr) == (2, True)
    assert other.read_bytes() == content
    itself = wibble(server, "admin", "copy-sqlite", str(file), WIBBLE_DATABASE_URL=f"sqlite:///{file}")
    assert (itself.exit_code, "of the PostgreSQL database" in itself.stderr) == (2, True)
    again = wibble(server, "admin", "copy-sqlite", str(file), WIBBLE_DATABASE_URL=empty_url)
    assert (again.exit_code, "is not empty" in again.stderr) == (2, True)


@pytest.mark.parametrize(
    "arguments",
    [
        *(["stats"], ["prune"], ["export", "x"], ["backup", "copy"], ["audit"], ["ratings", "rebuild"]),
        *(["players", "find", "x"], ["reports", "list"], ["operators", "list"]),
    ],
    ids=" ".join,
)
def test_a_command_creates_no_database(tmp_path: Path, arguments: list[str]) -> None:
    server = Served(tmp_path)
    refused = wibble(server, "admin", *arguments)
    assert refused.exit_code == 2
    assert f"no database of Wibble at sqlite:///{server.environment['WIBBLE_DATA_DIR']}" in refused.stderr
    assert not [*tmp_path.rglob("*.sqlite3")]


def test_a_damaged_database_is_not_called_missing(tmp_path: Path) -> None:
    server = Served(tmp_path)
    file = Path(server.environment["WIBBLE_DATA_DIR"]) / "wibble.sqlite3"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("no database, but enough text to be read as the head of one" * 9, encoding="ascii")
    refused = wibble(server, "admin", "stats")
    assert (refused.exit_code, "cannot be opened: file is not a database" in refused.stderr) == (2, True)


def test_no_tables_are_created_in_postgresql(server: Served, empty_url: str) -> None:
    refused = wibble(server, "admin", "stats", WIBBLE_DATABASE_URL=empty_url)
    assert (refused.exit_code, "no database of Wibble at postgresql" in refused.stderr) == (2, True)
    with create_engine(empty_url, poolclass=NullPool).connect() as connection:
        assert inspect(connection).get_table_names() == []
    absent = wibble(server, "admin", "stats", WIBBLE_DATABASE_URL="postgresql://nobody@127.0.0.1:1/wibble")
    assert (absent.exit_code, "cannot be opened: connection failed" in absent.stderr) == (2, True)


@pytest.mark.parametrize("begins", ["-", "--", "-h", "-_"])
def test_an_id_may_begin_with_a_hyphen(server: Served, begins: str) -> None:
    identifier = begins + "paBMxyzQw12345"[: 12 - len(begins)]
    refused = wibble(server, "admin", "export", identifier)
    assert refused.exit_code == 2
    assert f"there is no game {identifier!r}" in refused.stderr
    taken = set()
    for name, command in leaves().items():
        arguments = [each for each in command.params if each.param_type_name == "argument"]
        if any(re.search(r"\bID\b", each.help or "") for each in arguments):
            context = command.context_class(command, info_name=name, **command.context_settings)
            values = command.make_parser(context).parse_args([identifier])[0]
            assert identifier in values.values()
            taken.add(name)
    assert {"admin export", "admin players mute", "admin reports dismiss", "admin remove-game"} <= taken


def test_ratings_are_computed_again(server: Served) -> None:
    shown = wibble(server, "admin", "ratings", "rebuild", "--dry-run")
    assert shown.stdout == "0 rated games, 0 ratings: none would change\n"
    found = wibble(server, "admin", "ratings", "rebuild", "--json")
    assert json.loads(found.stdout) == {"games": 0, "ratings": 0, "changed": 0}
    assert wibble(server, "admin", "ratings", "rebuild", "twice").exit_code == 2


def test_what_is_removed_is_counted_in_the_singular(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "prunable", lambda *_: retention.Pruned(1, 1, 1, 1, 1))
    assert wibble(server, "admin", "prune", "--dry-run").stdout == (
        "Would remove 1 finished, 1 abandoned and 1 imported game, 1 lesson, "
        "and the study boards and cards of 1 guest.\n"
    )


def test_errors_exit_with_status_2(server: Served, tmp_path: Path) -> None:
    for name in ("nosuchgame", "no[redis]such", "[/foo]"):
        unknown = wibble(server, "admin", "export", name)
        assert (unknown.exit_code, f"no game '{name}'" in unknown.stderr) == (2, True)
    nowhere = wibble(server, "admin", "backup", str(tmp_path / "no" / "folder"))
    assert (nowhere.exit_code, "backup failed" in nowhere.stderr) == (2, True)
    assert "folder was not written: check that its folder exists" in nowhere.stderr
    assert ".unfinished" not in nowhere.stderr
    postgresql = wibble(
        server, "admin", "backup", "copy", WIBBLE_DATABASE_URL="postgresql://nobody@127.0.0.1:1/wibble"
    )
    assert (postgresql.exit_code, "pg_dump" in postgresql.stderr) == (2, True)
