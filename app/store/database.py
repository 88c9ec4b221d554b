"""One database behind one URL: SQLite on the spot, PostgreSQL when one machine is not enough."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, make_url

_MIGRATIONS = Path(__file__).parent / "migrations"
_BUSY_SECONDS = 5.0


class Database:
    """Connections for reading and transactions for writing."""

    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        if parsed.drivername in ("postgres", "postgresql"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        if self.is_sqlite:
            if parsed.database:
                Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
            self.engine = _sqlite_engine(parsed)
        else:
            self.engine = create_engine(parsed, pool_size=16, max_overflow=24, pool_pre_ping=True)
        # SQLite has one writer at a time and lets the others poll with growing pauses; a lock queues them.
        self._one_writer = Lock() if self.is_sqlite else nullcontext()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for a consistent read."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: committed, and on disk, when the block ends; rolled back when it raises."""
        with self._one_writer, self.engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                yield connection

    def migrate(self) -> None:
        """Bring the tables to the newest form."""
        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS))
        with self.writing() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def _sqlite_engine(url: Any) -> Engine:
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS}, pool_size=16, max_overflow=24)

    @event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")  # an answered move survives a power cut, too
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes the lock at once: upgrading from a read would fail where another wrote in between.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
