"""The event stream of a table. While a page listens, it also applies timeouts and bot moves when due."""

import json
import math
import random
import time
import zlib
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, nullcontext, suppress
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
    services: Services,
    table_id: str,
    seat: int | None,
    show: Show | None,
) -> AsyncIterator[bytes]:
    # If the database fails or the game was removed, the stream ends and the page reconnects.
    with ExitStack() as listening, suppress(*NO_WRITES, UnknownGame):
        listener = listening.enter_context(services.bus.listen(table_id))
        listening.enter_context(services.presence.count_page(table_id, seat))
        listener.add(HERE, json.dumps(services.presence.seats(table_id)))
        # Random, so that streams that began together, as after a restart, do not reconnect together.
        ends_at = time.monotonic() + services.longest_stream * random.uniform(0.8, 1.0)
        sent, wakes_at, _ = await _look(services, listener, table_id)  # from here on nothing is missed
        yield _version(services, sent, retry=RETRY)
        while (left := ends_at - time.monotonic()) > 0:
            wakes = math.inf if wakes_at is None else max(0.0, wakes_at - services.clock())
            news = await listener.receive(min(PING, wakes, left))
            if CLOSING in news:
                return
            if HERE in news:
                services.metrics.delivered(HERE)
                yield format_sse_event(data_str=news[HERE], event=HERE)
            if AGAIN in news:
                services.sanctions.forget()  # sent after an operator's action, perhaps in another process
            timed = wakes_at is not None and services.clock() >= wakes_at
            version, announced, shown, shows = sent, None, None, show
            if TABLE in news:
                version, timed, mover = json.loads(news[TABLE])
                announced = version if AGAIN not in news else None
                shows = show if mover not in (None, seat) else None
                wakes_at = None
            if timed or AGAIN in news or (shows and version != sent):
                async with another_turn() if shows else nullcontext():
                    version, wakes_at, shown = await _look(
                        services, listener, table_id, sent, shows, announced
                    )
            if version != sent:
                yield _version(services, version) if shown is None else _view(services, version, shown)
                sent = version
            elif not news:
                yield format_sse_event(comment="here")
        yield format_sse_event(comment="come back", retry=RETRY)


def _version(services: Services, version: str, retry: int | None = None) -> bytes:
    services.metrics.delivered(TABLE)
    return format_sse_event(data_str=version, event=TABLE, id=version, retry=retry)


def _view(services: Services, version: str, fragment: str) -> bytes:
    services.metrics.delivered(VIEW)
    return format_sse_event(data_str=fragment, event=VIEW, id=version)


async def _look(
    services: Services,
    listener: Listener,
    table_id: str,
    sent: str = "",
    show: Show | None = None,
    announced: str | None = None,
) -> tuple[str, float | None, str | None]:
    """The table's version, when a timeout or bot move is due, and the fragment unless ``sent`` is current.

    ``announced`` is the version that an event has just announced, if any.
    """

    def look() -> tuple[Table, float | None, str | None]:
        now = services.clock()
        table = services.games.load(table_id, now, announced)
        fragment = show(table) if show is not None and table.version != sent else None
        packed = None if fragment is None else _pack(fragment)
        return table, services.games.happens_at(table, now), packed

    table, happens_at, shown = await run_in_threadpool(look)
    listener.has_seen(TABLE, table.stage)
    return table.version, happens_at, shown


def _pack(fragment: bytes) -> str:
    """Deflate a fragment and encode it in base64. A compressor for each stream would take much memory."""
    return b64encode(zlib.compress(fragment, 5, -zlib.MAX_WBITS)).decode()
