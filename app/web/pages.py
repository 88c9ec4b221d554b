"""The pages people see and the fragments that HTMX swaps in them."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Header, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from app.games.game import IllegalMove
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble
from app.games.wibble.state import MOVES, Chain, Move, Setup, Start
from app.store.games import Refused, StalePly, Table
from app.web.problems import validation_detail
from app.web.services import House, Player, Services
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

OPEN_GAMES_SHOWN = 6
HtmxRequest = Annotated[bool, Header(alias="HX-Request")]


class PlayForm(Setup):
    """The fields of the form that opens a game."""

    @field_validator("values", mode="before")
    @classmethod
    def _empty_is_the_modes_own(cls, values: str) -> str | None:
        return values or None


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


@router.get("/")
def home(request: Request, house: House, player: Player) -> Response:
    """What this is, one big Play, and the games left open."""
    now = house.clock()
    tables = house.games.unfinished(player, OPEN_GAMES_SHOWN, now) if player else []
    context = {
        "modes": [{"mode": name, "title": mode.title, "blurb": mode.blurb} for name, mode in modes().items()],
        "lexicons": [info.name for info in house.library.names()],
        "open_games": [_open_game(table, player, now) for table in tables],
    }
    return templates.TemplateResponse(request, "home.html", context)


@router.post("/play")
def play(form: Annotated[PlayForm, Form()], request: Request, house: House) -> Response:
    """Open a game and go to its table; a game against the clock waits there for its player to start it."""
    now = house.clock()
    response = RedirectResponse("/", status_code=303)
    player = house.guests.welcome(request, response, now)
    at_once = [] if modes()[form.mode].seconds else [Start()]
    table = house.games.open(Wibble.kind, form, [player], now, first=at_once)
    response.headers["Location"] = f"/games/{table.id}"
    return response


@router.get("/games/{game_id}")
def table_page(game_id: str, request: Request, house: House, player: Player) -> Response:
    """The table of a game, for its player or a watcher."""
    table = house.games.load(game_id, house.clock())
    return _table(request, house, table, player)


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
    if is_htmx or notice:
        return _table(request, house, table, player, notice=notice, status=status, fragment=is_htmx)
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
    found = house.analyse(game_id)
    if not is_htmx:
        return _table(request, house, table, player, found=found)
    context = {"analysis": found, "view": table.view(player), "game": _game(table, player)}
    return templates.TemplateResponse(request, "analysis.html", context, block_name="analysis")


def _table(
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
    view = table.view(player)
    context = {
        "game": _game(table, player),
        "view": view,
        "mode_title": modes()[view.mode].title,
        "analysis": found,
        "notice": notice,
        "now": house.clock(),
    }
    headers = {"Cache-Control": "no-store"}
    if fragment:
        return templates.TemplateResponse(
            request, "table.html", context, status_code=status, headers=headers, block_name="table"
        )
    return templates.TemplateResponse(request, "table.html", context, status_code=status, headers=headers)


def _game(table: Table, player: str | None) -> dict[str, Any]:
    return {
        "id": table.id,
        "kind": table.kind,
        "created_at": table.created_at,
        "watching": table.seat_of(player) is None,
    }


def _open_game(table: Table, player: str | None, now: float) -> dict[str, Any]:
    view = table.view(player)
    return {
        "id": table.id,
        "mode_title": modes()[view.mode].title,
        "score": view.scores[view.seat or 0],
        "round": view.round,
        "rounds": view.rounds,
        "ago": _ago(now - table.created_at),
    }


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


def _ago(seconds: float) -> str:
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        count = int(seconds // length)
        if count:
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"
