"""Event streams, and limits on those open per player and per address."""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final

from fastapi.sse import EventSourceResponse
from starlette.types import Receive, Scope, Send

from app.grammar import format_count
from app.store.models import TooMuch
from app.web.guard.rates import Caller

HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class StreamLimiter:
    """Counts open streams. Not thread-safe: use it on the event loop only."""

    def __init__(self, most_of_player: int, most_of_address: int) -> None:
        self._most = {"player": most_of_player, "address": most_of_address}
        self._open: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def one_more(self, caller: Caller) -> Iterator[None]:
        """Count a stream within the block. Raises TooMuch if the player or address has reached its limit."""
        for key in _keys(caller):
            most = self._most[key[0]]
            if self._open[key] >= most:
                raise TooMuch(
                    f"this {key[0]} already has {format_count(most, 'event stream')} open: close some"
                )
        self._open.update(_keys(caller))
        try:
            yield
        finally:
            for key in _keys(caller):
                self._open[key] -= 1
                if not self._open[key]:
                    del self._open[key]


class LimitedStream(EventSourceResponse):
    """An event stream that counts towards its caller's limits until it ends.

    Above a limit it raises TooMuch before it starts, which is answered like an error of the endpoint.
    """

    def __init__(self, content: AsyncIterator[bytes], limiter: StreamLimiter, caller: Caller) -> None:
        super().__init__(content, headers=HEADERS)
        self._limiter = limiter
        self._caller = caller

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream. Raises TooMuch."""
        with self._limiter.one_more(self._caller):
            await super().__call__(scope, receive, send)


def _keys(caller: Caller) -> list[tuple[str, str]]:
    return [
        ("address", caller.address),
        *([("player", caller.account)] if caller.account is not None else []),
    ]
