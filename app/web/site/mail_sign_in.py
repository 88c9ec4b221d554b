"""Signing in with a link sent by mail, on sites whose operator has configured a mail server."""

from hashlib import sha256
from typing import Annotated, Final, TypeAlias

from fastapi import APIRouter, Depends, Form, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from starlette.background import BackgroundTask

from app.grammar import format_duration
from app.store.mail_addresses import LINK_SECONDS, BadAddress, clean_address
from app.web.guard.limits import charge, limited
from app.web.guard.rates import Caller
from app.web.ops.mailer import Mailer
from app.web.services import Player, Services, ServicesDep
from app.web.site.profile_page import show_profile
from app.web.site.sign_in_page import show_sign_in
from app.web.templating import templates

router = APIRouter(prefix="/me", include_in_schema=False)

Address: TypeAlias = Annotated[str, Form(max_length=300)]
_LASTS: Final = format_duration(LINK_SECONDS)


async def mailer_of(services: ServicesDep) -> Mailer:
    """The mail server. 404 if there is none."""
    if services.mailer is None:
        raise HTTPException(404, "this site sends no mail: use a recovery phrase or a passkey")
    return services.mailer


MailerDep = Annotated[Mailer, Depends(mailer_of)]


@router.post("/mail", dependencies=[limited("mails")])
def add_address(
    request: Request, services: ServicesDep, mailer: MailerDep, player: Player, address: Address = ""
) -> Response:
    """Send a link for confirming the player's mail address."""
    if player is None or not services.players.exists(player):
        return RedirectResponse("/me", status_code=303)
    try:
        to = clean_address(address)
    except BadAddress as refused:
        return show_profile(
            request, services, player, device_notice=str(refused), typed_address=address, status=422
        )
    _charge(services, to)
    link = f"{mailer.site}/me/mail/{services.mail_addresses.confirmation(player, to, services.clock())}"
    answer = show_profile(
        request, services, player, device_notice=f"a link that confirms {to} is on its way, for {_LASTS}"
    )
    answer.background = BackgroundTask(
        mailer.send,
        to,
        "Confirm your address at Wibble",
        f"Open this link within {_LASTS} to sign in to Wibble by mail from now on:\n\n{link}\n\n"
        "If you did not ask for this, do nothing: your address is not stored.\n",
    )
    return answer


@router.post("/mail/remove")
def remove_address(services: ServicesDep, player: Player) -> Response:
    """Remove the player's mail address."""
    if player is not None:
        services.mail_addresses.remove(player)
    return RedirectResponse("/me#devices", status_code=303)


@router.get("/mail/{token}")
def confirmation_page(token: str, request: Request) -> Response:
    """The page of a confirmation link. A GET confirms nothing, because mail programs fetch links."""
    return templates.TemplateResponse(request, "site/confirm_mail.html", {"token": token})


@router.post("/mail/{token}", dependencies=[limited("sign_in")])
def confirm_address(token: str, services: ServicesDep) -> Response:
    """Confirm a mail address. Raises UnknownRecovery, BadAddress."""
    services.mail_addresses.confirm(token, services.clock())
    return RedirectResponse("/me#devices", status_code=303)


@router.post("/sign-in/mail", dependencies=[limited("mails")])
def send_link(
    request: Request, services: ServicesDep, mailer: MailerDep, player: Player, address: Address = ""
) -> Response:
    """Send a link for signing in, if a profile has this address. The answer is the same if not."""
    try:
        to = clean_address(address)
    except BadAddress as refused:
        return show_sign_in(request, player, mail_notice=str(refused), address=address, status=422)
    _charge(services, to)
    sent = f"if a profile has the address {to}, a link is on its way: it works once, for {_LASTS}"
    answer = show_sign_in(request, player, mail_notice=sent, address=to)
    answer.background = BackgroundTask(_send_link, services, mailer, to)
    return answer


def _send_link(services: Services, mailer: Mailer, to: str) -> None:
    """Look up the address and send the link. Runs after the response, so its timing reveals nothing."""
    found = services.mail_addresses.player_of(to)
    if found is None:
        return
    link = f"{mailer.site}/me/devices/{services.players.recovery(found, services.clock(), LINK_SECONDS)}"
    text = f"Open this link within {_LASTS} to use your profile in that browser. It works once.\n\n{link}\n\n"
    mailer.send(to, "Sign in to Wibble", f"{text}If you did not ask for this, do nothing.\n")


def _charge(services: Services, address: str) -> None:
    """Count a mail to this address for all callers together. Raises TooOften."""
    counted = f"mail {sha256(address.encode()).hexdigest()}"
    charge(services, Caller(counted, counted), "mails", 1)
