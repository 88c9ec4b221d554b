"""The leaderboards page: today's dailies, ratings, wins against others, past days."""

from datetime import date
from typing import Any

from fastapi import APIRouter, Request, Response

from app.store.dailies import Attempt
from app.store.rankings import RANKED_WORDS, RANKING_DAYS
from app.store.ratings import ACTIVE_DAYS
from app.web.room import Room
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily import daily_state
from app.web.site.daily_calendar import daily_rooms
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

SHOWN = 5
"""Rows of a leaderboard."""
DAYS = 14
"""Past days shown."""


@router.get("/leaderboards")
def leaderboards(request: Request, services: ServicesDep, player: Player) -> Response:
    """The leaderboards page."""
    today = services.today()
    context = {
        "day": today,
        "dailies": [_daily(services, room, player, today) for room in daily_rooms(services.rooms).values()],
        "days": _past_days(services, player, today),
        "winners": services.rankings.winners(services.rooms, services.clock(), SHOWN),
        "ratings": services.ratings.leaders(services.rooms, services.clock(), SHOWN),
        "bots": services.ratings.leaders(services.rooms, services.clock(), SHOWN, bots=True),
        "active_days": ACTIVE_DAYS,
        "winning_days": RANKING_DAYS,
        "ranked_words": RANKED_WORDS,
        "player_id": player,
    }
    return templates.TemplateResponse(request, "site/leaderboards.html", context)


def _daily(services: Services, room: Room, player: str | None, today: date) -> dict[str, Any]:
    standings = services.dailies.for_kind(room.daily_name).leaderboard(today, SHOWN)
    return {"room": room, "standings": standings, **daily_state(services, room, player)}


def _past_days(
    services: Services, player: str | None, today: date
) -> list[tuple[date, dict[str, Attempt | None]]]:
    """Past days with a daily, latest first, each with the player's attempts by kind of game."""
    days: dict[date, dict[str, Attempt | None]] = {}
    for kind in daily_rooms(services.rooms):
        for day, attempt in services.dailies.for_kind(kind).archive(player, today, DAYS):
            days.setdefault(day, {})[kind] = attempt
    return sorted(days.items(), reverse=True)[:DAYS]
