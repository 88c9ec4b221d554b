"""One database behind one URL: SQLite on the spot, PostgreSQL when one machine is not enough."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text

_MIGRATIONS = Path(__file__).parent / "migrations"
_BUSY_SECONDS = 5.0
_SERVING = 0x5769_6262_6C65
_MIGRATING = _SERVING + 1
"""The keys of PostgreSQL's locks: any numbers that others do not use."""
_IN_USE = (
    "another process serves these games already: set WIBBLE_REDIS_URL for each of them, "
    "so that their pages hear of each other's moves"
)


class StoreInUse(RuntimeError):
    """Another process serves this store; the text says what to do."""


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
            self.engine = create_engine(
                parsed,
                pool_size=16,
                max_overflow=24,
                pool_pre_ping=True,
                hide_parameters=True,  # errors are logged, and who plays what is nobody's business
            )
        self._claimed: Connection | sqlite3.Connection | None = None
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
        """Bring the tables to the newest form; of several processes that begin at once, one does."""
        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS))
        with self.writing() as connection:
            if not self.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def claim(self) -> None:
        """Be the only process that serves this store, until this one ends.

        Raises StoreInUse where another is already.
        """
        if self.is_sqlite:
            # The lock of a database of its own: gone with the process, however that ends, on every system.
            beside = f"{self.engine.url.database}.serving"
            self._claimed = sqlite3.connect(beside, timeout=0, isolation_level=None, check_same_thread=False)
            with _as_in_use():
                self._claimed.execute("BEGIN EXCLUSIVE")
            return
        held = self.engine.connect()
        if not held.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _SERVING}):
            held.close()
            raise StoreInUse(_IN_USE)
        self._claimed = held

    def backup(self, file: Path) -> None:
        """Copy an SQLite store into a new ``file``, as it is at one moment, while it goes on being used.

        Raises FileExistsError, OSError, sqlite3.Error, and NotImplementedError for any other store.
        """
        if not self.is_sqlite:
            raise NotImplementedError("only SQLite is copied here")
        if file.exists():
            raise FileExistsError(f"{file} exists already")
        unfinished = file.with_name(f"{file.name}.unfinished")
        unfinished.unlink(missing_ok=True)
        try:
            # Read only: what is copied is never created by looking for it.
            source = f"{Path(self.engine.url.database or '').absolute().as_uri()}?mode=ro"
            with (
                closing(sqlite3.connect(source, uri=True)) as kept,
                closing(sqlite3.connect(unfinished)) as copy,
            ):
                kept.backup(copy)
            unfinished.rename(file)
        finally:
            unfinished.unlink(missing_ok=True)

    def close(self) -> None:
        """Give all connections back."""
        if self._claimed is not None:
            self._claimed.close()
        self.engine.dispose()


@contextmanager
def _as_in_use() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreInUse(_IN_USE) from error


def _sqlite_engine(url: Any) -> Engine:
    engine = create_engine(
        url,
        connect_args={"timeout": _BUSY_SECONDS},
        pool_size=16,
        max_overflow=24,
        hide_parameters=True,
    )

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
