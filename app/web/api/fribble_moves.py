"""The Fribble engine over HTTP, without a game: the best moves of a position."""

import time
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from app.games.fribble.advice import Advice, Forecast
from app.games.fribble.adviser import Advised, Instead, outlook_on
from app.games.fribble.board import Board
from app.games.fribble.notation import coordinate, fribble_notation, standard
from app.games.fribble.placement import lines
from app.games.fribble.simulate import LookAhead
from app.games.fribble.strategy import Strategy
from app.web.api.fribble import PlacedAnswer, Position, PositionRequest, placed, refusal
from app.web.guard.limits import CallerDep, check_budget
from app.web.guard.rates import Caller
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Services, ServicesDep

router = api_router("/api/fribble", "engines")


class MovesRequest(PositionRequest):
    """A position, and what is wanted of the answer."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "board": [*["." * 15] * 7, ".......FRIBBLE.", *["." * 15] * 7],
                    "rack": "EINDRS?",
                    "top": 5,
                }
            ]
        },
    )

    top: Annotated[int, Field(ge=1, le=100)] = 10
    """How many moves to list."""
    strategy: Strategy | Literal["simulating"] = "static"
    """``greedy``: by score alone. ``static``: with what the tiles kept are worth. ``simulating``: the best of
    these by playing on, for two players; once the bag is empty, by searching the endgame."""
    budget_ms: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """Milliseconds that ``simulating`` may take."""
    lead: Annotated[int, Field(ge=-2000, le=2000)] = 0
    """Our score less the opponent's: what winning takes. By default that of a GCG; with a bare board 0."""


class MoveAnswer(Documented):
    """A move and what speaks for it."""

    coordinate: str = Field(examples=["H8"])
    """Where the main word begins: ``8H`` across, ``H8`` down."""
    standard: str = Field(examples=["H8 .RIENDS"])
    """In the coordinates of the field, with ``.`` for each tile that lay there."""
    notation: str = Field(examples=["m(c8,9,'RIENDS')"])
    """As the seed writes it."""
    word: str
    """The main word, lower case for blanks."""
    words: list[str]
    """All words made, the main word first, in upper case."""
    placed: list[PlacedAnswer]
    score: int
    kept: str
    """What stays on the rack."""
    leave: float
    """What that is worth, in points."""
    equity: float
    """Score and leave."""
    win_share: float | None = None
    """From simulation: how often the game is won, draws counting half, 0 to 1."""
    error: float | None = None
    """Half the width of the 95% interval of the win share; 0 for an endgame that was searched to its end."""
    gain: float | None = None
    """Points gained on the opponent in the turns played on, tiles kept included; in an endgame, to its end.
    """


class InsteadAnswer(Documented):
    """A turn that lays nothing and is better than every move."""

    type: Literal["exchange", "pass"]
    tiles: str = Field(examples=["VUU"])
    """What goes back into the bag; empty for a pass."""
    kept: str
    """What stays on the rack."""
    equity: float
    """What that is worth, in points."""
    win_share: float | None = None
    error: float | None = None
    gain: float | None = None


class Stats(Documented):
    """What was searched."""

    moves: int
    """How many legal placements there are."""
    milliseconds: float


class MovesAnswer(Documented):
    """The best moves, best first."""

    moves: list[MoveAnswer]
    instead: InsteadAnswer | None
    """What is better than all of these: an exchange or a pass; null where a move is best."""
    stats: Stats


@router.post(
    "/moves",
    response_model=MovesAnswer,
    summary="Find the best moves of a Fribble position",
)
def find_moves(body: JsonBody[MovesRequest], services: ServicesDep, caller: CallerDep) -> MovesAnswer:
    """The best placements for a rack on a board, with the words they make and what they are worth."""
    position = body.position(services)
    if not position.rack:
        raise refusal("rack", "there are no tiles: a rack has 1 to 7")
    return best_moves(position, position.rack, body, services, caller)


def best_moves(
    position: Position, tiles: str, body: MovesRequest, services: Services, caller: Caller
) -> MovesAnswer:
    """As ``moves``, of a position that need not be that of ``body``, for the rack ``tiles``."""
    check_budget(services, body.budget_ms)
    lead = body.lead if "lead" in body.model_fields_set else position.lead
    outlook = outlook_on(position.board, tiles, position.preset, lead, position.scoreless, position.last)
    strategy: Strategy = "greedy" if body.strategy == "greedy" else "static"

    def search() -> tuple[Advised, float]:
        adviser = position.rules.adviser(position.name)  # built by whoever is the first to ask
        began = time.perf_counter()
        is_over = services.pool.deadline(body.budget_ms)
        playing_on = body.strategy == "simulating"
        ahead = LookAhead.until(is_over) if playing_on else None
        return adviser.advise(outlook, body.top, strategy, ahead), 1000 * (time.perf_counter() - began)

    advised, milliseconds = services.pool.run(caller, "fribble", search)
    return MovesAnswer(
        moves=[_answer(position.board, advice) for advice in advised.moves],
        instead=None if advised.instead is None else _instead(advised.instead),
        stats=Stats(moves=advised.found.total, milliseconds=round(milliseconds, 3)),
    )


def _answer(board: Board, advice: Advice) -> MoveAnswer:
    placement = advice.placement
    return MoveAnswer(
        coordinate=coordinate(board, placement),
        standard=standard(board, placement),
        notation=fribble_notation(board, placement),
        word=lines(board, placement)[0].text,
        words=list(advice.words),
        placed=placed(placement),
        score=advice.score,
        kept=advice.leave,
        leave=round(advice.worth, 3),
        equity=round(advice.equity, 3),
        **_told(advice.forecast),
    )


def _instead(turn: Instead) -> InsteadAnswer:
    return InsteadAnswer(
        type="exchange" if turn.exchanged else "pass",
        tiles=turn.exchanged,
        kept=turn.leave,
        equity=round(turn.equity, 3),
        **_told(turn.forecast),
    )


def _told(forecast: Forecast | None) -> dict[str, float]:
    if forecast is None:
        return {}
    return {name: round(value, 4) for name, value in forecast._asdict().items()}
