"""A lightweight HTTP client, as it shares two cores with the servers under test."""

import asyncio
import gzip
import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Self, cast
from urllib.parse import urlencode

from httptools import HttpResponseParser


class Answer(NamedTuple):
    """An HTTP response."""

    status: int
    cookie: str
    """The cookie set by the response as ``name=value``; empty if none."""
    body: bytes
    """As received, possibly compressed."""
    at: float
    """When the response was complete, by ``time.perf_counter``."""

    def json(self) -> dict[str, Any]:
        """Return the body as parsed JSON."""
        plain = gzip.decompress(self.body) if self.body[:2] == b"\x1f\x8b" else self.body
        found: dict[str, Any] = json.loads(plain)
        return found


class _Reader(asyncio.Protocol):
    """A connection whose responses are parsed by httptools."""

    def __init__(self) -> None:
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self._parser = HttpResponseParser(self)

    @classmethod
    async def open(cls, port: int, source: str = "127.0.0.1") -> Self:
        """Connect to ``port`` on this machine from the loopback address ``source``."""
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(cls, "127.0.0.1", port, local_addr=(source, 0))
        return connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's class is not declared as one

    def data_received(self, data: bytes) -> None:
        """Feed the parser."""
        self._parser.feed_data(data)

    def connection_lost(self, _error: Exception | None) -> None:
        """Resolve ``ended``."""
        if not self.ended.done():
            self.ended.set_result(None)

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()

    def _send(self, method: str, path: str, headers: str, body: bytes = b"") -> None:
        assert self._transport is not None
        head = f"{method} {path} HTTP/1.1\r\nHost: wibble\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
        self._transport.write(head.encode() + body)


class Connection(_Reader):
    """A keep-alive connection with one request at a time, as in a browser."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: asyncio.Future[Answer] | None = None
        self._body: list[bytes] = []
        self._cookie = ""

    async def get(self, path: str, cookie: str = "") -> Answer:
        """Send a GET request, as for an HTMX fragment."""
        return await self.ask("GET", path, _headers(cookie))

    async def post(self, path: str, fields: dict[str, str], cookie: str = "") -> Answer:
        """Send a form."""
        kind = "Content-Type: application/x-www-form-urlencoded\r\n"
        return await self.ask("POST", path, _headers(cookie) + kind, urlencode(fields).encode())

    async def post_json(self, path: str, body: bytes) -> Answer:
        """Send a JSON body."""
        return await self.ask("POST", path, "Content-Type: application/json\r\n", body)

    async def ask(
        self, method: str, path: str, headers: str, body: bytes = b"", timeout: float = 30
    ) -> Answer:
        """Send a request; return the response. Raises TimeoutError. ``headers`` are complete lines."""
        self._waiting = asyncio.get_running_loop().create_future()
        self._body, self._cookie = [], ""
        self._send(method, path, headers, body)
        async with asyncio.timeout(timeout):
            return await self._waiting

    def on_header(self, name: bytes, value: bytes) -> None:
        """Store the cookie."""
        if name.lower() == b"set-cookie":
            self._cookie = value.decode().partition(";")[0]

    def on_body(self, body: bytes) -> None:
        """Store a part of the body."""
        self._body.append(body)

    def on_message_complete(self) -> None:
        """Resolve the waiting request."""
        status, body = self._parser.get_status_code(), b"".join(self._body)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(Answer(status, self._cookie, body, time.perf_counter()))

    def connection_lost(self, error: Exception | None) -> None:
        """Fail the waiting request."""
        super().connection_lost(error)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(ConnectionResetError("the server hung up"))


class EventStream(_Reader):
    """An open event stream, reporting the name, ID and time of each event; the data of one without an ID."""

    def __init__(self) -> None:
        super().__init__()
        self.on_event: Callable[[str, str, float], None] = lambda _name, _id, _at: None
        self._rest = b""

    def listen(self, path: str, cookie: str = "") -> None:
        """Open the stream at ``path``; ``on_event`` is called for each event from then on."""
        self._send("GET", path, _headers(cookie) + "Accept: text/event-stream\r\n")

    def on_body(self, body: bytes) -> None:
        """Report every complete event."""
        now = time.perf_counter()
        *events, self._rest = (self._rest + body).split(b"\n\n")
        for event in events:
            fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if not line.startswith(b":"))
            if b"event" in fields:
                self.on_event(fields[b"event"].decode(), fields.get(b"id", fields[b"data"]).decode(), now)


def _headers(cookie: str) -> str:
    common = "HX-Request: true\r\nAccept-Encoding: gzip\r\n"
    return f"{common}Cookie: {cookie}\r\n" if cookie else common
