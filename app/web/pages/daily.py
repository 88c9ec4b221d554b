"""The daily: today's game, its leaderboard, the share text and the days before."""

import json
from datetime import date, timedelta
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from app.grammar import format_duration
from app.store.dailies import Attempt
from app.store.days import open_since, settles_at
from app.store.tables import UnknownGame
from app.web.days import PageRoom, check_day
from app.web.limits import Asking, limited
from app.web.pool import PoolFull
from app.web.rates import Asker
from app.web.rooms.room import Room
from app.web.services import House, Player, Services
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

SHOWN = 50
"""Lines of a leaderboard."""
ARCHIVE = 60
"""Days of the archive."""


@router.get("/daily")
@router.get("/{kind}/daily")
async def today(request: Request, room: PageRoom, house: House, asking: Asking) -> Response:
    """Today's daily."""
    return await _day_page(request, room, house, asking, house.today())


@router.post("/daily/play", dependencies=[limited("games", "guests")])
@router.post("/{kind}/daily/play", dependencies=[limited("games", "guests")])
def play(request: Request, room: PageRoom, house: House) -> Response:
    """Go to the ranked game of today, opened the first time."""
    now = house.clock()
    response = RedirectResponse("/", status_code=303)
    player = house.guests.welcome(request, response, now)
    table = house.dailies.of(room.kind).attempt(house.today(), player, now)
    response.headers["Location"] = f"/games/{table.id}"
    return response


@router.get("/daily/archive")
@router.get("/{kind}/daily/archive")
def archive(request: Request, room: PageRoom, house: House, player: Player) -> Response:
    """The days before today."""
    days = house.dailies.of(room.kind).archive(player, house.today(), ARCHIVE)
    return templates.TemplateResponse(request, "archive.html", {"room": room, "days": days})


@router.get("/daily/{day}")
@router.get("/{kind}/daily/{day}")
async def past_day(day: date, request: Request, room: PageRoom, house: House, asking: Asking) -> Response:
    """The leaderboard of a day."""
    await run_in_threadpool(check_day, house, room.kind, day)
    return await _day_page(request, room, house, asking, day)


@router.post("/daily/{day}/play", dependencies=[limited("games", "guests")])
@router.post("/{kind}/daily/{day}/play", dependencies=[limited("games", "guests")])
def rehearse(day: date, request: Request, room: PageRoom, house: House) -> Response:
    """Play a past day's game, unranked."""
    now, dailies = house.clock(), house.dailies.of(room.kind)
    if day >= house.today():
        return RedirectResponse(room.daily or "/", status_code=303)
    dailies.check_past(day, now)
    response = RedirectResponse("/", status_code=303)
    player = house.guests.welcome(request, response, now)
    table = dailies.rehearse(day, player, now)
    response.headers["Location"] = f"/games/{table.id}"
    return response


def daily_state(house: Services, room: Room, player: str | None) -> dict[str, Any]:
    """Today's daily for one player: not played, being played, or the score and rank."""
    day, dailies = house.today(), house.dailies.of(room.kind)
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
    house: Services, room: Room, asking: Asker, attempt: Attempt | None, day: date, address: str
) -> str | None:
    """A finished attempt without a spoiler, and where to play.

    None before the end, and where the game has gone since or the engines are all busy.
    """
    if attempt is None or attempt.score is None:
        return None
    try:
        table = await run_in_threadpool(house.games.look, attempt.game_id, house.clock())
        found = json.loads(await house.analyst.analysis(table, asking))
    except (UnknownGame, PoolFull):
        return None
    return f"{room.title} daily {day.isoformat()}\n{room.share(found, attempt.score)}\n{address}"


async def _day_page(request: Request, room: Room, house: Services, asking: Asker, day: date) -> Response:
    attempt, player = None, asking.player
    if player is not None:
        attempt = await run_in_threadpool(house.dailies.of(room.kind).attempt_of, day, player)
    address = f"{str(request.base_url).rstrip('/')}{room.daily}/{day.isoformat()}"
    share = await _share_text(house, room, asking, attempt, day, address)
    return await run_in_threadpool(_render_day, request, room, house, player, day, attempt, share)


def _render_day(
    request: Request,
    room: Room,
    house: Services,
    player: str | None,
    day: date,
    attempt: Attempt | None,
    share: str | None,
) -> Response:
    dailies, today = house.dailies.of(room.kind), house.today()
    ranked = dailies.rank(day, attempt.score) if attempt and attempt.score is not None else None
    context = {
        "room": room,
        "measure": room.measure("daily"),
        "day": day,
        "running": day == today,
        "settled": day < open_since(house.clock()),
        "ends_in": _seconds_left(house) if day == today else None,
        "settles_in": format_duration(settles_at(day) - house.clock()),
        "attempt": attempt,
        "rank": ranked[0] if ranked else None,
        "finished": ranked[1] if ranked else dailies.rank(day, 0)[1],
        "streak": dailies.streak(player, today) if player else 0,
        "share": share,
        "standings": dailies.leaderboard(day, SHOWN),
        "player_id": player,
        "yesterday": today - timedelta(days=1),
        "nickname": house.players.nickname(player) if player else None,
    }
    return templates.TemplateResponse(request, "daily.html", context)


def _seconds_left(house: Services) -> int:
    return int(86400 - house.clock() % 86400)
