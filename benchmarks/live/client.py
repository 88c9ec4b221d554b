"""A light HTTP client: it shares two cores with the servers that it measures."""

import asyncio
import gzip
import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Self, cast
from urllib.parse import urlencode

from httptools import HttpResponseParser


class Answer(NamedTuple):
    """What a request was answered."""

    status: int
    cookie: str
    """What the answer set, ``name=value``; empty where it set none."""
    body: bytes
    """As it came, which may be compressed."""
    at: float
    """When the last of it was read, by ``time.perf_counter``."""

    def json(self) -> dict[str, Any]:
        """What the body tells."""
        plain = gzip.decompress(self.body) if self.body[:2] == b"\x1f\x8b" else self.body
        found: dict[str, Any] = json.loads(plain)
        return found


class _Reader(asyncio.Protocol):
    """One connection whose answers a parser of httptools tells of."""

    def __init__(self) -> None:
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self._parser = HttpResponseParser(self)

    @classmethod
    async def open(cls, port: int, source: str = "127.0.0.1") -> Self:
        """Connect to this machine's ``port``, as one that has the loopback address ``source``."""
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(cls, "127.0.0.1", port, local_addr=(source, 0))
        return connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to write."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own class does not say so

    def data_received(self, data: bytes) -> None:
        """Let the parser tell."""
        self._parser.feed_data(data)

    def connection_lost(self, _error: Exception | None) -> None:
        """Tell whoever waits."""
        if not self.ended.done():
            self.ended.set_result(None)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()

    def _send(self, method: str, path: str, headers: str, body: bytes = b"") -> None:
        assert self._transport is not None
        head = f"{method} {path} HTTP/1.1\r\nHost: wibble\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
        self._transport.write(head.encode() + body)


class Connection(_Reader):
    """A browser's connection: one request at a time, kept open between them."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: asyncio.Future[Answer] | None = None
        self._body: list[bytes] = []
        self._cookie = ""

    async def get(self, path: str, cookie: str = "") -> Answer:
        """As a page asks for a fragment."""
        return await self.ask("GET", path, _headers(cookie))

    async def post(self, path: str, fields: dict[str, str], cookie: str = "") -> Answer:
        """As a page sends a form."""
        kind = "Content-Type: application/x-www-form-urlencoded\r\n"
        return await self.ask("POST", path, _headers(cookie) + kind, urlencode(fields).encode())

    async def post_json(self, path: str, body: bytes, cookie: str = "") -> Answer:
        """As a program asks the API."""
        return await self.ask("POST", path, _headers(cookie) + "Content-Type: application/json\r\n", body)

    async def ask(
        self, method: str, path: str, headers: str, body: bytes = b"", patience: float = 30
    ) -> Answer:
        """The answer to any request, within so many seconds; each of ``headers`` is a whole line."""
        self._waiting = asyncio.get_running_loop().create_future()
        self._body, self._cookie = [], ""
        self._send(method, path, headers, body)
        async with asyncio.timeout(patience):
            return await self._waiting

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep the cookie."""
        if name.lower() == b"set-cookie":
            self._cookie = value.decode().partition(";")[0]

    def on_body(self, body: bytes) -> None:
        """Keep what there is of it."""
        self._body.append(body)

    def on_message_complete(self) -> None:
        """Hand the answer over."""
        status, body = self._parser.get_status_code(), b"".join(self._body)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(Answer(status, self._cookie, body, time.perf_counter()))

    def connection_lost(self, error: Exception | None) -> None:
        """An answer that was waited for does not come."""
        super().connection_lost(error)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(ConnectionResetError("the server hung up"))


class EventStream(_Reader):
    """A page's open event stream; of each event only its name, its data and the moment are told."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: Callable[[str, str, float], None] = lambda _name, _data, _at: None
        self._rest = b""

    def listen(self, path: str, cookie: str = "") -> None:
        """Ask for the events at ``path``; ``heard`` is told of them from now on."""
        self._send("GET", path, _headers(cookie) + "Accept: text/event-stream\r\n")

    def on_body(self, body: bytes) -> None:
        """Tell of every event that is whole."""
        now = time.perf_counter()
        *events, self._rest = (self._rest + body).split(b"\n\n")
        for event in events:
            fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if not line.startswith(b":"))
            if b"event" in fields:
                self.heard(fields[b"event"].decode(), fields[b"data"].decode(), now)


def _headers(cookie: str) -> str:
    given = "HX-Request: true\r\nAccept-Encoding: gzip\r\n"
    return f"{given}Cookie: {cookie}\r\n" if cookie else given
