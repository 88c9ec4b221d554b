"""Search for boards that meet a target, for puzzle makers.

Hill climbing: starts from boards of several generators, with the wanted word placed at random on each, and
continues from the nearest. Any change of one or two cells that is at least as near is accepted.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import Annotated, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator, model_validator

from app.games.boggle.climb import never
from app.games.boggle.generators import Boards, generate
from app.games.boggle.letter_statistics import statistics_of
from app.games.boggle.solver import Solver
from app.games.game import Frozen
from app.games.grid import Grid, grid
from app.games.randomness import chances, generator, shuffled
from app.validation import field_fault
from app.words.lexicon import Lexicon
from app.words.vocabulary import allowed_words

COMMON: Final = "common"
"""The vocabulary level that counts as common."""
SOURCES: Final = ("rnd", "freq", "greedy-cad", "trip")
"""A range of generators from poor to rich, so that one of them comes near any target."""
EVALUATIONS: Final = 50_000
"""The default number of boards evaluated before the search gives up."""
_FROM_EACH: Final = 16
_BATCH: Final = 16
_PATIENCE: Final = 200
"""Batches without progress before a restart."""
_OFFENCE: Final = 10.0
"""The penalty per offensive word; missing a number completely costs 1."""
_MOST_STEPS: Final = 100_000
"""Cells tried while placing a word, before a restart."""


class CannotHide(ValueError):
    """The wanted word cannot be on such a board; the message says why."""


MOST: Final = 10_000_000
"""Above any board's words or points; counts fit in 32 bits."""


class Target(Frozen):
    """The required properties of a board."""

    min_words: Annotated[int, Field(ge=0, le=MOST)] = 0
    max_words: Annotated[int, Field(ge=0, le=MOST)] | None = None
    min_points: Annotated[int, Field(ge=0, le=MOST)] = 0
    max_points: Annotated[int, Field(ge=0, le=MOST)] | None = None
    common: Annotated[int, Field(ge=0, le=MOST)] = 0
    """The minimum number of words of the level ``common``."""
    word: Annotated[str, Field(max_length=128)] = ""
    """A word that must be on the board; it need not be in the lexicon."""
    family: bool = True
    """Whether the board must contain no offensive words."""

    @field_validator("word")
    @classmethod
    def _is_letters(cls, word: str) -> str:
        word = word.strip().lower()
        if word and not (word.isascii() and word.isalpha() and len(word) > 1):
            raise ValueError(f"{word!r} cannot be hidden: a word is two or more letters a to z")
        return word

    @model_validator(mode="after")
    def _has_room(self) -> "Target":
        for least, most, name in (
            (self.min_words, self.max_words, "words"),
            (self.min_points, self.max_points, "points"),
        ):
            if most is not None and most < least:
                raise field_fault(
                    f"max_{name}", f"{least} to {most} {name}: the minimum is above the maximum"
                )
        return self


class Hit(NamedTuple):
    """The result of a search."""

    board: NDArray[np.uint8]
    """(cells,): letters as numbers, 0 = a."""
    words: int
    points: int
    met: bool
    """Whether the board meets the target; otherwise it is the nearest found."""


