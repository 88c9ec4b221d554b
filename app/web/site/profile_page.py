"""The player's own page: nickname, statistics, export, device links and erasing all data."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from app.grammar import format_duration
from app.store.players import RECOVERY_SECONDS, BadNickname, clean_nickname
from app.web.guard.limits import limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily_calendar import daily_rooms
from app.web.site.open_games import ago
from app.web.site.play_calendar import play_calendar
from app.web.site.profile import profile, streaks
from app.web.templating import templates

router = APIRouter(prefix="/me", include_in_schema=False)

GAMES_SHOWN = 20
CHALLENGES_SHOWN = 10


@router.get("")
def my_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """The player's profile page."""
    return _page(request, services, player)


@router.post("/nickname", dependencies=[limited("names", "guests")])
def rename(
    nickname: Annotated[str, Form(max_length=200)],
    request: Request,
    services: ServicesDep,
    player: Player,
    back: Annotated[str, Form(pattern=r"^(/[a-z]+)?/(me|daily|lobby)$|^/games/[\w-]+$")] = "/me",
) -> Response:
    """Set the nickname and go back to the page with the form."""
    try:
        clean_nickname(nickname)  # validate before creating a guest
    except BadNickname as refused:
        return _page(request, services, player, notice=str(refused), status=422)
    response = RedirectResponse(back, status_code=303)
    services.players.rename(services.guests.welcome(request, response, services.clock()), nickname)
    return response


@router.get("/export")
def export(services: ServicesDep, player: Player) -> Response:
    """Download nickname, streaks, statistics, all results, levels won, votes on words and challenges as JSON.

    Moves are not included; each finished game can be downloaded as a record.
    """
    name = 'attachment; filename="wibble-statistics.json"'
    votes = services.word_votes.of_player(player) if player else []
    challenges = services.challenges.of_player(player) if player else []
    content = profile(services, player).model_dump(mode="json") | {
        "word_votes": [asdict(vote) for vote in votes],
        "levels": [asdict(each) for each in services.levels.of_player(player)],
        "challenges": [asdict(each) for each in challenges],
    }
    return JSONResponse(content, headers={"Content-Disposition": name})


@router.post("/devices", dependencies=[limited("names")])
def link_device(request: Request, services: ServicesDep, player: Player) -> Response:
    """Create and show a one-time link for using another device as this player."""
    if player is None or not services.players.exists(player):
        return RedirectResponse("/me", status_code=303)
    token = services.players.recovery(player, services.clock())
    address = f"{str(request.base_url).rstrip('/')}/me/devices/{token}"
    return _page(request, services, player, device_link=address)


@router.get("/devices/{token}")
def device_page(token: str, request: Request, player: Player) -> Response:
    """The page of a device link. A GET does not use it up, because messengers fetch links to preview them."""
    context = {"token": token, "somebody": player is not None}
    return templates.TemplateResponse(request, "site/device.html", context)


@router.post("/devices/{token}")
def move_in(token: str, request: Request, services: ServicesDep) -> Response:
    """Use up a device link and sign in as its player."""
    response = RedirectResponse("/me", status_code=303)
    player_id = services.players.recover(token, services.clock())
    services.guests.become(request, response, player_id)
    if chosen := services.players.preferences(player_id):
        services.guests.bring_preferences(request, response, chosen)
    return response


@router.post("/erase")
def erase(request: Request, services: ServicesDep, player: Player) -> Response:
    """Erase the player's results, attempts, nickname, seats, votes and challenges, and delete the cookie."""
    response = RedirectResponse("/me", status_code=303)
    if player is not None:
        services.results.erase(player, services.clock())
        services.guests.forget(request, response)
    return response


def _page(
    request: Request,
    services: Services,
    player: str | None,
    *,
    notice: str | None = None,
    device_link: str | None = None,
    status: int = 200,
) -> Response:
    results = services.results.of_player(player, GAMES_SHOWN) if player else []
    context = {
        "nickname": services.players.nickname(player) if player else None,
        "statistics": services.results.statistics(player) if player else [],
        "streaks": streaks(services, player) if player else {},
        "daily_rooms": daily_rooms(services.rooms),
        "weeks": play_calendar(services, player),
        "games": [
            {"result": result, "ago": ago(services.clock() - result.finished_at)} for result in results
        ],
        "challenges": [
            {"challenge": each, "ago": ago(services.clock() - each.created_at)}
            for each in (services.challenges.of_player(player, CHALLENGES_SHOWN) if player else [])
        ],
        "notice": notice,
        "device_link": device_link,
        "link_lasts": format_duration(RECOVERY_SECONDS),
    }
    return templates.TemplateResponse(request, "site/me.html", context, status_code=status)
