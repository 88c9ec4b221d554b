"""Board generators: the nine published algorithms by their original names, TRIP, and dice.

The nine are from Random_genesis, "Boggle-like" matrices ("Matrix generation", 2018). All algorithms here know
the lexicon only by its statistics; ``climb.py`` and ``target.py`` search with the solver.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from app.games.boggle.dice import FACES, dice
from app.games.boggle.generator_kernels import fill_by_mark, fill_combined, fill_with_triplets
from app.games.boggle.letter_statistics import CONSONANTS, VOWELS, Statistics, statistics_of
from app.games.boggle.solver import Solver
from app.games.game import Frozen
from app.games.grid import Grid, grid
from app.games.randomness import chances

Boards = NDArray[np.uint8]
"""(n, cells): letters as numbers, 0 = a, row by row."""

PUBLISHED_VOWELS: Final = 7
PUBLISHED_CELLS: Final = 16
"""The board size for which 7FREQ was published."""
PUBLISHED_DECAY: Final = 0.8
TRIP_DECAY: Final = 0.001
TRIP_SHARPNESS: Final = 2.0
TRIPLETS_TO_PAIRS: Final = 0.3
"""The exponent of triplet counts relative to pair counts: a cell has several times as many triplets."""
_BOARDS_TO_COMPARE: Final = 400


class Options(Frozen):
    """Parameters of the algorithms; each accepts those listed in its Algorithm."""

    vowels: Annotated[int, Field(ge=0, le=64)] | None = None
    """7FREQ: the number of vowels; by default 7 of 16 cells, in proportion (but see best_vowels)."""
    seeds: Annotated[int, Field(ge=1, le=64)] = 1
    """ADJ: the number of initial random letters."""
    decay: Annotated[float, Field(ge=0, le=1)] | None = None
    """greedy-dCAD and TRIP: the factor by which a letter's weight is multiplied each time it is used."""
    sharpness: Annotated[float, Field(ge=0, le=4)] | None = None
    """CAD and variants: the exponent applied to counts; 1 in the published algorithm."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The arguments of a generator."""

    grid: Grid
    count: int
    seed: str
    statistics: Statistics
    options: Options

    def chances(self, size: int) -> NDArray[np.float64]:
        """(count, size): random numbers in [0, 1), ``size`` per board."""
        return chances(self.seed, self.count * size).reshape(self.count, size)


def generate(
    name: str,
    width: int,
    height: int,
    count: int,
    seed: str,
    statistics: Statistics,
    options: Options | None = None,
) -> Boards:
    """(count, width * height): boards drawn by the named algorithm, ``height`` rows of ``width``.

    Deterministic. Raises ValueError for an unknown name, for sides out of range and for options that exceed
    the number of cells.
    """
    if name not in ALGORITHMS:
        raise ValueError(f"{name!r} draws no boards; there are {', '.join(ALGORITHMS)}")
    shape = grid(height, width)
    options = options or Options()
    for wanted, option in ((options.vowels or 0, "vowels"), (options.seeds, "seeds")):
        if wanted > shape.cells:
            raise ValueError(f"{wanted} {option} on a board of {shape.cells} cells")
    return ALGORITHMS[name].draw(Draw(shape, count, seed, statistics, options))


def best_vowels(solver: Solver, width: int, height: int) -> int:
    """Return the number of vowels that gives nFREQ the most points on this size: 7 on 4x4, as published."""
    if width * height == PUBLISHED_CELLS:
        return PUBLISHED_VOWELS
    if (width, height) not in solver.best_vowels:
        solver.best_vowels[width, height] = _climbed_vowels(solver, width, height)
    return solver.best_vowels[width, height]


def _climbed_vowels(solver: Solver, width: int, height: int) -> int:
    """Hill climbing from the lexicon's share, on boards that differ in nothing else."""
    statistics = statistics_of(solver.lexicon)

    @lru_cache
    def points(vowels: int) -> int:
        boards = generate(
            "7freq", width, height, _BOARDS_TO_COMPARE, "vowels", statistics, Options(vowels=vowels)
        )
        return int(solver.score(boards, width, height)[1].sum(dtype=np.int64))

    best = round(statistics.vowel_share * width * height)
    while True:
        better = max(range(max(best - 1, 0), min(best + 1, width * height) + 1), key=points)
        if better == best:
            return best
        best = better


def _uniform(draw: Draw) -> Boards:
    return _roulette(np.ones(26), draw.chances(draw.grid.cells))


def _by_vowel_share(draw: Draw) -> Boards:
    cells = draw.grid.cells
    random_numbers = draw.chances(2 * cells)
    vowel = random_numbers[:, :cells] < draw.statistics.vowel_share
    which = random_numbers[:, cells:]
    return np.where(vowel, _one_of(VOWELS, which), _one_of(CONSONANTS, which))


def _by_frequency(draw: Draw) -> Boards:
    return _roulette(draw.statistics.letters, draw.chances(draw.grid.cells))


def _balanced(draw: Draw) -> Boards:
    """Choose a vowel whenever the share of vowels so far is not above the lexicon's."""
    is_vowel: list[bool] = []
    for placed in range(draw.grid.cells):
        is_vowel.append(sum(is_vowel) <= draw.statistics.vowel_share * placed)
    return _by_kind(draw, np.array(is_vowel))


