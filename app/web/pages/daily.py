"""The daily: today's game, its leaderboard, the share text and the days before."""

import json
from datetime import date, timedelta
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.web.days import check_day
from app.web.services import House, Player, Services
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

SHOWN = 50
"""Lines of a leaderboard."""
ARCHIVE = 60
"""Days of the archive."""


@router.get("/daily")
def today(request: Request, house: House, player: Player) -> Response:
    """Today's daily."""
    return _day_page(request, house, player, house.today())


@router.post("/daily/play")
def play(request: Request, house: House) -> Response:
    """Go to the ranked game of today, opened the first time."""
    now = house.clock()
    response = RedirectResponse("/daily", status_code=303)
    player = house.guests.welcome(request, response, now)
    table = house.dailies.attempt(house.today(), player, now)
    response.headers["Location"] = f"/games/{table.id}"
    return response


@router.get("/daily/archive")
def archive(request: Request, house: House, player: Player) -> Response:
    """The days before today."""
    context = {"days": house.dailies.archive(player, house.today(), ARCHIVE)}
    return templates.TemplateResponse(request, "archive.html", context)


@router.get("/daily/{day}")
def past_day(day: date, request: Request, house: House, player: Player) -> Response:
    """The leaderboard of a day."""
    check_day(house, day)
    return _day_page(request, house, player, day)


@router.post("/daily/{day}/play")
def rehearse(day: date, request: Request, house: House) -> Response:
    """Play a past day's game, unranked."""
    now = house.clock()
    if day >= house.today():
        return RedirectResponse("/daily", status_code=303)
    response = RedirectResponse("/daily", status_code=303)
    player = house.guests.welcome(request, response, now)
    table = house.dailies.rehearse(day, player, now)
    response.headers["Location"] = f"/games/{table.id}"
    return response


def daily_state(house: Services, player: str | None) -> dict[str, Any]:
    """Today's daily for one player: not played, being played, or the score and rank."""
    day = house.today()
    attempt = house.dailies.attempt_of(day, player) if player else None
    state: dict[str, Any] = {
        "day": day,
        "attempt": attempt,
        "streak": house.dailies.streak(player, day) if player else 0,
        "rank": None,
        "finished": 0,
    }
    if attempt is not None and attempt.score is not None:
        state["rank"], state["finished"] = house.dailies.rank(day, attempt.score)
    return state


def share_text(house: Services, player: str, day: date, address: str) -> str | None:
    """A finished attempt without a spoiler: a square a turn, score, accuracy and where to play.

    Green is at least 90 % of the best word's points, yellow at least half, white less; None before the end.
    """
    attempt = house.dailies.attempt_of(day, player)
    if attempt is None or attempt.score is None:
        return None
    table = house.games.load(attempt.game_id, house.clock())
    found = json.loads(house.analyst.analysis(table))
    squares = "".join(_square(turn["share"]) for turn in found["turns"])
    accuracy = found["seats"][0]["accuracy"]
    scored = f"{attempt.score} points" + (f", {accuracy:.0f} % accuracy" if accuracy is not None else "")
    return f"Wibble daily {day.isoformat()}\n{squares}\n{scored}\n{address}"


def _day_page(request: Request, house: Services, player: str | None, day: date) -> Response:
    running = day == house.today()
    attempt = house.dailies.attempt_of(day, player) if player else None
    ranked = house.dailies.rank(day, attempt.score) if attempt and attempt.score is not None else None
    address = f"{str(request.base_url).rstrip('/')}/daily/{day.isoformat()}"
    context = {
        "day": day,
        "running": running,
        "ends_in": _seconds_left(house) if running else None,
        "attempt": attempt,
        "rank": ranked[0] if ranked else None,
        "finished": ranked[1] if ranked else house.dailies.rank(day, 0)[1],
        "streak": house.dailies.streak(player, house.today()) if player else 0,
        "share": share_text(house, player, day, address) if player else None,
        "standings": house.dailies.leaderboard(day, SHOWN),
        "player_id": player,
        "yesterday": house.today() - timedelta(days=1),
        "nickname": house.players.nickname(player) if player else None,
    }
    return templates.TemplateResponse(request, "daily.html", context)


def _seconds_left(house: Services) -> int:
    return int(86400 - house.clock() % 86400)


def _square(share: float) -> str:
    return "🟩" if share >= 0.9 else "🟨" if share >= 0.5 else "⬜"
