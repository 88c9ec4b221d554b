"""Replay pages, record download and the import form."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from app.store.days import day_of
from app.web.guard.limits import CallerDep, limited
from app.web.services import Player, ServicesDep
from app.web.table.page import table_context
from app.web.table.record import goes_at, record_of, store_record, streaming_text
from app.web.table.replay import replay_context
from app.web.templating import templates

router = APIRouter(include_in_schema=False)


@router.get("/games/{game_id}/plies/{ply}")
def replay_page(
    game_id: str, ply: int, request: Request, services: ServicesDep, player: Player, caller: CallerDep
) -> Response:
    """The position after ``ply`` moves of a finished game, with the move that led to it."""
    table = services.games.load_or_read(game_id, services.clock())
    if table.finished_at is None:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    context = {
        **table_context(services, table, player),
        **replay_context(services, caller, table, ply),
        "goes_on": _day(goes_at(services, table)),
        "may_report": player is not None and table.has_others(player),
    }
    return templates.TemplateResponse(request, f"{table.kind}/replay.html", context)


@router.get("/games/{game_id}/record")
def record(game_id: str, services: ServicesDep, caller: CallerDep) -> Response:
    """Download the record of a finished game."""
    name = f'attachment; filename="wibble-{game_id}.txt"'
    return streaming_text(record_of(services, caller, game_id), {"Content-Disposition": name})


@router.post("/games/{game_id}/keep")
def keep(game_id: str, services: ServicesDep, player: Player) -> Response:
    """Keep an imported game as long as other finished games."""
    services.games.read(game_id)
    services.imports.keep(game_id, player)
    return RedirectResponse(f"/games/{game_id}/plies/0", status_code=303)


@router.get("/import")
def import_page(request: Request, services: ServicesDep) -> Response:
    """The form for importing a record."""
    return templates.TemplateResponse(request, "table/import.html", {"import_days": services.import_days})


@router.post("/import", dependencies=[limited("imports")])
def import_record(text: Annotated[str, Form()], services: ServicesDep, caller: CallerDep) -> Response:
    """Import a record and go to its replay."""
    table = store_record(services, caller, text)
    return RedirectResponse(f"/games/{table.id}/plies/0", status_code=303)


def _day(at: float | None) -> date | None:
    return None if at is None else day_of(at)
