"""Fribble's study board at its own address, to which team mode redirects."""

from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from app.games.fribble.rules import Fribble
from app.web.guard.limits import CallerDep, limited
from app.web.services import ServicesDep
from app.web.study.page import change_new, show_new
from app.web.table.page import FormFields

PATH: Final = "/fribble/board"
OLD_PATH: Final = "/fribble/team"

router = APIRouter(include_in_schema=False)


@router.get(PATH, dependencies=[limited("engines")])
def board_page(request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """The board described by the parameters; an empty one without parameters."""
    return show_new(request, services, caller, Fribble.kind)


@router.post(PATH, dependencies=[limited("engines", "guests")])
def change_board(fields: FormFields, request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """Change such a board, and store it."""
    return change_new(Fribble.kind, fields, request, services, caller)


@router.get(OLD_PATH)
def team_page(request: Request) -> Response:
    """Redirect to the board of a team mode game, at the end of the game and with the engine on."""
    fields = dict(request.query_params)
    shown = {
        "at": len(fields.get("turns", "").split("\n")) if fields.get("turns") else 0,
        "engine": fields.pop("strategy", "static"),
    }
    return RedirectResponse(f"{PATH}?{urlencode(fields | shown)}", status_code=301)
