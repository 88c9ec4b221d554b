"""Sign-in of operators: with the token of this installation, or by a link that makes a player an operator."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from app.web.guard.limits import limited
from app.web.services import ServicesDep
from app.web.templating import templates

router = APIRouter(prefix="/admin", include_in_schema=False)


async def _token_is_set(services: ServicesDep) -> None:
    """Answer 404 where there is no token to sign in with."""
    if not services.operator_token.is_set:
        raise HTTPException(404)


@router.get("/sign-in", dependencies=[Depends(_token_is_set)])
def sign_in_page(request: Request) -> Response:
    """The form for the token."""
    return _form(request)


@router.post("/sign-in", dependencies=[Depends(_token_is_set), limited("sign_in")])
def sign_in(
    request: Request, services: ServicesDep, token: Annotated[str, Form(max_length=1000)] = ""
) -> Response:
    """Sign this browser in for two hours."""
    if not services.operator_token.accepts(token.strip()):
        return _form(request, "this is not the operators’ token", 422)
    response = RedirectResponse("/admin", status_code=303)
    services.operator_token.sign_in(request, response)
    return response


@router.post("/sign-out")
def sign_out(services: ServicesDep) -> Response:
    """Sign out a browser that gave the token."""
    response = RedirectResponse("/", status_code=303)
    services.operator_token.sign_out(response)
    return response


@router.get("/join/{token}")
def invitation_page(token: str, request: Request, services: ServicesDep) -> Response:
    """The page of an operator's link. A GET does not use it up: messengers fetch links to preview them."""
    player = services.guests.identify(request)
    context = {
        "name": services.operators.invited(token, services.clock()),
        "token": token,
        "nickname": services.players.nickname(player) if player else None,
    }
    return templates.TemplateResponse(request, "admin/join.html", context)


@router.post("/join/{token}", dependencies=[limited("sign_in", "guests")])
def join(token: str, request: Request, services: ServicesDep) -> Response:
    """Make the player of this browser an operator. Raises UnknownRecovery, OperatorExists."""
    now = services.clock()
    services.operators.invited(token, now)  # before there is a guest
    response = RedirectResponse("/admin", status_code=303)
    services.operators.join(token, services.guests.welcome(request, response, now), now)
    return response


def _form(request: Request, notice: str = "", status: int = 200) -> Response:
    return templates.TemplateResponse(request, "admin/sign_in.html", {"notice": notice}, status_code=status)
