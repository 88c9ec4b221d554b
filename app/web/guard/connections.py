"""Connection limits: how many may be open, and timeouts for slow clients.

There is no deadline for the server's answer, so event streams may last. A client that stops reading is
disconnected.

uvicorn's options are not enough: with ``timeout_keep_alive=2`` and ``limit_concurrency=100``, 99 connections
that sent nothing, half a head or half a body were all still open after 20 seconds, and a new one got 503.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Mapping
from enum import Enum
from itertools import chain
from typing import Final, cast

from fastapi import Response
from uvicorn.middleware.proxy_headers import _TrustedHosts

from app.grammar import format_count
from app.settings import Settings
from app.web.guard.addresses import network_of
from app.web.guard.corked import CorkedTransport
from app.web.guard.header_limit import HeaderLimitProtocol
from app.web.guard.problems import problem_response

if sys.platform != "win32":
    import resource

STATE: Final = "connections"
"""Key of the ``Connections`` in the application's state."""
_OTHER_FILES: Final = 256
"""File descriptors reserved for the database, static files, Redis and so on."""
_MIN_CONNECTIONS: Final = 64
_TICK: Final = 1
"""Seconds between two checks of all connections."""


class Phase(Enum):
    """What a connection is waiting for."""

    HEAD = "head"
    """The request line and headers."""
    BODY = "body"
    """The rest of the request body."""
    IDLE = "idle"
    """The next request."""
    ANSWER = "answer"
    """The server's answer."""


def raise_file_limit() -> None:
    """Raise this process's soft limit on open files, usually 1,024, to the hard limit."""
    if sys.platform != "win32":
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def most_connections(wanted: int) -> int:
    """``wanted``, or fewer if this process may not open that many files."""
    if sys.platform == "win32":
        return wanted
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (
        wanted if soft == resource.RLIM_INFINITY else min(wanted, max(_MIN_CONNECTIONS, soft - _OTHER_FILES))
    )


class Connections:
    """All connections of a process. Not thread-safe: use it on the event loop only."""

    def __init__(self, settings: Settings) -> None:
        self.most = most_connections(settings.connections)
        self.seconds: Mapping[Phase, float] = {
            Phase.HEAD: settings.header_timeout,
            Phase.BODY: settings.body_timeout,
            Phase.IDLE: settings.idle_timeout,
            Phase.ANSWER: float("inf"),
        }
        self.stalled_seconds = settings.stall_timeout
        self.closed: Counter[str] = Counter()
        """Number of connections refused or closed, by reason."""
        self._most_of_address = settings.connections_per_address
        self._proxies = _TrustedHosts(settings.trusted_proxies)
        self._open: dict[LimitedConnection, str] = {}
        """Open connections with the address they count for; empty for a trusted proxy."""
        self._of_address: Counter[str] = Counter()
        self._new: dict[LimitedConnection, None] = {}
        """Connections without a request so far, oldest first."""
        self._idle: dict[LimitedConnection, None] = {}
        """Connections whose requests are all answered, longest idle first."""
        self._now = 0.0
        """Seconds in ticks."""

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: "LimitedConnection", host: str) -> Response | None:
        """Register a new connection from ``host``; return the response to refuse it with, or None."""
        address = "" if host in self._proxies else network_of(host)
        if address and self._of_address[address] >= self._most_of_address:
            self.closed["address"] += 1
            most = format_count(self._most_of_address, "connection")
            return problem_response(
                429, f"your address already has {most} open: close some", headers={"Retry-After": "1"}
            )
        if len(self._open) >= self.most and not self._make_room():
            self.closed["full"] += 1
            return problem_response(
                503, "too many connections are open: try again in a moment", headers={"Retry-After": "1"}
            )
        self._open[connection] = address
        self._of_address[address] += 1
        self._new[connection] = None
        return None

    def mark_busy(self, connection: "LimitedConnection") -> None:
        """Mark a connection as busy: it has received a request."""
        self._new.pop(connection, None)
        self._idle.pop(connection, None)

    def mark_idle(self, connection: "LimitedConnection") -> None:
        """Mark a connection as idle: all its requests are answered."""
        if connection in self._open:
            self._idle[connection] = None

    def forget(self, connection: "LimitedConnection") -> None:
        """Unregister a connection."""
        address = self._open.pop(connection, None)
        self.mark_busy(connection)
        if address is not None:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]

    async def keep_watching(self) -> None:
        """Check all connections every second until cancelled.

        Counts ticks instead of reading a clock, so that time in which the process was busy does not count
        against the clients.
        """
        while True:
            await asyncio.sleep(_TICK)
            self._now += _TICK
            for connection in list(self._open):
                connection.check(self._now)

    def _make_room(self) -> bool:
        for connection in chain(self._new, self._idle):
            if connection.unsent == 0:
                connection.drop("evicted")
                return True
        return False


class LimitedConnection(HeaderLimitProtocol):
    """A connection that is closed if its client is too slow."""

    _all: Connections
    _requests = 0
    """Number of requests begun."""
    _waits: tuple[Phase, int] | None = None
    """Phase and request number at the latest check; None before the first."""
    _since = 0.0
    """Tick at which that phase began."""
    _unsent = 0
    """Bytes in the send buffer at the latest check."""
    _taken_at = 0.0
    """Tick at which the send buffer was last empty or shrinking."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register the connection, or refuse it."""
        super().connection_made(cast("asyncio.Transport", CorkedTransport(transport, self.loop)))
        self._all = self.app_state[STATE]
        refusal = self._all.admit(self, self.client[0] if self.client else "")
        if refusal is not None:
            self.hang_up(refusal)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self._all.forget(self)
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Count the request."""
        super().on_message_begin()
        self._requests += 1

    def on_headers_complete(self) -> None:
        """Mark the connection as busy."""
        self._all.mark_busy(self)
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Mark the connection as idle; part of the answer may still be in the send buffer."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._all.mark_idle(self)

    @property
    def unsent(self) -> int:
        """Bytes in the send buffer."""
        return self.transport.get_write_buffer_size()

    def check(self, now: float) -> None:
        """Close the connection if its client is too slow; called on every tick."""
        unsent = self.unsent
        if unsent == 0 or unsent < self._unsent or self._waits is None:
            self._taken_at = now
        elif now - self._taken_at > self._all.stalled_seconds:
            self.drop("stalled")
            return
        self._unsent = unsent
        phase = self._phase()
        if self._waits != (phase, self._requests):
            self._waits, self._since = (phase, self._requests), now
        elif now - self._since > self._all.seconds[phase] and not self.transport.is_closing():
            self._all.closed[phase.value] += 1
            if phase is Phase.IDLE or self._requests == 0 or self._has_answered():
                self.transport.close()
            else:
                most = self._all.seconds[phase]
                detail = (
                    f"the {phase.value} of the request took too long: it has to come within {most} seconds"
                )
                self.hang_up(problem_response(408, detail))

    def drop(self, reason: str) -> None:
        """Abort the connection and discard unsent data."""
        self._all.closed[reason] += 1
        self._all.forget(self)
        self.transport.abort()

    def _phase(self) -> Phase:
        if self.pipeline or self.flow.read_paused:
            return Phase.ANSWER
        if self.cycle is not None and not self.cycle.response_complete:
            return Phase.BODY if self.cycle.more_body else Phase.ANSWER
        return Phase.HEAD if self._reading or self._requests == 0 else Phase.IDLE

    def _has_answered(self) -> bool:
        """Whether the answer has begun, so that an error response would become part of it."""
        return not self._reading and self.cycle is not None and self.cycle.response_started
