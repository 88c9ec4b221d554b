"""Connections: pooled ones are closed before PostgreSQL's timeout, and SQLite reopens a new file."""

import os
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest
from sqlalchemy import delete, func, select
from sqlalchemy.exc import OperationalError

from app.store.database import Database, StoreInUse
from app.store.schema import players


def test_a_connection_that_the_server_has_hung_up_is_replaced(postgresql_url: str) -> None:
    ours, others = Database(postgresql_url), Database(postgresql_url)
    with ours.reading() as connection:
        before = connection.scalar(select(func.pg_backend_pid()))
    with others.reading() as connection:
        assert connection.scalar(select(func.pg_terminate_backend(before, 5_000))), "ended within 5 s"
    with ours.reading() as connection:
        assert connection.scalar(select(func.pg_backend_pid())) != before
    with ours.writing() as connection:
        assert connection.scalar(select(1)) == 1
    for database in (ours, others):
        database.close()


def test_a_write_waits_for_a_locked_table_only_for_a_time_and_reads_do_not_wait(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise waiting writers would soon occupy all connections."""
    monkeypatch.setattr("app.store.database._BUSY_SECONDS", 0.2)
    ours, others = Database(postgresql_url), Database(postgresql_url)
    ours.migrate()
    with others.writing() as locking:
        locking.exec_driver_sql("LOCK TABLE players")
        with pytest.raises(OperationalError, match="lock timeout"), ours.writing() as connection:
            connection.execute(delete(players).where(players.c.id == "nobody"))
        with ours.reading() as connection:
            assert connection.scalar(select(1)) == 1
        Timer(0.5, locking.exec_driver_sql, ["ROLLBACK"]).start()
        with ours.writing(patient=True) as connection:
            connection.execute(delete(players).where(players.c.id == "nobody"))
    for database in (ours, others):
        database.close()


def test_a_claim_survives_the_idle_transaction_timeout_of_postgresql(postgresql_url: str) -> None:
    impatient = "options=-c%20idle_in_transaction_session_timeout%3D100"
    ours, others = Database(f"{postgresql_url}?{impatient}"), Database(postgresql_url)
    ours.claim()
    time.sleep(0.5)
    with pytest.raises(StoreInUse):
        others.claim()
    for database in (ours, others):
        database.close()


def test_a_claim_whose_connection_was_lost_is_claimed_again_or_given_up(postgresql_url: str) -> None:
    ours, others = Database(postgresql_url), Database(postgresql_url)

    def hang_up() -> None:
        with others.reading() as connection:
            ended = select(func.pg_terminate_backend(ours._claimed_in["pid"], 5_000))
            assert connection.scalar(ended), "ended within 5 s"

    ours.claim()
    assert ours.keep_claim()
    hang_up()
    assert [ours.keep_claim(), ours.keep_claim()] == [False, True]
    with pytest.raises(StoreInUse):
        others.claim()
    unnoticed, ours._claimed = ours._claimed, None  # by the server, which holds the lock of a lost connection
    end = time.monotonic() + 10
    while not ours.keep_claim():
        assert time.monotonic() < end, "the session with the lock does not end"
        time.sleep(0.02)
    assert unnoticed is not ours._claimed
    hang_up()
    others.claim()
    assert not ours.keep_claim()
    with pytest.raises(StoreInUse):
        ours.keep_claim()
    for database in (ours, others):
        database.close()


def test_opening_a_new_file_waits_for_another_writer(tmp_path: Path) -> None:
    file = tmp_path / "wibble.sqlite3"
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        Timer(0.3, other.execute, ["COMMIT"]).start()
        database = Database(f"sqlite:///{file}")
        with database.writing() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        database.close()


def test_a_backup_whose_copy_is_removed_says_that_another_may_be_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two backups to one file at once: the second begins by removing the copy of the first."""
    rename = Path.rename

    def rename_removed(file: Path, target: Path) -> Path:
        file.unlink()
        return rename(file, target)

    monkeypatch.setattr(Path, "rename", rename_removed)
    with closing(Database(f"sqlite:///{tmp_path / 'wibble.sqlite3'}")) as database:
        database.migrate()
        with pytest.raises(OSError, match="perhaps by another backup to the same file"):
            database.backup(tmp_path / "copy.sqlite3")
    assert not (tmp_path / "copy.sqlite3").exists()


def test_only_their_owner_reads_the_files_of_a_store(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        database = Database(f"sqlite:///{tmp_path / 'wibble.sqlite3'}")
        database.migrate()
        database.claim()
        with database.reading():
            database.backup(tmp_path / "copy.sqlite3")
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        database.close()
    finally:
        os.umask(before)
    assert {"wibble.sqlite3", "wibble.sqlite3-wal", "wibble.sqlite3.serving", "copy.sqlite3"} <= set(modes)
    assert set(modes.values()) == {0o600}, modes
