"""Boards as a caller orders them: so many, of a size, by an algorithm, each with words enough."""

import re
from collections.abc import Callable
from functools import cached_property
from itertools import count as numbers
from math import ceil
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from pydantic import Field, field_validator, model_validator

from app.games.boggle.climb import Aim, climb, never
from app.games.boggle.generators import ALGORITHMS, SEED_CELLS, Boards, Options, best_vowels, generate
from app.games.boggle.solver import Solver
from app.games.boggle.statistics import statistics_of
from app.games.boggle.target import EVALUATIONS, Target, targeting
from app.games.grid import Grid, grid
from app.grammar import format_count, plural

NAMES: Final = (*ALGORITHMS, "climb", "target")
"""Every algorithm there is."""
MOST_BOARDS: Final = 1000
LONGEST_BUDGET_MS: Final = 10_000
OPTIONS: Final[dict[str, tuple[str, ...]]] = {
    **{name: algorithm.options for name, algorithm in ALGORITHMS.items()},
    "climb": ("aim",),
    "target": tuple(name for name in Target.model_fields if name != "min_words"),
}
"""What each algorithm may be told besides; all of them know ``min_words``."""

_SIZE: Final = re.compile(r"\s*(\d{1,3})\s*(?:x\s*(\d{1,3})\s*)?", re.IGNORECASE)
_STEPS_A_MILLISECOND: Final = 8.0
"""Evaluations of a climb on 4x4: far fewer than an idle core makes, for a busy one is to make as many."""
_MOST_AT_ONCE: Final = 1024
"""Cells of the boards that are drawn and solved between two looks at the clock."""


class Unsatisfiable(ValueError):
    """There was no such board within the budget; the text says what there was."""


def parse_size(size: str) -> Grid:
    """The grid of ``4`` (a square) or ``4x5`` (four rows of five). Raises ValueError."""
    sides = _SIZE.fullmatch(size)
    if sides is None:
        raise ValueError(f"{size!r} is no size: accepted are 4 (a square), or 4x5 (four rows of five)")
    rows = int(sides[1])
    return grid(rows, int(sides[2] or rows))


class BoardRequest(Options, Target):
    """What boards are wanted. Options are refused where the algorithm has no use for them."""

    size: Annotated[str, Field(max_length=20, examples=["4", "4x5"])] = "4x4"
    """One number for a square; else rows x columns. Sides are 2 to 8."""
    algorithm: Annotated[str, Field(json_schema_extra={"enum": list(NAMES)})] = "trip"
    count: Annotated[int, Field(ge=1, le=MOST_BOARDS)] = 1
    aim: Aim = "points"
    """climb: what there shall be most of."""
    budget_ms: Annotated[int, Field(ge=1, le=LONGEST_BUDGET_MS)] = 1000
    """How long climb, target and min_words may search, all boards together."""

    @field_validator("size")
    @classmethod
    def _is_a_size(cls, size: str) -> str:
        shape = parse_size(size)
        return f"{shape.rows}x{shape.columns}"

    @field_validator("algorithm")
    @classmethod
    def _is_an_algorithm(cls, name: str) -> str:
        if name.lower() not in NAMES:
            raise ValueError(f"there is no algorithm named {name!r}; there are {', '.join(NAMES)}")
        return name.lower()

    @model_validator(mode="after")
    def _fits_together(self) -> "BoardRequest":
        name = self.algorithm
        of_some = {option for options in OPTIONS.values() for option in options}
        for option in sorted((of_some - set(OPTIONS[name])) & self.model_fields_set):
            takers = [taker for taker, options in OPTIONS.items() if option in options]
            raise ValueError(f"{name} takes no {option}: that is for {', '.join(takers)}")
        if name in {"climb", "target"} and self.budget_ms < self.count:
            raise ValueError(
                f"budget_ms {self.budget_ms} for {format_count(self.count, 'board')}: "
                f"{name} takes at least 1 for each"
            )
        for wanted, option in ((self.vowels or 0, "vowels"), (self.seeds, "seeds")):
            if wanted > self.grid.cells:
                raise ValueError(f"{wanted} {option}: a board of {self.size} has {self.grid.cells} cells")
        return self

    @cached_property
    def grid(self) -> Grid:
        """The shape of the boards."""
        return parse_size(self.size)

    @property
    def options(self) -> Options:
        """The part that generators look at."""
        return Options(**{name: getattr(self, name) for name in Options.model_fields})

    @property
    def target(self) -> Target:
        """The part that a target is."""
        return Target(**{name: getattr(self, name) for name in Target.model_fields})


