"""A process that encrypts pushes and posts messages for a server, at low priority: moves come first.

It reads a message from a line of JSON on its standard input and answers with a line on its standard output.
It exits at the end of its input, so also when the server is killed.
"""

import asyncio
import json
import logging
import os
import sys
from contextlib import suppress
from typing import Any, Final, Literal, TypeAlias, TypedDict, cast

import anyio
import httpx

from app.web.notices.public_http import client
from app.web.notices.web_push import WebPush

Outcome: TypeAlias = Literal["delivered", "failed", "gone"]
"""As in ``app.store.outbox``, which is not imported so that this process starts fast."""

NICENESS: Final = 10
"""Added to the process's nice value: it gets about a tenth of a core when all are busy."""
LONGEST: Final = 30.0
"""Seconds that sending a message may take."""
_LONGEST_LINE: Final = 1 << 20
"""Most bytes of an answer's line."""
_GONE: Final = frozenset({404, 410})

log = logging.getLogger("uvicorn.error.wibble")


class Push(TypedDict):
    """A push to encrypt and send."""

    id: str
    address: str
    secret: str
    """The browser's keys, as returned by ``browser_keys``."""
    content: str


class Post(TypedDict):
    """A request to send unchanged."""

    id: str
    address: str
    headers: dict[str, str]
    body: str


class SendingProcess:
    """Starts the process with the first message, and exchanges messages and outcomes with it."""

    def __init__(self, push: WebPush, *, private: bool) -> None:
        """``private``: private addresses are allowed, too."""
        self._setup = {"signing_key": push.signing_key, "site": push.site, "private": private}
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[str, asyncio.Future[Outcome]] = {}
        self._starting = asyncio.Lock()

    async def send(self, message: Push | Post) -> Outcome:
        """Send a message; ``failed`` if the process does not answer in time."""
        process = await self._running()
        answer = self._waiting[message["id"]] = asyncio.get_running_loop().create_future()
        try:
            _write(process, message)
            # Twice the time, as a busy machine leaves the process little.
            return await asyncio.wait_for(answer, 2 * LONGEST)
        except (TimeoutError, OSError):
            return "failed"
        finally:
            del self._waiting[message["id"]]

    async def close(self) -> None:
        """End the process."""
        if self._reading is not None:
            self._reading.cancel()
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    __name__,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=_LONGEST_LINE,
                )
                _write(self._process, self._setup)
                self._reading = asyncio.create_task(self._read(self._process))
            return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Pass on the outcomes until the process ends; messages without one have then failed."""
        async for line in cast("asyncio.StreamReader", process.stdout):
            answer = json.loads(line)
            waiting = self._waiting.get(answer["id"])
            if waiting is not None and not waiting.done():
                waiting.set_result(answer["outcome"])
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_result("failed")


def _write(process: asyncio.subprocess.Process, line: object) -> None:
    cast("asyncio.StreamWriter", process.stdin).write(json.dumps(line).encode() + b"\n")


async def _send(web: httpx.AsyncClient, push: WebPush, message: dict[str, Any]) -> Outcome:
    address = message["address"]
    try:
        if "secret" in message:
            content = message["content"].encode()
            headers, body = push.request(address, message["secret"], message["id"], content)
        else:
            headers, body = message["headers"], message["body"].encode()
        async with (
            asyncio.timeout(LONGEST),
            web.stream("POST", address, headers=headers, content=body) as answer,
        ):
            if answer.status_code in _GONE:
                return "gone"
            return "delivered" if answer.is_success else "failed"
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        log.info("A message could not be sent: %s", type(error).__name__)
        return "failed"


async def _work() -> None:
    lines = anyio.wrap_file(sys.stdin.buffer)
    setup = json.loads(await lines.readline())
    push = WebPush(setup["signing_key"], setup["site"])

    async def answer(message: dict[str, Any]) -> None:
        outcome = await _send(web, push, message)
        sys.stdout.write(json.dumps({"id": message["id"], "outcome": outcome}) + "\n")
        sys.stdout.flush()

    async with client(private=setup["private"]) as web, anyio.create_task_group() as sending:
        async for line in lines:
            sending.start_soon(answer, json.loads(line))
        sending.cancel_scope.cancel()


if __name__ == "__main__":
    with suppress(AttributeError):  # Windows has no such priorities
        os.nice(NICENESS)
    with suppress(KeyboardInterrupt, BrokenPipeError):
        anyio.run(_work)
