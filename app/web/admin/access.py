"""Operators: players with an operator account, and anyone with the token of ``WIBBLE_ADMIN_TOKEN``."""

from typing import Annotated

from fastapi import Depends, HTTPException, Request
from fastapi.concurrency import run_in_threadpool

from app.store.audit import UNNAMED, by
from app.web.guard.limits import address_of
from app.web.guard.rates import Caller
from app.web.services import Player, Services, ServicesDep


async def page_operator(request: Request, services: ServicesDep, player: Player) -> str:
    """The operator's name in the audit log, for pages. 404 for anyone else."""
    found = await _with_account(services, player)
    if found is None and services.operator_token.is_signed_in(request):
        return UNNAMED
    if found is None:
        raise HTTPException(404)
    return found


async def api_operator(request: Request, services: ServicesDep, player: Player) -> str:
    """The operator's name in the audit log, for the API. 401 without token or cookie, 403 for other players.

    Wrong tokens count as attempts to sign in.
    """
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        if services.operator_token.accepts(given.strip()):
            return UNNAMED
        await services.rates.count("sign_in", Caller(address_of(request), None))
        raise _unknown("this is not the operators’ token", ' error="invalid_token"')
    if player is None:
        raise _unknown("send the operators’ token, or the cookie of an operator")
    found = await _with_account(services, player)
    if found is None:
        raise HTTPException(403, "only operators can do this")
    return found


PageOperator = Annotated[str, Depends(page_operator)]
ApiOperator = Annotated[str, Depends(api_operator)]


async def _with_account(services: Services, player: str | None) -> str | None:
    name = None if player is None else await run_in_threadpool(services.operators.name_of, player)
    return None if name is None else by(name)


def _unknown(detail: str, error: str = "") -> HTTPException:
    return HTTPException(401, detail, headers={"WWW-Authenticate": f"Bearer{error}"})
