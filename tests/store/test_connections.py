"""Connections: kept ones do not outlive PostgreSQL's patience, and SQLite has some with a new file."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Timer

from sqlalchemy import func, select

from app.store.database import Database


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


def test_who_opens_a_new_file_that_another_has_begun_to_write_waits_for_its_turn(tmp_path: Path) -> None:
    file = tmp_path / "wibble.sqlite3"
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        Timer(0.3, other.execute, ["COMMIT"]).start()
        database = Database(f"sqlite:///{file}")
        with database.writing() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        database.close()
