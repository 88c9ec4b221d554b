"""Search for the richest boards: simulated annealing with the solver as objective.

S. Kirkpatrick, C. Gelatt and M. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983. A run
starts from the best of some TRIP boards. Each step swaps two cells or redraws one letter, richer boards
with higher probability; see :mod:`app.games.boggle.climb_kernels`. The temperature falls geometrically.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.boggle.climb_kernels import CHANCES, REMEMBERED, anneal
from app.games.boggle.generators import generate
from app.games.boggle.kernels import ONE_WORD
from app.games.boggle.letter_statistics import statistics_of
from app.games.boggle.solver import Solver
from app.games.boggle.symmetry import canonical
from app.games.grid import Grid, grid
from app.games.randomness import chances
from app.words.trie import ALPHABET_SIZE

Aim: TypeAlias = Literal["points", "words"]

POINTS_TO_WORDS: Final = 4.5
"""Temperatures are divided by this when maximising words; rich boards have 3 to 4.5 points a word."""
MOST_FIRST_BOARDS: Final = 100
SWAPS: Final = 0.5
"""The share of steps that swap two cells."""
_BATCH: Final = 256
"""Steps per batch of random numbers."""
_STEPS_AT_ONCE: Final = 8192
"""Divided by the square of the number of cells: steps between two checks of the clock, about 1 ms."""


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

    Tuned for points with ENABLE2K on 4x4 (80 to 25 points, 20,000 steps) and 5x5 (180 to 70, 60,000); other
    sizes follow the power law through these two.
    """
    small, large = Schedule(80, 25, 20_000), Schedule(180, 70, 60_000)
    size = log(cells / 16) / log(25 / 16)
    hot, cold, evaluations = (low * (high / low) ** size for low, high in zip(small, large, strict=True))
    return Schedule(hot, cold, max(1_000, min(round(evaluations), 2_000_000)))


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
    shape = grid(height, width)
    total = schedule(shape.cells).evaluations if evaluations is None else evaluations
    if total < 1:
        raise ValueError(f"{total} evaluations: a run takes at least 1")
    statistics = statistics_of(solver.lexicon)
    drawn = generate("trip", width, height, min(max(total // 4, 1), MOST_FIRST_BOARDS), seed, statistics)
    record = _Record(width, height, known)
    values: list[int] = []
    while not values or (len(values) < len(drawn) and not stop()):
        words, points = solver.score(drawn[len(values) : len(values) + 1], width, height)
        values.append(int((words if aim == "words" else points)[0]))
        record.offer(values[-1], drawn[len(values) - 1])
    best = int(np.argmax(values))
    steps = total - len(drawn)
    made = _Annealing(solver, shape, aim, f"{seed}/steps", drawn[best], values[best]).run(record, steps, stop)
    words, points = solver.score(record.board.reshape(1, -1), width, height)
    return Climbed(
        record.board, int(words[0]), int(points[0]), evaluations=len(values) + made, complete=made == steps
    )


class _Record:
    """The best board so far that is not among the ``known`` ones."""

    def __init__(self, width: int, height: int, known: Collection[bytes]) -> None:
        self.board: NDArray[np.uint8]
        """In canonical form."""
        self.value = -1
        self._size = (width, height)
        self._known = known

    def offer(self, value: int, board: NDArray[np.uint8]) -> None:
        """Keep ``board`` if it is better. The first board is kept even if it is known."""
        if value > self.value:
            form = canonical(board, *self._size)
            is_known = form.tobytes() in self._known
            if not is_known or self.value < 0:
                self.board = form
                self.value = 0 if is_known else value


class _Annealing:
    """One run of simulated annealing from ``board`` of this ``value``."""

    def __init__(
        self, solver: Solver, shape: Grid, aim: Aim, seed: str, board: NDArray[np.uint8], value: int
    ) -> None:
        self._solver = solver
        self._masks = shape.masks
        self._in_words = aim == "words"
        self._seed = seed
        self._board = board.copy()
        self._value = value
        keys = chances(f"{seed}/keys", shape.cells * (ALPHABET_SIZE + 1)) * 2.0**53
        self._keys = keys.astype(np.int64).reshape(shape.cells, -1)
        self._cache = np.zeros((REMEMBERED, ALPHABET_SIZE + 1), np.int64)

    def run(self, record: _Record, steps: int, stop: Callable[[], bool]) -> int:
        """Make ``steps`` steps unless stopped, and return their number; offer better boards to ``record``."""
        cells = len(self._board)
        plan = schedule(cells)
        hot = plan.hot / (POINTS_TO_WORDS if self._in_words else 1.0)
        cooling = (plan.cold / plan.hot) ** (1 / max(steps, 1))
        at_once = max(_STEPS_AT_ONCE // cells**2, 1) if anneal.ready else 1
        batch = np.empty((0, CHANCES))
        made = 0
        while made < steps and not stop():
            if made % _BATCH == 0:
                batch = chances(f"{self._seed}/{made}", _BATCH * CHANCES).reshape(_BATCH, CHANCES)
            first = made % _BATCH
            rows = batch[first : first + min(at_once, steps - made)]
            made += self._step(rows, hot * cooling**made, cooling, record.value)
            record.offer(self._value, self._board)
        return made

    def _step(self, rows: NDArray[np.float64], temperature: float, cooling: float, record: int) -> int:
        workspace = self._solver.workspace
        result = np.empty(1, np.int64)
        made = anneal(
            self._solver.nodes,
            self._masks,
            self._board,
            self._solver.word_values,
            ONE_WORD if self._in_words else 1,
            temperature,
            cooling,
            SWAPS,
            rows,
            self._value,
            record,
            workspace.stamps,
            workspace.marks,
            workspace.scratch,
            workspace.bath,
            self._keys,
            self._cache,
            result,
        )
        self._value = int(result[0])
        return made
