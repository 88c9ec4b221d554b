"""Boards of Boggle over HTTP: by which algorithm you like, with or without their words."""

import secrets
import time
from collections.abc import Callable
from typing import Annotated, Final, TypeVar

from fastapi import HTTPException, Query, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ConfigDict, Field, model_validator

from app.games import kernel
from app.games.boggle import board_request
from app.games.boggle.board import Board
from app.games.boggle.board_request import MOST_BOARDS, BoardRequest, BoardResult, Unsatisfiable, prepare
from app.games.boggle.catalogue import Entry, catalogue
from app.games.boggle.scoring import SHORTEST
from app.games.boggle.solver import Solver, solver_of
from app.games.boggle.target import CannotHide
from app.web.api.boggle import WordAnswer, word_answers
from app.web.guard.limits import CallerDep, check_budget
from app.web.guard.rates import Caller
from app.web.model import Documented, rendered
from app.web.router import api_router
from app.web.services import Services, ServicesDep
from app.words.library import Library

router = api_router("/api/boggle", "engines")

T = TypeVar("T")

MOST_UNCOMPILED: Final = 50
"""Boards of one answer while the engines are being compiled."""
MOST_CELLS_WITH_WORDS: Final = 400
"""Cells of all boards together whose words one answer lists: 25 boards of 4x4, or 6 of 8x8. The
richest there are have some 5 KB of words a cell, so that an answer has up to 2 MB."""


class GenerateRequest(BoardRequest):
    """What boards are wanted, and what is wanted of them."""

    model_config = ConfigDict(extra="forbid")

    seed: Annotated[str, Field(max_length=64)] = ""
    """The same seed and fields give the same boards; without one, a seed is made up and told."""
    lexicon: str = Library.default
    words: bool = False
    """Whether to list the words of each board."""
    min_length: Annotated[int, Field(ge=SHORTEST, le=16)] = 3
    """How many letters a word must have."""
    qu: bool | None = None
    """Whether q is the face Qu, two letters in one cell; by default only on dice."""

    @model_validator(mode="after")
    def _words_are_not_too_many(self) -> "GenerateRequest":
        if self.words and self.count * self.grid.cells > MOST_CELLS_WITH_WORDS:
            raise ValueError(
                f"count {self.count} with words=true is too much for one answer: of boards of {self.size}, "
                f"up to {MOST_CELLS_WITH_WORDS // self.grid.cells} are listed with their words, and up to "
                f"{MOST_BOARDS} without"
            )
        return self


class BoardAnswer(Documented):
    """A board and what it holds."""

    rows: list[str]
    count: int
    """How many different words there are."""
    points: int
    """What they are worth together: 3 or 4 letters 1 point, 5: 2, 6: 3, 7: 5, 8 or more: 11."""
    words: list[WordAnswer] | None = None
    """Those with most points first, where they were asked for."""


class GenerateAnswer(Documented):
    """Boards, and how to get them again."""

    boards: list[BoardAnswer]
    algorithm: str
    seed: str
    qu: bool
    complete: bool
    """False where a climb ran out of time on a busy machine: the same seed may then give another board."""
    milliseconds: float


class AlgorithmsAnswer(Documented):
    """Every algorithm, those of the seed first."""

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
    """Boards of a size by an algorithm, with what they hold; the same seed gives the same boards."""
    return _in_pool(query, services, caller, lambda answer: rendered(answer, without_none=True))


def generated(query: GenerateRequest, services: Services, caller: Caller) -> GenerateAnswer:
    """The answer to a request, computed in the pool.

    Raises RequestValidationError, PoolFull, and HTTPException while the engines are being compiled.
    """
    return _in_pool(query, services, caller, lambda answer: answer)


def _in_pool(
    query: GenerateRequest, services: Services, caller: Caller, finish: Callable[[GenerateAnswer], T]
) -> T:
    if query.count > MOST_UNCOMPILED and not kernel.ready():
        raise HTTPException(
            503,
            f"the engines are still being compiled: ask for up to {MOST_UNCOMPILED} boards, or in a moment",
            {"Retry-After": "5"},
        )
    check_budget(services, query.budget_ms)
    lexicon = services.library.load(query.lexicon)
    seed = query.seed or secrets.token_hex(8)
    qu = query.algorithm == "dice" if query.qu is None else query.qu

    def search() -> T:
        solver = solver_of(
            lexicon, min_length=query.min_length, qu=qu
        )  # built by whoever is the first to ask
        prepare(query, solver)
        began = time.perf_counter()
        delivery = board_request.generate_boards(query, solver, seed, services.pool.deadline(query.budget_ms))
        boards = _boards(delivery, query, solver)
        milliseconds = round(1000 * (time.perf_counter() - began), 3)
        return finish(
            GenerateAnswer(
                boards=boards,
                algorithm=query.algorithm,
                seed=seed,
                qu=qu,
                complete=delivery.complete,
                milliseconds=milliseconds,
            )
        )

    try:
        return services.pool.run(caller, "boggle", search)
    except Unsatisfiable as error:
        raise _refusal("budget_ms", str(error)) from error
    except CannotHide as error:
        raise _refusal("word", str(error)) from error


@router.get("/algorithms", response_model=AlgorithmsAnswer, summary="The ways to generate Boggle boards")
async def list_algorithms() -> AlgorithmsAnswer:
    """What each does, which options it takes, and its averages on boards of 4x4 with dwyl's words_alpha."""
    return AlgorithmsAnswer(algorithms=list(catalogue()))


def _boards(delivery: BoardResult, query: GenerateRequest, solver: Solver) -> list[BoardAnswer]:
    columns = query.grid.columns
    letters = (delivery.boards + ord("a")).tobytes().decode("ascii")
    rows = [letters[start : start + columns] for start in range(0, len(letters), columns)]
    height = query.grid.rows
    answers = []
    for number, (count, points) in enumerate(zip(delivery.words, delivery.points, strict=True)):
        own = rows[number * height : (number + 1) * height]
        answers.append(BoardAnswer(rows=own, count=count, points=points))
        if query.words:
            answers[-1].words = word_answers(solver.solve(Board(tuple(own))).words)
    return answers


def _refusal(field: str, message: str) -> RequestValidationError:
    return RequestValidationError([{"loc": ("query", field), "msg": message}])
