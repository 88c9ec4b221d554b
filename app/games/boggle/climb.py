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
MOST_FIRST_BOARDS: Final = 100
_BLOCK: Final = 256
"""Steps whose chances are drawn at once."""
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
    cells = grid(height, width).cells
    total = schedule(cells).evaluations if evaluations is None else evaluations
    if total < 1:
        raise ValueError(f"{total} evaluations: a run takes at least 1")
    statistics = statistics_of(solver.lexicon)
    drawn = generate("trip", width, height, min(max(total // 4, 1), MOST_FIRST_BOARDS), seed, statistics)
    judge = _Judge(solver, width, height, aim)
    record = _Record(width, height, known)
    values: list[int] = []
    while not values or (len(values) < len(drawn) and not stop()):
        judge.board[:] = drawn[len(values)]
        values.append(judge())
        record.offer(values[-1], judge.board)
    judge.board[:] = drawn[int(np.argmax(values))]
    steps = total - len(drawn)
    made = _anneal(judge, record, steps, f"{seed}/steps", statistics.letters, stop)
    words, points = solver.score(record.board.reshape(1, -1), width, height)
    return Climbed(
        record.board, int(words[0]), int(points[0]), evaluations=len(values) + made, complete=made == steps
    )


def _anneal(
    judge: "_Judge",
    record: "_Record",
    steps: int,
    seed: str,
    frequencies: NDArray[np.float64],
    stop: Callable[[], bool],
) -> int:
    """Go on from the board of ``judge``, unless stopped for so many steps; return how many were made."""
    board = judge.board
    plan = schedule(len(board))
    temperature = plan.hot / judge.points_each
    cooling = (plan.cold / plan.hot) ** (1 / max(steps, 1))
    sums = np.cumsum(frequencies / frequencies.sum())
    value = judge()
    for made in range(0, steps, _BLOCK):
        block = min(_BLOCK, steps - made)
        given = chances(f"{seed}/{made}", 4 * block).reshape(4, block)
        ones, others = (given[:2] * len(board)).astype(np.int64).tolist()
        letters = np.searchsorted(sums[:-1], given[1], side="right").tolist()
        swaps = (given[2] < 0.5).tolist()
        changes = zip(ones, others, letters, swaps, given[3].tolist(), strict=True)
        for step, (one, other, letter, swap, luck) in enumerate(changes):
            if stop():
                return made + step
            temperature *= cooling
            before = int(board[one])
            after = int(board[other]) if swap else letter
            if after == before:
                continue
            board[one] = after
            if swap:
                board[other] = before
            worth = judge()
            if worth >= value or luck < exp((worth - value) / temperature):
                value = worth
                record.offer(worth, board)
            else:
                board[one] = before
                if swap:
                    board[other] = after
    return steps


class _Record:
    """The best board so far, but for those that are known."""

    def __init__(self, width: int, height: int, known: Collection[bytes]) -> None:
        self.board: NDArray[np.uint8]
        """In canonical form."""
        self._value = -1
        self._size = (width, height)
        self._known = known

    def offer(self, value: int, board: NDArray[np.uint8]) -> None:
        """Keep ``board`` if it is better; the very first is kept even if it is known."""
        if value > self._value:
            form = canonical(board, *self._size)
            is_known = form.tobytes() in self._known
            if not is_known or self._value < 0:
                self.board = form
                self._value = 0 if is_known else value


class _Judge:
    """What ``board``, an array to write to, is worth at the moment: points or words.

    Remembers what it has looked at: a run that has cooled down proposes the same boards again and again.
    """

    def __init__(self, solver: Solver, width: int, height: int, aim: Aim) -> None:
        boards = np.zeros((1, width * height), np.uint8)
        self.board: Final = boards[0]
        self.points_each: Final = POINTS_TO_WORDS if aim == "words" else 1.0
        """How many points there are to one of what is judged by."""
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