class BoardResult(NamedTuple):
    """Boards and what they hold."""

    boards: Boards
    words: list[int]
    """Per board, how many distinct words it has."""
    points: list[int]
    complete: bool
    """Whether every climb came to its end; else the clock had a say in what its best board is."""


def prepare(order: BoardRequest, solver: Solver) -> None:
    """Make what is made once for a lexicon, so that no budget pays for it."""
    statistics_of(solver.lexicon)
    if order.algorithm == "target":
        targeting(solver)
    if _wants_best_vowels(order):
        best_vowels(solver, order.grid.columns, order.grid.rows)


def generate_boards(
    order: BoardRequest, solver: Solver, seed: str, stop: Callable[[], bool] = never
) -> BoardResult:
    """The boards of an order, the same for the same seed while ``stop`` does not say that time is up.

    Raises Unmet where it is up before there are boards enough, and CannotHide as
    :meth:`app.games.boggle.target.Targeting.search` does.
    """
    if order.algorithm == "climb":
        return _climbed(order, solver, seed, stop)
    if order.algorithm == "target":
        return _aimed(order, solver, seed, stop)
    return _drawn(order, solver, seed, stop)


def _drawn(order: BoardRequest, solver: Solver, seed: str, stop: Callable[[], bool]) -> BoardResult:
    """The first boards drawn that have words enough; all of them, where no number is asked for."""
    shape, options = order.grid, order.options
    if _wants_best_vowels(order):
        best = best_vowels(solver, shape.columns, shape.rows)
        options = options.model_copy(update={"vowels": best})
    statistics = statistics_of(solver.lexicon)
    at_once = max(_MOST_AT_ONCE // shape.cells, 1) if order.min_words else order.count
    kept: list[tuple[Any, Any, Any]] = []
    found = drawn = 0
    for batch in numbers():
        name = f"{seed}/{batch}" if batch else seed
        boards = generate(order.algorithm, shape.columns, shape.rows, at_once, name, statistics, options)
        words, points = solver.score(boards, shape.columns, shape.rows)
        rich = words >= order.min_words
        kept.append((boards[rich], words[rich], points[rich]))
        found += int(rich.sum())
        drawn += at_once
        if found >= order.count:
            break
        if stop():
            raise Unsatisfiable(
                f"{found} of {format_count(order.count, 'board')} with "
                f"{format_count(order.min_words, 'word')} or more {plural(found, 'was', 'were')} among the "
                f"{drawn:,} that {order.algorithm} drew in {order.budget_ms} ms: ask for fewer words, for "
                "a richer algorithm (trip, climb, target), or allow more time"
            )
    boards, words, points = (np.concatenate(parts)[: order.count] for parts in zip(*kept, strict=True))
    return BoardResult(boards, words.tolist(), points.tolist(), complete=True)


def _wants_best_vowels(order: BoardRequest) -> bool:
    return order.algorithm == "7freq" and order.vowels is None and order.grid.cells != SEED_CELLS


def _climbed(order: BoardRequest, solver: Solver, seed: str, stop: Callable[[], bool]) -> BoardResult:
    """The best boards of as many runs, no two of them the same but for how the table is turned."""
    shape = order.grid
    rate = _STEPS_A_MILLISECOND * min(16 / shape.cells, 1) ** 2
    evaluations = ceil(rate * order.budget_ms / order.count)
    best = []
    known: set[bytes] = set()
    for run in range(order.count):
        climbed = climb(
            solver,
            shape.columns,
            shape.rows,
            f"{seed}/{run}",
            evaluations=evaluations,
            aim=order.aim,
            known=known,
            stop=stop,
        )
        if climbed.words < order.min_words:
            raise Unsatisfiable(
                f"board {run} came to {format_count(climbed.words, 'word')}, not {order.min_words}, "
                f"by its share of {order.budget_ms} ms: ask for fewer words or boards, or allow more time"
            )
        known.add(climbed.board.tobytes())
        best.append(climbed)
    return BoardResult(
        np.array([climbed.board for climbed in best]),
        [climbed.words for climbed in best],
        [climbed.points for climbed in best],
        complete=all(climbed.complete for climbed in best),
    )


def _aimed(order: BoardRequest, solver: Solver, seed: str, stop: Callable[[], bool]) -> BoardResult:
    shape, target = order.grid, order.target
    hits = []
    for number in range(order.count):
        hit = targeting(solver).search(shape.columns, shape.rows, f"{seed}/{number}", target, stop=stop)
        if not hit.met:
            raise Unsatisfiable(
                f"no board that is all of this was found within {order.budget_ms} ms and {EVALUATIONS:,} "
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
