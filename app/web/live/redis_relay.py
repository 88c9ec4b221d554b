"""Event relay between worker processes through Redis publish/subscribe.

Each process subscribes to the tables it has pages of. Redis stores nothing: after an outage or a new
subscription, pages are told to check the database.
"""

import asyncio
import json
import logging
from contextlib import suppress
from secrets import token_hex
from typing import Any, Final, TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from app.web.live.bus import AGAIN, Bus, Stage
from app.web.live.presence import REPORT, Presence

_T = TypeVar("_T")
_CHANNEL: Final = "wibble:table:"
_AWAY: Final = 0.25
"""Seconds between two attempts to reconnect."""
_REFRESH: Final = 15.0
"""Seconds between two presence reports."""

log = logging.getLogger("uvicorn.error.wibble")


class RedisRelay:
    """Publishes this process's events to Redis, and delivers other processes' events to its bus."""

    def __init__(self, url: str, bus: Bus, presence: Presence) -> None:
        self._redis: Redis = Redis.from_url(url, socket_connect_timeout=2, health_check_interval=10)
        self._pubsub = self._redis.pubsub()
        self._bus = bus
        self._presence = presence
        self._me = token_hex(4)
        self._wanted: set[str] = set()
        self._changes: asyncio.Queue[tuple[str, bool]] = asyncio.Queue()
        self._outbox: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False
        """Needed besides cancelling the tasks, because the Redis client may swallow a cancellation."""
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        """Connect and start relaying. Raises RedisError if Redis cannot be reached."""
        self._loop = asyncio.get_running_loop()
        await self._redis.ping()
        work = (self._send_all, self._subscribe_all, self._receive_all, self._refresh)
        self._tasks = [asyncio.create_task(each()) for each in work]

    async def close(self) -> None:
        """Stop relaying and disconnect."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hang_up()
        await self._redis.aclose()

    def send(self, table_id: str, name: str, text: str, stage: Stage = ()) -> None:
        """Queue an event for publishing. Thread-safe."""
        if self._loop is not None:
            message = json.dumps([self._me, name, text, stage])
            self._loop.call_soon_threadsafe(self._outbox.put_nowait, (table_id, message))

    def follow(self, table_id: str, *, wanted: bool) -> None:
        """Subscribe to a table's events or unsubscribe. Call it on the event loop."""
        (self._wanted.add if wanted else self._wanted.discard)(table_id)
        self._changes.put_nowait((table_id, wanted))

    async def _send_all(self) -> None:
        while not self._closing:
            waiting = await _all_of(self._outbox)
            try:
                # Pipelined: with a round trip per event, a busy process would fall behind.
                async with self._redis.pipeline(transaction=False) as together:
                    for table_id, message in waiting:
                        together.publish(_CHANNEL + table_id, message)
                    await together.execute()
            except (RedisError, OSError) as error:
                # Nothing is lost: pages check the database as soon as Redis is back.
                log.warning("Events could not be published to Redis: %s", error)

    async def _subscribe_all(self) -> None:
        while not self._closing:
            changes = dict(await _all_of(self._changes))
            with suppress(RedisError, OSError):  # reconnecting subscribes to everything
                for wanted, change in ((True, self._pubsub.subscribe), (False, self._pubsub.unsubscribe)):
                    if channels := [_CHANNEL + table for table, now in changes.items() if now is wanted]:
                        await change(*channels)

    async def _receive_all(self) -> None:
        lost = False
        while not self._closing:
            try:
                if lost:
                    await self._redis.ping()
                    await self._resubscribe()
                    log.warning("Redis is available again")
                    lost = False
                await self._receive()
            except (RedisError, OSError) as error:
                if not lost:
                    log.warning("Redis is unavailable: %s", error)
                lost = True
                await asyncio.sleep(_AWAY)

    async def _resubscribe(self) -> None:
        await self._hang_up()
        self._pubsub = self._redis.pubsub()
        if self._wanted:
            await self._pubsub.subscribe(*(_CHANNEL + table_id for table_id in self._wanted))
        self._bus.tell_all(AGAIN)

    async def _receive(self) -> None:
        if not self._pubsub.subscribed:
            await asyncio.sleep(0.05)
            return
        message = await self._pubsub.get_message(timeout=1.0)
        if message is None:
            return
        table_id = message["channel"].decode().removeprefix(_CHANNEL)
        if message["type"] == "subscribe":
            self._bus.pass_on(table_id, AGAIN, "")  # events before the subscription were missed
        elif message["type"] == "message":
            try:
                self._take(table_id, message["data"])
            except ValueError:  # from a worker of another version
                log.warning("Ignored an event that cannot be parsed")

    def _take(self, table_id: str, data: Any) -> None:
        sender, name, text, stage = json.loads(data)
        if sender == self._me:
            return
        if name == REPORT:
            self._presence.reported(table_id, text)
        else:
            self._bus.pass_on(table_id, name, text, tuple(stage))

    async def _refresh(self) -> None:
        while not self._closing:
            await asyncio.sleep(_REFRESH)
            for table_id in list(self._wanted):
                self._presence.report(table_id)

    async def _hang_up(self) -> None:
        with suppress(RedisError, OSError):
            await self._pubsub.aclose()  # type: ignore[no-untyped-call]


async def _all_of(queue: asyncio.Queue[_T]) -> list[_T]:
    """Everything in the queue; waits for an item if it is empty."""
    found = [await queue.get()]
    while not queue.empty():
        found.append(queue.get_nowait())
    return found
