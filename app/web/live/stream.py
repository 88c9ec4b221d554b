"""The event stream of a table. While a page listens, it also applies timeouts and bot moves when due."""

import json
import math
import random
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from typing import Final

from fastapi import Depends, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, format_sse_event

from app.store.database import NO_WRITES
from app.store.models import Table, UnknownGame
from app.web.guard.limits import CallerDep, get_caller
from app.web.guard.rates import Caller
from app.web.live.bus import AGAIN, CLOSING, Listener
from app.web.live.presence import HERE
from app.web.router import api_router
from app.web.services import Player, Services, ServicesDep

router = api_router(tag="games", dependencies=[Depends(get_caller)])

TABLE: Final = "table"
"""Event name: the table has changed."""
PING: Final = 15.0
"""Seconds without an event after which a keep-alive comment is sent."""
RETRY: Final = 1000
"""Milliseconds after which a page reconnects."""
HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.get("/games/{game_id}/events", include_in_schema=False)
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
    to see it. The first event gives the current version. ``here``: a list of the seats that are present.
    """
    table = await run_in_threadpool(services.games.read, game_id)
    services.stream_limiter.check(caller)
    return EventSourceResponse(_news(services, table.id, table.seat_of(player), caller), headers=HEADERS)


def announce(table: Table) -> str:
    """The data of a bus event: the table's version, and whether a timeout or bot move may change it next."""
    clock_runs = table.is_full and table.game.due(table.state, math.inf) is not None
    timed = clock_runs or table.bot_to_move is not None
    return json.dumps([table.version, timed])


async def _news(services: Services, table_id: str, seat: int | None, caller: Caller) -> AsyncIterator[bytes]:
    # If the database fails or the game was removed, the stream ends and the page reconnects.
    with ExitStack() as listening, suppress(*NO_WRITES, UnknownGame):
        listening.enter_context(services.stream_limiter.one_more(caller))
        listener = listening.enter_context(services.bus.listen(table_id))
        listening.enter_context(services.presence.attending(table_id, seat))
        listener.tell(HERE, json.dumps(services.presence.seats(table_id)))
        # Random, so that streams that began together, as after a restart, do not reconnect together.
        ends_at = time.monotonic() + services.longest_stream * random.uniform(0.8, 1.0)
        sent, wakes_at = await _look(services, listener, table_id)  # from here on nothing is missed
        yield _version(services, sent, retry=RETRY)
        while (left := ends_at - time.monotonic()) > 0:
            wakes = math.inf if wakes_at is None else max(0.0, wakes_at - services.clock())
            news = await listener.hear(min(PING, wakes, left))
            if CLOSING in news:
                return
            if HERE in news:
                services.metrics.delivered(HERE)
                yield format_sse_event(data_str=news[HERE], event=HERE)
            timed = wakes_at is not None and services.clock() >= wakes_at
            version = sent
            if TABLE in news:
                version, timed = json.loads(news[TABLE])
                wakes_at = None
            if timed or AGAIN in news:
                version, wakes_at = await _look(services, listener, table_id)
            if version != sent:
                yield _version(services, version)
                sent = version
            elif not news:
                yield format_sse_event(comment="here")
        yield format_sse_event(comment="come back", retry=RETRY)


def _version(services: Services, version: str, retry: int | None = None) -> bytes:
    services.metrics.delivered(TABLE)
    return format_sse_event(data_str=version, event=TABLE, id=version, retry=retry)


async def _look(services: Services, listener: Listener, table_id: str) -> tuple[str, float | None]:
    """The table's current version, and when the next timeout or bot move is due."""
    table, happens_at = await run_in_threadpool(_load, services, table_id)
    listener.has_seen(TABLE, table.stage)
    return table.version, happens_at


def _load(services: Services, table_id: str) -> tuple[Table, float | None]:
    now = services.clock()
    table = services.games.load(table_id, now)
    return table, services.games.happens_at(table, now)
