"""Search for the richest boards: simulated annealing with the solver as objective.

S. Kirkpatrick, C. Gelatt and M. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983. A run
starts from the best of some TRIP boards. Each step swaps two cells or redraws one letter by frequency; a step
that loses points is accepted with probability exp(loss / temperature), and the temperature falls
geometrically.
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
from app.games.boggle.letter_statistics import statistics_of
from app.games.boggle.solver import Solver
from app.games.boggle.symmetry import canonical
from app.games.grid import grid
from app.games.randomness import chances

Aim: TypeAlias = Literal["points", "words"]

POINTS_TO_WORDS: Final = 2.5
"""Points per word on a rich board; temperatures are divided by this when maximising words."""
MOST_FIRST_BOARDS: Final = 100
_BLOCK: Final = 256
"""Steps per batch of random numbers."""
_MOST_REMEMBERED: Final = 200_000
"""Cached evaluations; some 30 MB."""


class Schedule(NamedTuple):
    """The cooling schedule of a run."""

    hot: float
    """Initial temperature, in points."""
    cold: float
    """Final temperature, in points."""
    evaluations: int
    """Steps of a full run."""


@cache
def schedule(cells: int) -> Schedule:
    """Return the schedule for boards of this many cells.

    Tuned for points with ENABLE2K on 4x4 (80 to 25 points, 300,000 steps) and 5x5 (180 to 70, 800,000); other
    sizes follow the power law through these two.
    """
    small, large = Schedule(80, 25, 300_000), Schedule(180, 70, 800_000)
    size = log(cells / 16) / log(25 / 16)
    hot, cold, evaluations = (low * (high / low) ** size for low, high in zip(small, large, strict=True))
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
    """Whether the run completed, so that the same arguments give the same board."""


def never() -> bool:
    """Never stop the run."""
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
    """Return the best board of one run of ``evaluations`` steps, by default a full run.

    ``known`` are boards to exclude, in canonical form and as bytes. When ``stop`` returns true, the best
    board so far is returned. Raises ValueError for sides out of range and for less than one evaluation.
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
    """Anneal from the board of ``judge`` for ``steps`` unless stopped; return the number of steps made."""
    board = judge.board
    plan = schedule(len(board))
    temperature = plan.hot / judge.points_each
    cooling = (plan.cold / plan.hot) ** (1 / max(steps, 1))
    sums = np.cumsum(frequencies / frequencies.sum())
    value = judge()
    for made in range(0, steps, _BLOCK):
        block = min(_BLOCK, steps - made)
        random_numbers = chances(f"{seed}/{made}", 4 * block).reshape(4, block)
        firsts, seconds = (random_numbers[:2] * len(board)).astype(np.int64).tolist()
        letters = np.searchsorted(sums[:-1], random_numbers[1], side="right").tolist()
        swaps = (random_numbers[2] < 0.5).tolist()
        changes = zip(firsts, seconds, letters, swaps, random_numbers[3].tolist(), strict=True)
        for step, (first, second, letter, swap, luck) in enumerate(changes):
            if stop():
                return made + step
            temperature *= cooling
            before = int(board[first])
            after = int(board[second]) if swap else letter
            if after == before:
                continue
            board[first] = after
            if swap:
                board[second] = before
            new_value = judge()
            if new_value >= value or luck < exp((new_value - value) / temperature):
                value = new_value
                record.offer(new_value, board)
            else:
                board[first] = before
                if swap:
                    board[second] = after
    return steps


class _Record:
    """The best board so far, excluding known firsts."""

    def __init__(self, width: int, height: int, known: Collection[bytes]) -> None:
        self.board: NDArray[np.uint8]
        """In canonical form."""
        self._value = -1
        self._size = (width, height)
        self._known = known

    def offer(self, value: int, board: NDArray[np.uint8]) -> None:
        """Keep ``board`` if it is better. The first board is kept even if it is known."""
        if value > self._value:
            form = canonical(board, *self._size)
            is_known = form.tobytes() in self._known
            if not is_known or self._value < 0:
                self.board = form
                self._value = 0 if is_known else value


class _Judge:
    """Evaluates ``board``, a writable array, in points or words.

    Evaluations are cached: a cool run proposes the same boards again and again.
    """

    def __init__(self, solver: Solver, width: int, height: int, aim: Aim) -> None:
        boards = np.zeros((1, width * height), np.uint8)
        self.board: Final = boards[0]
        self.points_each: Final = POINTS_TO_WORDS if aim == "words" else 1.0
        """Points per unit of the objective."""
        self._points = aim == "points"
        self._totals = np.empty(1, np.int64)
        self._known: dict[bytes, int] = {}
        workspace = solver.workspace
        self._arguments = (
            solver.nodes,
            grid(height, width).near,
            boards,
            solver.word_values,
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
