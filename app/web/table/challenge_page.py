"""The page of a challenge link, and the forms for making and playing a challenge."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from app.web.guard.limits import CallerDep, limited
from app.web.services import Player, ServicesDep
from app.web.table.challenges import challenge_answer, play_challenge
from app.web.table.opening import draft_challenge
from app.web.table.seat_views import seat_views
from app.web.templating import templates

router = APIRouter(include_in_schema=False)


@router.post("/games/{game_id}/challenge", dependencies=[limited("games")])
def open_challenge(game_id: str, services: ServicesDep, player: Player) -> Response:
    """Make a challenge of a finished game and show its page."""
    now = services.clock()
    challenge_id = services.challenges.open(services.games.load_or_read(game_id, now), player, now)
    return RedirectResponse(f"/challenges/{challenge_id}", status_code=303)


@router.get("/challenges/{challenge_id}")
def challenge_page(
    challenge_id: str,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    against: Annotated[str | None, Query(max_length=32)] = None,
) -> Response:
    """The page of a challenge, with all results once the player has finished it."""
    challenge = services.challenges.read(challenge_id, caller.player)
    table = services.games.read(challenge.game_id)
    context = {
        "challenge": challenge_answer(services, caller, challenge, against),
        "room": services.rooms[table.kind],
        "bots": [seat.name for seat in seat_views(table, None) if seat.occupant == "bot"],
        "nickname": services.players.nickname(caller.player) if caller.player else None,
        "link": f"{str(request.base_url).rstrip('/')}/challenges/{challenge.id}",
    }
    headers = {"Cache-Control": "no-store"}
    return templates.TemplateResponse(request, "table/challenge.html", context, headers=headers)


@router.post("/challenges/{challenge_id}/play", dependencies=[limited("games", "guests")])
def play(challenge_id: str, request: Request, services: ServicesDep, player: Player) -> Response:
    """Go to the player's game in the challenge, opened by the first call."""
    now = services.clock()
    challenge = services.challenges.read(challenge_id, player)
    draft = draft_challenge(services, challenge, now)
    response = RedirectResponse(f"/games/{draft.id}", status_code=303)
    player = services.guests.welcome(request, response, now)
    response.headers["location"] = f"/games/{play_challenge(services, challenge, draft, player).id}"
    return response
