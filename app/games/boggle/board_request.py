"""Requests for boards: number, size, algorithm, and minimum number of words."""

from collections.abc import Callable
from functools import cached_property
from itertools import count as numbers
from math import ceil
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from pydantic import Field, field_validator, model_validator

from app.games.boggle.board import parse_size
from app.games.boggle.climb import Aim, climb, never
from app.games.boggle.generators import ALGORITHMS, PUBLISHED_CELLS, Boards, Options, best_vowels, generate
from app.games.boggle.letter_statistics import statistics_of
from app.games.boggle.solver import Solver
from app.games.boggle.target import EVALUATIONS, Target, targeting
from app.games.grid import Grid
from app.grammar import format_count, plural
from app.validation import field_fault, quote

NAMES: Final = (*ALGORITHMS, "climb", "target")
"""All algorithms."""
MOST_BOARDS: Final = 1000
LONGEST_BUDGET_MS: Final = 10_000
OPTIONS: Final[dict[str, tuple[str, ...]]] = {
    **{name: algorithm.options for name, algorithm in ALGORITHMS.items()},
    "climb": ("aim",),
    "target": tuple(name for name in Target.model_fields if name != "min_words"),
}
"""The options of each algorithm; all of them also take ``min_words``."""

_STEPS_A_MILLISECOND: Final = 8.0
"""Evaluations per millisecond of a climb on 4x4. Conservative, so that a busy core can make as many."""
_MOST_AT_ONCE: Final = 1024
"""Cells of the boards drawn and solved between two checks of the clock."""


class Unsatisfiable(ValueError):
    """No such board was found within the budget; the message says what was found."""


class BoardRequest(Options, Target):
    """A request for boards. Options that the algorithm does not take are rejected."""

    size: Annotated[str, Field(max_length=20, examples=["4", "4x5"])] = "4x4"
    """One number for a square, otherwise rows x columns. Sides are 2 to 8."""
    algorithm: Annotated[str, Field(json_schema_extra={"enum": list(NAMES)})] = "trip"
    count: Annotated[int, Field(ge=1, le=MOST_BOARDS)] = 1
    aim: Aim = "points"
    """climb: what to maximise."""
    budget_ms: Annotated[int, Field(ge=1, le=LONGEST_BUDGET_MS)] = 1000
    """The time limit of climb, target and min_words, for all boards together."""

    @field_validator("size")
    @classmethod
    def _is_a_size(cls, size: str) -> str:
        shape = parse_size(size)
        return f"{shape.rows}x{shape.columns}"

    @field_validator("algorithm")
    @classmethod
    def _is_an_algorithm(cls, name: str) -> str:
        if name.lower() not in NAMES:
            raise ValueError(f"there is no algorithm named {quote(name)}; there are {', '.join(NAMES)}")
        return name.lower()

    @model_validator(mode="after")
    def _fits_together(self) -> "BoardRequest":
        name = self.algorithm
        of_some = {option for options in OPTIONS.values() for option in options}
        for option in sorted((of_some - set(OPTIONS[name])) & self.model_fields_set):
            takers = [other for other, options in OPTIONS.items() if option in options]
            raise field_fault(option, f"{name} takes no {option}: that is for {', '.join(takers)}")
        if name in {"climb", "target"} and self.budget_ms < self.count:
            boards = format_count(self.count, "board")
            raise field_fault("budget_ms", f"{self.budget_ms} for {boards}: {name} takes at least 1 for each")
        for wanted, option in ((self.vowels or 0, "vowels"), (self.seeds, "seeds")):
            if wanted > self.grid.cells:
                raise field_fault(
                    option, f"{wanted} {option}: a board of {self.size} has {self.grid.cells} cells"
                )
        return self

    @cached_property
    def grid(self) -> Grid:
        """The shape of the boards."""
        return parse_size(self.size)

    @property
    def options(self) -> Options:
        """The options of the generators."""
        return Options(**{name: getattr(self, name) for name in Options.model_fields})

    @property
    def target(self) -> Target:
        """The options of the target search."""
        return Target(**{name: getattr(self, name) for name in Target.model_fields})


class BoardResult(NamedTuple):
    """Boards with their words and points."""

    boards: Boards
    words: list[int]
    """Per board: the number of distinct words."""
    points: list[int]
    complete: bool
    """Whether every climb completed; otherwise the result depends on the time limit."""


def prepare(request: BoardRequest, solver: Solver) -> None:
    """Compute what is cached per lexicon ahead of time, so that it does not use up the budget."""
    statistics_of(solver.lexicon)
    if request.algorithm == "target":
        targeting(solver)
    if _wants_best_vowels(request):
        best_vowels(solver, request.grid.columns, request.grid.rows)


