"""Fribble engine API: the best moves of a position."""

import time
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import ConfigDict, Field

from app.games.fribble import cgp
from app.games.fribble.advice import Advice, Forecast
from app.games.fribble.adviser import Instead, TurnAdvice, outlook_on
from app.games.fribble.board import Board
from app.games.fribble.cgp import Cgp
from app.games.fribble.notation import coordinate, fribble_notation, standard
from app.games.fribble.placement import lines
from app.games.fribble.simulate import LookAhead
from app.games.fribble.strategy import Strategy
from app.renamed import Renamed, old_name
from app.rooms.fribble.api import (
    EXAMPLE_CGP,
    PlacedAnswer,
    Position,
    PositionRequest,
    placed,
    read_position,
)
from app.web.guard.fields import invalid_field
from app.web.guard.limits import CallerDep, check_budget
from app.web.guard.rates import Caller
from app.web.model import Documented, JsonBody
from app.web.query import QueryFields
from app.web.router import api_router
from app.web.services import Services, ServicesDep

router = api_router("/api/fribble", "engines")

MOST_AHEAD: Final = 2000
"""The maximum lead of either side for which win chances are computed."""


class MovesRequest(PositionRequest, Renamed):
    """A position and search options."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "board": [*["." * 15] * 7, ".......FRIBBLE.", *["." * 15] * 7],
                    "rack": "EINDRS?",
                    "limit": 5,
                }
            ]
        },
    )

    old_names: ClassVar[Mapping[str, str]] = {"top": "limit"}

    limit: Annotated[int, Field(ge=1, le=100)] = 10
    """Number of moves to list."""
    strategy: Strategy | Literal["simulating"] = "static"
    """``greedy``: by score only. ``static``: by score and leave value. ``simulating``: by playing on from the
    best static moves, for two players; when the bag is empty, by searching the endgame. With one to four
    tiles in the bag, the endgames after every draw are searched first, for at most half of the time. This
    search decides if it shows which move wins most often, or that the best simulated move wins less often."""
    budget_ms: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """Time budget of ``simulating``, in milliseconds."""
    lead: Annotated[int, Field(ge=-MOST_AHEAD, le=MOST_AHEAD)] = 0
    """Our score minus the opponent's, for win chances. By default from the GCG or CGP, else 0."""


class MoveAnswer(Documented):
    """A move and its evaluation."""

    coordinate: str = Field(examples=["H8"])
    """Start of the main word: ``8H`` across, ``H8`` down."""
    standard: str = Field(examples=["H8 .RIENDS"])
    """In standard notation, with ``.`` for each tile already on the board."""
    notation: str = Field(examples=["m(c8,9,'RIENDS')"])
    """In the Fribble document's notation."""
    word: str
    """The main word, lower case for blanks."""
    words: list[str]
    """All words formed, main word first, in upper case."""
    cells: list[int]
    """Squares of the tiles placed, 0 to 224, row by row."""
    tiles: str
    """The tiles placed, lower case for blanks."""
    points: int
    """Points of all words plus the bonus."""
    leave: str
    """Tiles left on the rack."""
    leave_value: float
    """Value of the leave, in points."""
    equity: float
    """Points plus leave value."""
    placed: Annotated[list[PlacedAnswer], Field(deprecated=True)]
    """Old form of `cells` and `tiles`."""
    score: ClassVar[Any] = old_name("points", int)
    kept: ClassVar[Any] = old_name("leave", str)
    win_share: float | None = None
    """Share of simulated games won, 0 to 1; a draw counts half."""
    error: float | None = None
    """Half the width of the 95% confidence interval of ``win_share``; 0 for a fully searched endgame.
    If every draw from the bag was searched, half the probability of the draws without an exact result."""
    gain: float | None = None
    """Points gained on the opponent over the simulated turns, with leave value; in an endgame, to its end.
    If every draw from the bag was searched, the static equity."""
    reply: float | None = None
    """Average points of the opponent's next turn in the simulated games; null if the turn was searched."""
    exact_share: float | None = None


class InsteadAnswer(Documented):
    """An exchange or pass that is better than every placement."""

    type: Literal["exchange", "pass"]
    tiles: str = Field(examples=["VUU"])
    """Tiles to exchange; empty for a pass."""
    leave: str
    """Tiles left on the rack."""
    equity: float
    """Value of the leave, in points."""
    kept: ClassVar[Any] = old_name("leave", str)
    win_share: float | None = None
    error: float | None = None
    gain: float | None = None
    reply: float | None = None
    exact_share: float | None = None


