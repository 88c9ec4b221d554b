"""For those who watch over the server."""

import asyncio
import hmac
from ipaddress import ip_address
from typing import Annotated, Final

from fastapi import Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from app.games import kernel
from app.web.guard.problems import problem_response
from app.web.model import Documented
from app.web.router import api_router
from app.web.services import ServicesDep

router = api_router(tag="health")

_PASSED_ON: Final = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
"""What a proxy adds: whoever asks through one is not at this machine, whatever the address."""


class Health(Documented):
    """How the server is."""

    status: str


@router.get("/healthz", summary="Is it alive")
async def alive() -> Health:
    """The process answers."""
    return Health(status="ok")


@router.get("/readyz", response_model=Health, summary="Is it at full speed")
async def ready(services: ServicesDep) -> Health | JSONResponse:
    """The store answers, the engines are compiled, and pages are answered in time.

    Until the engines are compiled games are playable, only slower.
    """
    if services.load.complaint is not None:
        return _not_yet(f"pages have to wait: {services.load.complaint}")
    await asyncio.to_thread(services.games.ping)  # not in the threads of the routes, which may all be busy
    if not kernel.ready():
        return _not_yet("the engines are being compiled; games are playable meanwhile")
    return Health(status="ok")


def _not_yet(why: str) -> JSONResponse:
    # Not as an exception, whose handlers need a thread of the routes.
    return problem_response(503, why, headers={"Retry-After": "5"})


async def _operator(request: Request, services: ServicesDep) -> None:
    """Refuse, as if there were nothing here, who is neither at this machine nor shows the token."""
    shown = request.headers.get("authorization", "").encode()
    if services.metrics_token and hmac.compare_digest(shown, f"Bearer {services.metrics_token}".encode()):
        return
    if request.client is None or any(name in request.headers for name in _PASSED_ON):
        raise HTTPException(404)
    try:
        local = ip_address(request.client.host).is_loopback
    except ValueError:
        local = False
    if not local:
        raise HTTPException(404)


@router.get("/metrics", include_in_schema=False)
async def metrics(services: ServicesDep, _: Annotated[None, Depends(_operator)]) -> Response:
    """The figures of this worker."""
    text = await asyncio.to_thread(services.metrics.text)  # not in the threads of the routes, as above
    return Response(text, media_type=CONTENT_TYPE_LATEST)
