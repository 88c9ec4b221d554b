"""Boggle solver API: every word of a board."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, ClassVar, Final, TypeVar

from fastapi import Response
from pydantic import ConfigDict, Field, field_validator

from app.games.boggle.board import Board, parse_board
from app.games.boggle.scoring import SHORTEST
from app.games.boggle.solver import FoundWord, Paths, TooManyPaths, solver_of
from app.games.grid import LONGEST_SIDE
from app.renamed import OLD_NAME, Renamed, old_name
from app.web.guard.fields import invalid_field
from app.web.guard.limits import CallerDep
from app.web.guard.rates import Caller
from app.web.model import Documented, JsonBody, rendered
from app.web.query import QueryFields
from app.web.router import api_router
from app.web.services import Services, ServicesDep
from app.words.library import Library

router = api_router("/api/boggle", "engines")

T = TypeVar("T")

MOST_LISTED: Final = 50_000
"""Maximum number of words in an answer."""
LONGEST: Final = 16
"""Largest ``min_length``."""


class SolveRequest(Renamed):
    """A board and solver options."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"board": ["pers", "latg", "sine", "ters"], "limit": 3}]},
    )

    old_names: ClassVar[Mapping[str, str]] = {"rows": "board"}

    board: Annotated[
        list[Annotated[str, Field(json_schema_extra={"pattern": "^[a-zA-Z]{2,8}$"})]], Field(max_length=64)
    ]
    """2 to 8 rows of 2 to 8 letters a to z. Or one string with spaces, commas or / between the rows, or
    without separators for a square board."""
    min_length: Annotated[int, Field(ge=SHORTEST, le=LONGEST)] = 3
    """Minimum word length."""
    qu: bool = False
    """Whether q stands for Qu, two letters in one cell as on the dice; otherwise it is an ordinary letter."""
    paths: Paths = "one"
    """Whether to return one path of each word or all of them."""
    lexicon: str = Library.default
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = MOST_LISTED
    """Number of words to list."""
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Number of words to skip at the beginning of the list."""

    @field_validator("board", mode="before")
    @classmethod
    def _split_rows(cls, given: object) -> object:
        if not isinstance(given, str):
            return given
        if len(given) > 4 * LONGEST_SIDE**2:
            raise ValueError(
                f"{len(given)} characters are too many: a board has at most {LONGEST_SIDE**2} letters"
            )
        return list(parse_board(given).rows)

    @field_validator("board")
    @classmethod
    def _is_a_board(cls, rows: list[str]) -> list[str]:
        return list(parse_board(rows).rows)


@dataclass(frozen=True, slots=True)  # an answer may have 30,000 of them, and models are ten times slower
class WordAnswer:
    """A word and its path."""

    __pydantic_config__: ClassVar = Documented.model_config

    word: str
    points: int
    cells: tuple[int, ...]
    """In word order, numbered row by row from 0."""
    paths: tuple[tuple[int, ...], ...] | None = None
    """All paths, if requested."""
    path: Annotated[tuple[int, ...] | None, OLD_NAME] = None
    """Old name of `cells`, for requests that use an old name."""


class SolveAnswer(Documented):
    """All words of a board, highest points first."""

    board: list[str]
    """The rows."""
    qu: bool
    """Whether q stands for Qu."""
    word_count: int
    """Number of different words."""
    points: int
    """Total points: 3 or 4 letters 1 point, 5: 2, 6: 3, 7: 5, 8 or more: 11."""
    words: list[WordAnswer]
    """The words, highest points first: ``limit`` of them from ``offset``."""
    milliseconds: float
    """Time taken by the search."""
    rows: ClassVar[Any] = old_name("board", list[str])
    count: ClassVar[Any] = old_name("word_count", int)


@router.post(
    "/solve",
    response_model=SolveAnswer,
    response_model_exclude_none=True,
    summary="Find every word of a Boggle board",
)
def solve_boggle(body: JsonBody[SolveRequest], services: ServicesDep, caller: CallerDep) -> Response:
    """All words of the board, each with its points and one path, or all paths."""
    return _in_pool(services, caller, lambda: rendered(_solved(body, services), without_none=True))


@router.get(
    "/solve",
    response_model=SolveAnswer,
    response_model_exclude_none=True,
    summary="Find every word of a Boggle board by URL",
)
def solve_boggle_by_address(
    query: QueryFields[SolveRequest], services: ServicesDep, caller: CallerDep
) -> Response:
    """Like the POST request, with the fields as query parameters; the board is one text."""
    return solve_boggle(query, services, caller)


def solved(request: SolveRequest, services: Services, caller: Caller) -> SolveAnswer:
    """Solve a board in the engine pool. Raises RequestValidationError, PoolFull."""
    return _in_pool(services, caller, lambda: _solved(request, services))


def _in_pool(services: Services, caller: Caller, compute: Callable[[], T]) -> T:
    try:
        return services.pool.run(caller, "boggle", compute)
    except TooManyPaths as error:
        raise invalid_field(str(error), "body", "paths") from error


def _solved(request: SolveRequest, services: Services) -> SolveAnswer:
    solver = solver_of(services.library.load(request.lexicon), min_length=request.min_length, qu=request.qu)
    began = time.perf_counter()
    solution = solver.solve(Board(tuple(request.board)), request.paths)
    milliseconds = 1000 * (time.perf_counter() - began)
    return SolveAnswer(
        board=request.board,
        qu=request.qu,
        word_count=solution.count,
        points=solution.points,
        words=word_answers(
            islice(solution.words, request.offset, request.offset + request.limit),
            request.paths,
            old_names=request.old_names_used,
        ),
        milliseconds=round(milliseconds, 3),
    )


def word_answers(
    found: Iterable[FoundWord], paths: Paths = "one", *, old_names: bool = False
) -> list[WordAnswer]:
    """Convert found words, with one path or all paths."""
    return [
        WordAnswer(
            word.word,
            word.points,
            word.paths[0],
            word.paths if paths == "all" else None,
            word.paths[0] if old_names else None,
        )
        for word in found
    ]
