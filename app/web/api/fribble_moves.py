"""The Fribble engine over HTTP, without a game: the best moves of a position."""

import time
from collections import Counter
from typing import Annotated

import numpy as np
from fastapi import APIRouter
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from app.games.fribble.advice import Advice, Advised, advise
from app.games.fribble.board import Board
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import Rack
from app.games.fribble.notation import coordinate, seed_notation, standard
from app.games.fribble.placement import lines
from app.games.fribble.strategy import Strategy, worths
from app.games.fribble.tileset import TILES
from app.web.api.fribble import PlacedAnswer, Position, PositionRequest, placed, refusal
from app.web.problems import describe
from app.web.services import House

router = APIRouter(prefix="/api/fribble", tags=["engines"])


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
    strategy: Strategy = "static"
    """``greedy``: by score alone. ``static``: with what the tiles kept are worth."""
    budget_ms: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """Milliseconds to think at most, where a strategy thinks for as long as it may."""


class MoveAnswer(BaseModel):
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


class Stats(BaseModel):
    """What was searched."""

    moves: int
    """How many legal placements there are."""
    milliseconds: float


class MovesAnswer(BaseModel):
    """The best moves, best first."""

    moves: list[MoveAnswer]
    stats: Stats


@router.post(
    "/moves",
    response_model=MovesAnswer,
    responses=describe(413, 422, 503),
    summary="Find the best moves of a Fribble position",
)
def moves(body: MovesRequest, house: House) -> MovesAnswer:
    """The best placements for a rack on a board, with the words they make and what they are worth."""
    position = body.position(house)
    if not position.rack:
        raise refusal("rack", "there are no tiles: a rack has 1 to 7")
    rack = Rack(position.rack)

    def search() -> tuple[Advised, float]:
        generator = position.rules.movegen(position.name)  # built by whoever is the first to ask
        began = time.perf_counter()
        worth = worths(body.strategy, generator, shipped_leaves(position.name), rack, _unseen(position))
        found = advise(generator, position.board, rack.tiles, body.top, worth=worth)
        return found, 1000 * (time.perf_counter() - began)

    found, milliseconds = house.pool.run(search)
    return MovesAnswer(
        moves=[_answer(position.board, advice) for advice in found.moves],
        stats=Stats(moves=found.total, milliseconds=round(milliseconds, 3)),
    )


def _answer(board: Board, advice: Advice) -> MoveAnswer:
    placement = advice.placement
    return MoveAnswer(
        coordinate=coordinate(board, placement),
        standard=standard(board, placement),
        notation=seed_notation(board, placement),
        word=lines(board, placement)[0].text,
        words=list(advice.words),
        placed=placed(placement),
        score=advice.score,
        kept=advice.leave,
        leave=round(advice.worth, 3),
        equity=round(advice.equity, 3),
    )


def _unseen(position: Position) -> NDArray[np.int32]:
    """How many of each kind of tile are neither on the board nor in hand."""
    seen, counts = Counter(position.board.tiles + (position.rack or "")), position.preset.tiles.counts
    return np.array([counts.get(kind, 0) - seen[kind] for kind in TILES], np.int32)
