"""Connections: how many there may be, and how long each may take over what it sends and reads.

While an answer is made there is no deadline, so event streams may last; but who does not read is let go.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Mapping
from enum import Enum
from itertools import chain
from typing import Final

from fastapi import Response
from uvicorn.middleware.proxy_headers import _TrustedHosts

from app.grammar import format_count
from app.settings import Settings
from app.web.guard.addresses import network_of
from app.web.guard.header_limit import HeaderLimitProtocol
from app.web.guard.problems import problem_response

if sys.platform != "win32":
    import resource

STATE: Final = "connections"
"""The name in the application's state under which a protocol finds the ``Connections``."""
_OTHER_FILES: Final = 256
"""File descriptors that are left for the database, static files, Redis and whatever else is open."""
_FEWEST: Final = 64
_TICK: Final = 1
"""Seconds between two looks at every connection."""


class Phase(Enum):
    """What a connection waits for."""

    HEAD = "head"
    """Its client: an address and headers."""
    BODY = "body"
    """Its client: the rest of a request."""
    IDLE = "idle"
    """Its client: another request."""
    ANSWER = "answer"
    """The server."""


def raise_file_limit() -> None:
    """Let this process, and those it starts, open as many files as they may: usually 1,024 unless asked."""
    if sys.platform != "win32":
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def most_connections(wanted: int) -> int:
    """So many, or fewer where this process may not open enough files for them."""
    if sys.platform == "win32":
        return wanted
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft == resource.RLIM_INFINITY else min(wanted, max(_FEWEST, soft - _OTHER_FILES))


class Connections:
    """All connections of a process. Everything happens on the event loop."""

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
        """How many were refused or let go, by the reason."""
        self._most_of_address = settings.connections_per_address
        self._proxies = _TrustedHosts(settings.trusted_proxies)
        self._open: dict[LimitedConnection, str] = {}
        """Each with the address that it counts for; a proxy's have none."""
        self._of_address: Counter[str] = Counter()
        self._new: dict[LimitedConnection, None] = {}
        """Those that never asked for anything, the oldest first."""
        self._idle: dict[LimitedConnection, None] = {}
        """Those whose requests are all answered, the longest idle first."""

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: "LimitedConnection", host: str) -> Response | None:
        """Count a new connection from ``host``; the answer to it where there is no room."""
        address = "" if host in self._proxies else network_of(host)
        if address and self._of_address[address] >= self._most_of_address:
            self.closed["address"] += 1
            most = format_count(self._most_of_address, "connection")
            return problem_response(
                429, f"this address has {most} open already: close some", headers={"Retry-After": "1"}
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

    def works(self, connection: "LimitedConnection") -> None:
        """Something was asked for on the connection."""
        self._new.pop(connection, None)
        self._idle.pop(connection, None)

    def rests(self, connection: "LimitedConnection") -> None:
        """All that was asked for on the connection is answered."""
        if connection in self._open:
            self._idle[connection] = None

    def forget(self, connection: "LimitedConnection") -> None:
        """Count a connection no longer."""
        address = self._open.pop(connection, None)
        self.works(connection)
        if address is not None:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]

    async def keep_watching(self) -> None:
        """Let go whose time is over, for as long as the server runs.

        Time in which this was not called, because the process was busy, is not the clients' fault and does
        not count.
        """
        now = 0
        while True:
            await asyncio.sleep(_TICK)
            now += _TICK
            for connection in list(self._open):
                connection.check(now)

    def _make_room(self) -> bool:
        for connection in chain(self._new, self._idle):
            if connection.unsent == 0:
                connection.drop("evicted")
                return True
        return False


class LimitedConnection(HeaderLimitProtocol):
    """A connection that is let go where its client keeps it waiting for too long."""

    _all: Connections
    _requests = 0
    """How many were begun."""
    _waits: tuple[Phase, int] | None = None
    """For what it waited at the latest look, and of which request; None before the first."""
    _since = 0.0
    _unsent = 0
    """Bytes that the client had still to take at the latest look."""
    _taken_at = 0.0
    """When it had nothing to take, or took some, for the last time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, if there is room."""
        super().connection_made(transport)
        self._all = self.app_state[STATE]
        refusal = self._all.admit(self, self.client[0] if self.client else "")
        if refusal is not None:
            self.hang_up(refusal)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._all.forget(self)
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._requests += 1

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._all.works(self)
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """An answer is made, though not all of it may be sent."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._all.rests(self)

    @property
    def unsent(self) -> int:
        """Bytes that the client has still to take."""
        return self.transport.get_write_buffer_size()

    def check(self, now: float) -> None:
        """Hang up where the client's time is over; called again and again."""
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
                told = f"the {phase.value} of the request took too long: it has to come within {most} seconds"
                self.hang_up(problem_response(408, told))

    def drop(self, reason: str) -> None:
        """Hang up at once, whatever is still to be sent."""
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
        """Whether the answer to the request has begun: another one would be read as a part of it."""
        return not self._reading and self.cycle is not None and self.cycle.response_started
