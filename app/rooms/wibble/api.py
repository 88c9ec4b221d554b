"""Wibble solver API: every word of a board, and the best word with swaps."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from app.games.wibble.bound_kernels import MOST_SWAPS
from app.games.wibble.modes import modes
from app.games.wibble.planning import Plan, Position, gem_table, plan
from app.games.wibble.rules import Wibble
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import FoundWord
from app.games.wibble.state import Board, Bonus
from app.renamed import Renamed, old_name
from app.web.guard.limits import CallerDep
from app.web.model import Documented, JsonBody
from app.web.query import QueryFields
from app.web.router import api_router
from app.web.services import ServicesDep
from app.words.letters import letter_values
from app.words.library import Library
from app.words.vocabulary import Level, allowed_words

router = api_router("/api/wibble", "engines")

CLASSIC: Final = modes()["classic"]
SWAP_COST: Final = CLASSIC.costs["swap"]
MOST_GEMS, GEMS_ON_BOARD = (CLASSIC.gems.most, CLASSIC.gems.on_board) if CLASSIC.gems else (0, 0)
ROUNDS: Final = CLASSIC.rounds or 1
_SIDES = range(4, 8)
_A_BOARD = "^({})$".format("|".join(rf"\s*([a-zA-Z]\s*){{{side**2}}}" for side in _SIDES))


def read_board(text: str) -> str:
    """Return the letters of a typed board, row by row, without spaces and in lower case.

    Raises ValueError unless there are 16, 25, 36 or 49 letters a-z.
    """
    letters = "".join(text.lower().split())
    for position, letter in enumerate(letters):
        if not "a" <= letter <= "z":
            raise ValueError(f"letter {position} is {letter!r}: only a to z are tiles")
    if len(letters) not in (side**2 for side in _SIDES):
        raise ValueError(f"16, 25, 36 or 49 letters a-z expected, {len(letters)} given")
    return letters


class SolveRequest(Renamed):
    """A board, scoring and solver options."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "board": "wibbl etile schai nword games",
                    "letter_bonus": {"cell": 7, "factor": 3},
                    "word_bonus": {"cell": 12, "factor": 2},
                    "swaps": 1,
                    "limit": 5,
                }
            ]
        },
    )

    old_names: ClassVar[Mapping[str, str]] = {"top": "limit"}

    board: str = Field(max_length=200, json_schema_extra={"pattern": _A_BOARD})
    """16, 25, 36 or 49 letters in either case, row by row; spaces and line breaks are ignored."""
    values: Literal["scrabble", "spellcast"] = "spellcast"
    letter_bonus: Bonus | None = None
    word_bonus: Bonus | None = None
    gems: list[int] = Field(default=[], max_length=49)
    """Cells with a gem."""
    long_word_length: Annotated[int | None, Field(ge=2, le=49)] = CLASSIC.long_word_length
    """Words of at least this length get the long-word bonus; null for no bonus."""
    long_word_bonus: Annotated[int, Field(ge=0, le=1000)] = CLASSIC.long_word_bonus
    swaps: Annotated[int, Field(ge=0, le=MOST_SWAPS)] = 0
    """Number of tiles that may be changed to another letter for the best word."""
    round: Annotated[int | None, Field(ge=1, le=ROUNDS)] = None
    """The round of a Classic game, for a plan of its gems; null for no plan."""
    gems_held: Annotated[int, Field(ge=0, le=MOST_GEMS)] = 0
    """Number of gems that the player has in that round; without ``round`` it is ignored."""
    limit: Annotated[int, Field(ge=1, le=5000)] = 20
    """Number of words to list."""
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Number of words to skip at the beginning of the list."""
    lexicon: str = Library.default
    vocabulary: Level = "everything"
    """List only words known at this level."""
    family: bool = False
    """Leave out profanity. Off by default, to find the best words."""

    @field_validator("board")
    @classmethod
    def _is_square_of_letters(cls, board: str) -> str:
        return read_board(board)

    @field_validator("letter_bonus", "word_bonus", "gems")
    @classmethod
    def _is_on_board(cls, value: Bonus | list[int] | None, info: ValidationInfo) -> Bonus | list[int] | None:
        cells = len(info.data.get("board", ""))  # an invalid board is refused by itself
        for cell in [value.cell] if isinstance(value, Bonus) else value or []:
            if cells and not 0 <= cell < cells:
                raise ValueError(f"cell {cell} is not on the board: cells are 0 to {cells - 1}")
        if isinstance(value, Bonus) and not 1 <= value.factor <= 10:
            raise ValueError(f"the bonus factor {value.factor} is out of range; accepted: 1 to 10")
        return value

    @field_validator("round")
    @classmethod
    def _is_of_classic(cls, value: int | None, info: ValidationInfo) -> int | None:
        gems = len(set(info.data.get("gems", ())))
        if value is not None and gems > GEMS_ON_BOARD:
            raise ValueError(f"a plan is for boards of Classic, with {GEMS_ON_BOARD} gems; {gems} given")
        return value

    def to_board(self) -> Board:
        """The board with its bonuses and gems."""
        return Board(
            letters=self.board,
            gems=tuple(sorted(set(self.gems))),
            letter_bonus=self.letter_bonus,
            word_bonus=self.word_bonus,
        )

    def scoring(self) -> Scoring:
        """The scoring of words on the board."""
        return Scoring(letter_values(self.values), self.long_word_length, self.long_word_bonus)


class SwapAnswer(Documented):
    """A tile changed to another letter."""

    cell: int
    letter: str


class WordAnswer(Documented):
    """A word with its best path."""

    word: str
    cells: list[int]
    points: int
    gems: int
    """Number of gems on the path."""
    swaps: list[SwapAnswer] = Field(default=[])


class PlanAnswer(Documented):
    """The best action in a turn of Classic, considering the rest of the game."""

    shuffle: bool
    """Whether to shuffle first, which costs a gem."""
    word: WordAnswer | None
    """The word to play, with its swaps, unless ``shuffle`` is true; null if there is none."""
    expected: float
    """Expected points from here to the end of the game, measured by self-play."""


class SolveAnswer(Documented):
    """The words of a board."""

    size: int
    lexicon: str
    word_count: int
    """Number of different words."""
    words: list[WordAnswer]
    """The words, best first: ``limit`` of them from ``offset``."""
    top: ClassVar[Any] = old_name("words", list[WordAnswer])
    best: WordAnswer | None
    """The best word with up to ``swaps`` swaps; among equals, the one with fewer swaps."""
    best_by_swaps: list[WordAnswer]
    """The best word without a swap, then with one more swap each, as long as it gains points."""
    plan: PlanAnswer | None
    """The best action in the ``round`` with the gems held; null without a round."""


@router.post("/solve", response_model=SolveAnswer, summary="Solve a Wibble board")
def solve_wibble(body: JsonBody[SolveRequest], services: ServicesDep, caller: CallerDep) -> SolveAnswer:
    """Every word of the board with its best path under the bonuses, the best words with swaps, and a plan."""
    rules = services.rulebook.rules(Wibble, services.rulebook.ref(body.lexicon))
    return services.pool.run_long(caller, "wibble", lambda: solved(body, rules))


def solved(body: SolveRequest, rules: Wibble) -> SolveAnswer:
    """Solve a board with the rules and their word list."""
    lexicon, solver = rules.lexicon, rules.solver
    size = int(len(body.board) ** 0.5)
    board, scoring = body.to_board(), body.scoring()
    allowed = allowed_words(lexicon, body.vocabulary, family_only=body.family)
    found = solver.words(board, size, scoring, allowed=allowed)
    improving = solver.best_by_swaps(board, size, scoring, body.swaps, allowed) if body.swaps else found[:1]
    planned = None
    if body.round is not None:
        position = Position(board, size, body.round, body.gems_held)
        planned = plan(position, solver, scoring, CLASSIC, gem_table(seats=1), allowed)
    return SolveAnswer(
        size=size,
        lexicon=lexicon.name,
        word_count=len(found),
        words=[_answer(word) for word in found[body.offset : body.offset + body.limit]],
        best=_answer(improving[-1]) if improving else None,
        best_by_swaps=[_answer(word) for word in improving],
        plan=_planned(planned) if planned else None,
    )


@router.get("/solve", response_model=SolveAnswer, summary="Solve a Wibble board by URL")
def solve_wibble_by_address(
    query: QueryFields[SolveRequest], services: ServicesDep, caller: CallerDep
) -> SolveAnswer:
    """Like the POST request, with the fields as query parameters; lists and objects are written as JSON."""
    return solve_wibble(query, services, caller)


def _planned(planned: Plan) -> PlanAnswer:
    return PlanAnswer(
        shuffle=planned.shuffle,
        word=_answer(planned.word) if planned.word else None,
        expected=round(planned.expected, 1),
    )


def _answer(found: FoundWord) -> WordAnswer:
    return WordAnswer(
        word=found.word,
        cells=list(found.cells),
        points=found.points,
        gems=found.gems,
        swaps=[SwapAnswer(cell=cell, letter=letter) for cell, letter in found.swaps],
    )
