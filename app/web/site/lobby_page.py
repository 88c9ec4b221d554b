"""The lobby page."""

from typing import Any

from fastapi import APIRouter, Request, Response

from app.store.models import Table
from app.web.room import Room
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily import todays_dailies
from app.web.site.direct_challenges_page import listed_challenges
from app.web.site.open_games import ago, open_games
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

LISTED = 40
"""Tables shown in the lobby."""
FINISHED = 10
"""Finished games shown in the lobby."""


@router.get("/lobby")
def lobby(request: Request, services: ServicesDep, player: Player) -> Response:
    """The lobby: tables to join, the player's own games, and recently finished ones."""
    now = services.clock()
    mine = open_games(services, player, most=LISTED)
    results = services.results.of_player(player, FINISHED) if player else []
    context = {
        "nickname": services.players.nickname(player) if player else None,
        "joinable": [
            _joinable(services, table, player, now) for table in services.lobby.joinable(LISTED, now, player)
        ],
        "open_games": mine,
        "unplayed": None if mine else _first_unplayed(services, player),
        "challenges": listed_challenges(services, player, now),
        "turns": sum(game["your_turn"] and not game["waiting"] for game in mine),
        "finished": [{"result": result, "ago": ago(now - result.finished_at)} for result in results],
    }
    return templates.TemplateResponse(request, "site/lobby.html", context)


def _first_unplayed(services: Services, player: str | None) -> Room | None:
    """The room of the first daily of today that the player has not begun."""
    return next((each["room"] for each in todays_dailies(services, player) if not each["attempt"]), None)


def _joinable(services: Services, table: Table, player: str | None, now: float) -> dict[str, Any]:
    view, room = table.view(None), services.rooms[table.kind]
    host = table.seats[0]
    return {
        "id": table.id,
        "mine": table.seat_of(player) is not None,
        "room": room,
        "mode_title": room.title_of(view),
        "host": host.nickname or "A guest",
        "free": sum(seat.is_free for seat in table.seats),
        "turn_limit": table.settings.turn_limit,
        "rated": table.settings.rated,
        "view": view,
        "ago": ago(now - table.created_at),
    }
