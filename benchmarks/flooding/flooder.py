"""The flooding process: connections that send one request after the other.

Reads its task as JSON from standard input and prints the number of responses by status as JSON. A refused
connection sends the next request at once, ignoring Retry-After.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import uvloop

from benchmarks.flooding.requests import Request
from benchmarks.live.client import Connection, EventStream

_RECONNECT_SECONDS = 0.05
"""Delay before a refused or closed connection is opened again."""
HUNG_UP = "hung up"


class _Listening(EventStream):
    """An event stream that only waits for the start of the response."""

    def __init__(self) -> None:
        super().__init__()
        self.started: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def on_body(self, _body: bytes) -> None:
        """Resolve ``started`` with the status."""
        if not self.started.done():
            self.started.set_result(self._parser.get_status_code())

    def connection_lost(self, error: Exception | None) -> None:
        """Fail ``started``."""
        super().connection_lost(error)
        if not self.started.done():
            self.started.set_exception(ConnectionResetError("the server hung up"))


class Flood:
    """Connections from one address to a server, with the number of responses by status."""

    def __init__(self, port: int, address: str, requests: Sequence[Request]) -> None:
        self._port = port
        self._address = address
        self._requests = requests
        self.answers: Counter[str] = Counter()

    async def run(self, connections: int, seconds: float) -> None:
        """Send requests on ``connections`` connections for ``seconds``, then close them."""
        senders = [asyncio.create_task(self._keep_sending(number)) for number in range(connections)]
        await asyncio.sleep(seconds)
        for sender in senders:
            sender.cancel()
        await asyncio.gather(*senders, return_exceptions=True)

    async def _keep_sending(self, first: int) -> None:
        numbers = count(first)
        while True:
            try:
                await self._send_on_connection(numbers)
            except OSError:
                self.answers[HUNG_UP] += 1
                await asyncio.sleep(_RECONNECT_SECONDS)

    async def _send_on_connection(self, numbers: Iterator[int]) -> None:
        """Send requests until the connection breaks."""
        connection: Connection | None = None
        try:
            for number in numbers:
                request = self._requests[number % len(self._requests)]
                if request.is_stream:
                    status = await self._listen(request)
                else:
                    connection = connection or await Connection.open(self._port, self._address)
                    body = request.body.encode()
                    answer = await connection.ask(
                        request.method, request.path, request.headers, body, timeout=3600
                    )
                    status = answer.status
                self.answers[str(status)] += 1
        finally:
            if connection is not None:
                connection.close()

    async def _listen(self, request: Request) -> int:
        stream = await _Listening.open(self._port, self._address)
        try:
            stream.listen(request.path, request.cookie)
            return await stream.started
        finally:
            stream.close()


async def _main(task: dict[str, Any]) -> None:
    flood = Flood(task["port"], task["address"], [Request(*fields) for fields in task["requests"]])
    await flood.run(task["connections"], task["seconds"])
    print(json.dumps(flood.answers))


if __name__ == "__main__":
    uvloop.run(_main(json.load(sys.stdin)))
