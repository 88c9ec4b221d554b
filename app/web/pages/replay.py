"""Finished games again, ply by ply; as a text to take away, and back from one."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse

from app.games.record import read
from app.web.history import record_of, replay_context
from app.web.limits import limited
from app.web.pages.table import table_context
from app.web.services import House, Player
from app.web.templating import templates

router = APIRouter(include_in_schema=False)


@router.get("/games/{game_id}/plies/{ply}")
def replay_page(game_id: str, ply: int, request: Request, house: House, player: Player) -> Response:
    """The position after ``ply`` moves of a finished game, with the move that led to it."""
    table = house.games.look(game_id, house.clock())
    if table.finished_at is None:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    context = {**table_context(table, player), **replay_context(house, table, ply)}
    return templates.TemplateResponse(request, f"{table.kind}/replay.html", context)


@router.get("/games/{game_id}/record")
def record(game_id: str, house: House) -> Response:
    """A finished game as a text."""
    text = record_of(house, game_id)
    name = f'attachment; filename="wibble-{game_id}.txt"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


@router.get("/import")
def import_page(request: Request) -> Response:
    """A form for a game's text."""
    return templates.TemplateResponse(request, "import.html", {})


@router.post("/import", dependencies=[limited("imports")])
def import_record(text: Annotated[str, Form()], house: House) -> Response:
    """Keep a recorded game and show it."""
    table = house.records.keep(read(text), house.clock())
    return RedirectResponse(f"/games/{table.id}/plies/0", status_code=303)
