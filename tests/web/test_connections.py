"""Slow, silent or too many connections: they are closed in time and delay no other client."""

import resource
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from app.web.guard.connections import most_connections, raise_file_limit
from tests.driver import sit_down
from tests.event_streams import SOON, EventStream, open_on
from tests.forked_servers import Forked

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: wibble\r\n\r\n"
HALF_A_HEAD = b"GET /healthz HTTP/1.1\r\nHost: wibble\r\n"
HALF_A_BODY = (
    b"POST /api/games HTTP/1.1\r\nHost: wibble\r\nContent-Type: application/json\r\n"
    b"Content-Length: 100\r\n\r\n{"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forked]:
    """Short deadlines, and few connections per address that is not a proxy."""
    yield from served(
        tmp_path_factory.mktemp("connections"),
        header_timeout="6",
        body_timeout="3",
        idle_timeout="6",
        stall_timeout="6",
        connections_per_address="8",
    )


def served(folder: Path, **settings: str) -> Iterator[Forked]:
    with Forked(folder, None, (), **settings) as forked:
        yield forked


@contextmanager
def connected(server: Forked, address: str = "127.0.0.2") -> Iterator[socket.socket]:
    """A connection from a local address, by default one that is not a trusted proxy."""
    there = urlsplit(server.url)
    with socket.create_connection(
        (there.hostname, there.port), timeout=SOON, source_address=(address, 0)
    ) as connection:
        yield connection


def rest_of(connection: socket.socket) -> bytes:
    """Return all data received until the server closes the connection."""
    answer = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65536):
            answer += part
    return answer


def closed(server: Forked, reason: str) -> float:
    """The number of connections closed for this reason."""
    for line in httpx.get(f"{server.url}/metrics", timeout=SOON).text.splitlines():
        if line.startswith(f'wibble_connections_closed_total{{reason="{reason}"}}'):
            return float(line.split()[1])
    return 0


def asked(connection: socket.socket, request: bytes = HEALTH) -> bytes:
    """The response to a request, whose body is a JSON object."""
    connection.sendall(request)
    answer = b""
    while not answer.endswith(b"}"):
        part = connection.recv(65536)
        assert part, f"closed after {answer!r}"
        answer += part
    return answer


def sent_drop_by_drop(connection: socket.socket, drop: bytes) -> None:
    """Send until the server closes the connection."""
    end = time.monotonic() + SOON
    with suppress(ConnectionError):
        while True:
            connection.sendall(drop)
            assert time.monotonic() < end, "still open"
            time.sleep(0.05)


def test_slow_requests_are_closed_while_streams_and_searches_last(server: Forked) -> None:
    host, game = open_on(server, kind="letterpress")
    guest = httpx.Client(base_url=server.url, timeout=SOON)
    stream = EventStream(server, game["id"], guest)
    stream.wait_for("table")
    with ExitStack() as all_open, ThreadPoolExecutor() as hands:
        silent, caller, half_head, half_body, header, lines = (
            all_open.enter_context(connected(server)) for _ in range(6)
        )
        half_head.sendall(HALF_A_HEAD)
        half_body.sendall(HALF_A_BODY)
        header.sendall(HALF_A_HEAD + b"X-Long: ")
        drops = [
            hands.submit(sent_drop_by_drop, header, b"x"),
            hands.submit(sent_drop_by_drop, lines, b"\r\n"),
        ]
        for _ in range(2):
            assert asked(caller).startswith(b"HTTP/1.1 200 "), "kept for the next request"
        body = {"rack": "RETINAS", "strategy": "simulating", "budget_ms": 4500}
        assert host.post("/api/fribble/moves", json=body).status_code == 200
        assert rest_of(silent) == rest_of(caller) == b""
        for half in (half_head, half_body):
            answer = rest_of(half)
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert b"content-type: application/problem+json" in answer
            assert b"too long: it has to come within" in answer
        for each in drops:
            each.result()
    sit_down(guest, game)
    stream.wait_for("table", "0-2")
    assert not stream.ended.is_set()


def read_slowly(connection: socket.socket) -> bytes:
    """Read slowly until the server closes the connection; return the data."""
    answer = b""
    while part := connection.recv(65536):
        answer += part
        time.sleep(0.02)
    return answer


def test_a_client_that_never_reads_is_dropped_and_a_slow_one_is_not(server: Forked) -> None:
    request = b"GET /openapi.json HTTP/1.1\r\nHost: wibble\r\n"
    much = 29 * (request + b"\r\n") + request + b"Connection: close\r\n\r\n"
    before = closed(server, "stalled")
    with connected(server) as idler, connected(server) as reader, ThreadPoolExecutor() as hands:
        idler.sendall(much)
        reader.sendall(much)
        slowly = hands.submit(read_slowly, reader)
        while closed(server, "stalled") == before:
            time.sleep(0.1)
        assert slowly.result().count(b"HTTP/1.1 200 OK") == 30
        assert rest_of(idler).count(b"HTTP/1.1 200 OK") < 30
    assert closed(server, "stalled") == before + 1


def test_connections_are_limited_for_each_address(server: Forked) -> None:
    with ExitStack() as all_open:
        stream_limiter = [all_open.enter_context(connected(server, "127.0.0.3")) for _ in range(12)]
        refused = [one for one in stream_limiter[8:] if b"429" in one.recv(4096).split(b"\r\n")[0]]
        assert len(refused) == 4
        with connected(server, "127.0.0.4") as other:
            assert asked(other).startswith(b"HTTP/1.1 200 ")
        proxied = [all_open.enter_context(connected(server, "127.0.0.1")) for _ in range(12)]
        assert asked(proxied[-1]).startswith(b"HTTP/1.1 200 ")


def test_where_all_places_are_taken_the_idle_make_room_and_the_busy_do_not(tmp_path: Path) -> None:
    for server in served(tmp_path, connections="6"):
        with ExitStack() as all_open:
            silent = [all_open.enter_context(connected(server)) for _ in range(10)]
            with connected(server) as asks:
                assert asked(asks).startswith(b"HTTP/1.1 200 "), "silent connections are closed to make room"
            assert rest_of(silent[0]) == b"", "long before its deadline"
        host, game = open_on(server, kind="letterpress")
        host.close()
        stream = f"GET /api/games/{game['id']}/events HTTP/1.1\r\nHost: wibble\r\n\r\n".encode()
        with ExitStack() as all_open:
            listening = [all_open.enter_context(connected(server)) for _ in range(6)]
            for one in listening:
                one.sendall(stream)
                assert one.recv(4096).startswith(b"HTTP/1.1 200 ")
            with connected(server) as late:
                answer = rest_of(late)
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert b"retry-after: 1" in answer


@pytest.fixture
def few_files() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("few_files")
def test_connections_leave_descriptors_for_the_database() -> None:
    assert most_connections(4000) == 1024 - 256
    assert most_connections(100) == 100
    raise_file_limit()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert soft == hard


def test_a_server_may_open_all_the_files_that_the_system_permits(server: Forked) -> None:
    soft, hard = resource.prlimit(server.process, resource.RLIMIT_NOFILE)
    assert soft == hard
