"""Event bus: notifies the pages of a table when it changes.

An event is a name and a short text without hidden information; each page gets its own view. Only the latest
event of each name is kept, so a slow listener misses nothing and no queue grows. Events that arrive
after a later one are dropped.

Besides a channel per table, named by its ID, there is one per player: see ``Bus.notify_player``.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Final, Protocol, TypeAlias

Stage: TypeAlias = tuple[int, ...]
"""Orders events of one name: the later one is greater. Empty for events without an order."""
CLOSING: Final = "closing"
"""Event name: the server is shutting down, and the page should reconnect."""
AGAIN: Final = "again"
"""Event name: events may have been missed, so check the table."""


_PLAYER: Final = "player:"
"""Prefix of the channel of a player; no table's ID begins with it."""


def player_channel(player_id: str) -> str:
    """The channel of the events that concern one player."""
    return _PLAYER + player_id


class Relay(Protocol):
    """Exchanges events with the other worker processes."""

    def send(self, table_id: str, name: str, text: str, stage: Stage = ()) -> None:
        """Send an event to the other processes. Thread-safe; never raises."""
        ...

    def follow(self, table_id: str, *, wanted: bool) -> None:
        """Subscribe to a table's events or unsubscribe. Call it on the event loop; never raises."""
        ...


class Listener:
    """The events that one page of a table has not read yet."""

    def __init__(self) -> None:
        self._news: dict[str, str] = {}
        self._stages: dict[str, Stage] = {}
        self._arrived = asyncio.Event()

    def add(self, name: str, text: str, stage: Stage = ()) -> None:
        """Add an event, replacing an earlier one of the same name."""
        if stage < self._stages.get(name, ()):
            return
        self._stages[name] = stage
        self._news[name] = text
        self._arrived.set()

    def has_seen(self, name: str, stage: Stage) -> None:
        """Drop future events of this name that are earlier than ``stage``."""
        self._stages[name] = max(stage, self._stages.get(name, ()))

    async def receive(self, seconds: float) -> dict[str, str]:
        """Wait for events and return them by name; empty after ``seconds`` without any."""
        try:
            async with asyncio.timeout(seconds):
                await self._arrived.wait()
        except TimeoutError:
            return {}
        news, self._news = self._news, {}
        self._arrived.clear()
        return news


class Bus:
    """The event bus of this process, connected to those of other workers by a relay."""

    def __init__(self) -> None:
        self.relay: Relay | None = None
        self._listeners: dict[str, set[Listener]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False

    def open(self) -> None:
        """Start delivering events on the current event loop, which must be the listeners' loop."""
        self._loop = asyncio.get_running_loop()

    def publish(self, table_id: str, name: str, text: str, stage: Stage = ()) -> None:
        """Send an event to all listeners of a table, in all processes. Thread-safe."""
        self.pass_on(table_id, name, text, stage)
        if self.relay is not None:
            self.relay.send(table_id, name, text, stage)

    def look_again(self, table_ids: Iterable[str]) -> None:
        """Have all listeners of these tables check them, in all processes. Thread-safe.

        The streams of a table that has been deleted end.
        """
        for table_id in table_ids:
            self.publish(table_id, AGAIN, "")

    def notify_player(self, player_id: str, event: str, subject: str, stage: Stage = ()) -> None:
        """Send an event to a player's event streams, in all processes. Thread-safe.

        ``subject`` is the ID of the game or challenge; only the latest event about each is kept. Costs next
        to nothing if there are no listeners.
        """
        channel = player_channel(player_id)
        if channel in self._listeners:
            self.pass_on(channel, f"{event} {subject}", subject, stage)
        if self.relay is not None:
            self.relay.send(channel, f"{event} {subject}", subject, stage)

    def pass_on(self, table_id: str, name: str, text: str, stage: Stage = ()) -> None:
        """Send an event to a table's listeners in this process. Thread-safe."""
        self._on_loop(lambda: self._add_to(self._listeners.get(table_id, ()), name, text, stage))

    def close(self) -> None:
        """End all event streams, and any that are opened later. Thread-safe."""
        self._closing = True
        self._on_loop(lambda: self._add_to(list(chain.from_iterable(self._listeners.values())), CLOSING, ""))

    @property
    def listening(self) -> int:
        """Number of listeners in this process."""
        return sum(map(len, list(self._listeners.values())))

    @contextmanager
    def listen(self, table_id: str) -> Iterator[Listener]:
        """Listen to a table within the block. Use it on the event loop."""
        listener = Listener()
        if self._closing:
            listener.add(CLOSING, "")
        listeners = self._listeners.setdefault(table_id, set())
        listeners.add(listener)
        if self.relay is not None and len(listeners) == 1:
            self.relay.follow(table_id, wanted=True)
        try:
            yield listener
        finally:
            listeners.discard(listener)
            if not listeners:
                self._listeners.pop(table_id, None)
                if self.relay is not None:
                    self.relay.follow(table_id, wanted=False)

    def _on_loop(self, call: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    @staticmethod
    def _add_to(listeners: Iterable[Listener], name: str, text: str, stage: Stage = ()) -> None:
        for listener in listeners:
            listener.add(name, text, stage)
