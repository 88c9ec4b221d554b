"""Boggle generator API: boards by any of the algorithms, with or without their words."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeVar

from fastapi import Query, Response
from pydantic import ConfigDict, Field, model_validator

from app.games import kernel
from app.games.boggle import board_request
from app.games.boggle.board import Board
from app.games.boggle.board_request import MOST_BOARDS, BoardRequest, BoardResult, Unsatisfiable, prepare
from app.games.boggle.catalogue import Entry, catalogue
from app.games.boggle.scoring import SHORTEST
from app.games.boggle.solver import Solver, solver_of
from app.games.boggle.target import CannotHide
from app.renamed import OLD_NAME, Renamed
from app.rooms.boggle.api import WordAnswer, word_answers
from app.validation import field_fault
from app.web.guard.fields import invalid_field
from app.web.guard.limits import CallerDep, check_budget
from app.web.guard.rates import Caller
from app.web.model import Documented, rendered
from app.web.pool import EnginesCompiling
from app.web.router import api_router
from app.web.services import Services, ServicesDep
from app.words.library import Library

router = api_router("/api/boggle", "engines")

T = TypeVar("T")

MOST_UNCOMPILED: Final = 50
"""Maximum number of boards per answer while the engines are being compiled."""
MOST_CELLS_WITH_WORDS: Final = 400
"""Maximum number of cells in an answer with words: 25 boards of 4x4, or 6 of 8x8. The richest boards have
about 5 KB of words per cell, so an answer has up to 2 MB."""


class GenerateRequest(BoardRequest, Renamed):
    """Options for generating boards."""

    model_config = ConfigDict(extra="forbid")

    old_names: ClassVar[Mapping[str, str]] = {"words": "include_words"}

    seed: Annotated[str, Field(max_length=64)] = ""
    """The same seed and options give the same boards. By default random, and returned in the answer."""
    lexicon: str = Library.default
    include_words: bool = False
    """Whether to list the words of each board."""
    min_length: Annotated[int, Field(ge=SHORTEST, le=16)] = 3
    """Minimum word length."""
    qu: bool = False
    """Whether q stands for Qu, two letters in one cell as on the dice; otherwise it is an ordinary letter."""

    @model_validator(mode="after")
    def _check_size_with_words(self) -> "GenerateRequest":
        if self.include_words and self.count * self.grid.cells > MOST_CELLS_WITH_WORDS:
            raise field_fault(
                "count",
                f"{self.count} with include_words=true is too much for one answer: of boards of "
                f"{self.size}, up to {MOST_CELLS_WITH_WORDS // self.grid.cells} are listed with their words, "
                f"and up to {MOST_BOARDS} without",
            )
        return self


@dataclass(slots=True)  # an answer may have 1,000 of them: models with computed old names take twice as long
class BoardAnswer:
    """A generated board."""

    __pydantic_config__: ClassVar = Documented.model_config

    board: list[str]
    """The rows."""
    word_count: int
    """Number of different words."""
    points: int
    """Total points: 3 or 4 letters 1 point, 5: 2, 6: 3, 7: 5, 8 or more: 11."""
    rows: Annotated[list[str], OLD_NAME]
    """Old name of `board`."""
    count: Annotated[int, OLD_NAME]
    """Old name of `word_count`."""
    words: list[WordAnswer] | None = None
    """The words, highest points first, if requested."""


class GenerateAnswer(Documented):
    """Generated boards, with the options to reproduce them."""

    boards: list[BoardAnswer]
    algorithm: str
    """The algorithm that generated the boards."""
    seed: str
    """The same seed and options give the same boards."""
    qu: bool
    """Whether q stands for Qu."""
    complete: bool
    """False if a search ran out of time on a busy machine; the same seed may then give other boards."""
    milliseconds: float
    """Time taken by the search."""


class AlgorithmsAnswer(Documented):
    """The algorithms for generating boards."""

    algorithms: list[Entry]


@router.get(
    "",
    response_model=GenerateAnswer,
    response_model_exclude_none=True,
    summary="Generate Boggle boards",
)
def generate_boards(
    query: Annotated[GenerateRequest, Query()], services: ServicesDep, caller: CallerDep
) -> Response:
    """Generate boards of a size with an algorithm. The same seed and options give the same boards."""
    return _in_pool(query, services, caller, lambda answer: rendered(answer, without_none=True))


def generated(query: GenerateRequest, services: Services, caller: Caller) -> GenerateAnswer:
    """Generate boards in the engine pool.

    Raises RequestValidationError, PoolFull, EnginesCompiling.
    """
    return _in_pool(query, services, caller, lambda answer: answer)


def _in_pool(
    query: GenerateRequest, services: Services, caller: Caller, finish: Callable[[GenerateAnswer], T]
) -> T:
    if query.count > MOST_UNCOMPILED and not kernel.ready():
        raise EnginesCompiling(
            f"the engines are still being compiled: try again soon, or ask for {MOST_UNCOMPILED} boards"
        )
    check_budget(services, query.budget_ms)
    lexicon = services.library.load(query.lexicon)
    seed = query.seed or secrets.token_hex(8)

    def search() -> T:
        solver = solver_of(lexicon, min_length=query.min_length, qu=query.qu)  # built on first use
        prepare(query, solver)
        began = time.perf_counter()
        result = board_request.generate_boards(query, solver, seed, services.pool.deadline(query.budget_ms))
        boards = _boards(result, query, solver)
        milliseconds = round(1000 * (time.perf_counter() - began), 3)
        return finish(
            GenerateAnswer(
                boards=boards,
                algorithm=query.algorithm,
                seed=seed,
                qu=query.qu,
                complete=result.complete,
                milliseconds=milliseconds,
            )
        )

    try:
        return services.pool.run_long(caller, "boggle", search)
    except Unsatisfiable as error:
        raise invalid_field(str(error), "query", "budget_ms") from error
    except CannotHide as error:
        raise invalid_field(str(error), "query", "word") from error


@router.get("/algorithms", response_model=AlgorithmsAnswer, summary="List the Boggle board algorithms")
async def list_algorithms() -> AlgorithmsAnswer:
    """Each algorithm's description, options, and averages on 4x4 boards with dwyl's words_alpha."""
    return AlgorithmsAnswer(algorithms=list(catalogue()))


def _boards(result: BoardResult, query: GenerateRequest, solver: Solver) -> list[BoardAnswer]:
    columns = query.grid.columns
    letters = (result.boards + ord("a")).tobytes().decode("ascii")
    rows = [letters[start : start + columns] for start in range(0, len(letters), columns)]
    height = query.grid.rows
    answers = []
    for number, (count, points) in enumerate(zip(result.words, result.points, strict=True)):
        own = rows[number * height : (number + 1) * height]
        answers.append(BoardAnswer(own, count, points, own, count))
        if query.include_words:
            found = solver.solve(Board(tuple(own))).words
            answers[-1].words = word_answers(found, old_names=query.old_names_used)
    return answers
