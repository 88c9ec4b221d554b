"""Event relay between worker processes through Redis publish/subscribe.

Each process subscribes to the tables it has pages of. Redis stores nothing: after an outage or a new
subscription, pages check the database, and processes exchange their present seats again.
"""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from secrets import token_hex
from typing import Any, Final, TypeVar

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as NoConnection

from app.web.live.bus import AGAIN, Bus, Stage
from app.web.live.presence import REPORT, Presence
from app.web.live.redis_channels import FAILURES, Channels, channels_at, send

_T = TypeVar("_T")
_CHANNEL: Final = "wibble:table:"
_WORKERS: Final = "workers"
"""The channel for the signs of life of all processes; not an ID of a table or player."""
_ALIVE: Final = "alive"
"""Event name: a sign of life of a process."""
_BEAT: Final = 15.0
"""Seconds between two signs of life."""
_AWAY: Final = 0.25
"""Seconds between two attempts to reconnect."""
_QUIET: Final = 10.0
"""Seconds without a message after which a server gets a PING, and seconds it then has to answer."""
_LONGEST: Final = 30.0
"""Seconds after which a call of the Redis client is cancelled and retried; its own timeouts are shorter."""

log = logging.getLogger("uvicorn.error.wibble")


class _UnknownFailure(NoConnection):
    """The Redis client raised an error that is not in FAILURES."""


class _Link:
    """A connection subscribed to channels of one server."""

    def __init__(self, connection: AbstractConnection) -> None:
        self.connection = connection
        self.leaving: set[str] = set()
        """Channels that are being unsubscribed from, until the server confirms it."""


