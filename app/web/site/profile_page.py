"""The player's own page: nickname, statistics, export and erasing all data."""

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
from app.web.site.signed_in import signed_in
from app.web.templating import templates

router = APIRouter(prefix="/me", include_in_schema=False)

GAMES_SHOWN = 20
CHALLENGES_SHOWN = 10


@router.get("")
def my_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """The player's profile page."""
    return show_profile(request, services, player)


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
        return show_profile(request, services, player, notice=str(refused), status=422)
    response = RedirectResponse(back, status_code=303)
    services.players.rename(services.guests.welcome(request, response, services.clock()), nickname)
    return response


@router.get("/export")
def export(services: ServicesDep, player: Player) -> Response:
    """Download nickname, streaks, statistics, results, levels won, votes, challenges and devices as JSON.

    Moves are not included; each finished game can be downloaded as a record.
    """
    name = 'attachment; filename="wibble-statistics.json"'
    votes = services.word_votes.of_player(player) if player else []
    challenges = services.challenges.of_player(player) if player else []
    devices = services.devices.of_player(player) if player else []
    content = profile(services, player).model_dump(mode="json") | {
        "word_votes": [asdict(vote) for vote in votes],
        "levels": [asdict(each) for each in services.levels.of_player(player)],
        "challenges": [asdict(each) for each in challenges],
        "circles": [circle.name for circle in services.circles.of_player(player)] if player else [],
        "mail_address": services.mail_addresses.of_player(player) if player else None,
        "devices": [
            {"name": device.name, "created_at": device.created_at, "used_at": device.used_at}
            for device in devices
        ],
    }
    return JSONResponse(content, headers={"Content-Disposition": name})


@router.post("/erase")
def erase(request: Request, services: ServicesDep, player: Player) -> Response:
    """Erase the player's results, attempts, nickname, seats, votes and challenges, and delete the cookie."""
    response = RedirectResponse("/me", status_code=303)
    if player is not None:
        services.results.erase(player, services.clock())
        services.guests.forget(request, response)
    return response


def show_profile(
    request: Request,
    services: Services,
    player: str | None,
    *,
    notice: str | None = None,
    device_link: str | None = None,
    device_notice: str | None = None,
    status: int = 200,
) -> Response:
    """The player's page, with a notice about their name, a new device link, or a notice about devices."""
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
        "device_notice": device_notice,
        **signed_in(request, services, player),
        "link_lasts": format_duration(RECOVERY_SECONDS),
    }
    return templates.TemplateResponse(request, "site/me.html", context, status_code=status)
