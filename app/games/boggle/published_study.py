"""The published study repeated: average words and points of each algorithm's boards, counted in two ways.

Random_genesis ("Boggle-like" matrices) counts every path of a word of two letters or more; the game counts
each word of three letters or more once. Boards are made in independent chunks, so that any number of
processes can share the work with the same result.
"""

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.boggle.climb import climb
from app.games.boggle.generators import ALGORITHMS, PUBLISHED_CELLS, Boards, Options, best_vowels, generate
from app.games.boggle.letter_statistics import statistics_of
from app.games.boggle.solver import Solver
from app.words.lexicon import Lexicon

STUDIED: Final = (*ALGORITHMS, "climb")
"""The algorithms that can be averaged; a target's boards depend on the caller."""
CLIMB_EVALUATIONS: Final = 150
"""Steps of each climb: some ten milliseconds on 4x4."""
CLIMBS: Final = 100
"""The cost of a climb relative to a drawn board; that many fewer boards are studied."""
CHUNK: Final = 2_000
MEASURES: Final = ("path_words", "path_points", "words", "points")
BIN: Final = 50
"""Points per bar of a distribution."""
BINS: Final = 120


TUNED: Final = {"vowels": "7freq", "seeds": "adj"}
"""The options tuned in the published study, each with its algorithm."""


class Chunk(NamedTuple):
    """A batch of boards to make and measure."""

    algorithm: str
    width: int
    height: int
    boards: int
    seed: str
    options: Options = Options()


class Tuning(NamedTuple):
    """An experiment: one of the TUNED options at each of these values."""

    option: str
    values: tuple[int, ...]

    @property
    def algorithm(self) -> str:
        """The algorithm that has the option."""
        return TUNED[self.option]

    def options(self) -> Iterator[tuple[int, Options]]:
        """Yield each value with the algorithm's options."""
        for value in self.values:
            yield value, Options.model_validate({self.option: value})


class Tally(NamedTuple):
    """Accumulated measurements of some chunks."""

    boards: int
    sums: NDArray[np.float64]
    """(4,): the sum of each of MEASURES."""
    squares: NDArray[np.float64]
    distribution: NDArray[np.int64]
    """(BINS,): boards by points, for distinct words of three letters or more; the last bin is open-ended."""
    seconds: float
    """Time spent making the boards."""

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure."""
        return dict(zip(MEASURES, (self.sums / self.boards).tolist(), strict=True))

    @property
    def errors(self) -> dict[str, float]:
        """The standard error of each mean."""
        variance = np.maximum(self.squares / self.boards - (self.sums / self.boards) ** 2, 0)
        return dict(zip(MEASURES, (np.sqrt(variance) / sqrt(max(self.boards - 1, 1))).tolist(), strict=True))

    @property
    def microseconds(self) -> float:
        """Time per board."""
        return 1e6 * self.seconds / self.boards


class StudyRunner:
    """Measures boards over one lexicon; ``clock`` returns seconds."""

    def __init__(self, lexicon: Lexicon, clock: Callable[[], float]) -> None:
        self._path_solver: Final = Solver(lexicon, min_length=2)
        self._word_solver: Final = Solver(lexicon, min_length=3)
        self._clock: Final = clock
        statistics_of(lexicon)

    def measure(self, chunk: Chunk) -> Tally:
        """Make the boards of a chunk and measure them."""
        width, height = chunk.width, chunk.height
        options = chunk.options
        if chunk.algorithm == "7freq" and options.vowels is None and width * height != PUBLISHED_CELLS:
            options = Options(vowels=best_vowels(self._word_solver, width, height))
        began = self._clock()
        boards = self._make(chunk, options)
        seconds = self._clock() - began
        counted = np.array(
            [
                *self._path_solver.score(boards, width, height, every_path=True),
                *self._word_solver.score(boards, width, height),
            ],
            np.float64,
        )
        bars = np.minimum(counted[3].astype(np.int64) // BIN, BINS - 1)
        return Tally(
            len(boards),
            counted.sum(axis=1),
            (counted**2).sum(axis=1),
            np.bincount(bars, minlength=BINS),
            seconds,
        )

    def _make(self, chunk: Chunk, options: Options) -> Boards:
        if chunk.algorithm != "climb":
            statistics = statistics_of(self._word_solver.lexicon)
            return generate(
                chunk.algorithm, chunk.width, chunk.height, chunk.boards, chunk.seed, statistics, options
            )
        return np.array(
            [
                climb(
                    self._word_solver,
                    chunk.width,
                    chunk.height,
                    f"{chunk.seed}/{run}",
                    evaluations=CLIMB_EVALUATIONS,
                ).board
                for run in range(chunk.boards)
            ]
        )


def chunks(algorithms: Sequence[str], boards: int, width: int, height: int, seed: str) -> Iterator[Chunk]:
    """Yield the chunks of a study of this many boards per algorithm; fewer for climbs, by CLIMBS."""
    for name in algorithms:
        left = max(boards // CLIMBS, 1) if name == "climb" else boards
        size = CHUNK // CLIMBS if name == "climb" else CHUNK
        number = 0
        while left > 0:
            yield Chunk(name, width, height, min(size, left), f"{seed}/{name}/{number}")
            left -= size
            number += 1


def tuning_chunks(tuning: Tuning, boards: int, width: int, height: int, seed: str) -> Iterator[Chunk]:
    """Yield the chunks of an experiment, with the same random numbers for each value."""
    for _, options in tuning.options():
        for chunk in chunks([tuning.algorithm], boards, width, height, seed):
            yield chunk._replace(options=options)


def added_up(tallies: Sequence[Tally]) -> Tally:
    """Return the sum of the tallies; there is at least one."""
    return Tally(*(sum(parts) for parts in zip(*tallies, strict=True)))