class RedisRelay:
    """Publishes this process's events to Redis, and delivers other processes' events to its bus."""

    def __init__(self, url: str, bus: Bus, presence: Presence) -> None:
        """Raises ValueError if ``url`` is not valid."""
        self._url = url
        self._channels: Channels = channels_at(url)
        self._bus = bus
        self._presence = presence
        self._me = token_hex(4)
        self._wanted: set[str] = set()
        self._subscribed: dict[str, str] = {}
        """Subscribed channels, each with its server."""
        self._links: dict[str, _Link] = {}
        self._broken: list[_Link] = []
        """Links to be closed, only by ``_arrange``: they must not be closed while it uses them."""
        self._changes: asyncio.Queue[str] = asyncio.Queue()
        """Channels to subscribe to if they are wanted, else to unsubscribe from."""
        self._outbox: asyncio.Queue[tuple[str, str, str]] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failures: set[type[Exception]] = set()
        """Types of errors since a server stopped answering, each logged once; empty while all answer."""
        self._moved = False
        """Whether a channel has moved to another server."""
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        """Connect and start relaying. Raises an error of the Redis client if Redis cannot be reached."""
        self._loop = asyncio.get_running_loop()
        await self._channels.look_up()
        self.follow(_WORKERS, wanted=True)
        self._tasks |= {
            asyncio.create_task(each()) for each in (self._send_all, self._arrange, self._send_alive)
        }

    async def close(self) -> None:
        """Stop relaying and disconnect."""
        while self._tasks:  # the Redis client may swallow a cancellation
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks, timeout=0.1)
            self._tasks = {task for task in self._tasks if not task.done()}
        self._broken += self._links.values()
        await self._close_broken()
        await _close(self._channels)

    def send(self, table_id: str, name: str, text: str, stage: Stage = ()) -> None:
        """Queue an event for publishing. Thread-safe."""
        if self._loop is not None:
            message = json.dumps([self._me, name, text, stage])
            self._loop.call_soon_threadsafe(self._outbox.put_nowait, (table_id, name, message))

    def follow(self, table_id: str, *, wanted: bool) -> None:
        """Subscribe to a table's events or unsubscribe. Call it on the event loop."""
        (self._wanted.add if wanted else self._wanted.discard)(table_id)
        self._changes.put_nowait(table_id)

    async def _send_all(self) -> None:
        failing = False
        while True:
            waiting = await _all_of(self._outbox)
            try:
                async with _in_time():
                    await self._channels.publish(
                        (_CHANNEL + table_id, message) for table_id, _, message in waiting
                    )
                failing = False
            except FAILURES as error:
                if not failing:
                    log.warning("Events could not be published to Redis: %s", error, exc_info=_traced(error))
                failing = True
                self._replace_client_after(error)
                await asyncio.sleep(_AWAY)
                # Those who are still connected have missed something without noticing.
                for table_id, name in {(table_id, name) for table_id, name, _ in waiting}:
                    if name == REPORT:
                        self._presence.report(table_id)
                    else:
                        self.send(table_id, AGAIN, "")

    async def _send_alive(self) -> None:
        while True:
            self.send(_WORKERS, _ALIVE, "")
            self._presence.refresh()
            await asyncio.sleep(_BEAT)

    async def _arrange(self) -> None:
        """Subscribe and unsubscribe when channels are followed, have moved or have lost their server."""
        while True:
            changes = set(await _all_of(self._changes))
            try:
                async with _in_time():
                    await self._close_broken()
                    if self._failures or self._moved:
                        await self._channels.look_up()
                        self._moved = False
                    failed = await self._place(changes)
            except FAILURES as error:
                self._note_failure(error)
                self._replace_client_after(error)
                failed = changes
            if failed:
                await asyncio.sleep(_AWAY)
                for table_id in failed:
                    self._changes.put_nowait(table_id)
            elif self._failures:
                log.warning("Redis is available again")
                self._failures.clear()

    async def _place(self, changes: Iterable[str]) -> set[str]:
        """Subscribe or unsubscribe; return the channels whose server did not answer. Raises FAILURES."""
        coming, leaving = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for table_id in changes:
            place = self._channels.place_of(_CHANNEL + table_id) if table_id in self._wanted else None
            now = self._subscribed.get(table_id)
            if place is not None:
                coming[place].append(table_id)
            if now is not None and now != place:
                leaving[now].append(table_id)
                del self._subscribed[table_id]
        for place, table_ids in leaving.items():
            if link := self._links.get(place):
                link.leaving.update(table_ids)
                with suppress(*FAILURES):  # _receive notices
                    await self._channels.unsubscribe(link.connection, map(_CHANNEL.__add__, table_ids))
        failed: set[str] = set()
        for place, table_ids in coming.items():
            try:
                await self._subscribe(place, table_ids)
            except FAILURES as error:
                self._note_failure(error)
                failed.update(table_ids)
        return failed

    async def _subscribe(self, place: str, table_ids: Iterable[str]) -> None:
        known = self._links.get(place)
        link = known or _Link(self._channels.connection(place))
        try:
            if known is None:
                await link.connection.connect()  # type: ignore[no-untyped-call]
            await self._channels.subscribe(link.connection, map(_CHANNEL.__add__, table_ids))
        except BaseException:
            if known is None:
                self._broken.append(link)
            raise
        if known is None:
            self._links[place] = link
            self._keep(asyncio.create_task(self._receive(place, link)))
        elif link in self._broken:
            raise NoConnection("lost meanwhile")
        self._subscribed |= dict.fromkeys(table_ids, place)

    async def _receive(self, place: str, link: _Link) -> None:
        """Receive messages from a server until the connection is lost."""
        asked = False
        try:
            while True:
                async with _in_time():
                    message = await link.connection.read_response(timeout=_QUIET)
                    if message is None and asked:
                        raise NoConnection("no answer")
                    asked = message is None
                    if message is None:
                        await send(link.connection, "PING")
                    elif isinstance(message, list):  # else the answer to a PING
                        self._take(link, *message)
        except FAILURES as error:
            self._note_failure(error)
            self._broken.append(self._links.pop(place))
            for table_id in [each for each, at in self._subscribed.items() if at == place]:
                del self._subscribed[table_id]
                self._changes.put_nowait(table_id)

    async def _close_broken(self) -> None:
        while self._broken:
            with suppress(*FAILURES):
                await self._broken.pop().connection.disconnect(nowait=True)

    def _take(self, link: _Link, kind: bytes, channel: bytes, data: Any = None) -> None:
        table_id = channel.decode().removeprefix(_CHANNEL)
        match kind:
            case b"message" | b"smessage":
                try:
                    self._deliver(table_id, data)
                except ValueError:  # from a worker of another version
                    log.warning("Ignored an event that cannot be parsed")
            case b"subscribe" | b"ssubscribe":
                self._bus.pass_on(table_id, AGAIN, "")  # events before the subscription were missed
                self._presence.introduce(table_id)
            case b"unsubscribe" | b"sunsubscribe" if table_id in link.leaving:
                link.leaving.discard(table_id)
            case b"sunsubscribe":  # by the server, because another one has the channel now
                self._subscribed.pop(table_id, None)
                self._moved = True
                self._changes.put_nowait(table_id)

    def _deliver(self, table_id: str, data: Any) -> None:
        sender, name, text, stage = json.loads(data)
        if sender == self._me:
            return
        self._presence.note_alive(sender)
        if name == REPORT:
            self._presence.handle_report(table_id, sender, text)
        elif name != _ALIVE:
            self._bus.pass_on(table_id, name, text, tuple(stage))

    def _keep(self, task: asyncio.Task[None]) -> None:
        """Keep a reference to a task until it is done: the event loop has only a weak one."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _replace_client_after(self, error: Exception) -> None:
        """Use a new client if the old one may be stuck for good."""
        if isinstance(error, _UnknownFailure):
            old, self._channels = self._channels, channels_at(self._url)
            self._keep(asyncio.create_task(_close(old)))

    def _note_failure(self, error: Exception) -> None:
        if type(error) not in self._failures:
            why = "a connection broke" if isinstance(error, AttributeError) else error
            log.warning("Redis is unavailable: %s", why, exc_info=_traced(error))
        self._failures.add(type(error))


async def look_again(url: str, table_ids: Iterable[str]) -> None:
    """Have all listeners of these tables check them, from a process without a relay. Raises FAILURES."""
    channels = channels_at(url)
    message = json.dumps([token_hex(4), AGAIN, "", ()])
    try:
        async with _in_time():
            await channels.look_up()
            await channels.publish((_CHANNEL + table_id, message) for table_id in table_ids)
    finally:
        await _close(channels)


@asynccontextmanager
async def _in_time() -> AsyncIterator[None]:
    """Raise only errors of FAILURES, and cancel the block after ``_LONGEST`` seconds.

    Any other error would end the task, and the process would no longer send or receive events.
    """
    task = asyncio.current_task()
    try:
        async with asyncio.timeout(_LONGEST) as limit:
            yield
    except FAILURES as error:
        if limit.expired():
            raise _UnknownFailure(f"nothing has happened for {_LONGEST:g} seconds") from error
        raise
    except asyncio.CancelledError as error:
        if task is None or task.cancelling():
            raise
        raise _UnknownFailure("the client has cancelled itself") from error
    except Exception as error:
        raise _UnknownFailure(repr(error)) from error


async def _close(channels: Channels) -> None:
    with suppress(*FAILURES):
        async with _in_time():
            await channels.close()


def _traced(error: Exception) -> Exception | None:
    """The error, if its traceback is worth logging."""
    return error if isinstance(error, _UnknownFailure) else None


async def _all_of(queue: asyncio.Queue[_T]) -> list[_T]:
    """Everything in the queue; waits for an item if it is empty."""
    found = [await queue.get()]
    while not queue.empty():
        found.append(queue.get_nowait())
    return found
