"""Route dependencies for rate limits, and the address that a request counts for."""

from contextvars import ContextVar
from typing import Annotated, Any

from anyio import from_thread
from fastapi import Depends, Request

from app.settings import RateKind
from app.web.guard.addresses import network_of
from app.web.guard.bearer import bearer_of
from app.web.guard.fields import invalid_field
from app.web.guard.rates import SERVER, Caller
from app.web.services import Player, Services, ServicesDep

current_caller: ContextVar[Caller] = ContextVar("current_caller", default=SERVER)
"""The caller of the current request, for background work: see ``app.web.table.bot_thinking``."""


async def get_caller(request: Request, player: Player) -> Caller:
    """The address and player that the request is counted for."""
    bearer = bearer_of(request)
    caller = Caller(address_of(request), player, None if bearer is None else bearer.owner_id)
    current_caller.set(caller)
    return caller


CallerDep = Annotated[Caller, Depends(get_caller)]


class Limit:
    """A route dependency that counts each request against rate limits.

    ``guests`` counts only requests without a player, for which one would be created.
    """

    def __init__(self, kinds: tuple[RateKind, ...]) -> None:
        self.kinds = kinds

    async def __call__(self, services: ServicesDep, caller: CallerDep) -> None:
        """Count a request. Raises TooOften."""
        for kind in self.kinds:
            if kind != "guests" or caller.player is None:
                await services.rates.count(kind, caller)


def limited(*kinds: RateKind) -> Any:
    """The route dependency that counts against these rate limits; see ``Limit``."""
    return Depends(Limit(kinds))


def charge(services: ServicesDep, caller: Caller, kind: RateKind, cost: int) -> None:
    """Count ``cost`` further requests, from within a route. Raises TooOften."""
    if cost > 0:
        from_thread.run(services.rates.count, kind, caller, cost)


def check_budget(services: Services, milliseconds: int, boards: int = 1) -> None:
    """Raise RequestValidationError if a time budget is longer than this installation allows.

    All ``boards`` of a batch together may take three times the longest budget.
    """
    most = services.longest_budget_ms * (1 if boards == 1 else 3)
    if milliseconds > most:
        message = f"{milliseconds:,} ms is too long: at most {most:,} ms are accepted here"
        raise invalid_field(message, "budget_ms")


def address_of(request: Request) -> str:
    """The address to count a request for; see ``network_of``."""
    return network_of(request.client.host if request.client else "")
