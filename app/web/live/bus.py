"""Carries news of tables from whoever changes one to the pages that show it.

News is a name and a short text that tells nothing hidden: a page that hears of it fetches its own view. Only
the latest of each name matters, so a page that is slow to listen misses nothing and nothing piles up.
News that was overtaken on its way is not told any more.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol, TypeAlias

Stage: TypeAlias = tuple[int, ...]
"""Tells the later of two news of one name; the empty one is of news that is not overtaken."""
CLOSING: Final = "closing"
"""The last news of all: the server goes away, come back in a moment."""
AGAIN: Final = "again"
"""Something may have been missed: look for yourself."""


class Relay(Protocol):
    """Takes news to the other processes that serve the same tables."""

    def send(self, table_id: str, name: str, text: str, stage: Stage = ()) -> None:
        """Pass the news on; called from any thread, and never raises."""
        ...

    def follow(self, table_id: str, *, wanted: bool) -> None:
        """Bring the news of this table here, or no longer; called on the event loop, and never raises."""
        ...


class Listener:
    """One page that listens to one table."""

    def __init__(self) -> None:
        self._news: dict[str, str] = {}
        self._stages: dict[str, Stage] = {}
        self._arrived = asyncio.Event()

    def tell(self, name: str, text: str, stage: Stage = ()) -> None:
        """Keep the news for the listener; of one name only the latest."""
        if stage < self._stages.get(name, ()):
            return
        self._stages[name] = stage
        self._news[name] = text
        self._arrived.set()

    def has_seen(self, name: str, stage: Stage) -> None:
        """The listener has looked for itself: what is earlier is no news any more."""
        self._stages[name] = max(stage, self._stages.get(name, ()))

    async def hear(self, seconds: float) -> dict[str, str]:
        """The news by name as soon as there is any; nothing where none comes in so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self._arrived.wait()
        except TimeoutError:
            return {}
        news, self._news = self._news, {}
        self._arrived.clear()
        return news


class Bus:
    """The news of this process, and through a relay of all."""

    def __init__(self) -> None:
        self.relay: Relay | None = None
        self._listeners: dict[str, set[Listener]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False

    def open(self) -> None:
        """Begin to carry news; called on the event loop that the listeners are on."""
        self._loop = asyncio.get_running_loop()

    def publish(self, table_id: str, name: str, text: str, stage: Stage = ()) -> None:
        """Tell everybody who listens to the table, here and in other processes; called from any thread."""
        self.pass_on(table_id, name, text, stage)
        if self.relay is not None:
            self.relay.send(table_id, name, text, stage)

    def pass_on(self, table_id: str, name: str, text: str, stage: Stage = ()) -> None:
        """Tell who listens in this process; called from any thread."""
        self._on_loop(lambda: self._tell(self._listeners.get(table_id, ()), name, text, stage))

    def tell_all(self, name: str, text: str = "") -> None:
        """Tell every listener of this process, whatever the table; called from any thread."""
        self._on_loop(
            lambda: self._tell([one for every in self._listeners.values() for one in every], name, text)
        )

    def close(self) -> None:
        """Send every listener away, and all who come after; called from any thread."""
        self._closing = True
        self.tell_all(CLOSING)

    @property
    def listening(self) -> int:
        """How many listeners there are in this process."""
        return sum(map(len, list(self._listeners.values())))

    @contextmanager
    def listen(self, table_id: str) -> Iterator[Listener]:
        """Listen to a table for as long as the block runs; on the event loop."""
        listener = Listener()
        if self._closing:
            listener.tell(CLOSING, "")
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
    def _tell(listeners: Iterable[Listener], name: str, text: str, stage: Stage = ()) -> None:
        for listener in listeners:
            listener.tell(name, text, stage)
