"""Finished games again, ply by ply; as a text to take away, and back from one."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from app.store.days import day_of
from app.web.history import goes_at, imported, record_of, replay_context, streamed
from app.web.limits import Asking, limited
from app.web.pages.table import table_context
from app.web.services import House, Player
from app.web.templating import templates

router = APIRouter(include_in_schema=False)


@router.get("/games/{game_id}/plies/{ply}")
def replay_page(
    game_id: str, ply: int, request: Request, house: House, player: Player, asking: Asking
) -> Response:
    """The position after ``ply`` moves of a finished game, with the move that led to it."""
    table = house.games.look(game_id, house.clock())
    if table.finished_at is None:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    context = {
        **table_context(table, player),
        **replay_context(house, asking, table, ply),
        "goes_on": _day(goes_at(house, table)),
    }
    return templates.TemplateResponse(request, f"{table.kind}/replay.html", context)


@router.get("/games/{game_id}/record")
def record(game_id: str, house: House, asking: Asking) -> Response:
    """A finished game as a text."""
    name = f'attachment; filename="wibble-{game_id}.txt"'
    return streamed(record_of(house, asking, game_id), {"Content-Disposition": name})


@router.post("/games/{game_id}/keep")
def keep(game_id: str, house: House, player: Player) -> Response:
    """Keep an imported game for longer."""
    house.games.read(game_id)
    house.imports.keep(game_id, player)
    return RedirectResponse(f"/games/{game_id}/plies/0", status_code=303)


@router.get("/import")
def import_page(request: Request, house: House) -> Response:
    """A form for a game's text."""
    return templates.TemplateResponse(request, "import.html", {"import_days": house.import_days})


@router.post("/import", dependencies=[limited("imports")])
def import_record(text: Annotated[str, Form()], house: House, asking: Asking) -> Response:
    """Keep a recorded game and show it."""
    table = imported(house, asking, text)
    return RedirectResponse(f"/games/{table.id}/plies/0", status_code=303)


def _day(at: float | None) -> date | None:
    return None if at is None else day_of(at)
