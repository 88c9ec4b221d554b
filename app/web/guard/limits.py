"""What routes are declared with so that nobody asks too much of them."""

from contextvars import ContextVar
from typing import Annotated, Any

from anyio import from_thread
from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError

from app.settings import RateKind
from app.web.guard.addresses import network_of
from app.web.guard.rates import SERVER, Caller
from app.web.services import Player, Services, ServicesDep

current_asker: ContextVar[Caller] = ContextVar("current_asker", default=SERVER)
"""Whom the request at hand is counted for, for what happens beside it: see ``app.web.table.bot_thinking``."""


async def get_caller(request: Request, player: Player) -> Caller:
    """Whom the request is counted for: the player of its cookie, and the address it comes from."""
    found = Caller(address_of(request), player)
    current_asker.set(found)
    return found


CallerDep = Annotated[Caller, Depends(get_caller)]


def limited(*kinds: RateKind) -> Any:
    """A dependency of routes that counts each request as these kinds. Raises TooOften.

    ``guests`` counts only those who have no cookie yet: somebody new would be made for them.
    """

    async def count(services: ServicesDep, caller: CallerDep) -> None:
        for kind in kinds:
            if kind != "guests" or caller.player is None:
                await services.rates.count(kind, caller)

    return Depends(count)


def charge(services: ServicesDep, caller: Caller, kind: RateKind, cost: int) -> None:
    """Count what only a route itself knows to be ``cost`` requests more. Raises TooOften."""
    if cost > 0:
        from_thread.run(services.rates.count, kind, caller, cost)


def check_budget(services: Services, milliseconds: int, boards: int = 1) -> None:
    """Raise RequestValidationError where an engine is to think longer than it may here.

    The ``boards`` of a batch share a budget of three times that of one.
    """
    most = services.longest_budget_ms * (1 if boards == 1 else 3)
    if milliseconds > most:
        told = f"{milliseconds:,} ms are too long: an engine thinks up to {most:,} ms here"
        raise RequestValidationError([{"loc": ("budget_ms",), "msg": told}])


def address_of(request: Request) -> str:
    """The address that a request comes from; of an IPv6 address the network of its household."""
    return network_of(request.client.host if request.client else "")
