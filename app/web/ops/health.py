"""Health checks and the metrics endpoint."""

import asyncio
import hmac
from ipaddress import ip_address
from typing import Annotated, Final

from fastapi import Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from app.games import kernel
from app.web.guard.problems import describe, problem_response
from app.web.model import Documented
from app.web.router import METRICS_TOKEN, api_router
from app.web.services import ServicesDep

router = api_router(tag="health")

_PROXY_HEADERS: Final = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
"""Headers added by proxies: a request with any of them is not local, whatever its address."""


class Health(Documented):
    """Health of the server."""

    status: str


@router.get("/healthz", summary="Check that the server is alive")
async def alive() -> Health:
    """Always 200 if the process answers."""
    return Health(status="ok")


@router.get("/readyz", response_model=Health, summary="Check that the server is at full speed")
async def ready(services: ServicesDep) -> Health | JSONResponse:
    """200 if the database answers, the engines are compiled, and pages are rendered in time.

    Games can be played before the engines are compiled, but more slowly.
    """
    if services.load.complaint is not None:
        return _not_ready(f"pages are delayed: {services.load.complaint}")
    await asyncio.to_thread(services.games.ping)  # not in a page thread: all may be busy
    if not kernel.ready():
        return _not_ready("the engines are being compiled; games are playable meanwhile")
    return Health(status="ok")


def _not_ready(reason: str) -> JSONResponse:
    # Not raised, because exception handlers need a page thread.
    return problem_response(503, reason, headers={"Retry-After": "5"})


async def _operator(request: Request, services: ServicesDep) -> None:
    """Answer 404 unless the request is local or has the metrics token."""
    given = request.headers.get("authorization", "").encode()
    if services.metrics_token and hmac.compare_digest(given, f"Bearer {services.metrics_token}".encode()):
        return
    if request.client is None or any(name in request.headers for name in _PROXY_HEADERS):
        raise HTTPException(404)
    try:
        local = ip_address(request.client.host).is_loopback
    except ValueError:
        local = False
    if not local:
        raise HTTPException(404)


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses=describe(404),
    openapi_extra={"security": [METRICS_TOKEN, {}]},
    summary="Read the server's metrics",
)
async def metrics(services: ServicesDep, _: Annotated[None, Depends(_operator)]) -> Response:
    """The metrics in Prometheus's text format. 404 for anybody but the operator."""
    text = await asyncio.to_thread(services.metrics.text)  # not in a page thread: all may be busy
    return Response(text, media_type=CONTENT_TYPE_LATEST)
