"""Servers in processes of their own: Wibble, PostgreSQL and Redis."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self

import httpx
import uvicorn
from fastapi import FastAPI
from sqlalchemy import NullPool, create_engine, text

START_SECONDS: Final = 120.0
"""Timeout in seconds for a server to start or stop on a busy machine."""
_reserved: list[socket.socket] = []


def free_port() -> int:
    """A free port, reserved for a server in this process or a child process.

    A socket stays bound to it, so that the system does not assign the port to others. A server can still
    listen on it, as both set SO_REUSEADDR.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    _reserved.append(holder)
    port: int = holder.getsockname()[1]
    return port


@contextmanager
def served_in_thread(app: FastAPI) -> Iterator[str]:
    """Serve an application in a thread of this process; yield its URL."""
    port = free_port()
    # If a connection timed out while a test looked at its page, the next request would be reset.
    config = uvicorn.Config(
        app, host="127.0.0.1", port=port, log_level="warning", server_header=False, timeout_keep_alive=600
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server ended before it started"
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


class Served:
    """``wibble serve`` with its own data folder; data is kept when it is started again after ``kill``.

    Lexicons are shared with the other servers of the test session.
    """

    def __init__(
        self,
        folder: Path,
        database_url: str | None = None,
        arguments: tuple[str, ...] = (),
        module: str = "app.cli",
        **settings: str,
    ) -> None:
        self.url = ""
        self.log = folder / "serve.log"
        self.environment = os.environ | {
            "WIBBLE_DATA_DIR": str(folder / "data"),
        }
        self.environment |= {f"WIBBLE_{name.upper()}": value for name, value in settings.items()}
        if database_url:
            self.environment["WIBBLE_DATABASE_URL"] = database_url
        self._command = [sys.executable, "-m", module, "serve", *arguments]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The PID of the started process; with several workers, of their parent."""
        assert self._process is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether the started process is still running."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server; return when it answers."""
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [*self._command, "--port", str(port)]
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            assert self._process.poll() is None, self.log.read_text()
            try:
                httpx.get(f"{self.url}/healthz", timeout=START_SECONDS)
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError(f"the server does not answer: {self.log.read_text()}")

    def kill(self) -> None:
        """Kill it, as a power cut would: no handler runs."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Stop it with SIGTERM, as an operator would."""
        if self._process is not None and self.runs:
            self._process.terminate()
            self._process.wait(START_SECONDS)


class PostgresServer:
    """A PostgreSQL server on a free port; data is kept when it is started again after ``stop``."""

    def __init__(self, programs: Path) -> None:
        """``programs`` is the folder with initdb and pg_ctl, which refuse to run as root."""
        self._programs = programs
        self._as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self._port = free_port()
        self._folder = Path(tempfile.mkdtemp(prefix="wibble-postgresql-"))
        if self._as_user:
            shutil.chown(self._folder, "postgres")
        self._run("initdb", "--auth", "trust", "--username", "postgres", "--encoding", "UTF8", "--no-sync")
        self.url = f"postgresql+psycopg://postgres@127.0.0.1:{self._port}/postgres"

    @property
    def pid(self) -> int:
        """The PID of the process whose children serve the connections."""
        return int((self._folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])

    def start(self) -> None:
        """Start it; return when it answers."""
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self._folder}"
        self._run("pg_ctl", "start", "--wait", "--log", str(self._folder / "log"), "--options", options)

    def stop(self) -> None:
        """Stop it as for a restart: all connections are closed."""
        self._run("pg_ctl", "stop", "--wait", "--mode", "fast")

    def configure(self, statement: str) -> None:
        """Change a setting with an SQL statement; return when it is in effect for all connections."""
        server = create_engine(self.url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
        loaded = text("SELECT pg_conf_load_time()")
        with server.connect() as connection:
            before = connection.scalar(loaded)
            connection.execute(text(statement))
        self._run("pg_ctl", "reload")
        end = time.monotonic() + START_SECONDS
        while True:  # A new connection sees the setting only after the existing ones have been notified.
            with server.connect() as connection:
                if connection.scalar(loaded) != before:
                    return
            assert time.monotonic() < end, f"{statement}: not in effect"
            time.sleep(0.01)

    def remove(self) -> None:
        """Stop it, if it is running, and delete its data."""
        with suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "stop", "--mode", "immediate")
        shutil.rmtree(self._folder)

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user, str(self._programs / program), "--pgdata", str(self._folder / "data")]
        subprocess.run(
            [*command, *arguments],
            check=True,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


class RedisServer:
    """A Redis server on a free port without persistence: a restart loses all data."""

    def __init__(self, executable: str, folder: Path, options: tuple[str, ...] = ()) -> None:
        self._executable = executable
        self._folder = folder
        self._options = options
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The PID of its only process."""
        assert self._process is not None
        return self._process.pid

    def launch(self) -> None:
        """Start it without waiting."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder)]
        self._process = subprocess.Popen(
            [self._executable, *options, *self._options], stdout=subprocess.DEVNULL
        )

    def start(self) -> None:
        """Start it; return when it answers."""
        self.launch()
        self.wait()

    def wait(self) -> None:
        """Wait until it answers."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError("Redis does not start")

    def command(self, *words: str) -> str:
        """Run a command with redis-cli; return its output."""
        client = self._executable.replace("redis-server", "redis-cli")
        command = [client, "-p", str(self.port), *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def stop(self) -> None:
        """Kill it; all data is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class RedisCluster:
    """A Redis Cluster of three local nodes without replicas, with the interface of ``RedisServer``."""

    def __init__(self, executable: str, folder: Path) -> None:
        self.nodes: list[RedisServer] = []
        for name in "abc":
            (folder / name).mkdir()
            options = ("--cluster-enabled", "yes", "--cluster-port", str(free_port()))
            self.nodes.append(RedisServer(executable, folder / name, options))
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        self._joined = False

    def start(self) -> None:
        """Start it; return when all nodes answer. Each node takes two seconds, alone or with the others."""
        for node in self.nodes:
            node.launch()
        for number, node in enumerate(self.nodes):
            node.wait()
            if not self._joined:
                first, after = (16384 * part // len(self.nodes) for part in (number, number + 1))
                node.command("CLUSTER", "ADDSLOTSRANGE", str(first), str(after - 1))
                node.command("CLUSTER", "SET-CONFIG-EPOCH", str(number + 1))
                known = self.nodes[0]
                node.command("CLUSTER", "MEET", "127.0.0.1", str(known.port), known._options[-1])
        self._joined = True
        self.wait()

    def wait(self) -> None:
        """Wait until all nodes report that the cluster is ok."""
        end = time.monotonic() + START_SECONDS
        while not all(
            "cluster_state:ok" in said and f"cluster_known_nodes:{len(self.nodes)}" in said
            for said in (node.command("CLUSTER", "INFO") for node in self.nodes)
        ):
            assert time.monotonic() < end, "the Redis Cluster does not start"
            time.sleep(0.05)

    def stop(self) -> None:
        """Kill all nodes; they keep only the assignment of slots."""
        for node in self.nodes:
            node.stop()