def generate_boards(
    request: BoardRequest, solver: Solver, seed: str, stop: Callable[[], bool] = never
) -> BoardResult:
    """Return the requested boards. Deterministic for a seed unless ``stop`` returns true (time is up).

    Raises Unsatisfiable if time is up before there are enough boards, and CannotHide like
    :meth:`app.games.boggle.target.Targeting.search`.
    """
    if request.algorithm == "climb":
        return _climb_boards(request, solver, seed, stop)
    if request.algorithm == "target":
        return _target_boards(request, solver, seed, stop)
    return _draw_boards(request, solver, seed, stop)


def _draw_boards(request: BoardRequest, solver: Solver, seed: str, stop: Callable[[], bool]) -> BoardResult:
    """Return the first boards drawn that have enough words."""
    shape, options = request.grid, request.options
    if _wants_best_vowels(request):
        best = best_vowels(solver, shape.columns, shape.rows)
        options = options.model_copy(update={"vowels": best})
    statistics = statistics_of(solver.lexicon)
    at_once = max(_MOST_AT_ONCE // shape.cells, 1) if request.min_words else request.count
    kept: list[tuple[Any, Any, Any]] = []
    found = drawn = 0
    for batch in numbers():
        name = f"{seed}/{batch}" if batch else seed
        boards = generate(request.algorithm, shape.columns, shape.rows, at_once, name, statistics, options)
        words, points = solver.score(boards, shape.columns, shape.rows)
        rich = words >= request.min_words
        kept.append((boards[rich], words[rich], points[rich]))
        found += int(rich.sum())
        drawn += at_once
        if found >= request.count:
            break
        if stop():
            raise Unsatisfiable(
                f"{found} of {format_count(request.count, 'board')} with "
                f"{format_count(request.min_words, 'word')} or more {plural(found, 'was', 'were')} among the "
                f"{drawn:,} that {request.algorithm} drew in {request.budget_ms} ms: ask for fewer words, "
                "for a richer algorithm (trip, climb, target), or allow more time"
            )
    boards, words, points = (np.concatenate(parts)[: request.count] for parts in zip(*kept, strict=True))
    return BoardResult(boards, words.tolist(), points.tolist(), complete=True)


def _wants_best_vowels(request: BoardRequest) -> bool:
    return request.algorithm == "7freq" and request.vowels is None and request.grid.cells != PUBLISHED_CELLS


def _climb_boards(request: BoardRequest, solver: Solver, seed: str, stop: Callable[[], bool]) -> BoardResult:
    """Return the best board of each run; no two are equal up to symmetry."""
    shape = request.grid
    rate = _STEPS_A_MILLISECOND * min(16 / shape.cells, 1) ** 2
    evaluations = ceil(rate * request.budget_ms / request.count)
    best = []
    known: set[bytes] = set()
    for run in range(request.count):
        climbed = climb(
            solver,
            shape.columns,
            shape.rows,
            f"{seed}/{run}",
            evaluations=evaluations,
            aim=request.aim,
            known=known,
            stop=stop,
        )
        if climbed.words < request.min_words:
            raise Unsatisfiable(
                f"board {run} reached {format_count(climbed.words, 'word')}, not {request.min_words}, "
                f"in its share of {request.budget_ms} ms: ask for fewer words or boards, or allow more time"
            )
        known.add(climbed.board.tobytes())
        best.append(climbed)
    return BoardResult(
        np.array([climbed.board for climbed in best]),
        [climbed.words for climbed in best],
        [climbed.points for climbed in best],
        complete=all(climbed.complete for climbed in best),
    )


def _target_boards(request: BoardRequest, solver: Solver, seed: str, stop: Callable[[], bool]) -> BoardResult:
    shape, target = request.grid, request.target
    hits = []
    for number in range(request.count):
        if number and stop():
            raise Unsatisfiable(
                f"{number} of {format_count(request.count, 'board')} {plural(number, 'was', 'were')} found "
                f"within {request.budget_ms} ms: ask for fewer, or allow more time"
            )
        hit = targeting(solver).search(shape.columns, shape.rows, f"{seed}/{number}", target, stop=stop)
        if not hit.met:
            raise Unsatisfiable(
                f"no board with all of this was found within {request.budget_ms} ms and {EVALUATIONS:,} "
                f"boards; the nearest has {format_count(hit.words, 'word')} "
                f"and {format_count(hit.points, 'point')}"
            )
        hits.append(hit)
    return BoardResult(
        np.array([hit.board for hit in hits]),
        [hit.words for hit in hits],
        [hit.points for hit in hits],
        complete=True,
    )