class Targeting:
    """Searches for boards that meet a target for one solver's words."""

    def __init__(self, solver: Solver) -> None:
        self.solver: Final = solver
        lexicon = solver.lexicon
        self._offensive = self._only(lexicon.family == 0)
        self._common = self._only(allowed_words(lexicon, COMMON).view(np.bool_))

    def search(
        self,
        width: int,
        height: int,
        seed: str,
        target: Target,
        *,
        evaluations: int = EVALUATIONS,
        stop: Callable[[], bool] = never,
    ) -> Hit:
        """Return a board that meets ``target``, or the nearest found within ``evaluations``.

        Deterministic unless ``stop`` returns true (time is up). Raises ValueError for sides out of range, and
        CannotHide for a word that is too long for the board, offensive on a family board, or has a q without
        u on a ``Qu`` board.
        """
        shape = grid(height, width)
        word = self._in_cells(target, shape)
        nearest: Hit | None = None
        least = np.inf
        total = attempt = 0
        while nearest is None or not (nearest.met or total >= evaluations or stop()):
            for miss, hit, evaluated in self._attempt(shape, f"{seed}/{attempt}", target, word):
                total += evaluated
                if miss < least:
                    least, nearest = miss, hit
                if hit.met or total >= evaluations or stop():
                    break
            attempt += 1
        return nearest

    def _attempt(
        self, shape: Grid, seed: str, target: Target, word: NDArray[np.uint8]
    ) -> Iterator[tuple[float, Hit, int]]:
        statistics = statistics_of(self.solver.lexicon)
        width, height = shape.columns, shape.rows
        random = generator(seed, 0)
        boards = np.concatenate(
            [generate(name, width, height, _FROM_EACH, seed, statistics) for name in SOURCES]
        )
        free = np.ones(shape.cells, bool)
        if len(word):
            path = hidden_path(shape, len(word), random)
            free[path] = False
            boards[:, path] = word
        free_cells = np.flatnonzero(free)

        least, hit = self._nearest(boards, shape, target)
        yield least, hit, len(boards)
        if not len(free_cells):
            return
        without_progress = batch = 0
        while without_progress < _PATIENCE:
            batch += 1
            boards = _varied(hit.board, free_cells, statistics.letters, f"{seed}/{batch}")
            miss, candidate = self._nearest(boards, shape, target)
            without_progress = 0 if miss < least else without_progress + 1
            if miss <= least:
                least, hit = miss, candidate
            yield least, hit, len(boards)

    def _nearest(self, boards: Boards, shape: Grid, target: Target) -> tuple[float, Hit]:
        """Return the board nearest to the target, and its distance; 0 meets the target."""
        words, points = self.solver.score(boards, shape.columns, shape.rows)
        misses = np.zeros(len(boards))
        for found, least, most in (
            (words, target.min_words, target.max_words),
            (points, target.min_points, target.max_points),
        ):
            misses += np.maximum(least - found, 0) / max(least, 1)
            if most is not None:
                misses += np.maximum(found - most, 0) / max(most, 1)
        if target.common:
            common = self._count(self._common, boards, shape)
            misses += np.maximum(target.common - common, 0) / target.common
        if target.family:
            misses += _OFFENCE * self._count(self._offensive, boards, shape)
        best = int(misses.argmin())
        hit = Hit(boards[best], int(words[best]), int(points[best]), met=bool(misses[best] == 0))
        return float(misses[best]), hit

    def _count(self, solver: Solver | None, boards: Boards, shape: Grid) -> NDArray[np.int32]:
        if solver is None:
            return np.zeros(len(boards), np.int32)
        return solver.score(boards, shape.columns, shape.rows)[0]

    def _only(self, wanted: NDArray[np.bool_]) -> Solver | None:
        """Return a solver for only these words of the lexicon; None without any words."""
        lexicon = self.solver.lexicon
        words = [lexicon[index] for index in np.flatnonzero(wanted).tolist()]
        if not words:
            return None
        return Solver(Lexicon.from_words(words, lexicon.name), self.solver.min_length, self.solver.qu)

    def _in_cells(self, target: Target, shape: Grid) -> NDArray[np.uint8]:
        word = target.word
        index = self.solver.lexicon.index(word) if word else None
        if target.family and index is not None and not self.solver.lexicon.family[index]:
            raise CannotHide(f"{word!r} is offensive: it can be hidden where family is off")
        if self.solver.qu:
            if word.count("q") != word.count("qu"):
                raise CannotHide(f"{word!r} cannot be hidden where every q is a Qu face")
            word = word.replace("qu", "q")
        if len(word) > shape.cells:
            raise CannotHide(f"{word!r} takes {len(word)} cells: the board has {shape.cells}")
        return np.frombuffer(word.encode("ascii"), np.uint8) - np.uint8(ord("a"))


@lru_cache(maxsize=8)
def targeting(solver: Solver) -> Targeting:
    """Return the target search for ``solver``; cached."""
    return Targeting(solver)


def hidden_path(shape: Grid, length: int, random: Random) -> list[int]:
    """Return a random path of ``length`` distinct adjacent cells.

    Depth-first search in random order, restarted if it takes too long.
    """
    while True:
        pending = [shuffled(random, range(shape.cells))]
        path: list[int] = []
        for _ in range(_MOST_STEPS):
            if len(path) == length:
                return path
            if pending[-1]:
                cell = pending[-1].pop()
                path.append(cell)
                pending.append(
                    [other for other in shuffled(random, shape.neighbours[cell]) if other not in path]
                )
            else:
                pending.pop()
                path.pop()


def _varied(
    board: NDArray[np.uint8], free: NDArray[np.int64], letters: NDArray[np.float64], seed: str
) -> Boards:
    """Return a batch of variants of ``board``: one free cell redrawn, or two swapped."""
    random_numbers = chances(seed, 4 * _BATCH).reshape(4, _BATCH)
    index = np.arange(_BATCH)
    first, second = free[(random_numbers[:2] * len(free)).astype(np.int64)]
    boards = np.repeat(board.reshape(1, -1), _BATCH, axis=0)
    sums = np.cumsum(letters)
    redrawn = np.searchsorted(sums[:-1], random_numbers[2] * sums[-1], side="right")
    swaps = random_numbers[3] < 0.5
    boards[index, first] = np.where(swaps, board[second], redrawn)
    boards[index[swaps], second[swaps]] = board[first[swaps]]
    return boards
