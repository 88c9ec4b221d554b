"""The Fribble engine over HTTP, without a game: the best moves of a position."""

import time
from collections import Counter
from itertools import product
from typing import Annotated, Any, Final

import numpy as np
from fastapi import APIRouter
from fastapi.exceptions import RequestValidationError
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator

from app.games.fribble.board import EMPTY, Board, floating, square
from app.games.fribble.gcg import BrokenGcg, read, replay
from app.games.fribble.layout import CELLS, SIDE
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import Rack, generator_of
from app.games.fribble.notation import coordinate, seed_notation, standard
from app.games.fribble.presets import DEFAULT_PRESET, PresetName, presets
from app.games.fribble.rules import Fribble
from app.games.fribble.scoring import score
from app.games.fribble.state import Options
from app.games.fribble.strategy import Proposal, Proposals, Strategy, propose, worths
from app.games.fribble.tileset import BLANK, RACK, TILES
from app.games.game import LexiconRef
from app.web.problems import describe
from app.web.services import House
from app.words.lexicon import Lexicon
from app.words.library import Library

router = APIRouter(prefix="/api/fribble", tags=["engines"])

MOST_TEXT: Final = 40_000
_EXAMPLE: Final[list[JsonValue]] = [*[EMPTY * SIDE] * 7, "....FRIBBLe....", *[EMPTY * SIDE] * 7]


class MovesRequest(BaseModel):
    """A position, and what is wanted of the answer."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "board": _EXAMPLE,
                    "rack": "EINDRS?",
                    "strategy": "static",
                    "top": 5,
                }
            ]
        },
    )

    board: list[str] | Annotated[str, Field(max_length=MOST_TEXT)]
    """15 rows: ``.`` empty, upper case a tile, lower case a blank. Or a game as GCG, for its last
    position."""
    rack: str = Field(max_length=40)
    """One's tiles, in either case; ``?`` for a blank."""
    preset: PresetName = DEFAULT_PRESET
    """Board, tiles and bonus."""
    lexicon: str = Library.default
    top: Annotated[int, Field(ge=1, le=100)] = 10
    """How many moves to list."""
    strategy: Strategy = "static"
    """``greedy``: by score alone. ``static``: with what the tiles kept are worth."""
    budget_ms: Annotated[int, Field(ge=1, le=10_000)] = 1000
    """Milliseconds to think at most, where a strategy thinks for as long as it may."""

    @field_validator("rack")
    @classmethod
    def _are_tiles(cls, rack: str) -> str:
        tiles = "".join(rack.upper().split())
        for position, tile in enumerate(tiles):
            if tile not in TILES:
                raise ValueError(f"tile {position} is {tile!r}: accepted are A to Z, and {BLANK} for a blank")
        if not 1 <= len(tiles) <= RACK:
            raise ValueError(f"there are {len(tiles)} tiles: a rack has 1 to {RACK}")
        return tiles


class PlacedTile(BaseModel):
    """A tile that the move lays."""

    row: int
    """1 to 15."""
    column: int
    """1 to 15, from A to O."""
    tile: str
    """Upper case, or lower case for a blank that stands for the letter."""


class MoveAnswer(BaseModel):
    """A move and what speaks for it."""

    coordinate: str = Field(examples=["8H"])
    """Where the main word begins: ``8H`` across, ``H8`` down."""
    standard: str = Field(examples=["8H FR.BBLE"])
    """The move in the coordinates of the field."""
    notation: str = Field(examples=["m(r8,8,'FRIBBLE')"])
    """The move as the seed writes it."""
    word: str
    """The main word; lower case for blanks."""
    words: list[str]
    """All words made, the main word first, in upper case."""
    placed: list[PlacedTile]
    score: int
    leave: float
    """What the tiles kept are worth, in points."""
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
    responses=describe(404, 413, 422, 503),
    summary="Find the best moves of a Fribble position",
)
def moves(body: MovesRequest, house: House) -> MovesAnswer:
    """The best placements for a rack on a board, with the words they make and what they are worth."""
    lexicon = house.library.load(body.lexicon)
    board = _board(body, lexicon)
    unseen = _unseen(body, board)

    def search() -> tuple[Proposals, float]:
        generator = generator_of(lexicon, body.preset)  # built by whoever is the first to ask
        began = time.perf_counter()
        rack = Rack.of(body.rack)
        worth = worths(body.strategy, generator, shipped_leaves(body.preset), rack, unseen)
        found = propose(generator, board, rack, worth, body.top)
        return found, 1000 * (time.perf_counter() - began)

    found, milliseconds = house.pool.run(search)
    return MovesAnswer(
        moves=[_answer(board, proposal, body.preset) for proposal in found.best],
        stats=Stats(moves=found.total, milliseconds=round(milliseconds, 3)),
    )


def _answer(board: Board, proposal: Proposal, preset: str) -> MoveAnswer:
    placement = proposal.placement
    made = score(board, placement, presets()[preset])
    return MoveAnswer(
        coordinate=coordinate(board, placement),
        standard=standard(board, placement),
        notation=seed_notation(board, placement),
        word=made.lines[0].text,
        words=list(made.words),
        placed=[
            PlacedTile(row=cell // SIDE + 1, column=cell % SIDE + 1, tile=tile)
            for cell, tile in zip(placement.cells, placement.tiles, strict=True)
        ],
        score=proposal.score,
        leave=round(proposal.leave, 3),
        equity=round(proposal.equity, 3),
    )


def _board(asked: MovesRequest, lexicon: Lexicon) -> Board:
    """The board, if there could be one like it. Raises RequestValidationError."""
    if isinstance(asked.board, str):
        options = Options(preset=asked.preset, lexicon=LexiconRef(name=lexicon.name, sha256=lexicon.sha256))
        try:
            return replay(read(asked.board), Fribble(lexicon), options)[-1].board
        except BrokenGcg as error:
            raise _refusal(str(error), "board") from None
    try:
        board = Board(rows=tuple(asked.board))
    except ValidationError as error:
        raise _refusal(error.errors()[0]["msg"].removeprefix("Value error, "), "board") from None
    apart = floating(board)
    if apart is not None:
        raise _refusal(
            f"{square(apart)}: {board.squares[apart].upper()} lies apart from the centre, row 8, column H",
            "board",
            apart // SIDE,
        )
    for cell, down in product(range(CELLS), (False, True)):
        run = board.run(cell, down=down)
        word = "".join(board.squares[each] for each in run)
        if run.start == cell and len(run) > 1 and EMPTY not in word and word.lower() not in lexicon:
            way = "down" if down else "across"
            message = f"{square(cell)}: {word.upper()}, {way}, is not in the word list"
            raise _refusal(message, "board", cell // SIDE)
    return board


def _unseen(asked: MovesRequest, board: Board) -> NDArray[np.int32]:
    """How many of each kind of tile are neither on the board nor in hand. Raises RequestValidationError."""
    counts, seen = presets()[asked.preset].tiles.counts, Counter(board.tiles)
    for tile, number in (seen + Counter(asked.rack)).items():
        if number > counts.get(tile, 0):
            field = "board" if seen[tile] > counts.get(tile, 0) else "rack"
            named = "blanks" if tile == BLANK else tile
            where = "the board has" if field == "board" else "board and rack have"
            raise _refusal(f"{where} {number} {named}: the set has {counts.get(tile, 0)}", field)
    return np.array([counts.get(kind, 0) - seen[kind] - asked.rack.count(kind) for kind in TILES], np.int32)


def _refusal(message: str, field: str, *inside: Any) -> RequestValidationError:
    return RequestValidationError([{"loc": ("body", field, *inside), "msg": message}])
