"""The richest boards there are: simulated annealing on the solver itself.

A run starts from the best of some boards that TRIP draws. Each step swaps two cells or gives one a letter,
drawn by its frequency; a step that loses points is taken with probability exp(loss / temperature), while the
temperature falls geometrically.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from math import exp, log
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.boggle.generators import generate
from app.games.boggle.kernels import ONE_WORD, score_boards
from app.games.boggle.solver import Solver
from app.games.boggle.statistics import statistics_of
from app.games.boggle.symmetry import canonical
from app.games.grid import grid
from app.games.randomness import chances

Aim: TypeAlias = Literal["points", "words"]

POINTS_TO_WORDS: Final = 2.5
"""How many points a rich board has to a word; the temperature of a climb towards words is so much lower."""
MOST_FIRST_BOARDS: Final = 500
_BLOCK: Final = 250
"""Steps between two looks at the clock."""
_MOST_REMEMBERED: Final = 200_000
"""Boards; they take some 30 MB."""


class Schedule(NamedTuple):
    """How a run cools down."""

    hot: float
    """The temperature at the start, in points."""
    cold: float
    """At the end."""
    evaluations: int
    """Steps of a full run."""


@cache
def schedule(cells: int) -> Schedule:
    """The schedule for boards of so many cells.

    Found on 4x4 (80 to 25 points, 300,000 steps) and 5x5 (180 to 70, 800,000) for points of ENABLE2K; other
    sizes follow the power law through these two.
    """
    small, large = Schedule(80, 25, 300_000), Schedule(180, 70, 800_000)
    size = log(cells / 16) / log(25 / 16)
    hot, cold, evaluations = (one * (other / one) ** size for one, other in zip(small, large, strict=True))
    return Schedule(hot, cold, max(1_000, min(round(evaluations), 20_000_000)))


@dataclass(frozen=True, slots=True)
class Climbed:
    """The best board of a run."""

    board: NDArray[np.uint8]
    """(cells,): letters as numbers, in canonical form."""
    words: int
    points: int
    evaluations: int
    """Steps made."""
    complete: bool
    """Whether the run came to its end, so that the same arguments give the same board again."""


def never() -> bool:
    """For a run that nothing stops."""
    return False


def climb(
    solver: Solver,
    width: int,
    height: int,
    seed: str,
    *,
    evaluations: int | None = None,
    aim: Aim = "points",
    known: Collection[bytes] = (),
    stop: Callable[[], bool] = never,
) -> Climbed:
    """The best board of one run of so many evaluations, by default of a full run.

    ``known`` has boards, in canonical form and as bytes, that do not count as found. ``stop`` is asked now
    and then whether time is up: the best so far is the answer then. Raises ValueError for sides out of range
    and for less than one evaluation.
    """
    shape = grid(height, width)
    plan = schedule(shape.cells)
    total = plan.evaluations if evaluations is None else evaluations
    if total < 1:
        raise ValueError(f"{total} evaluations: a run takes at least 1")
    statistics = statistics_of(solver.lexicon)
    drawn = generate("trip", width, height, min(max(total // 4, 1), MOST_FIRST_BOARDS), seed, statistics)
    judge = _Judge(solver, drawn[0], width, height, aim)
    best, best_board = -1, drawn[0]

    def keep_if_best(value: int, board: NDArray[np.uint8]) -> None:
        nonlocal best, best_board
        if value > best:
            form = canonical(board, width, height)
            if form.tobytes() not in known:
                best, best_board = value, form

    start, value = drawn[0], -1
    for board in drawn:
        judge.board[:] = board
        worth = judge()
        keep_if_best(worth, board)
        if worth > value:
            start, value = board, worth
        if stop():
            break
    judge.board[:] = start

    steps = total - len(drawn)
    scale = POINTS_TO_WORDS if aim == "words" else 1.0
    cooling = (plan.cold / plan.hot) ** (1 / max(steps, 1))
    temperature = plan.hot / scale
    letters = np.cumsum(statistics.letters / statistics.letters.sum())
    cells = shape.cells
    board = judge.board
    made = 0
    while made < steps and not stop():
        block = min(_BLOCK, steps - made)
        given = chances(f"{seed}/{made}", 4 * block).reshape(4, block)
        ones, others = (given[:2] * cells).astype(np.int64).tolist()
        drawn_letters = np.searchsorted(letters[:-1], given[1], side="right").tolist()
        for one, other, letter, swaps, luck in zip(
            ones, others, drawn_letters, (given[2] < 0.5).tolist(), given[3].tolist(), strict=True
        ):
            temperature *= cooling
            before = int(board[one])
            if swaps:
                letter = int(board[other])  # noqa: PLW2901
            if letter == before:
                continue
            board[one] = letter
            if swaps:
                board[other] = before
            after = judge()
            if after >= value or luck < exp((after - value) / temperature):
                value = after
                if after > best:
                    keep_if_best(after, board)
            else:
                board[one] = before
                if swaps:
                    board[other] = letter
        made += block
    words, points = solver.score(best_board.reshape(1, -1), width, height)
    return Climbed(
        best_board, int(words[0]), int(points[0]), len(drawn) + made, complete=made >= max(steps, 0)
    )


class _Judge:
    """What ``board``, an array to write to, is worth at the moment: points or words.

    Remembers what it has looked at: a run that has cooled down proposes the same boards again and again.
    """

    def __init__(
        self, solver: Solver, board: NDArray[np.uint8], width: int, height: int, aim: Aim
    ) -> None:
        boards = board.reshape(1, -1).copy()
        self.board = boards[0]
        self._points = aim == "points"
        self._totals = np.empty(1, np.int64)
        self._known: dict[bytes, int] = {}
        workspace = solver.workspace
        self._arguments = (
            solver.nodes,
            grid(height, width).near,
            boards,
            solver.worth,
            False,
            workspace.stamps,
            workspace.scratch,
            self._totals,
        )

    def __call__(self) -> int:
        key = self.board.tobytes()
        value = self._known.get(key)
        if value is None:
            score_boards(*self._arguments)
            words, points = divmod(int(self._totals[0]), ONE_WORD)
            value = points if self._points else words
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[key] = value
        return value
