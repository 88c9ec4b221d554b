"""What routes are declared with so that nobody asks too much of them."""

from contextvars import ContextVar
from ipaddress import IPv6Address, ip_address
from typing import Annotated, Any, Final

from anyio import from_thread
from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError

from app.settings import RateKind
from app.web.pool import SERVER
from app.web.rates import Asker
from app.web.services import House, Player, Services

_NETWORK: Final = 64
"""Bits of an IPv6 address that are one household's; it chooses the others as it likes."""


current_asker: ContextVar[Asker] = ContextVar("current_asker", default=SERVER)
"""Whom the request at hand is counted for, for what happens beside it: see ``app.web.thinking``."""


async def asker(request: Request, player: Player) -> Asker:
    """Whom the request is counted for: the player of its cookie, and the address it comes from."""
    found = Asker(address_of(request), player)
    current_asker.set(found)
    return found


Asking = Annotated[Asker, Depends(asker)]


def limited(*kinds: RateKind) -> Any:
    """A dependency of routes that counts each request as these kinds. Raises TooOften.

    ``guests`` counts only those who have no cookie yet: somebody new would be made for them.
    """

    async def count(house: House, asking: Asking) -> None:
        for kind in kinds:
            if kind != "guests" or asking.player is None:
                await house.rates.count(kind, asking)

    return Depends(count)


def charge(house: House, asking: Asker, kind: RateKind, cost: int) -> None:
    """Count what only a route itself knows to be ``cost`` requests more. Raises TooOften."""
    if cost > 0:
        from_thread.run(house.rates.count, kind, asking, cost)


def check_budget(house: Services, milliseconds: int, boards: int = 1) -> None:
    """Raise RequestValidationError where an engine is to think longer than it may here.

    The ``boards`` of a batch share a budget of three times that of one.
    """
    most = house.longest_budget_ms * (1 if boards == 1 else 3)
    if milliseconds > most:
        told = f"{milliseconds:,} ms are too long: an engine thinks up to {most:,} ms here"
        raise RequestValidationError([{"loc": ("budget_ms",), "msg": told}])


def address_of(request: Request) -> str:
    """The address that a request comes from; of an IPv6 address the network of its household."""
    return network_of(request.client.host if request.client else "")


def network_of(host: str) -> str:
    """The address that is counted: all of an IPv6 household's are one. Empty where it is no address."""
    try:
        address = ip_address(host)
    except ValueError:
        return ""  # all whose address is none share what one may ask: they may make up as many as they like
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> (128 - _NETWORK) << (128 - _NETWORK))}/{_NETWORK}"
    return host
