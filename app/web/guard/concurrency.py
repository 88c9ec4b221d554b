"""Concurrency limit: only a few requests of an address are handled at a time; the others wait in order.

Pages are rendered in one pool of threads, which share the interpreter lock. Without this limit, an address
that keeps sixty connections busy puts fifty-nine requests ahead of everybody else's. Two at a time are
enough: they get as many answers per second as four, and a browser loads a page and its fourteen files in the
same time (0.4 s cold).
"""

from asyncio import get_running_loop
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from contextvars import ContextVar
from typing import Final

from anyio import Semaphore
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.guard.addresses import network_of


class ConcurrencyLimit:
    """Lets ``most`` requests of an address in at a time.

    A request gives up its slot when its answer begins, or when it waits for an engine.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app: Final = app
        self._slots: Final = defaultdict[str, Semaphore](lambda: Semaphore(most))
        self._requests: Final = defaultdict[str, int](int)
        """Number of requests per address, running or waiting."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request when it is its turn."""
        address = network_of(scope["client"][0]) if scope["type"] == "http" and scope.get("client") else ""
        if not address:
            await self._app(scope, receive, send)
            return
        self._requests[address] += 1
        try:
            await self._in_turn(self._slots[address], scope, receive, send)
        finally:
            self._requests[address] -= 1
            if not self._requests[address]:
                del self._requests[address], self._slots[address]

    async def _in_turn(self, slots: Semaphore, scope: Scope, receive: Receive, send: Send) -> None:
        await slots.acquire()
        slot = _Slot(slots)
        _slot.set(slot)

        async def leave_and_send(message: Message) -> None:
            # What is left is sending, which costs no thread: event streams and slow readers keep no slot.
            if message["type"] == "http.response.start":
                slot.leave()
            await send(message)

        try:
            await self._app(scope, receive, leave_and_send)
        finally:
            slot.leave()


class _Slot:
    """The slot of one running request."""

    def __init__(self, slots: Semaphore) -> None:
        self.loop: Final = get_running_loop()
        self.slots: Final = slots
        self._taken = True

    def leave(self) -> None:
        """Free the slot for the next request. Call it on the event loop."""
        if self._taken:
            self._taken = False
            self.slots.release()


_slot: Final = ContextVar[_Slot | None]("slot", default=None)


def leave_slot() -> None:
    """Free the current request's slot, because it waits for an engine. Thread-safe."""
    if (slot := _slot.get()) is not None:
        slot.loop.call_soon_threadsafe(slot.leave)


@asynccontextmanager
async def another_turn() -> AsyncIterator[None]:
    """Wait for a slot of the address, in an answer that has already begun, and hold it within the block."""
    slot = _slot.get()
    async with slot.slots if slot is not None else nullcontext():
        yield
