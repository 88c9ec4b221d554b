"""Wibble solver page, for a board from anywhere. The URL holds the position."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from app.games.wibble.planning import affordable_swaps
from app.games.wibble.state import Bonus
from app.games.wibble.views import TileView, tile_views
from app.rooms.wibble.api import (
    CLASSIC,
    GEMS_ON_BOARD,
    MOST_GEMS,
    ROUNDS,
    SWAP_COST,
    SolveAnswer,
    SolveRequest,
    WordAnswer,
    read_board,
    solve_wibble,
)
from app.web.guard.fields import collecting_errors
from app.web.guard.limits import CallerDep, limited
from app.web.services import Services, ServicesDep
from app.web.table.page import HtmxRequest
from app.web.templating import templates
from app.words.library import Library
from app.words.vocabulary import LEVELS, Level

PATH: Final = "/wibble/solver"
USUAL_SIDE: Final = 5

router = APIRouter(prefix=PATH, include_in_schema=False, dependencies=[limited("engines")])

Errors = dict[str, str]
"""Error messages by field."""
Brush = Literal["gem", "dl", "tl", "x2"]
"""What a tap on a tile places: a gem, a letter bonus, or the word bonus."""
BRUSHES: Final[tuple[Brush, ...]] = get_args(Brush)

LISTED: Final = 20
"""Number of words listed without a swap."""


class SolverQuery(BaseModel):
    """The page's query parameters: a board and the player's gems."""

    model_config = ConfigDict(extra="ignore")

    board: str = Field(max_length=200)
    dl: Annotated[int, Field(ge=0)] | None = None
    """The cell that counts double. All cells are numbered row by row from 0."""
    tl: Annotated[int, Field(ge=0)] | None = None
    """The cell that counts triple."""
    x2: Annotated[int, Field(ge=0)] | None = None
    """The cell that doubles the word."""
    gems: Annotated[tuple[int, ...], Field(max_length=GEMS_ON_BOARD)] = ()
    """The cells with a gem."""
    held: Annotated[int, Field(ge=0, le=MOST_GEMS)] = MOST_GEMS
    """Number of gems the player has."""
    round: Annotated[int, Field(ge=1, le=ROUNDS)] = 1
    """The round of Classic, for the plan."""
    lexicon: str = Library.default
    vocabulary: Level = "everything"
    family: bool = False

    @field_validator("board")
    @classmethod
    def _letters(cls, board: str) -> str:
        return read_board(board)

    @field_validator("gems", mode="before")
    @classmethod
    def _listed(cls, gems: Any) -> Any:
        return gems.replace(",", " ").split() if isinstance(gems, str) else gems

    @field_validator("dl", "tl", "x2", "gems")
    @classmethod
    def _on_board(cls, value: Any, info: ValidationInfo) -> Any:
        last = len(info.data.get("board", "")) - 1
        for cell in value if isinstance(value, tuple) else (value,):
            if cell is not None and not 0 <= cell <= last >= 0:
                raise ValueError(f"cell {cell} is not on the board: cells are 0 to {last}")
        if info.field_name == "tl" and info.data.get("dl") is not None:
            raise ValueError("a board has one letter bonus, DL or TL")
        return value

    @property
    def size(self) -> int:
        """Tiles per side."""
        return int(len(self.board) ** 0.5)

    @property
    def swaps(self) -> int:
        """Number of swaps the gems pay for, at most three."""
        return affordable_swaps(CLASSIC, self.held)

    @property
    def letter_bonus(self) -> Bonus | None:
        """The letter bonus, double or triple."""
        cell, factor = (self.tl, 3) if self.tl is not None else (self.dl, 2)
        return None if cell is None else Bonus(cell=cell, factor=factor)

    @property
    def word_bonus(self) -> Bonus | None:
        """The bonus that doubles the word."""
        return None if self.x2 is None else Bonus(cell=self.x2, factor=2)

    def to_request(self) -> SolveRequest:
        """The equivalent API request."""
        return SolveRequest(
            board=self.board,
            letter_bonus=self.letter_bonus,
            word_bonus=self.word_bonus,
            gems=list(self.gems),
            swaps=self.swaps,
            round=self.round,
            gems_held=self.held,
            limit=LISTED,
            lexicon=self.lexicon,
            vocabulary=self.vocabulary,
            family=self.family,
        )

    def tiles(self, swapped: Mapping[int, str] | None = None) -> tuple[TileView, ...]:
        """The board's tiles, with ``swapped`` letters."""
        letters = "".join((swapped or {}).get(cell, letter) for cell, letter in enumerate(self.board))
        request = self.to_request()
        return tile_views(request.to_board().model_copy(update={"letters": letters}), request.scoring())

    def painted(self, cell: int, brush: Brush) -> str:
        """The URL after a tap on a tile with a brush, which removes its mark if the tile has it already."""
        fields = self.model_dump(exclude_defaults=True)
        if brush == "gem":
            fields["gems"] = sorted(set(self.gems) ^ {cell})
        else:
            there = fields.get(brush) == cell
            for name in ("x2",) if brush == "x2" else ("dl", "tl"):
                fields.pop(name, None)
            if not there:
                fields[brush] = cell
        return f"{PATH}?{urlencode(_texts(fields) | {'brush': brush}, safe=',')}"


