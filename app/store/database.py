"""Database access: SQLite by default, PostgreSQL for more than one machine."""

import selectors
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Table,
    create_engine,
    event,
    func,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, DisconnectionError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as StoreBusy

from app.store.fair_lock import FairLock
from app.store.schema import metadata

if TYPE_CHECKING:
    import psycopg

_MIGRATIONS = Path(__file__).parent / "migrations"
_BUSY_SECONDS = 5.0
_CONNECTIONS = 40
"""Maximum number of connections to PostgreSQL: one for each thread that answers requests."""
_TIMEOUTS = {
    "connect_timeout": 5,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
}
"""libpq timeouts in seconds (``tcp_user_timeout`` in milliseconds); its defaults are minutes."""
_SERVING = 0x5769_6262_6C65
_MIGRATING = _SERVING + 1
"""Keys of PostgreSQL advisory locks: arbitrary numbers."""
_OWN_SESSION: Final = text("SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
_END_SESSION: Final = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE pid = :pid AND backend_start = :backend_start"
)
"""The start time distinguishes a session from a later one with the same process ID."""
_OneSocketSelector: Final = getattr(selectors, "PollSelector", selectors.DefaultSelector)
"""``poll``, where available, takes one system call; ``epoll`` takes four."""
_COPIED_AT_ONCE: Final = 1_000
"""Rows of a table that are held in memory when a database is copied."""
_PRIVATE = 0o600
"""Mode of files that hold games: readable by the owner only."""

NO_WRITES: Final = (OperationalError, InternalError, StoreBusy)
"""Errors raised when the database cannot be written to: disk full, locked, or read-only."""


class StoreInUse(RuntimeError):
    """Another process is serving this database."""


class StoreNotEmpty(RuntimeError):
    """The database has rows; the message is the name of their table."""


class StoreDamaged(RuntimeError):
    """The SQLite file is corrupt."""


class NotMigrated(RuntimeError):
    """The schema cannot be migrated, such as that of a later version; the message says why."""


