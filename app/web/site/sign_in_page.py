"""Pages for signing in and out on other devices: device links, the recovery phrase, the list of devices."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from app.store.phrases import WrongPhrase
from app.store.players import UnknownRecovery
from app.web.guard.limits import limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.profile_page import show_profile
from app.web.site.sign_in_methods import OFFER, can_sign_in_again
from app.web.table.lesson_page import GameId
from app.web.templating import templates

router = APIRouter(prefix="/me", include_in_schema=False)

Merge = Annotated[bool, Form()]
"""Whether to merge this browser's games into the profile. A checkbox: missing if it is not checked."""

_LONGEST_PHRASE = 500
_ONLY_WAY = (
    "Nothing else leads to your profile: make a recovery phrase before you sign out here, or delete your data"
)


def _to_my_page(anchor: str = "") -> RedirectResponse:
    return RedirectResponse(f"/me{anchor}", status_code=303)


@router.post("/devices", dependencies=[limited("names")])
def link_device(request: Request, services: ServicesDep, player: Player) -> Response:
    """Create and show a one-time link for using another device as this player."""
    if player is None or not services.players.exists(player):
        return _to_my_page()
    token = services.players.recovery(player, services.clock())
    address = f"{str(request.base_url).rstrip('/')}/me/devices/{token}"
    return show_profile(request, services, player, device_link=address)


@router.get("/devices/{token}")
def device_page(token: str, request: Request, services: ServicesDep, player: Player) -> Response:
    """The page of a device link. A GET does not use it up, because messengers fetch links to preview them.

    Merging is off by default: the link may be another person's, and a merge cannot be undone.
    """
    context = {"token": token, "has_profile": player is not None, "merge": False, "notice": ""}
    try:
        services.players.check_recovery(token, services.clock())
    except UnknownRecovery as void:
        context["notice"] = str(void)
    return templates.TemplateResponse(
        request,
        "site/device.html",
        context,
        status_code=404 if context["notice"] else 200,
        headers={"Cache-Control": "no-store"},  # so that the back button shows whether it has been used
    )


@router.post("/devices/{token}", dependencies=[limited("sign_in")])
def use_device_link(
    token: str, request: Request, services: ServicesDep, player: Player, *, merge: Merge = False
) -> Response:
    """Use up a device link and sign in as its player."""
    found = services.players.recover(token, services.clock())
    return sign_in_as(request, services, found, _to_my_page(), merged=player if merge else None)


@router.post("/sign-out/{device}")
def sign_device_out(device: str, request: Request, services: ServicesDep, player: Player) -> Response:
    """Sign out another device. Raises UnknownDevice."""
    session = services.guests.session(request)
    if player is None or session is None:
        return _to_my_page()
    if device == session.device:
        return sign_out(request, services, player)
    services.guests.sign_out(session, device)
    return _to_my_page("#devices")


@router.post("/sign-out")
def sign_out(request: Request, services: ServicesDep, player: Player) -> Response:
    """Sign out of this browser, if the player can sign in again by recovery phrase, passkey or mail."""
    session = services.guests.session(request)
    if player is None or session is None:
        return _to_my_page()
    if not can_sign_in_again(services, player):
        return show_profile(request, services, player, device_notice=_ONLY_WAY, status=409)
    response = _to_my_page()
    if session.device is not None:
        services.guests.sign_out(session, session.device)
    services.guests.forget(request, response)
    return response


@router.post("/sign-out-others")
def sign_out_others(request: Request, services: ServicesDep, player: Player) -> Response:
    """Sign out everywhere except here, and revoke all tokens."""
    session = services.guests.session(request)
    response = _to_my_page("#devices")
    if player is None or session is None:
        return response
    if session.device is None:  # its cookie names no device, and is about to be void
        device = services.guests.become(request, response, player, services.clock())
        session = session._replace(device=device)
    services.guests.sign_out_others(session, services.clock())
    services.known_tokens.forget()
    return response


@router.post("/phrase", dependencies=[limited("names")])
def make_phrase(request: Request, services: ServicesDep, player: Player) -> Response:
    """Make a recovery phrase and show it, only once."""
    if player is None or not services.players.exists(player):
        return _to_my_page()
    context = {"words": services.phrases.make(player, services.clock()).split()}
    return templates.TemplateResponse(request, "site/phrase.html", context)


@router.post("/phrase/remove")
def remove_phrase(services: ServicesDep, player: Player) -> Response:
    """Delete the recovery phrase."""
    if player is not None:
        services.phrases.remove(player)
    return _to_my_page("#devices")


@router.post("/phrase/decline")
def decline_phrase(services: ServicesDep, player: Player, game: GameId = None) -> Response:
    """Do not offer a recovery phrase again, and go back to the table it was offered at."""
    if player is not None:
        services.shown.note(player, OFFER)
    return RedirectResponse(f"/games/{game}" if game else "/me", status_code=303)


@router.get("/sign-in")
def sign_in_page(request: Request, player: Player) -> Response:
    """The page for signing in with a recovery phrase."""
    return show_sign_in(request, player)


@router.post("/sign-in", dependencies=[limited("sign_in")])
def sign_in(
    request: Request,
    services: ServicesDep,
    player: Player,
    phrase: Annotated[str, Form(max_length=_LONGEST_PHRASE)] = "",
    *,
    merge: Merge = False,
) -> Response:
    """Sign in with a recovery phrase."""
    try:
        found = services.phrases.player_of(phrase)
    except WrongPhrase as refused:
        return show_sign_in(request, player, notice=str(refused), typed=phrase, merge=merge, status=422)
    return sign_in_as(request, services, found, _to_my_page(), merged=player if merge else None)


def show_sign_in(
    request: Request,
    player: str | None,
    *,
    notice: str | None = None,
    typed: str = "",
    mail_notice: str | None = None,
    address: str = "",
    merge: bool = True,
    status: int = 200,
) -> Response:
    """The page for signing in, with the input of a refused form and its notices."""
    context = {
        "has_profile": player is not None,
        "mails": request.app.state.services.mailer is not None,
        "notice": notice,
        "typed": typed,
        "mail_notice": mail_notice,
        "address": address,
        "merge": merge,
    }
    return templates.TemplateResponse(request, "site/sign_in.html", context, status_code=status)


def sign_in_as(
    request: Request, services: Services, player: str, response: Response, *, merged: str | None = None
) -> Response:
    """Sign this browser in as a player, with their preferences, after merging ``merged`` into the player."""
    if merged is not None:
        services.merging.merge(player, merged, services.clock())
    services.guests.become(request, response, player, services.clock())
    if chosen := services.players.preferences(player):
        services.guests.restore_preferences(request, response, chosen)
    return response
