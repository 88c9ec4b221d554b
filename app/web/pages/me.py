"""A player's own page: nickname, statistics, taking them away and erasing them."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from app.grammar import format_duration
from app.store.players import RECOVERY_SECONDS, BadNickname, clean_nickname
from app.web.limits import limited
from app.web.pages.home import ago
from app.web.profile import profile, streaks
from app.web.services import House, Player, Services
from app.web.templating import templates

router = APIRouter(prefix="/me", include_in_schema=False)

GAMES_SHOWN = 20


@router.get("")
def my_page(request: Request, house: House, player: Player) -> Response:
    """What the player has done here so far."""
    return _page(request, house, player)


@router.post("/nickname", dependencies=[limited("names", "guests")])
def rename(
    nickname: Annotated[str, Form(max_length=200)],
    request: Request,
    house: House,
    player: Player,
    back: Annotated[str, Form(pattern="^(/[a-z]+)?/(me|daily)$")] = "/me",
) -> Response:
    """Take a nickname and go back to the page it was asked on."""
    try:
        clean_nickname(nickname)  # a refusal makes no guest
    except BadNickname as refused:
        return _page(request, house, player, notice=str(refused), status=422)
    response = RedirectResponse(back, status_code=303)
    house.players.rename(house.guests.welcome(request, response, house.clock()), nickname)
    return response


@router.get("/export")
def export(house: House, player: Player) -> Response:
    """Nickname, streaks, statistics and the results of all finished games, as JSON.

    Games with their moves are not in it: each finished one is taken away as a record.
    """
    name = 'attachment; filename="wibble-statistics.json"'
    content = profile(house, player).model_dump(mode="json")
    return JSONResponse(content, headers={"Content-Disposition": name})


@router.post("/devices", dependencies=[limited("names")])
def link_device(request: Request, house: House, player: Player) -> Response:
    """A link that makes another device this player, once."""
    if player is None or not house.players.exists(player):
        return RedirectResponse("/me", status_code=303)
    token = house.players.recovery(player, house.clock())
    address = f"{str(request.base_url).rstrip('/')}/me/devices/{token}"
    return _page(request, house, player, device_link=address)


@router.get("/devices/{token}")
def device_page(token: str, request: Request, player: Player) -> Response:
    """What such a link opens. Looking uses nothing up: messengers fetch a link to preview it."""
    context = {"token": token, "somebody": player is not None}
    return templates.TemplateResponse(request, "device.html", context)


@router.post("/devices/{token}")
def move_in(token: str, request: Request, house: House) -> Response:
    """Become the player of the link."""
    response = RedirectResponse("/me", status_code=303)
    house.guests.become(request, response, house.players.recover(token, house.clock()))
    return response


@router.post("/erase")
def erase(request: Request, house: House, player: Player) -> Response:
    """Forget the player's results, attempts, nickname and seats, and the player's cookie."""
    response = RedirectResponse("/me", status_code=303)
    if player is not None:
        house.results.erase(player, house.clock())
        house.guests.forget(request, response)
    return response


def _page(
    request: Request,
    house: Services,
    player: str | None,
    *,
    notice: str | None = None,
    device_link: str | None = None,
    status: int = 200,
) -> Response:
    results = house.results.of_player(player, GAMES_SHOWN) if player else []
    context = {
        "nickname": house.players.nickname(player) if player else None,
        "statistics": house.results.statistics(player) if player else [],
        "streaks": streaks(house, player) if player else {},
        "games": [{"result": result, "ago": ago(house.clock() - result.finished_at)} for result in results],
        "notice": notice,
        "device_link": device_link,
        "link_lasts": format_duration(RECOVERY_SECONDS),
    }
    return templates.TemplateResponse(request, "me.html", context, status_code=status)
