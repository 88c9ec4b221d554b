"""The event stream of a table. While a page listens, it also applies timeouts and bot moves when due."""

import json
import math
import random
import time
import zlib
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass
from typing import Final, TypeAlias

from fastapi import Depends, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, format_sse_event

from app.store.database import NO_WRITES
from app.store.models import Table, UnknownGame
from app.web.guard.concurrency import another_turn
from app.web.guard.limits import CallerDep, get_caller
from app.web.guard.rates import Caller
from app.web.live.bus import AGAIN, CLOSING, Listener
from app.web.live.presence import HERE
from app.web.live.stream_limiter import LimitedStream
from app.web.router import api_router
from app.web.services import Player, Services, ServicesDep

router = api_router(tag="games", dependencies=[Depends(get_caller)])

TABLE: Final = "table"
"""Event name: the table has changed."""
VIEW: Final = "view"
"""Event name: another player has moved. The data is the page's fragment, deflated (RFC 1951), in base64."""
PING: Final = 15.0
"""Seconds without an event after which a keep-alive comment is sent."""
RETRY: Final = 1000
"""Milliseconds after which a page reconnects."""
Show: TypeAlias = Callable[[Table], bytes | None]
"""Renders the fragment of a table; None if the page has to request it. Called in a thread."""


@router.get(
    "/api/games/{game_id}/events",
    response_class=Response,
    responses={200: {"content": {EventSourceResponse.media_type: {}}}},
    summary="Stream a game's changes",
)
async def events(
    game_id: str, services: ServicesDep, player: Player, caller: CallerDep
) -> EventSourceResponse:
    """Server-sent events.

    ``table``: the game has changed. The data, also the event's ID, is the game's new version; fetch the game
    to see it (404 if it was cancelled). The first event gives the current version. ``here``: a list of the
    seats that are present.
    """
    return await listening_to(game_id, services, player, caller)


async def listening_to(
    game_id: str,
    services: Services,
    player: str | None,
    caller: Caller,
    show: Show | None = None,
) -> EventSourceResponse:
    """The event stream of a table; with ``show``, the moves of others come as ``view``.

    Raises UnknownGame.
    """
    table = await run_in_threadpool(services.games.read, game_id)
    news = _news(services, table.id, table.seat_of(player), show)
    return LimitedStream(news, services.stream_limiter, caller)


def announce(table: Table, before: Table | None) -> str:
    """The data of a bus event.

    It has the table's version, whether a timeout or bot move may change it next, and who has moved: None if
    that is not certain, as in a game without turns.
    """
    clock_runs = table.is_full and table.game.due(table.state, math.inf) is not None
    timed = clock_runs or table.bot_to_move is not None
    movers = before.movers if before is not None else ()
    return json.dumps([table.version, timed, movers[0] if len(movers) == 1 else None])


async def _news(
    services: Services, table_id: str, seat: int | None, show: Show | None
) -> AsyncIterator[bytes]:
    # If the database fails or the game was removed, the stream ends and the page reconnects.
    with ExitStack() as listening, suppress(*NO_WRITES, UnknownGame):
        listener = listening.enter_context(services.bus.listen(table_id))
        listening.enter_context(services.presence.count_page(table_id, seat))
        listener.add(HERE, json.dumps(services.presence.seats(table_id)))
        # Random, so that streams that began together, as after a restart, do not reconnect together.
        ends_at = time.monotonic() + services.longest_stream * random.uniform(0.8, 1.0)
        watch = _Watch(services, listener, table_id, seat, show)
        yield await watch.first_event()  # from here on nothing is missed
        while (left := ends_at - time.monotonic()) > 0:
            news = await listener.receive(min(PING, watch.seconds_until_due, left))
            if CLOSING in news:
                return
            if HERE in news:
                yield _event(services, HERE, news[HERE])
            if AGAIN in news:
                services.sanctions.forget()  # sent after an operator's action, perhaps in another process
            if event := await watch.change(news):
                yield event
            elif not news:
                yield format_sse_event(comment="here")
        yield format_sse_event(comment="come back", retry=RETRY)


@dataclass(slots=True)
class _Watch:
    """What a stream knows of its table."""

    services: Services
    listener: Listener
    table_id: str
    seat: int | None
    show: Show | None
    sent: str = ""
    """The version sent last."""
    due_at: float = math.inf
    """When a timeout or bot move is due."""

    @property
    def seconds_until_due(self) -> float:
        return max(0.0, self.due_at - self.services.clock())

    async def first_event(self) -> bytes:
        self.sent, _ = await self._load()
        return _event(self.services, TABLE, self.sent, version=self.sent, retry=RETRY)

    async def change(self, news: Mapping[str, str]) -> bytes | None:
        """The event for the table's new version after ``news`` or what was due; None without one."""
        version, may_move, show, fragment = self.sent, self.seconds_until_due == 0, self.show, None
        if TABLE in news:
            version, may_move, mover = json.loads(news[TABLE])
            show = self.show if mover not in (None, self.seat) else None
            self.due_at = math.inf
        if may_move or AGAIN in news or (show and version != self.sent):
            announced = version if TABLE in news and AGAIN not in news else None
            async with another_turn() if show else nullcontext():
                version, fragment = await self._load(show, announced)
        if version == self.sent:
            return None
        self.sent = version
        name, data = (TABLE, version) if fragment is None else (VIEW, fragment)
        return _event(self.services, name, data, version=version)

    async def _load(self, show: Show | None = None, announced: str | None = None) -> tuple[str, str | None]:
        """The table's version after all that is due, and its fragment unless that version was sent.

        ``announced`` is the version that an event has just announced, if any.
        """

        def load() -> tuple[Table, str | None]:
            now = self.services.clock()
            table = self.services.games.load(self.table_id, now, announced)
            fragment = show(table) if show is not None and table.version != self.sent else None
            happens_at = self.services.games.happens_at(table, now)
            self.due_at = math.inf if happens_at is None else happens_at
            return table, None if fragment is None else _pack(fragment)

        table, fragment = await run_in_threadpool(load)
        self.listener.has_seen(TABLE, table.stage)
        return table.version, fragment


def _event(
    services: Services, name: str, data: str, version: str | None = None, retry: int | None = None
) -> bytes:
    services.metrics.delivered(name)
    return format_sse_event(data_str=data, event=name, id=version, retry=retry)


def _pack(fragment: bytes) -> str:
    """Deflate a fragment and encode it in base64. A compressor for each stream would take much memory."""
    return b64encode(zlib.compress(fragment, 5, -zlib.MAX_WBITS)).decode()
