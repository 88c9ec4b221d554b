"""Daily pages: today's game, leaderboard, share text and archive."""

import json
from datetime import date, timedelta
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from app.grammar import format_duration
from app.store.dailies import Attempt
from app.store.days import open_since, settles_at
from app.store.models import UnknownGame
from app.web.guard.limits import CallerDep, limited
from app.web.guard.rates import Caller
from app.web.pool import PoolFull
from app.web.preferences import preferences_of
from app.web.room import Room
from app.web.services import Player, Services, ServicesDep
from app.web.share.texts import styles
from app.web.site.daily_calendar import PageRoom, check_day
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

SHOWN = 50
"""Rows of the leaderboard."""
ARCHIVE = 60
"""Days in the archive."""


@router.get("/daily")
@router.get("/{kind}/daily")
async def today(request: Request, room: PageRoom, services: ServicesDep, caller: CallerDep) -> Response:
    """The page of today's daily."""
    return await _day_page(request, room, services, caller, services.today())


@router.post("/daily/play", dependencies=[limited("games", "guests")])
@router.post("/{kind}/daily/play", dependencies=[limited("games", "guests")])
def play(request: Request, room: PageRoom, services: ServicesDep) -> Response:
    """Go to the player's ranked game of today, opening it if necessary."""
    now = services.clock()
    response = RedirectResponse("/", status_code=303)
    player = services.guests.welcome(request, response, now)
    table = services.dailies.for_kind(room.kind).attempt(services.today(), player, now)
    response.headers["Location"] = f"/games/{table.id}"
    return response


@router.get("/daily/archive")
@router.get("/{kind}/daily/archive")
def archive(request: Request, room: PageRoom, services: ServicesDep, player: Player) -> Response:
    """The archive of past days."""
    days = services.dailies.for_kind(room.kind).archive(player, services.today(), ARCHIVE)
    return templates.TemplateResponse(request, "site/archive.html", {"room": room, "days": days})


@router.get("/daily/{day}")
@router.get("/{kind}/daily/{day}")
async def past_day(
    day: date, request: Request, room: PageRoom, services: ServicesDep, caller: CallerDep
) -> Response:
    """The page of one day."""
    await run_in_threadpool(check_day, services, room.kind, day)
    return await _day_page(request, room, services, caller, day)


@router.post("/daily/{day}/play", dependencies=[limited("games", "guests")])
@router.post("/{kind}/daily/{day}/play", dependencies=[limited("games", "guests")])
def rehearse(day: date, request: Request, room: PageRoom, services: ServicesDep) -> Response:
    """Open an unranked game of a past day."""
    now, dailies = services.clock(), services.dailies.for_kind(room.kind)
    if day >= services.today():
        return RedirectResponse(room.daily or "/", status_code=303)
    dailies.check_past(day, now)
    response = RedirectResponse("/", status_code=303)
    player = services.guests.welcome(request, response, now)
    table = dailies.rehearse(day, player, now)
    response.headers["Location"] = f"/games/{table.id}"
    return response


def daily_state(services: Services, room: Room, player: str | None) -> dict[str, Any]:
    """Template context with a player's attempt at today's daily, its rank, and the streak."""
    day, dailies = services.today(), services.dailies.for_kind(room.kind)
    attempt = dailies.attempt_of(day, player) if player else None
    state: dict[str, Any] = {
        "day": day,
        "attempt": attempt,
        "streak": dailies.streak(player, day) if player else 0,
        "rank": None,
        "finished": 0,
    }
    if attempt is not None and attempt.score is not None:
        state["rank"], state["finished"] = dailies.rank(day, attempt.score)
    return state


async def _share_text(
    services: Services, room: Room, caller: Caller, attempt: Attempt | None, day: date, address: str
) -> str | None:
    """The spoiler-free share text of a finished attempt, with the daily's URL.

    None if it is not finished, its game was removed, or the engines are all busy.
    """
    if attempt is None or attempt.score is None:
        return None
    try:
        table = await run_in_threadpool(services.games.look, attempt.game_id, services.clock())
        found = json.loads(await services.analyst.analysis(table, caller))
    except (UnknownGame, PoolFull):
        return None
    return f"{room.title} daily {day.isoformat()}\n{room.share(found, attempt.score)}\n{address}"


async def _day_page(request: Request, room: Room, services: Services, caller: Caller, day: date) -> Response:
    attempt, player = None, caller.player
    if player is not None:
        attempt = await run_in_threadpool(services.dailies.for_kind(room.kind).attempt_of, day, player)
    address = f"{str(request.base_url).rstrip('/')}{room.daily}/{day.isoformat()}"
    share = await _share_text(services, room, caller, attempt, day, address)
    return await run_in_threadpool(_render_day, request, room, services, player, day, attempt, share)


def _render_day(
    request: Request,
    room: Room,
    services: Services,
    player: str | None,
    day: date,
    attempt: Attempt | None,
    share: str | None,
) -> Response:
    dailies, today = services.dailies.for_kind(room.kind), services.today()
    ranked = dailies.rank(day, attempt.score) if attempt and attempt.score is not None else None
    context = {
        "room": room,
        "measure": room.measure("daily"),
        "day": day,
        "running": day == today,
        "settled": day < open_since(services.clock()),
        "ends_in": _seconds_left(services) if day == today else None,
        "settles_in": format_duration(settles_at(day) - services.clock()),
        "attempt": attempt,
        "rank": ranked[0] if ranked else None,
        "finished": ranked[1] if ranked else dailies.rank(day, 0)[1],
        "streak": dailies.streak(player, today) if player else 0,
        "share": styles(share, clear_first=preferences_of(request).clear_squares) if share else None,
        "standings": dailies.leaderboard(day, SHOWN),
        "player_id": player,
        "yesterday": today - timedelta(days=1),
        "nickname": services.players.nickname(player) if player else None,
    }
    return templates.TemplateResponse(request, "site/daily.html", context)


def _seconds_left(services: Services) -> int:
    return int(86400 - services.clock() % 86400)
