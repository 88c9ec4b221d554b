"""A server in a process of its own, as a person would start it."""

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

import httpx
import uvicorn
from fastapi import FastAPI
from sqlalchemy import NullPool, create_engine, text


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def served_in_thread(app: FastAPI) -> Iterator[str]:
    """Serve an application in a thread of this process; the value is its URL."""
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", server_header=False)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server ended before it began"
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


class Served:
    """``wibble serve`` on a folder of its own; ``start`` again after ``kill`` finds what was kept.

    Lexicons are shared with the other servers of the test session.
    """

    def __init__(
        self, folder: Path, database_url: str | None = None, arguments: tuple[str, ...] = (), **settings: str
    ) -> None:
        self.url = ""
        self.log = folder / "serve.log"
        self.environment = os.environ | {
            "WIBBLE_DATA_DIR": str(folder / "data"),
        }
        self.environment |= {f"WIBBLE_{name.upper()}": value for name, value in settings.items()}
        if database_url:
            self.environment["WIBBLE_DATABASE_URL"] = database_url
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Of the process that was started; with several workers it is their parent."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Serve; returns when the server answers."""
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port), *self._arguments]
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)
        for _ in range(300):
            assert self._process.poll() is None, self.log.read_text()
            try:
                httpx.get(f"{self.url}/healthz")
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError(f"the server does not answer: {self.log.read_text()}")

    def kill(self) -> None:
        """End it as a power cut would: no handler runs."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """End it as an operator would."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(10)


class PostgresServer:
    """A PostgreSQL of the test's own on a free port; ``start`` again after ``stop`` finds what was kept."""

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
        """Of the process whose children serve the connections."""
        return int((self._folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])

    def start(self) -> None:
        """Return when it answers."""
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self._folder}"
        self._run("pg_ctl", "start", "--wait", "--log", str(self._folder / "log"), "--options", options)

    def stop(self) -> None:
        """End it as a restart does: whoever is connected is thrown out."""
        self._run("pg_ctl", "stop", "--wait", "--mode", "fast")

    def tell(self, setting: str) -> None:
        """Change a setting by a statement, for all who are connected."""
        server = create_engine(self.url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
        with server.connect() as connection:
            connection.execute(text(setting))
        self._run("pg_ctl", "reload")

    def remove(self) -> None:
        """End it, if it runs, and forget all it held."""
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
    """A Redis of the test's own on a free port; it keeps nothing, so that a restart forgets everything."""

    def __init__(self, executable: str, folder: Path) -> None:
        self._executable = executable
        self._folder = folder
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """Of its one process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Return when it answers."""
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder)]
        self._process = subprocess.Popen([self._executable, *options], stdout=subprocess.DEVNULL)
        for _ in range(200):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 1):
                return
            time.sleep(0.05)
        raise AssertionError("Redis does not start")

    def stop(self) -> None:
        """End it, with all it held."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
