"""The event stream of a table: what its page hears, and what makes time pass while somebody looks."""

import json
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from typing import Final

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, format_sse_event
from sqlalchemy.exc import OperationalError

from app.store.tables import Table
from app.web.live.bus import AGAIN, CLOSING
from app.web.live.presence import HERE
from app.web.problems import describe
from app.web.services import House, Player, Services

router = APIRouter(tags=["games"])

TABLE: Final = "table"
"""The name of the news that a table has changed."""
PING: Final = 15.0
"""Seconds of silence after which a stream says that it is still there."""
RETRY: Final = 1000
"""Milliseconds after which a page whose stream broke comes back."""
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.get("/games/{game_id}/events", include_in_schema=False)
@router.get(
    "/api/games/{game_id}/events",
    response_class=Response,
    responses={200: {"content": {EventSourceResponse.media_type: {}}}, **describe(404, 422)},
    summary="Hear of every change of a game",
)
async def events(game_id: str, house: House, player: Player) -> EventSourceResponse:
    """Server-sent events, as long as one listens.

    ``table``: the game has changed; the data, also the event's id, is its version, and the game itself is to
    be fetched. The first event tells how it stands. ``here``: the seats with somebody at the table, a list.
    """
    table = await run_in_threadpool(house.games.load, game_id, house.clock())
    return EventSourceResponse(_news(house, table, table.seat_of(player)), headers=_HEADERS)


def announce(table: Table) -> str:
    """The text of the news that this table has changed: its version, and whether time may change it next."""
    mover = table.game.to_move(table.state)
    timed = table.is_full and (
        table.game.due(table.state, float("inf")) is not None
        or (mover is not None and table.seats[mover].bot_level is not None)
    )
    return json.dumps([table.version, timed])


async def _news(house: Services, table: Table, seat: int | None) -> AsyncIterator[bytes]:
    # Where the store is away the stream ends; the page comes back and hears how it stands.
    with ExitStack() as listening, suppress(OperationalError):
        listener = listening.enter_context(house.bus.listen(table.id))
        listening.enter_context(house.presence.attending(table.id, seat))
        table = await _load(house, table.id)  # from here on nothing is missed
        yield _version(house, table.version, retry=RETRY)
        told, wakes_at = table.version, await _happens_at(house, table)
        while True:
            waits = PING if wakes_at is None else min(PING, max(0.0, wakes_at - house.clock()))
            news = await listener.hear(waits)
            if CLOSING in news:
                return
            if HERE in news:
                house.metrics.delivered(HERE)
                yield format_sse_event(data_str=news[HERE], event=HERE)
            timed = wakes_at is not None and house.clock() >= wakes_at
            if TABLE in news:
                version, timed = json.loads(news[TABLE])
                if version != told:
                    yield _version(house, version)
                told, wakes_at = version, None
            if timed or AGAIN in news:
                table = await _load(house, table.id)
                if table.version != told:
                    yield _version(house, table.version)
                told, wakes_at = table.version, await _happens_at(house, table)
            elif not news:
                yield format_sse_event(comment="here")


def _version(house: Services, version: str, retry: int | None = None) -> bytes:
    house.metrics.delivered(TABLE)
    return format_sse_event(data_str=version, event=TABLE, id=version, retry=retry)


async def _load(house: Services, table_id: str) -> Table:
    return await run_in_threadpool(house.games.load, table_id, house.clock())


async def _happens_at(house: Services, table: Table) -> float | None:
    return await run_in_threadpool(house.games.happens_at, table)
