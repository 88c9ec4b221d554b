"""The Fribble engine over HTTP, without a game: the best moves of a position."""

import time
from collections import Counter
from typing import Annotated, Literal

import numpy as np
from fastapi import APIRouter
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from app.games.fribble.advice import Advice, advise
from app.games.fribble.board import Board
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import Rack
from app.games.fribble.notation import coordinate, seed_notation, standard
from app.games.fribble.placement import lines
from app.games.fribble.presets import Preset
from app.games.fribble.simulate import SIMULATED, Estimate, Situation, best_candidates, estimated
from app.games.fribble.strategy import Strategy, worths
from app.games.fribble.tileset import TILES
from app.web.api.fribble import PlacedAnswer, Position, PositionRequest, placed, refusal
from app.web.problems import describe
from app.web.services import House, Services

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
    strategy: Strategy | Literal["simulating"] = "static"
    """``greedy``: by score alone. ``static``: with what the tiles kept are worth. ``simulating``: the best of
    these by playing on, for two players; once the bag is empty, by searching the endgame."""
    budget_ms: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """Milliseconds that ``simulating`` may take."""
    lead: Annotated[int, Field(ge=-2000, le=2000)] = 0
    """Our score less the opponent's: what winning takes."""


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
    win_share: float | None = None
    """From simulation: how often the game is won, draws counting half, 0 to 1."""
    error: float | None = None
    """Half the width of the 95 % interval of the win share."""


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
    return best_moves(position, position.rack, body, house)


def best_moves(position: Position, tiles: str, body: MovesRequest, house: Services) -> MovesAnswer:
    """As ``moves``, of a position that need not be that of ``body``, for the rack ``tiles``."""
    rack = Rack(tiles)
    unseen = _unseen(position.board, tiles, position.preset)

    def search() -> tuple[int, list[MoveAnswer], float]:
        generator = position.rules.movegen(position.name)  # built by whoever is the first to ask
        began = time.perf_counter()
        leaves = shipped_leaves(position.name)
        simulating = body.strategy == "simulating"
        worth = worths("greedy" if body.strategy == "greedy" else "static", generator, leaves, rack, unseen)
        top = max(body.top, SIMULATED) if simulating else body.top
        found = advise(generator, position.board, rack.tiles, top, worth=worth)
        answers = [_answer(position.board, advice) for advice in found.moves]
        if simulating and unseen.any():
            deadline = began + body.budget_ms / 1000
            squares = generator.squares(position.board)
            candidates = best_candidates(generator, squares, rack, worth, top)
            situation = Situation(squares, rack.counts, unseen, body.lead)
            estimates = estimated(
                generator,
                position.preset,
                leaves,
                situation,
                candidates,
                lambda _: time.perf_counter() > deadline,
            )
            told = dict(zip((each.choice.move for each in candidates), answers, strict=True))
            answers = [_estimated(told.pop(each.choice.move), each) for each in estimates] + [*told.values()]
        return found.total, answers[: body.top], 1000 * (time.perf_counter() - began)

    total, answers, milliseconds = house.pool.run("fribble", search)
    return MovesAnswer(moves=answers, stats=Stats(moves=total, milliseconds=round(milliseconds, 3)))


def _estimated(answer: MoveAnswer, estimate: Estimate) -> MoveAnswer:
    answer.win_share, answer.error = round(estimate.win_share, 4), round(estimate.error, 4)
    return answer


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


def _unseen(board: Board, rack: str, preset: Preset) -> NDArray[np.int32]:
    """How many of each kind of tile are neither on the board nor in hand."""
    seen, counts = Counter(board.tiles + rack), preset.tiles.counts
    return np.array([counts.get(kind, 0) - seen[kind] for kind in TILES], np.int32)