class Database:
    """Read connections and write transactions of one database URL."""

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
                    file.touch(_PRIVATE)  # SQLite gives its WAL files the same mode
            self.engine = _sqlite_engine(parsed)
            self._readers = self.engine
        else:
            self.engine = _postgresql_engine(parsed)
            # Each statement sees what was committed before it; a transaction would cost two more round trips.
            self._readers = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._claimed: Connection | sqlite3.Connection | None = None
        self._claimed_in: dict[str, Any] = {}
        """The PostgreSQL session that holds the claim, or held it last."""
        self._one_writer = FairLock()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a read connection; on PostgreSQL each statement sees what was committed before it."""
        with self._readers.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, *, durable: bool = True, patient: bool = False) -> Iterator[Connection]:
        """Open a transaction: committed to disk when the block ends, rolled back when it raises.

        On PostgreSQL, a transaction that is not ``durable`` does not wait for the disk: a crash of the
        database may lose it, a crash of this process does not. A ``patient`` one waits for its locks without
        a limit, others for five seconds.

        Raises SQLAlchemy's OperationalError or TimeoutError if the database stays locked.
        """
        with self._write_lock(), self.engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                if not durable and not self.is_sqlite:
                    connection.exec_driver_sql("SET LOCAL synchronous_commit TO OFF")
                if patient and not self.is_sqlite:
                    connection.exec_driver_sql("SET LOCAL lock_timeout TO 0")
                yield connection

    @contextmanager
    def _write_lock(self) -> Iterator[None]:
        """Queue SQLite's writers: SQLite allows one and makes the others poll with growing pauses."""
        if not self.is_sqlite:
            yield
            return
        if not self._one_writer.acquire(timeout=_BUSY_SECONDS):
            # A waiting writer holds a thread: another program that locks the file must not block them all.
            raise StoreBusy(f"no write lock within {_BUSY_SECONDS:.0f} seconds")
        try:
            yield
        finally:
            self._one_writer.release()

    def check(self) -> None:
        """Check every page of an SQLite file.

        Raises StoreDamaged, or SQLAlchemy's DatabaseError if the file cannot be read at all.
        """
        if self.is_sqlite:
            with self.reading() as connection:
                found = connection.scalar(text("PRAGMA quick_check(1)"))
            if found != "ok":
                raise StoreDamaged(str(found))

    def migrate(self) -> None:
        """Migrate the schema to the latest version. Safe in several processes at once. Raises NotMigrated."""
        # Importing Alembic takes a quarter of a second, and most commands do not migrate.
        from alembic import command, util  # noqa: PLC0415
        from alembic.config import Config  # noqa: PLC0415
        from alembic.runtime.migration import MigrationContext  # noqa: PLC0415

        with self.writing(patient=True) as connection:
            if not self.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
            if MigrationContext.configure(connection).get_current_revision() != _latest_revision():
                config = Config(attributes={"connection": connection})
                config.set_main_option("script_location", str(_MIGRATIONS))
                try:
                    command.upgrade(config, "head")
                except util.CommandError as error:
                    raise NotMigrated(str(error)) from error

    def claim(self) -> None:
        """Lock this database for this process until it ends; see ``keep_claim``.

        Raises StoreInUse if another process has the lock.
        """
        if self.is_sqlite:
            # A lock on a separate SQLite file: every operating system releases it when the process ends.
            lock_file = Path(f"{self.engine.url.database}.serving")
            if not lock_file.exists():
                lock_file.touch(_PRIVATE)
            self._claimed = sqlite3.connect(
                lock_file, timeout=0, isolation_level=None, check_same_thread=False
            )
            with _busy_as_in_use():
                self._claimed.execute("BEGIN EXCLUSIVE")
            return
        held = self._readers.connect()  # outside a transaction, which the server may end when it is idle
        if not held.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _SERVING}):
            held.close()
            raise StoreInUse
        self._claimed_in = dict(held.execute(_OWN_SESSION).mappings().one())
        self._claimed = held

    def keep_claim(self) -> bool:
        """Whether the claim is held. If its connection was lost, a later call claims the database again.

        Raises StoreInUse if another process has claimed it meanwhile, and SQLAlchemy's DBAPIError or
        TimeoutError while it cannot be claimed. On SQLite a claim is never lost.
        """
        if isinstance(self._claimed, sqlite3.Connection):
            return True
        if self._claimed is not None:
            try:
                self._claimed.execute(select(1))
            except DBAPIError:
                self._claimed.invalidate()
                self._claimed.close()
                self._claimed = None
            return self._claimed is not None
        with self._readers.connect() as connection:
            # The server may not have noticed that our connection broke, and might hold the lock for hours.
            if connection.execute(_END_SESSION, self._claimed_in).all():
                return False
        self.claim()
        return True

    def backup(self, file: Path) -> None:
        """Copy an SQLite database into a new ``file``: a consistent snapshot, taken while it is in use.

        Raises FileExistsError, OSError, sqlite3.Error, and NotImplementedError for other databases.
        """
        if not self.is_sqlite:
            raise NotImplementedError("only SQLite can be backed up this way")
        if file.exists():
            raise FileExistsError(f"{file} exists already")
        unfinished = file.with_name(f"{file.name}.unfinished")
        unfinished.unlink(missing_ok=True)
        unfinished.touch(_PRIVATE)
        try:
            # Read-only, so that a missing source is not created.
            source = f"{Path(self.engine.url.database or '').absolute().as_uri()}?mode=ro"
            with (
                closing(sqlite3.connect(source, uri=True)) as kept,
                closing(sqlite3.connect(unfinished)) as copy,
            ):
                kept.backup(copy)
            try:
                unfinished.rename(file)
            except FileNotFoundError:
                removed = f"{unfinished} was removed meanwhile, perhaps by another backup to the same file"
                raise OSError(removed) from None
        finally:
            unfinished.unlink(missing_ok=True)

    def fill_from(self, other: "Database") -> int:
        """Copy all rows of another database into this empty one, in one transaction; return their number.

        Both are claimed and migrated first. Raises StoreInUse, StoreNotEmpty, and SQLAlchemy's DBAPIError.
        """
        copied = 0
        for database in (other, self):
            database.claim()
            database.migrate()
        with other.reading() as source, self.writing(patient=True) as target:
            for table in metadata.sorted_tables:
                if target.execute(select(table).limit(1)).first() is not None:
                    raise StoreNotEmpty(table.name)
                for rows in source.execute(select(table)).mappings().partitions(_COPIED_AT_ONCE):
                    target.execute(table.insert(), [dict(row) for row in rows])
                    copied += len(rows)
                number = table.autoincrement_column
                if number is not None and not self.is_sqlite:
                    # New rows get the next number.
                    sequence = func.pg_get_serial_sequence(table.name, number.name)
                    target.execute(select(func.setval(sequence, func.max(number))))
        return copied

    def close(self) -> None:
        """Close all connections."""
        if self._claimed is not None:
            self._claimed.close()
        self.engine.dispose()


