"""The table of a game: its page, its moves, its seats and, afterwards, its analysis."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Form, Header, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, ValidationError

from app.games.game import IllegalMove
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble
from app.games.wibble.state import MOVES, Chain, Move
from app.store.tables import Refused, StalePly, Table, WrongInvitation
from app.web.problems import validation_detail
from app.web.seating import seat_views
from app.web.services import House, Player, Services
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

HtmxRequest = Annotated[bool, Header(alias="HX-Request")]


class MoveForm(BaseModel):
    """The fields of the form that makes a move; which of them count depends on ``type``."""

    model_config = ConfigDict(extra="forbid")

    type: str
    ply: int | None = None
    cells: str = ""
    """Of a chain: cell numbers with commas."""
    word: str = ""
    """Of a word typed where no script runs: the server finds its path."""
    cell: int | None = None
    letter: str = ""


@router.get("/games/{game_id}")
def table_page(game_id: str, request: Request, house: House, player: Player) -> Response:
    """The table of a game, for its players or a watcher."""
    table = house.games.load(game_id, house.clock())
    return show_table(request, house, table, player)


@router.get("/games/{game_id}/table")
def table_now(
    game_id: str,
    request: Request,
    house: House,
    player: Player,
    seen: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """The table's fragment, or nothing (204) while it is as the page has ``seen`` it."""
    table = house.games.load(game_id, house.clock())
    if seen == table_version(table):
        return Response(status_code=204)
    return show_table(request, house, table, player, fragment=True)


@router.post("/games/{game_id}/moves")
def make_move(
    game_id: str,
    form: Annotated[MoveForm, Form()],
    request: Request,
    house: House,
    player: Player,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Make a move; the answer is the table's fragment, with a notice where the move was refused."""
    now = house.clock()
    notice, status = None, 200
    try:
        typed = form.type == "word"
        move = _typed_word(form.word, house.games.load(game_id, now)) if typed else _move(form)
        table = house.games.play(game_id, player, move, now, form.ply)
    except (StalePly, Refused) as late:
        table, notice, status = late.table, str(late), 409
    except IllegalMove as refused:
        table, notice, status = house.games.load(game_id, now), refused.reason, 422
    if table.finished_at is not None:
        house.analyst.prepare(table)
    if is_htmx or notice:
        return show_table(request, house, table, player, notice=notice, status=status, fragment=is_htmx)
    return RedirectResponse(f"/games/{game_id}", status_code=303)


@router.get("/games/{game_id}/analysis")
def analysis(
    game_id: str,
    request: Request,
    house: House,
    player: Player,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """A finished game against the best there was: as a fragment, or within its page."""
    table = house.games.load(game_id, house.clock())
    if table.finished_at is None:
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    found = json.loads(house.analyst.analysis(table))
    if not is_htmx:
        return show_table(request, house, table, player, found=found)
    context = {"analysis": found, "view": table.view(player), **table_context(table, player)}
    return templates.TemplateResponse(request, "analysis.html", context, block_name="analysis")


@router.get("/games/{game_id}/join/{invitation}")
def invited(game_id: str, invitation: str, request: Request, house: House, player: Player) -> Response:
    """What an invitation opens: a seat to take, or the table itself for who sits there or comes too late.

    Looking takes no seat: messengers fetch a link to preview it. The page's script sits down at once. A
    link that does not fit says so.
    """
    table = house.games.load(game_id, house.clock())
    fits = table.invitation == invitation
    if fits and (table.is_full or table.seat_of(player) is not None):
        return RedirectResponse(f"/games/{game_id}", status_code=303)
    context = {
        "mode_title": modes()[table.state.options.mode].title,
        "join_url": f"/games/{game_id}/join/{invitation}" if fits else None,
        **table_context(table, player),
    }
    return templates.TemplateResponse(request, "join.html", context)


@router.post("/games/{game_id}/join/{invitation}")
def sit_down(game_id: str, invitation: str, request: Request, house: House) -> Response:
    """Take the next free seat and go to the table; who finds none free watches."""
    now = house.clock()
    response = RedirectResponse(f"/games/{game_id}", status_code=303)
    house.games.load(game_id, now)
    player = house.guests.welcome(request, response, now)
    try:
        house.games.sit_down(game_id, invitation, player, now)
    except WrongInvitation:
        return RedirectResponse(f"/games/{game_id}/join/{invitation}", status_code=303)
    return response


@router.post("/games/{game_id}/bots")
def add_bot(
    game_id: str,
    level: Annotated[int, Form(ge=1, le=5)],
    request: Request,
    house: House,
    player: Player,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Put a bot on the next free seat."""
    table = house.games.add_bot(game_id, player, level, house.clock())
    if is_htmx:
        return show_table(request, house, table, player, fragment=True)
    return RedirectResponse(f"/games/{game_id}", status_code=303)


def show_table(
    request: Request,
    house: Services,
    table: Table,
    player: str | None,
    *,
    notice: str | None = None,
    status: int = 200,
    fragment: bool = False,
    found: Any = None,
) -> Response:
    """The page of a table, or its fragment."""
    view = table.view(player)
    context = {
        "view": view,
        "mode_title": modes()[view.mode].title,
        "analysis": found,
        "notice": notice,
        "now": house.clock(),
        "daily_day": table.day,
        **table_context(table, player),
    }
    headers = {"Cache-Control": "no-store"}
    if fragment:
        return templates.TemplateResponse(
            request, "table.html", context, status_code=status, headers=headers, block_name="table"
        )
    return templates.TemplateResponse(request, "table.html", context, status_code=status, headers=headers)


def table_context(table: Table, player: str | None) -> dict[str, Any]:
    """What every view of a table tells besides the position."""
    seat = table.seat_of(player)
    return {
        "game": {
            "id": table.id,
            "kind": table.kind,
            "created_at": table.created_at,
            "finished": table.finished_at is not None,
            "watching": seat is None,
            "waiting": not table.is_full and table.finished_at is None,
            "version": table_version(table),
            "invitation": f"/games/{table.id}/join/{table.invitation}"
            if table.invitation and seat is not None and not table.is_full
            else None,
        },
        "seats": seat_views(table, player),
        "bots": table.game.bots,
        "outcome": table.game.outcome(table.state),
    }


def table_version(table: Table) -> str:
    """Changes with every ply and with every seat taken."""
    return f"{table.state.ply}-{sum(not seat.is_free for seat in table.seats)}"


def _move(form: MoveForm) -> Move:
    """The move a form asks for.

    Raises IllegalMove where its fields make none.
    """
    fields: dict[str, Any] = {"type": form.type}
    if form.type == "chain":
        try:
            fields["cells"] = [int(cell) for cell in form.cells.split(",")]
        except ValueError:
            raise IllegalMove("a chain is cell numbers with commas between them, like 0,6,7") from None
    if form.cell is not None:
        fields["cell"] = form.cell
    if form.letter:
        fields["letter"] = form.letter.lower()
    try:
        return MOVES.validate_python(fields)
    except ValidationError as error:
        raise IllegalMove(validation_detail(error)) from None


def _typed_word(word: str, table: Table) -> Move:
    word = word.strip().lower()
    state, game = table.state, table.game
    if not isinstance(game, Wibble) or state.board is None:
        raise IllegalMove("there is no board to find a word on")
    if not word.isascii() or not word.isalpha():
        raise IllegalMove("type a word of the letters a to z")
    path = game.solver.best_path(state.board, state.options.size, game.scoring(state.options), word)
    if path is None:
        raise IllegalMove(f"{word.upper()} cannot be traced on this board")
    return Chain(cells=path.cells)
