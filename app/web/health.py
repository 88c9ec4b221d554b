"""For those who watch over the server."""

from fastapi import APIRouter, Response
from pydantic import BaseModel

from app.games import kernel
from app.web.services import House

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """How the server is."""

    status: str


@router.get("/healthz", summary="Is it alive")
def alive() -> Health:
    """The process answers."""
    return Health(status="ok")


@router.get("/readyz", summary="Is it at full speed", responses={503: {"model": Health}})
def ready(response: Response, house: House) -> Health:
    """The store answers and the engines are compiled; until then games are playable, only slower."""
    house.games.ping()
    if kernel.ready():
        return Health(status="ok")
    response.status_code = 503
    return Health(status="the engines are being compiled; games are playable meanwhile")