def _constant_vowels(draw: Draw) -> Boards:
    cells = draw.grid.cells
    vowels = draw.options.vowels
    if vowels is None:
        vowels = round(cells * PUBLISHED_VOWELS / PUBLISHED_CELLS)
    return _by_kind(draw, np.arange(cells) < vowels)


def _by_mark(draw: Draw) -> Boards:
    boards = np.empty((draw.count, draw.grid.cells), np.uint8)
    statistics = draw.statistics
    fill_by_mark(
        statistics.letters,
        statistics.adjacency.reshape(-1),
        draw.grid.near,
        draw.options.seeds,
        draw.chances(2 * draw.grid.cells).reshape(-1),
        boards.reshape(-1),
    )
    return boards


def _combined(draw: Draw, *, greedy: bool, decay: float) -> Boards:
    boards = np.empty((draw.count, draw.grid.cells), np.uint8)
    options = draw.options
    fill_combined(
        draw.statistics.letters,
        _sharpened(draw.statistics.adjacency, 1.0 if options.sharpness is None else options.sharpness),
        draw.grid.near,
        greedy,
        decay,
        draw.chances(2 * draw.grid.cells).reshape(-1),
        boards.reshape(-1),
    )
    return boards


def _cad(draw: Draw) -> Boards:
    return _combined(draw, greedy=False, decay=1.0)


def _greedy_cad(draw: Draw) -> Boards:
    return _combined(draw, greedy=True, decay=1.0)


def _greedy_dcad(draw: Draw) -> Boards:
    decay = draw.options.decay
    return _combined(draw, greedy=True, decay=PUBLISHED_DECAY if decay is None else decay)


def _triplets(draw: Draw) -> Boards:
    boards = np.empty((draw.count, draw.grid.cells), np.uint8)
    options, statistics = draw.options, draw.statistics
    sharpness = TRIP_SHARPNESS if options.sharpness is None else options.sharpness
    triplets = statistics.triplets + 1  # smoothing: unseen triplets are unlikely, not impossible
    fill_with_triplets(
        statistics.letters,
        _sharpened(statistics.adjacency, sharpness),
        _sharpened(triplets, sharpness * TRIPLETS_TO_PAIRS),
        _sharpened(triplets.transpose(0, 2, 1), sharpness * TRIPLETS_TO_PAIRS),
        draw.grid.near,
        TRIP_DECAY if options.decay is None else options.decay,
        draw.chances(2 * draw.grid.cells).reshape(-1),
        boards.reshape(-1),
    )
    return boards


def _thrown(draw: Draw) -> Boards:
    cells = draw.grid.cells
    faces = dice(cells)
    random_numbers = draw.chances(len(faces) + cells)
    order = np.argsort(random_numbers[:, : len(faces)], axis=1, kind="stable")[:, :cells]
    face = (random_numbers[:, len(faces) :] * FACES).astype(np.int64)
    thrown: Boards = faces[order, face]
    return thrown


def _roulette(weights: NDArray[np.float64], random_numbers: NDArray[np.float64]) -> Boards:
    """Return a letter for each number in [0, 1), with probability proportional to its weight."""
    sums = np.cumsum(weights)
    drawn: NDArray[np.int64] = np.searchsorted(sums[:-1], random_numbers * sums[-1], side="right")
    return drawn.astype(np.uint8)


def _one_of(letters: NDArray[np.uint8], random_numbers: NDArray[np.float64]) -> Boards:
    """Return one of ``letters`` for each number in [0, 1), uniformly."""
    return letters[(random_numbers * len(letters)).astype(np.int64)]


def _by_kind(draw: Draw, is_vowel: NDArray[np.bool_]) -> Boards:
    """Return boards of vowels and consonants by frequency, as counted by ``is_vowel``, in random order."""
    random_numbers = draw.chances(2 * len(is_vowel))
    which, order = random_numbers[:, : len(is_vowel)], random_numbers[:, len(is_vowel) :]
    boards = np.empty((draw.count, len(is_vowel)), np.uint8)
    for kind, places in ((VOWELS, is_vowel), (CONSONANTS, ~is_vowel)):
        boards[:, places] = kind[_roulette(draw.statistics.letters[kind], which[:, places])]
    return np.take_along_axis(boards, np.argsort(order, axis=1), axis=1)


def _sharpened(table: NDArray[np.float64], power: float) -> NDArray[np.float64]:
    """Return the table flattened, raised to a power and scaled to mean 1, against overflow of products."""
    raised = table.reshape(-1) ** power
    return np.asarray(raised / (raised.mean() or 1.0))


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A board generator."""

    draw: Callable[[Draw], Boards]
    options: tuple[str, ...] = ()
    """The names of the options it accepts."""


ALGORITHMS: Final = {
    "rnd": Algorithm(_uniform),
    "vcr": Algorithm(_by_vowel_share),
    "freq": Algorithm(_by_frequency),
    "bfreq": Algorithm(_balanced),
    "7freq": Algorithm(_constant_vowels, ("vowels",)),
    "adj": Algorithm(_by_mark, ("seeds",)),
    "cad": Algorithm(_cad, ("sharpness",)),
    "greedy-cad": Algorithm(_greedy_cad, ("sharpness",)),
    "greedy-dcad": Algorithm(_greedy_dcad, ("decay", "sharpness")),
    "trip": Algorithm(_triplets, ("decay", "sharpness")),
    "dice": Algorithm(_thrown),
}
"""All generators: the published ones in their original order, then ours."""