@dataclass(frozen=True, slots=True)
class Choice:
    """A word as shown on the page."""

    found: WordAnswer
    tiles: tuple[TileView, ...]
    """The board with the letters swapped."""
    size: int
    cost: int
    """Cost of its swaps in gems."""


@router.get("")
def solver_page(
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """The solver page: the board in the URL and its best words; errors are shown at the form's fields."""
    typed = {name: text.strip() for name, text in request.query_params.items() if text.strip()}
    errors: Errors = {}
    query = _read(typed, errors) if "board" in typed else None
    if query and not errors and (cell := typed.get("cell", "")) in map(str, range(len(query.board))):
        return RedirectResponse(query.painted(int(cell), _brush(typed)), status_code=303)
    answer = None
    if query and not errors:
        with collecting_errors(errors, typed):
            answer = solve_wibble(query.to_request(), services, caller)
    return _page(request, services, typed, query, errors, answer, is_htmx=is_htmx)


def _read(typed: Mapping[str, str], errors: Errors) -> SolverQuery | None:
    """Parse the query. Invalid fields get their defaults and an error; returns None for an invalid board."""
    fields = dict(typed)
    while "board" in fields:
        with collecting_errors(errors, fields):
            return SolverQuery.model_validate(fields)
        fields = {name: text for name, text in fields.items() if name not in errors}
        if "" in errors:
            break
    return None


def _brush(typed: Mapping[str, str]) -> Brush:
    return next((brush for brush in BRUSHES if brush == typed.get("brush")), BRUSHES[0])


def _texts(fields: Mapping[str, Any]) -> dict[str, str]:
    """The fields as URL parameters."""
    return {
        name: ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value).lower()
        for name, value in fields.items()
        if value not in ((), [])
    }


def _choice(found: WordAnswer, query: SolverQuery) -> Choice:
    swapped = {swap.cell: swap.letter for swap in found.swaps}
    return Choice(found, query.tiles(swapped), query.size, SWAP_COST * len(found.swaps))


def _page(
    request: Request,
    services: Services,
    typed: Mapping[str, str],
    query: SolverQuery | None,
    errors: Errors,
    answer: SolveAnswer | None,
    *,
    is_htmx: bool,
) -> Response:
    side = query.size if query else USUAL_SIDE
    plan = answer.plan if answer else None
    context = {
        "typed": typed,
        "query": query,
        "errors": errors,
        "fragment": is_htmx,
        "size": side,
        "tiles": query.tiles() if query else [None] * side**2,
        "brush": _brush(typed),
        "answer": answer,
        "choices": [_choice(found, query) for found in answer.best_by_swaps] if answer and query else [],
        "planned": _choice(plan.word, query) if plan and plan.word and query else None,
        "rounds": [(str(number), str(number)) for number in range(1, ROUNDS + 1)],
        "purses": [(str(gems), str(gems)) for gems in range(MOST_GEMS + 1)],
        "levels": [(level, level.capitalize()) for level in LEVELS],
        "lexicons": [(info.name, info.name.capitalize()) for info in services.library.names()],
        "default_lexicon": services.library.default,
    }
    headers = {}
    if is_htmx:
        # Invalid input stays in the URL, so that a reload keeps it.
        fields = typed if errors or not query else _texts(query.model_dump(exclude_defaults=True))
        headers["HX-Push-Url"] = f"{PATH}?{urlencode(fields, safe=',')}"
    return templates.TemplateResponse(
        request,
        "wibble/solver.html",
        context,
        # Fragments contain their errors; 4xx would log an error in the browser's console.
        status_code=422 if errors and not is_htmx else 200,
        headers=headers,
        block_name="answer" if is_htmx else None,
    )