def is_store(url: str) -> bool:
    """Whether there is a database of Wibble, which stays as it is.

    Raises DBAPIError or sqlite3.Error if it cannot be read.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        with closing(Database(url)) as database, database.reading() as connection:
            return inspect(connection).has_table("alembic_version")
    file = Path(parsed.database or "")
    if not parsed.database or not file.exists():
        return False
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'")
        return found.fetchone() is not None


def upsert(connection: Connection, table: Table) -> "sqlite.Insert":
    """An insert statement with ``on_conflict_do_update``, in the dialect of the connection."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return cast("sqlite.Insert", postgresql.insert(table))


@cache
def _latest_revision() -> str | None:
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    return ScriptDirectory(str(_MIGRATIONS)).get_current_head()


@contextmanager
def _busy_as_in_use() -> Iterator[None]:
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
        max_overflow=0,  # under load, overflow connections would be opened and closed constantly
        pool_timeout=_BUSY_SECONDS,
        connect_args=_TIMEOUTS,
        pool_use_lifo=True,  # the most recently used connections have their statements prepared
        hide_parameters=True,  # errors are logged, and parameters are players' data
    )

    @event.listens_for(engine, "connect")
    def limit_waiting(connection: "psycopg.Connection[Any]", _record: object) -> None:
        """Limit how long writers wait for a lock: each of them holds a thread and a connection."""
        connection.execute(f"SET lock_timeout TO '{_BUSY_SECONDS}s'")
        connection.commit()

    @event.listens_for(engine, "checkout")
    def check_alive(connection: "psycopg.Connection[Any]", _record: object, _proxy: object) -> None:
        """Replace a connection that the server has closed.

        An idle connection becomes readable only when the server closes it. Polling the socket saves the
        round trip per transaction that SQLAlchemy's ``pool_pre_ping`` costs.
        """
        with _OneSocketSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            if selector.select(timeout=0):
                raise DisconnectionError("the server has closed the connection")

    return engine


def _enable_wal(cursor: sqlite3.Cursor) -> None:
    """Switch to write-ahead logging, retrying while another connection writes.

    SQLite's own busy timeout does not cover this statement.
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


def _lower(text: str | None) -> str | None:
    return None if text is None else text.lower()


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
        connection.isolation_level = None  # we begin transactions ourselves
        # SQLite's own function handles only ASCII.
        connection.create_function("lower", 1, _lower, deterministic=True)
        cursor = connection.cursor()
        _enable_wal(cursor)
        cursor.execute("PRAGMA synchronous = FULL")  # a confirmed move survives a power cut
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes the lock at the start: upgrading a read lock fails if another writer was faster.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
