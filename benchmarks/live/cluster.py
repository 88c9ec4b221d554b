"""The system under test: workers, PostgreSQL and Redis, and their resource use (Linux only)."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import NullPool, create_engine, text

from tests.servers import PostgresServer, RedisServer, Served

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Cluster:
    """``wibble serve --workers N`` with PostgreSQL and Redis."""

    def __init__(self, served: Served, postgres: PostgresServer, redis: RedisServer, workers: int) -> None:
        self._served, self._postgres, self._redis = served, postgres, redis
        self._database = create_engine(postgres.url, poolclass=NullPool)
        self.database_url = postgres.url
        self.port = int(served.url.rpartition(":")[2])
        children = [child for child in _children(served.pid) if "spawn_main" in _command(child)]
        self.workers = children if workers > 1 else [served.pid]
        assert len(self.workers) == workers, "the number of worker processes"

    def processor_seconds(self) -> dict[str, float]:
        """Return the CPU seconds of each process since its start; all PostgreSQL processes count as one."""
        used = {f"worker {number}": _seconds(pid) for number, pid in enumerate(self.workers, 1)}
        postgres = self._postgres.pid
        used["PostgreSQL"] = sum(map(_seconds, _children(postgres))) + _seconds(postgres, with_ended=True)
        used["Redis"] = _seconds(self._redis.pid)
        used["this benchmark"] = time.process_time()
        return used

    def wal_bytes(self) -> int:
        """Return the bytes that PostgreSQL has written to its write-ahead log."""
        with self._database.connect() as connection:
            return int(connection.scalar(text("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")))

    def resident(self) -> int:
        """Return the resident memory of the workers in bytes."""
        return sum(int(_read(pid, "statm").split()[1]) * _PAGE for pid in self.workers)


@contextmanager
def cluster(workers: int, folder: Path, **settings: str) -> Iterator[Cluster]:
    """Start the cluster and wait until its engines are compiled; stop it after the block."""
    folder.mkdir()
    with ExitStack() as ends:
        redis = RedisServer(_found("redis-server"), folder)
        ends.callback(redis.stop)
        redis.start()
        postgres = PostgresServer(_postgres_programs())
        ends.callback(postgres.remove)
        postgres.start()
        limits = {"rate_limits": "off", "streams_per_address": "100000"}  # all players share one address
        served = Served(
            folder, postgres.url, ("--workers", str(workers)), redis_url=redis.url, **limits, **settings
        )
        ends.callback(served.stop)
        served.start()
        _wait_until_ready(served, workers)
        yield Cluster(served, postgres, redis, workers)


def _wait_until_ready(served: Served, workers: int) -> None:
    for _ in range(1200):
        if served.log.read_text().count("Ready at full speed") == workers:
            return
        time.sleep(0.1)
    raise RuntimeError(f"the workers did not become ready within two minutes: {served.log.read_text()}")


def _found(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise SystemExit(f"{program} is not on the PATH")
    return path


def _postgres_programs() -> Path:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else Path(_found("initdb")).parent


def _children(pid: int) -> list[int]:
    return [int(child) for child in _read(pid, f"task/{pid}/children").split()]


def _command(pid: int) -> str:
    return _read(pid, "cmdline").replace("\0", " ")


def _seconds(pid: int, *, with_ended: bool = False) -> float:
    """Return user and system time, optionally including ended children."""
    try:
        fields = _read(pid, "stat").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0  # ended; counted in the parent
    return sum(map(int, fields[11 : 15 if with_ended else 13])) / _TICKS


def _read(pid: int, name: str) -> str:
    return Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8")
