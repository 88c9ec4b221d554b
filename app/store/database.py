"""One database behind one URL: SQLite on the spot, PostgreSQL when one machine is not enough."""

import selectors
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DisconnectionError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as StoreBusy

from app.store.fair_lock import FairLock

if TYPE_CHECKING:
    import psycopg

_MIGRATIONS = Path(__file__).parent / "migrations"
_BUSY_SECONDS = 5.0
_CONNECTIONS = 40
"""The most to PostgreSQL: one for each thread that answers requests."""
_PATIENCE = {
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
}
"""How long PostgreSQL may be silent, in seconds, once in milliseconds: libpq itself waits for minutes."""
_SERVING = 0x5769_6262_6C65
_MIGRATING = _SERVING + 1
"""The keys of PostgreSQL's locks: any numbers that others do not use."""
_PRIVATE = 0o600
"""The mode of files that hold games: only their owner reads them."""


NO_WRITES: Final = (OperationalError, InternalError, StoreBusy)
"""What is raised where the store takes no writes: a full disk, a lock, a copy that may only be read."""


class StoreInUse(RuntimeError):
    """Another process serves this store."""


class StoreDamaged(RuntimeError):
    """The file of the store is not what was written to it."""


class Database:
    """Connections for reading and transactions for writing."""

    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        if parsed.drivername in ("postgres", "postgresql"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        if self.is_sqlite:
            if parsed.database:
                file = Path(parsed.database)
                file.parent.mkdir(parents=True, exist_ok=True)
                if not file.exists():
                    file.touch(_PRIVATE)  # what SQLite writes beside it gets the same mode
            self.engine = _sqlite_engine(parsed)
            self._readers = self.engine
        else:
            self.engine = _postgresql_engine(parsed)
            # A statement sees what is committed by then; a transaction around it would cost two trips more.
            self._readers = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._claimed: Connection | sqlite3.Connection | None = None
        self._one_writer = FairLock()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for reading; on PostgreSQL each statement reads what is committed by then."""
        with self._readers.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: committed, and on disk, when the block ends; rolled back when it raises.

        Raises SQLAlchemy's OperationalError or TimeoutError where the store does not let us write in time.
        """
        with self._turn(), self.engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                yield connection

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """SQLite has one writer at a time and lets others poll with growing pauses; a lock queues them."""
        if not self.is_sqlite:
            yield
            return
        if not self._one_writer.acquire(timeout=_BUSY_SECONDS):
            # Who waits holds a thread: where another program keeps the file, they must not all be taken.
            raise StoreBusy("others have been writing all the time")
        try:
            yield
        finally:
            self._one_writer.release()

    def check(self) -> None:
        """Return if an SQLite file is sound in every page.

        Raises StoreDamaged, or SQLAlchemy's DatabaseError where it cannot even be read.
        """
        if self.is_sqlite:
            with self.reading() as connection:
                found = connection.scalar(text("PRAGMA quick_check(1)"))
            if found != "ok":
                raise StoreDamaged(str(found))

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
            beside = Path(f"{self.engine.url.database}.serving")
            if not beside.exists():
                beside.touch(_PRIVATE)
            self._claimed = sqlite3.connect(beside, timeout=0, isolation_level=None, check_same_thread=False)
            with _as_in_use():
                self._claimed.execute("BEGIN EXCLUSIVE")
            return
        held = self.engine.connect()
        if not held.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _SERVING}):
            held.close()
            raise StoreInUse
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
        unfinished.touch(_PRIVATE)
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


def upsert(connection: Connection, table: Table) -> "sqlite.Insert":
    """An insert that may say what to do on a conflict, which both databases spell alike."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return cast("sqlite.Insert", postgresql.insert(table))


@contextmanager
def _as_in_use() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise StoreInUse from error


def _postgresql_engine(url: URL) -> Engine:
    engine = create_engine(
        url,
        pool_size=_CONNECTIONS,
        max_overflow=0,  # under load they would be opened and closed all the time
        pool_timeout=_BUSY_SECONDS,
        connect_args=_PATIENCE,
        pool_use_lifo=True,  # those used last have their statements prepared
        hide_parameters=True,  # errors are logged, and who plays what is nobody's business
    )

    @event.listens_for(engine, "checkout")
    def look(connection: "psycopg.Connection[Any]", _record: object, _proxy: object) -> None:
        """Replace a connection whose server has gone away meanwhile.

        A server says nothing that it was not asked for, except that it hangs up. To ask it first, as
        SQLAlchemy's ``pool_pre_ping`` does, would be another trip for each transaction.
        """
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            if selector.select(timeout=0):
                raise DisconnectionError("the server has hung up")

    return engine


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    """Have changes written to a log first, whoever else has just opened a new file.

    SQLite waits for others by itself, but not for this where one has begun to write.
    """
    end = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return


def _sqlite_engine(url: URL) -> Engine:
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
        _write_ahead(cursor)
        cursor.execute("PRAGMA synchronous = FULL")  # an answered move survives a power cut, too
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes the lock at once: upgrading from a read would fail where another wrote in between.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
