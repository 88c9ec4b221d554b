"""The seed's experiment: what an algorithm's boards hold on average, counted its way and counted properly.

The seed counts every path that spells a word of two letters or more, in words and in points; the game counts
a word of three letters or more once. Boards are made in chunks that know nothing of each other, so that any
number of processes can share the work, and the same seed gives the same boards however it is shared.
"""

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.boggle.climb import climb
from app.games.boggle.generators import ALGORITHMS, SEED_CELLS, Boards, Options, best_vowels, generate
from app.games.boggle.solver import Solver
from app.games.boggle.statistics import statistics_of
from app.words.lexicon import Lexicon

STUDIED: Final = (*ALGORITHMS, "climb")
"""What can be averaged; a target's boards are what the caller asks for."""
CLIMB_EVALUATIONS: Final = 150
"""Steps of each climb: some five milliseconds on 4x4."""
CLIMBS: Final = 100
"""A climb takes so many times as long as a board drawn, and is studied on so many times fewer boards."""
CHUNK: Final = 2_000
MEASURES: Final = ("path_words", "path_points", "words", "points")
BIN: Final = 50
"""Points in one bar of a distribution."""
BINS: Final = 120


TUNED: Final = {"vowels": "7freq", "seeds": "adj"}
"""The options that the published study tuned, each with its algorithm."""


class Chunk(NamedTuple):
    """Boards to be made and measured at once."""

    algorithm: str
    width: int
    height: int
    boards: int
    seed: str
    options: Options = Options()


class Tuning(NamedTuple):
    """An experiment: the algorithm of one of TUNED with its option at each of these values."""

    option: str
    values: tuple[int, ...]

    @property
    def algorithm(self) -> str:
        """The algorithm that takes the option."""
        return TUNED[self.option]

    def options(self) -> Iterator[tuple[int, Options]]:
        """Each value, and the algorithm's options with it."""
        for value in self.values:
            yield value, Options.model_validate({self.option: value})


class Tally(NamedTuple):
    """What the boards of some chunks add up to."""

    boards: int
    sums: NDArray[np.float64]
    """(4,): of each of MEASURES."""
    squares: NDArray[np.float64]
    distribution: NDArray[np.int64]
    """(BINS,): boards by points, distinct words of three letters or more; the last bar has what is beyond."""
    seconds: float
    """Spent on making the boards."""

    @property
    def means(self) -> dict[str, float]:
        """The average of each measure."""
        return dict(zip(MEASURES, (self.sums / self.boards).tolist(), strict=True))

    @property
    def errors(self) -> dict[str, float]:
        """The standard error of each average."""
        variance = np.maximum(self.squares / self.boards - (self.sums / self.boards) ** 2, 0)
        return dict(zip(MEASURES, (np.sqrt(variance) / sqrt(max(self.boards - 1, 1))).tolist(), strict=True))

    @property
    def microseconds(self) -> float:
        """To make a board."""
        return 1e6 * self.seconds / self.boards


class StudyRunner:
    """Measures boards over one lexicon; ``clock`` gives seconds."""

    def __init__(self, lexicon: Lexicon, clock: Callable[[], float]) -> None:
        self._seeds_way: Final = Solver(lexicon, min_length=2)
        self._properly: Final = Solver(lexicon, min_length=3)
        self._clock: Final = clock
        statistics_of(lexicon)

    def measure(self, chunk: Chunk) -> Tally:
        """Make the boards of a chunk and count what they hold."""
        width, height = chunk.width, chunk.height
        options = chunk.options
        if chunk.algorithm == "7freq" and options.vowels is None and width * height != SEED_CELLS:
            options = Options(vowels=best_vowels(self._properly, width, height))
        began = self._clock()
        boards = self._made(chunk, options)
        seconds = self._clock() - began
        counted = np.array(
            [
                *self._seeds_way.score(boards, width, height, every_path=True),
                *self._properly.score(boards, width, height),
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

    def _made(self, chunk: Chunk, options: Options) -> Boards:
        if chunk.algorithm != "climb":
            statistics = statistics_of(self._properly.lexicon)
            return generate(
                chunk.algorithm, chunk.width, chunk.height, chunk.boards, chunk.seed, statistics, options
            )
        return np.array(
            [
                climb(
                    self._properly,
                    chunk.width,
                    chunk.height,
                    f"{chunk.seed}/{run}",
                    evaluations=CLIMB_EVALUATIONS,
                ).board
                for run in range(chunk.boards)
            ]
        )


def chunks(algorithms: Sequence[str], boards: int, width: int, height: int, seed: str) -> Iterator[Chunk]:
    """The work of a study of so many boards for each algorithm, of climbs some hundred times fewer."""
    for name in algorithms:
        left = max(boards // CLIMBS, 1) if name == "climb" else boards
        size = CHUNK // CLIMBS if name == "climb" else CHUNK
        number = 0
        while left > 0:
            yield Chunk(name, width, height, min(size, left), f"{seed}/{name}/{number}")
            left -= size
            number += 1


def tuning_chunks(tuning: Tuning, boards: int, width: int, height: int, seed: str) -> Iterator[Chunk]:
    """The work of an experiment, on the same random numbers for each value."""
    for _, options in tuning.options():
        for chunk in chunks([tuning.algorithm], boards, width, height, seed):
            yield chunk._replace(options=options)


def added_up(tallies: Sequence[Tally]) -> Tally:
    """All of them together; there is at least one."""
    return Tally(*(sum(parts) for parts in zip(*tallies, strict=True)))
