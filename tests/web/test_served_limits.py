"""Limits that need a real server: connections, streams, and addresses behind a proxy."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import httpx
import pytest

from tests.event_streams import SOON, open_on
from tests.servers import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(
        tmp_path_factory.mktemp("limits"),
        streams_per_player="2",
        streams_per_address="3",
        rate_imports="1/hour",
        rate_address_share="1",
    ) as server:
        yield server


def test_streams_are_counted_by_player_and_by_address_and_forgotten_when_they_end(served: Served) -> None:
    host, game = open_on(served, kind="letterpress")
    path = f"/api/games/{game['id']}/events"
    open_streams = []
    with ExitStack() as streams, httpx.Client(base_url=served.url, timeout=SOON) as stranger:

        def listen(client: httpx.Client) -> str:
            """Return the first line of the stream, or of the response that refuses it."""
            lines = streams.enter_context(client.stream("GET", path)).iter_lines()
            open_streams.append(lines)  # losing the reference would close the connection
            return next(lines)

        assert [listen(host)[:6] for _ in range(2)] == ["event:", "event:"]
        assert "this player already has 2 event streams open" in listen(host)
        assert listen(stranger).startswith("event:")
        assert "this address already has 3 event streams open" in listen(stranger)
        assert host.get(f"/games/{game['id']}").status_code == 200
    while True:  # wait until the server notices that they are gone
        with host.stream("GET", path) as again:
            if again.status_code == 200:
                return


def test_behind_a_proxy_the_forwarded_address_is_limited(served: Served) -> None:
    def ask(address: str) -> int:
        headers = {"X-Forwarded-For": address}
        return httpx.post(
            f"{served.url}/import", data={"text": "no game"}, headers=headers, timeout=SOON
        ).status_code

    assert [ask("192.0.2.1"), ask("192.0.2.2"), ask("192.0.2.1")] == [422, 422, 429]


@pytest.mark.parametrize(
    "head",
    [
        b"GET /?" + 70_000 * b"a" + b" HTTP/1.1\r\nHost: wibble\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: wibble\r\n" + 7_000 * b"X-Much: of it\r\n" + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: wibble\r\nX-Endless: " + 70_000 * b"a",
    ],
    ids=["address", "headers", "without an end"],
)
def test_a_head_that_is_too_long_is_refused_and_its_connection_closed(served: Served, head: bytes) -> None:
    address = urlsplit(served.url)
    with socket.create_connection((address.hostname, address.port), timeout=SOON) as connection:
        connection.sendall(head)
        answer = b""
        # If the server has not read the whole request, the connection is reset after the response.
        with suppress(ConnectionResetError):
            while part := connection.recv(4096):
                answer += part
    assert answer.startswith(b"HTTP/1.1 431 ")
    assert b"content-type: application/problem+json" in answer
    assert b"at most 65,536 bytes are accepted" in answer


@pytest.mark.parametrize("hosts", [b"", b"Host: wibble\r\nHost: wibble\r\n"], ids=["none", "two"])
def test_a_request_names_its_host_once(served: Served, hosts: bytes) -> None:
    address = urlsplit(served.url)
    with socket.create_connection((address.hostname, address.port), timeout=SOON) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n" + hosts + b"Connection: close\r\n\r\n")
        answer = b""
        while part := connection.recv(4096):
            answer += part
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"application/problem+json" in answer


def test_headers_after_a_body_are_not_read_without_an_end(served: Served) -> None:
    address = urlsplit(served.url)
    with socket.create_connection((address.hostname, address.port), timeout=SOON) as connection:
        connection.sendall(
            b"POST /import HTTP/1.1\r\nHost: wibble\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        )
        sent = 0
        with suppress(ConnectionError):  # closed by the server
            for _ in range(1000):
                sent += connection.send(b"X-Much: " + 30_000 * b"a" + b"\r\n")
        assert sent < 10_000_000, "what the system's buffers hold"


def test_a_body_in_many_chunks_is_read(served: Served) -> None:
    chunks = (b"a" for _ in range(15_000))  # what stands between them is more than the body itself
    answer = httpx.post(
        f"{served.url}/import",
        content=chunks,
        headers={"Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-For": "192.0.2.9"},
        timeout=SOON,
    )
    assert answer.status_code == 422, "a record it is not"


def test_a_long_head_is_read_and_what_is_no_http_is_a_problem(served: Served) -> None:
    assert (
        httpx.get(
            f"{served.url}/healthz?{30_000 * 'a'}", headers={"X-Much": 30_000 * "b"}, timeout=SOON
        ).status_code
        == 200
    )
    address = urlsplit(served.url)
    with socket.create_connection((address.hostname, address.port), timeout=SOON) as connection:
        connection.sendall(b"HELLO\r\n\r\n")
        answer = connection.recv(4096)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"application/problem+json" in answer
