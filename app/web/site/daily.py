"""Daily pages: today's game, leaderboard, share text and archive."""

import json
from datetime import date
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from app.grammar import format_duration
from app.store.dailies import Attempt, daily_streak
from app.store.days import open_since, settles_at
from app.store.models import Table, UnknownGame
from app.web.guard.limits import CallerDep, limited
from app.web.guard.rates import Caller
from app.web.pool import PoolFull
from app.web.preferences import preferences_of
from app.web.room import Room
from app.web.services import Player, Services, ServicesDep
from app.web.share.texts import styles
from app.web.share.tiles import PreviewTile, Tiles
from app.web.site.daily_calendar import PageRoom, check_day, daily_rooms
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

SHOWN = 50
"""Rows of the leaderboard."""
PAST = 6
"""Past days shown next to the leaderboard."""
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
    """Go to the player's ranked game of today, and open it if necessary."""
    now = services.clock()
    response = RedirectResponse("/", status_code=303)
    player = services.guests.welcome(request, response, now)
    table = services.dailies.for_kind(room.daily_name).attempt(services.today(), player, now)
    response.headers["Location"] = f"/games/{table.id}"
    return response


@router.get("/daily/archive")
@router.get("/{kind}/daily/archive")
def archive(request: Request, room: PageRoom, services: ServicesDep, player: Player) -> Response:
    """The archive of past days."""
    days = services.dailies.for_kind(room.daily_name).archive(player, services.today(), ARCHIVE)
    return templates.TemplateResponse(request, "site/archive.html", {"room": room, "days": days})


@router.get("/daily/{day}")
@router.get("/{kind}/daily/{day}")
async def past_day(
    day: date, request: Request, room: PageRoom, services: ServicesDep, caller: CallerDep
) -> Response:
    """The page of one day."""
    await run_in_threadpool(check_day, services, room.daily_name, day)
    return await _day_page(request, room, services, caller, day)


@router.post("/daily/{day}/play", dependencies=[limited("games", "guests")])
@router.post("/{kind}/daily/{day}/play", dependencies=[limited("games", "guests")])
def rehearse(day: date, request: Request, room: PageRoom, services: ServicesDep) -> Response:
    """Open an unranked game of a past day."""
    now, dailies = services.clock(), services.dailies.for_kind(room.daily_name)
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
    day, dailies = services.today(), services.dailies.for_kind(room.daily_name)
    attempt = dailies.attempt_of(day, player) if player else None
    state: dict[str, Any] = {
        "day": day,
        "attempt": attempt,
        "streak": dailies.streak(player, services.clock()) if player else 0,
        "rank": None,
        "finished": 0,
    }
    if attempt is not None and attempt.score is not None:
        state["rank"], state["finished"] = dailies.rank(day, attempt.score)
    return state


def todays_dailies(services: Services, player: str | None) -> list[dict[str, Any]]:
    """Today's daily of every room that has one, with the player's attempt and streak. One query."""
    today = services.today()
    attempts = services.dailies.of_player(player) if player else {}
    found = []
    for kind, room in daily_rooms(services.rooms).items():
        own = attempts.get(kind, {})
        finished = {day for day, attempt in own.items() if attempt.score is not None}
        found.append(
            {
                "room": room,
                "attempt": own.get(today),
                "streak": daily_streak(finished, services.clock()),
            }
        )
    return found


async def _finished_table(services: Services, attempt: Attempt | None) -> Table | None:
    """The game of a finished attempt; None if it is not finished or its game was removed."""
    if attempt is None or attempt.score is None:
        return None
    try:
        return await run_in_threadpool(services.games.load_or_read, attempt.game_id, services.clock())
    except UnknownGame:
        return None


async def _share_text(
    services: Services, room: Room, caller: Caller, table: Table, score: int, address: str
) -> str | None:
    """The spoiler-free share text of a finished attempt, with the daily's URL.

    None if the engines are all busy.
    """
    try:
        found = json.loads(await services.analyst.analysis(table, caller))
    except PoolFull:
        return None
    day = address.rpartition("/")[2]
    return f"{room.title} daily {day}\n{room.share(found, score)}\n{address}"


def _date_tiles(room: Room, day: date) -> Tiles:
    """A board of the daily's shape with the date on its tiles instead of its letters."""
    rows, columns = room.daily_board
    lines = [f"{day:%a}".upper(), str(day.day)]
    if rows == 1:
        lines = [" ".join(lines)]
    top = (rows - len(lines)) // 2
    return tuple(
        tuple(PreviewTile(letter.strip()) for letter in text.center(columns)[:columns])
        for row in range(rows)
        for text in (lines[row - top] if top <= row < top + len(lines) else "",)
    )


async def _day_page(request: Request, room: Room, services: Services, caller: Caller, day: date) -> Response:
    attempt, player = None, caller.player
    if player is not None:
        attempt = await run_in_threadpool(services.dailies.for_kind(room.daily_name).attempt_of, day, player)
    address = f"{str(request.base_url).rstrip('/')}{room.daily}/{day.isoformat()}"
    table, share = await _finished_table(services, attempt), None
    if table is not None and attempt is not None and attempt.score is not None:
        share = await _share_text(services, room, caller, table, attempt.score, address)
    return await run_in_threadpool(_render_day, request, room, services, player, day, attempt, share, table)


def _render_day(
    request: Request,
    room: Room,
    services: Services,
    player: str | None,
    day: date,
    attempt: Attempt | None,
    share: str | None,
    table: Table | None,
) -> Response:
    dailies, today = services.dailies.for_kind(room.daily_name), services.today()
    ranked = dailies.rank(day, attempt.score) if attempt and attempt.score is not None else None
    view = None if table is None else table.view(player)
    context = {
        "room": room,
        "daily_rooms": daily_rooms(services.rooms).values(),
        "measure": room.measure("daily"),
        "day": day,
        "running": day == today,
        "settled": day < open_since(services.clock()),
        "ends_in": _seconds_left(services) if day == today else None,
        "settles_in": format_duration(settles_at(day) - services.clock()),
        "attempt": attempt,
        "board": (view and room.preview_tiles(view)) or _date_tiles(room, day),
        "has_review": view is not None and room.has_review(view),
        "rank": ranked[0] if ranked else None,
        "finished": ranked[1] if ranked else dailies.rank(day, 0)[1],
        "streak": dailies.streak(player, services.clock()) if player else 0,
        "share": styles(share, clear_first=preferences_of(request).clear_squares) if share else None,
        "standings": dailies.leaderboard(day, SHOWN),
        "player_id": player,
        "past": [each for each in dailies.archive(player, today, PAST) if each[0] != day],
        "nickname": services.players.nickname(player) if player else None,
    }
    return templates.TemplateResponse(request, "site/daily.html", context)


def _seconds_left(services: Services) -> int:
    return int(86400 - services.clock() % 86400)
