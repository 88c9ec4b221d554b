"""The flood itself, in a process of its own: connections that ask one question after the other.

It reads what to do from standard input, as JSON, and tells on standard output how often it was answered with
which status. Whoever is refused asks the next question at once, which is ruder than any program should be.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import uvloop

from benchmarks.flooding.questions import Question
from benchmarks.live.client import Connection, EventStream

_BREATH = 0.05
"""Seconds before a connection that was refused or hung up on is opened again."""
HUNG_UP = "hung up"


class _Listening(EventStream):
    """An event stream of which only the beginning is waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def on_body(self, _body: bytes) -> None:
        """Tell how it was answered."""
        if not self.begun.done():
            self.begun.set_result(self._parser.get_status_code())

    def connection_lost(self, error: Exception | None) -> None:
        """There was no answer."""
        super().connection_lost(error)
        if not self.begun.done():
            self.begun.set_exception(ConnectionResetError("the server hung up"))


class Flood:
    """Connections from one address to one server, and how they were answered."""

    def __init__(self, port: int, address: str, questions: Sequence[Question]) -> None:
        self._port = port
        self._address = address
        self._questions = questions
        self.answers: Counter[str] = Counter()

    async def last(self, connections: int, seconds: float) -> None:
        """Ask on so many connections for so long; then hang up, whatever is under way."""
        caller = [asyncio.create_task(self._keep_asking(number)) for number in range(connections)]
        await asyncio.sleep(seconds)
        for each in caller:
            each.cancel()
        await asyncio.gather(*caller, return_exceptions=True)

    async def _keep_asking(self, first: int) -> None:
        numbers = count(first)
        while True:
            try:
                await self._ask_on_one(numbers)
            except OSError:
                self.answers[HUNG_UP] += 1
                await asyncio.sleep(_BREATH)

    async def _ask_on_one(self, numbers: Iterator[int]) -> None:
        """Ask until the connection breaks."""
        connection: Connection | None = None
        try:
            for number in numbers:
                question = self._questions[number % len(self._questions)]
                if question.is_stream:
                    status = await self._listen(question)
                else:
                    connection = connection or await Connection.open(self._port, self._address)
                    body = question.body.encode()
                    answer = await connection.ask(
                        question.method, question.path, question.headers, body, patience=3600
                    )
                    status = answer.status
                self.answers[str(status)] += 1
        finally:
            if connection is not None:
                connection.close()

    async def _listen(self, question: Question) -> int:
        stream = await _Listening.open(self._port, self._address)
        try:
            stream.listen(question.path, question.cookie)
            return await stream.begun
        finally:
            stream.close()


async def _main(told: dict[str, Any]) -> None:
    flood = Flood(told["port"], told["address"], [Question(*one) for one in told["questions"]])
    await flood.last(told["connections"], told["seconds"])
    print(json.dumps(flood.answers))


if __name__ == "__main__":
    uvloop.run(_main(json.load(sys.stdin)))