class Stats(Documented):
    """Search statistics."""

    moves: int
    """Number of legal placements; on an empty board with symmetric premium squares, of those across."""
    milliseconds: float


class MovesAnswer(Documented):
    """The best moves, best first."""

    moves: list[MoveAnswer]
    instead: InsteadAnswer | None
    """The exchange or pass that is better than all moves; null if a move is best."""
    cgp: str = Field(examples=[EXAMPLE_CGP])
    """The position in CGP; with a bare board, the scores are only the lead."""
    stats: Stats


@router.post(
    "/moves",
    response_model=MovesAnswer,
    summary="Find the best moves of a Fribble position",
)
def find_moves(body: JsonBody[MovesRequest], services: ServicesDep, caller: CallerDep) -> MovesAnswer:
    """The best placements for a rack on a board, with their words and evaluation."""
    position = read_position(body, services, caller)
    if not position.rack:
        raise invalid_field("the rack is empty: it needs 1 to 7 tiles", "rack")
    return best_moves(position, position.rack, body, services, caller)


@router.get("/moves", response_model=MovesAnswer, summary="Find the best moves of a Fribble position by URL")
def find_moves_by_address(
    query: QueryFields[MovesRequest], services: ServicesDep, caller: CallerDep
) -> MovesAnswer:
    """Like the POST request, with the fields as query parameters; the board is one text."""
    return find_moves(query, services, caller)


def best_moves(
    position: Position, tiles: str, body: MovesRequest, services: Services, caller: Caller
) -> MovesAnswer:
    """The best moves with the rack ``tiles``; ``body`` gives the search options, not the position."""
    check_budget(services, body.budget_ms)
    if "lead" in body.model_fields_set:
        position = position._replace(scores=(max(body.lead, 0), max(-body.lead, 0)))
    lead = max(-MOST_AHEAD, min(MOST_AHEAD, position.lead))
    outlook = outlook_on(position.board, tiles, position.preset, lead, position.scoreless, position.last)
    strategy: Strategy = "greedy" if body.strategy == "greedy" else "static"

    def search() -> tuple[TurnAdvice, float]:
        adviser = position.rules.adviser(position.name)  # built on first use
        began = time.perf_counter()
        is_over = services.pool.deadline(body.budget_ms)
        is_half_over = services.pool.deadline(body.budget_ms / 2)
        ahead = LookAhead.until(is_over, is_half_over) if body.strategy == "simulating" else None
        return adviser.advise(outlook, body.limit, strategy, ahead), 1000 * (time.perf_counter() - began)

    advised, milliseconds = services.pool.run_long(caller, "fribble", search)
    return MovesAnswer(
        moves=[_answer(position.board, advice) for advice in advised.moves],
        instead=None if advised.instead is None else _instead(advised.instead),
        cgp=_cgp(position, tiles),
        stats=Stats(moves=advised.found.total, milliseconds=round(milliseconds, 3)),
    )


def _cgp(position: Position, tiles: str) -> str:
    racks = tiles, position.their_rack
    lexicon = position.rules.lexicon.name
    return cgp.write(
        Cgp.of(
            position.board, racks, position.scores, position.scoreless, preset=position.name, lexicon=lexicon
        )
    )


def _answer(board: Board, advice: Advice) -> MoveAnswer:
    placement = advice.placement
    return MoveAnswer(
        coordinate=coordinate(board, placement),
        standard=standard(board, placement),
        notation=fribble_notation(board, placement),
        word=lines(board, placement)[0].text,
        words=list(advice.words),
        cells=list(placement.laid),
        tiles="".join(placement.laid.values()),
        placed=placed(placement),
        points=advice.score,
        leave=advice.leave,
        leave_value=round(advice.leave_value, 3),
        equity=round(advice.equity, 3),
        **_forecast(advice.forecast),
    )


def _instead(turn: Instead) -> InsteadAnswer:
    return InsteadAnswer(
        type="exchange" if turn.exchanged else "pass",
        tiles=turn.exchanged,
        leave=turn.leave,
        equity=round(turn.equity, 3),
        **_forecast(turn.forecast),
    )


def _forecast(forecast: Forecast | None) -> dict[str, float]:
    if forecast is None:
        return {}
    return {name: round(value, 4) for name, value in forecast._asdict().items() if value is not None}
