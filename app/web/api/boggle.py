"""The Boggle engine over HTTP: every word of a board."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeVar

from fastapi import Response
from fastapi.exceptions import RequestValidationError
from pydantic import ConfigDict, Field, field_validator

from app.games.boggle.board import Board, parse_board
from app.games.boggle.scoring import SHORTEST
from app.games.boggle.solver import FoundWord, Paths, TooManyPaths, solver_of
from app.games.grid import LONGEST_SIDE
from app.web.guard.limits import CallerDep
from app.web.guard.rates import Caller
from app.web.model import Documented, JsonBody, rendered
from app.web.router import api_router
from app.web.services import Services, ServicesDep
from app.words.library import Library

router = api_router("/api/boggle", "engines")

T = TypeVar("T")

LONGEST: Final = 16
"""The most letters that every word can be asked to have."""


class SolveRequest(Documented):
    """A board, and which of its words are wanted."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"rows": ["pers", "latg", "sine", "ters"], "paths": "one"}]},
    )

    rows: Annotated[
        list[Annotated[str, Field(json_schema_extra={"pattern": "^[a-zA-Z]{2,8}$"})]], Field(max_length=64)
    ]
    """2 to 8 rows of 2 to 8 letters a to z. One text will do, with blanks, commas or / between the rows, or
    without any for a square board."""
    min_length: Annotated[int, Field(ge=SHORTEST, le=LONGEST)] = 3
    """How many letters a word must have."""
    qu: bool = False
    """Whether q is the face Qu, two letters in one cell, as on the dice; else it is a letter like others."""
    paths: Paths = "one"
    """Tell one path of each word, or all there are."""
    lexicon: str = Library.default

    @field_validator("rows", mode="before")
    @classmethod
    def _in_rows(cls, given: object) -> object:
        if not isinstance(given, str):
            return given
        if len(given) > 4 * LONGEST_SIDE**2:
            raise ValueError(
                f"there are {len(given)} characters: a board has {LONGEST_SIDE**2} letters at most"
            )
        return list(parse_board(given).rows)

    @field_validator("rows")
    @classmethod
    def _is_a_board(cls, rows: list[str]) -> list[str]:
        return list(parse_board(rows).rows)


@dataclass(frozen=True, slots=True)  # one answer may have 30,000 of them, and models take ten times as long
class WordAnswer:
    """A word and where it lies."""

    __pydantic_config__: ClassVar = Documented.model_config

    word: str
    points: int
    path: tuple[int, ...]
    """Cells in the order of the word, numbered row by row from 0."""
    paths: tuple[tuple[int, ...], ...] | None = None
    """All its paths, where they were asked for."""


class SolveAnswer(Documented):
    """All words of a board, those with most points first."""

    rows: list[str]
    qu: bool
    count: int
    """How many different words there are."""
    points: int
    """What they are worth together: 3 or 4 letters 1 point, 5: 2, 6: 3, 7: 5, 8 or more: 11."""
    words: list[WordAnswer]
    milliseconds: float


@router.post(
    "/solve",
    response_model=SolveAnswer,
    response_model_exclude_none=True,
    summary="Find every word of a Boggle board",
)
def solve_boggle(body: JsonBody[SolveRequest], services: ServicesDep, caller: CallerDep) -> Response:
    """Every word of the board with its points and one path, or all paths."""
    return _in_pool(services, caller, lambda: rendered(_solved(body, services), without_none=True))


def solved(asked: SolveRequest, services: Services, caller: Caller) -> SolveAnswer:
    """The answer to a request, computed in the pool. Raises RequestValidationError and PoolFull."""
    return _in_pool(services, caller, lambda: _solved(asked, services))


def _in_pool(services: Services, caller: Caller, compute: Callable[[], T]) -> T:
    try:
        return services.pool.run(caller, "boggle", compute)
    except TooManyPaths as error:
        raise RequestValidationError([{"loc": ("body", "paths"), "msg": str(error)}]) from error


def _solved(asked: SolveRequest, services: Services) -> SolveAnswer:
    solver = solver_of(services.library.load(asked.lexicon), min_length=asked.min_length, qu=asked.qu)
    began = time.perf_counter()
    solution = solver.solve(Board(tuple(asked.rows)), asked.paths)
    milliseconds = 1000 * (time.perf_counter() - began)
    return SolveAnswer(
        rows=asked.rows,
        qu=asked.qu,
        count=solution.count,
        points=solution.points,
        words=word_answers(solution.words, asked.paths),
        milliseconds=round(milliseconds, 3),
    )


def word_answers(found: Iterable[FoundWord], paths: Paths = "one") -> list[WordAnswer]:
    """The words for an answer, with their first path or with all."""
    return [
        WordAnswer(word.word, word.points, word.paths[0], word.paths if paths == "all" else None)
        for word in found
    ]
