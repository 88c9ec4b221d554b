"""The event stream of a player, for programs: challenges, pairings, turns and finished games.

An event has only the ID of its game or challenge; the program then requests the details.
"""

import json
import random
import re
import time
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import ExitStack, suppress
from typing import Final

from fastapi import HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, format_sse_event

from app.store.database import NO_WRITES
from app.store.direct_challenges import News
from app.store.models import Table
from app.web.guard.limits import CallerDep
from app.web.guard.problems import describe
from app.web.live.bus import AGAIN, CLOSING, Bus, player_channel
from app.web.live.stream import PING, RETRY
from app.web.live.stream_limiter import LimitedStream
from app.web.router import api_router
from app.web.services import Services, ServicesDep

router = api_router(tag="programs")

TURN: Final = "turn"
"""Event name: it is the player's turn in a game."""
OVER: Final = "over"
"""Event name: a game of the player is over."""
OVERLAP: Final = 10.0
"""Seconds by which the events sent on reconnecting overlap with those of the stream before."""
PAIRED: Final = "paired"
"""Event name: the player waited for a game, and it has begun."""
CHALLENGE: Final[News] = "challenge"
"""Event name: another player challenges the player."""
CHALLENGE_OVER: Final[News] = "challenge_over"
"""Event name: a challenge was accepted, declined or withdrawn by the other player."""
SUBJECTS: Final = {
    TURN: "game",
    OVER: "game",
    PAIRED: "game",
    CHALLENGE: "challenge",
    CHALLENGE_OVER: "challenge",
}
"""What the ID of an event refers to."""
_ID: Final = re.compile("[0-9]{1,15}")

Event = tuple[str, str]
"""Name and ID."""


def publish_turns(bus: Bus, table: Table, movers_before: Collection[int] = ()) -> None:
    """Notify the players whose turn it has become, or all if the game is over. Reads nothing."""
    if len(table.seats) == 1:
        return
    if table.finished_at is not None:
        event, seats = OVER, list(range(len(table.seats)))
    else:
        event, seats = TURN, [seat for seat in table.movers if seat not in movers_before]
    for seat in seats:
        if (player := table.seats[seat].player_id) is not None:
            bus.notify_player(player, event, table.id, table.stage)


@router.get(
    "/api/events",
    response_class=Response,
    responses=describe(401) | {200: {"content": {EventSourceResponse.media_type: {}}}},
    summary="Stream what concerns you",
)
async def player_events(request: Request, services: ServicesDep, caller: CallerDep) -> EventSourceResponse:
    """Server-sent events about your games with others; the data is JSON with an ID.

    ``turn``: it is your turn in the ``game``. ``over``: the ``game`` has ended. ``paired``: you waited
    for a game against another player, or a direct challenge was accepted, and the ``game`` has begun.
    ``challenge``: you were challenged to a game, see the ``challenge`` in ``/api/challenges/direct``.
    ``challenge_over``: the other player accepted, declined or withdrew the ``challenge``; there is no
    event when one expires. On connecting you get a ``paired`` for an unfinished game that you waited for,
    a ``turn`` for every game where it is your turn, and a ``challenge`` for every open challenge to you;
    on reconnecting with ``Last-Event-ID``, also an ``over`` for every game that has ended in between, and
    a ``challenge_over`` for every challenge that you or the other player have answered or withdrawn in
    the last day, unless the same player has been challenged again. An event may be sent twice.
    Moves of bots and timeouts are made only when a game is loaded: against bots or a clock, listen to the
    game's own stream, or get the game from time to time.
    """
    if caller.player is None:
        detail = "send a player’s token or cookie: without one there are no events"
        raise HTTPException(401, detail, {"WWW-Authenticate": "Bearer"})
    last = request.headers.get("last-event-id", "")
    since = int(last) / 1000 if _ID.fullmatch(last) else None
    news = _news(request, services, caller.player, since)
    return LimitedStream(news, services.stream_limiter, caller)


async def _news(
    request: Request, services: Services, player: str, since: float | None
) -> AsyncIterator[bytes]:
    # If the database fails, the stream ends and the program reconnects.
    with ExitStack() as listening, suppress(*NO_WRITES):
        listener = listening.enter_context(services.bus.listen(player_channel(player)))
        ends_at = time.monotonic() + services.longest_stream * random.uniform(0.8, 1.0)
        looked_at = services.clock()
        yield format_sse_event(id=_id(looked_at), retry=RETRY)
        for event in await run_in_threadpool(_missed, services, player, since):
            yield _format(services, event, looked_at)
        while (left := ends_at - time.monotonic()) > 0:
            news = await listener.receive(min(PING, left))
            if CLOSING in news or not await services.known_tokens.is_valid(request):
                return
            found: Iterable[Event] = (_event(name, subject) for name, subject in news.items() if subject)
            if AGAIN in news:
                found = await run_in_threadpool(_missed, services, player, looked_at)
            looked_at = services.clock()
            for event in found:
                yield _format(services, event, looked_at)
            if not news:
                yield format_sse_event(comment="here", id=_id(looked_at))
        yield format_sse_event(comment="come back", retry=RETRY)


def _missed(services: Services, player: str, since: float | None) -> list[Event]:
    """The player's pairing, turns and challenges, and what has ended since ``since``."""
    over: list[Event] = []
    if since is not None:
        games = services.results.ended_since(player, since - OVERLAP)
        closed = services.direct_challenges.closed_since(player, since - OVERLAP)
        over = [(OVER, game) for game in games] + [(CHALLENGE_OVER, each) for each in closed]
    pair = services.pairing.paired(player)
    begun = [(PAIRED, pair)] if pair is not None else []
    asked = services.direct_challenges.of_player(player, services.clock())
    challenges: list[Event] = [(CHALLENGE, each.id) for each in asked if not each.sent]
    turns = [(TURN, game) for game in services.lobby.turns(player)]
    return over + begun + turns + challenges


def _event(name: str, subject: str) -> Event:
    """The event as it was passed to ``Bus.notify_player``."""
    return name.partition(" ")[0], subject


def _format(services: Services, event: Event, at: float) -> bytes:
    name, subject = event
    services.metrics.delivered(name)
    return format_sse_event(data_str=json.dumps({SUBJECTS[name]: subject}), event=name, id=_id(at))


def _id(at: float) -> str:
    """The ID of an event: the time in milliseconds, so that a stream knows where to resume."""
    return str(int(at * 1000))
