"""Letterpress solver page. The URL holds the position, and each listed move links to the next position."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ConfigDict, Field

from app.games.game import IllegalMove
from app.games.letterpress.boards import draw_board
from app.games.letterpress.lines import DECIDED, WIN
from app.games.letterpress.move_order import ORDERS
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.territory import CELLS, Territory, lay, mask_of
from app.rooms.letterpress.api import MoveAnswer, PlacedMove, SolveAnswer, solved
from app.rooms.letterpress.board_tiles import Tile
from app.rooms.letterpress.room import LetterpressRoom
from app.rooms.letterpress.solve_request import Owned, SolveRequest, link_fields
from app.web.guard.fields import collecting_errors
from app.web.guard.limits import CallerDep, limited
from app.web.services import Services, ServicesDep
from app.web.table.page import HtmxRequest
from app.web.templating import templates
from app.words.letters import ALPHABET
from app.words.library import UnknownLexicon
from app.words.vocabulary import LEVELS

PATH: Final = "/letterpress/solver"

router = APIRouter(prefix=PATH, include_in_schema=False, dependencies=[limited("engines")])

Errors = dict[str, str]
"""Error messages by field."""


class SolverQuery(SolveRequest):
    """The page's query parameters: a position from the user's point of view, whichever side is to move."""

    model_config = ConfigDict(extra="ignore")

    ours: Owned = 0
    """Your tiles. The page's own links give masks, so a single number is one."""
    theirs: Owned = 0
    """The opponent's tiles, in the same way."""
    turn: Literal["ours", "theirs"] = "ours"
    """The side to move."""
    group: bool = True
    """List each word once."""
    proof_ms: Annotated[int, Field(ge=0, le=10_000)] = 10_000
    """The whole time limit may be spent on a proof."""

    @property
    def over(self) -> bool:
        """Whether every tile has an owner, which ends the game."""
        territory = self.territory
        return territory.full and not territory.ours & territory.theirs

    def to_request(self) -> SolveRequest:
        """The solver request, from the point of view of the side to move."""
        fields = self._given()
        del fields["turn"]
        if self.turn == "theirs":
            sides = self.territory.turned
            fields |= {
                "ours": sides.ours,
                "theirs": sides.theirs,
                "vocabulary": self.opponent_vocabulary,
                "opponent_vocabulary": self.vocabulary,
                "must_use": [],  # our constraints do not apply to the opponent
                "min_length": 0,
                "family": False,
            }
        return SolveRequest.model_validate(fields)

    def _given(self) -> dict[str, Any]:
        """All fields, with each side's tiles under one name as a mask."""
        masks = {"ours": self.territory.ours, "theirs": self.territory.theirs}
        return self.model_dump(exclude={"ours_bit_mask", "theirs_bit_mask"}) | masks

    def fields(self, **changed: Any) -> dict[str, str]:
        """The form or URL fields that differ from the defaults, with ``changed`` ones replaced."""
        values = self._given() | changed
        defaults = {name: field.get_default() for name, field in SolverQuery.model_fields.items()}
        return {name: _to_text(value) for name, value in values.items() if value != defaults[name]}

    def address(self, **changed: Any) -> str:
        """The URL of this position, with ``changed`` fields, without default values."""
        return f"{PATH}?{urlencode(self.fields(**changed), safe=',')}"

    def played_on(self, word: str, cells: int, *more: tuple[str, int]) -> str:
        """The URL after the side to move plays ``word`` on ``cells`` (a mask), followed by ``more`` moves."""
        ours = self.turn == "ours"
        territory, played = self.territory, list(self.played)
        for each, mask in ((word, cells), *more):
            territory = territory.after(mask) if ours else territory.turned.after(mask).turned
            played += [each] if each else []
            ours = not ours
        return self.address(
            ours=territory.ours,
            theirs=territory.theirs,
            played=played,
            passed=not (more[-1][0] if more else word),
            turn="ours" if ours else "theirs",
            must_use=[],
            min_length=0,
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move as shown on the page, with links to the positions after it."""

    word: str
    cells: list[int]
    after: Territory
    """From the user's point of view, as is ``after_reply``."""
    reply: str | None
    reply_cells: list[int]
    after_reply: Territory
    tiles: dict[str, int]
    protected: dict[str, int]
    vulnerability: int
    value: int
    depth: int
    """Plies to which the value is exact."""
    plies_to_end: int | None
    """Plies to a forced win or loss, if there is one."""
    play: str | None
    """URL of the position after the move; None if a pass ends the game."""
    play_both: str | None
    """URL of the position after the move and the reply."""
    others: "list[Candidate]"
    """The next best placements of the word."""
    ways: int
    """Number of placements of the word."""


@router.get("")
def solver_page(
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """The solver page: the position in the URL and its best moves; errors are shown at the form's fields."""
    typed = _typed(request)
    if not set(typed) & {"board", "ours", "theirs", "played"}:
        return _page(request, services, typed, None, is_htmx=is_htmx)
    query, errors = _read(typed)
    if query is None or errors:
        return _page(request, services, typed, query, errors, is_htmx=is_htmx)
    if typed.get("cell") in _CELLS:
        return RedirectResponse(_toggle_owner(query, int(typed["cell"])), status_code=303)
    if "word" in typed:
        word = typed["word"].lower()
        sides = query.territory if query.turn == "ours" else query.territory.turned
        try:
            cells = lay(word, query.board, sides)
        except IllegalMove as error:
            errors["word"] = error.reason
        else:
            return RedirectResponse(query.played_on(word, mask_of(cells)), status_code=303)
    answer = None
    if not query.over:
        with collecting_errors(errors):
            answer = solved(query.to_request(), services, caller)
    return _page(request, services, typed, query, errors, answer, is_htmx=is_htmx)


@router.get("/random")
def random_board(request: Request, services: ServicesDep, caller: CallerDep) -> Response:
    """Redirect to a random board, keeping the other options."""
    kept = {name: text for name, text in _typed(request).items() if name not in _POSITION}
    query = _read(kept | {"board": "a" * CELLS})[0] or SolverQuery(board="a" * CELLS)
    try:
        rules = services.rulebook.rules(Letterpress, services.rulebook.ref(query.lexicon))
    except UnknownLexicon:
        query = query.model_copy(update={"lexicon": services.library.default})
        rules = services.rulebook.rules(Letterpress, services.rulebook.ref(query.lexicon))
    board = services.pool.run(
        caller, "letterpress", lambda: draw_board(services.games.seeds(), "usual", rules.solver.count)
    )
    return RedirectResponse(query.address(board=board), status_code=303)


_CELLS: Final = frozenset(map(str, range(CELLS)))
_POSITION: Final = ("board", "ours", "theirs", "played", "passed", "turn", "must_use", "word", "cell")


def _typed(request: Request) -> dict[str, str]:
    """The non-empty query parameters; an empty field means the default."""
    fields = {name: ",".join(request.query_params.getlist(name)) for name in request.query_params}
    return {name: text.strip() for name, text in fields.items() if text.strip()}


def _read(typed: Mapping[str, str]) -> tuple[SolverQuery | None, Errors]:
    """Parse the query. Invalid fields get their defaults and an error; returns None for an invalid board."""
    errors: Errors = {}
    fields = {"board": "", **typed}
    while "board" in fields:
        with collecting_errors(errors, fields):
            query = SolverQuery.model_validate(link_fields(fields))
            _ = query.territory  # raises an error if the fields of both sides contradict each other
            return query, errors
        fields = {name: text for name, text in fields.items() if name not in errors}
        if "" in errors:
            break
    return None, errors


def _to_text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _toggle_owner(query: SolverQuery, cell: int) -> str:
    """The URL with the next owner for a tile, in the order none, ours, theirs."""
    bit, territory = 1 << cell, query.territory
    ours, theirs = territory.ours & ~bit, territory.theirs & ~bit
    if territory.ours & bit:
        theirs |= bit
    elif not territory.theirs & bit:
        ours |= bit
    return query.address(ours=ours, theirs=theirs)


def _candidate(move: PlacedMove, query: SolverQuery) -> Candidate:
    mover = Territory(ours=move.ours, theirs=move.theirs)
    replied = mover.turned.after(move.reply.mask).turned if move.reply else mover
    ours = query.turn == "ours"
    sides = ("ours", "theirs") if ours else ("theirs", "ours")
    ends = mover.full or (query.passed and not move.word)
    reply = move.reply
    return Candidate(
        word=move.word,
        cells=move.cells,
        after=mover if ours else mover.turned,
        reply=reply.word if reply else None,
        reply_cells=reply.cells if reply else [],
        after_reply=replied if ours else replied.turned,
        tiles=dict(zip(sides, (move.tiles.ours, move.tiles.theirs), strict=True)),
        protected=dict(zip(sides, (move.protected.ours, move.protected.theirs), strict=True)),
        vulnerability=move.vulnerability,
        value=move.value,
        depth=move.depth,
        plies_to_end=WIN - abs(move.value) if abs(move.value) > DECIDED else None,
        play=None if ends and not mover.full else query.played_on(move.word, move.mask),
        play_both=query.played_on(move.word, move.mask, (reply.word, reply.mask)) if reply else None,
        others=[_candidate(other, query) for other in move.others or []]
        if isinstance(move, MoveAnswer)
        else [],
        ways=(move.ways or 1) if isinstance(move, MoveAnswer) else 1,
    )


def _tiles(typed: Mapping[str, str], query: SolverQuery | None) -> list[Tile]:
    """The tiles of the board; without a valid query, the letters that could be parsed."""
    room = LetterpressRoom()
    if query is None:
        letters = [letter for letter in typed.get("board", "").lower() if letter in ALPHABET]
        return room.tiles("".join(letters[:CELLS]).ljust(CELLS))
    return room.tiles(query.board, query.territory.ours, query.territory.theirs)


def _page(
    request: Request,
    services: Services,
    typed: Mapping[str, str],
    query: SolverQuery | None,
    errors: Errors | None = None,
    answer: SolveAnswer | None = None,
    *,
    is_htmx: bool,
) -> Response:
    errors = errors or {}
    context = {
        "typed": typed,
        "query": query,
        "errors": errors,
        "fragment": is_htmx,
        "tiles": _tiles(typed, query),
        "turn": query.turn if query else "ours",
        "answer": answer,
        "moves": [_candidate(move, query) for move in answer.moves] if answer and query else [],
        "pinned": query.must_use if query and isinstance(query.must_use, list) else [],
        "orders": [(order, order.capitalize()) for order in ORDERS],
        "levels": [(level, level.capitalize()) for level in LEVELS],
        "lexicons": [(info.name, info.name.capitalize()) for info in services.library.names()],
        "default_lexicon": services.library.default,
    }
    headers = {}
    if is_htmx:
        # Invalid input stays in the URL, so that a reload keeps it.
        headers["HX-Push-Url"] = f"{PATH}?{urlencode(typed)}" if errors or not query else query.address()
    return templates.TemplateResponse(
        request,
        "letterpress/solver.html",
        context,
        # Fragments contain their errors; 4xx would log an error in the browser's console.
        status_code=422 if errors and not is_htmx else 200,
        headers=headers,
        block_name="answer" if is_htmx else None,
    )
