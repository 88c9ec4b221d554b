"""All leaderboards and past dailies of the house on one page."""

from datetime import date
from typing import Any

from fastapi import APIRouter, Request, Response

from app.store.dailies import Attempt
from app.store.rankings import RANKED_WORDS, RANKING_DAYS
from app.web.days import with_daily
from app.web.leaderboards import winners
from app.web.pages.daily import daily_state
from app.web.rooms import ROOMS
from app.web.services import House, Player, Services
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

SHOWN = 5
"""Lines of a leaderboard."""
DAYS = 14
"""Past days that are shown."""


@router.get("/leaderboards")
def leaderboards(request: Request, house: House, player: Player) -> Response:
    """Today's dailies of all rooms, who wins against others, and the days before today."""
    today = house.today()
    context = {
        "day": today,
        "dailies": [_daily(house, kind, player, today) for kind in with_daily()],
        "days": _past_days(house, player, today),
        "winners": winners(house, SHOWN),
        "winning_days": RANKING_DAYS,
        "ranked_words": RANKED_WORDS,
        "player_id": player,
    }
    return templates.TemplateResponse(request, "leaderboards.html", context)


def _daily(house: Services, kind: str, player: str | None, today: date) -> dict[str, Any]:
    room, standings = ROOMS[kind], house.dailies.of(kind).leaderboard(today, SHOWN)
    return {"room": room, "standings": standings, **daily_state(house, room, player)}


def _past_days(
    house: Services, player: str | None, today: date
) -> list[tuple[date, dict[str, Attempt | None]]]:
    """Each day that a daily was played on, the latest first, and the player's attempts by kind."""
    days: dict[date, dict[str, Attempt | None]] = {}
    for kind in with_daily():
        for day, attempt in house.dailies.of(kind).archive(player, today, DAYS):
            days.setdefault(day, {})[kind] = attempt
    return sorted(days.items(), reverse=True)[:DAYS]
