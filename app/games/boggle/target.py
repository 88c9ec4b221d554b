"""Boards made to measure, as a puzzle maker wants them.

A search starts from boards of several generators with the wanted word laid somewhere on each, and goes on
from the one that misses least: whatever change of one or two cells misses no more than before is kept.
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
from app.games.boggle.solver import Solver
from app.games.boggle.statistics import statistics_of
from app.games.game import Frozen
from app.games.grid import Grid, grid
from app.games.randomness import chances, generator, shuffled
from app.words.lexicon import Lexicon
from app.words.vocabulary import allowed_words

COMMON: Final = "common"
"""The level of vocabulary whose words count as common."""
SOURCES: Final = ("rnd", "freq", "greedy-cad", "trip")
"""Generators that are poor, fair and rich, so that one of them is near to whatever is wanted."""
EVALUATIONS: Final = 50_000
"""Boards looked at before the search gives up."""
_FROM_EACH: Final = 16
_BATCH: Final = 16
_PATIENCE: Final = 200
"""Batches without progress after which the search starts anew."""
_OFFENCE: Final = 10.0
"""What an offensive word weighs beside missing a number by all of it."""
_MOST_STEPS: Final = 100_000
"""Cells tried while a word is laid."""


class CannotHide(ValueError):
    """The wanted word cannot be on such a board; the text says why."""


MOST: Final = 10_000_000
"""More words or points than any board has; what is counted fits into 32 bits."""


class Target(Frozen):
    """What a board must be like."""

    min_words: Annotated[int, Field(ge=0, le=MOST)] = 0
    max_words: Annotated[int, Field(ge=0, le=MOST)] | None = None
    min_points: Annotated[int, Field(ge=0, le=MOST)] = 0
    max_points: Annotated[int, Field(ge=0, le=MOST)] | None = None
    common: Annotated[int, Field(ge=0, le=MOST)] = 0
    """How many words of the level ``common`` there must be at least."""
    word: Annotated[str, Field(max_length=128)] = ""
    """A word that can be traced on the board, of the lexicon or not."""
    family: bool = True
    """Whether the board must be free of offensive words."""

    @field_validator("word")
    @classmethod
    def _is_letters(cls, word: str) -> str:
        word = word.strip().lower()
        if word and not (word.isascii() and word.isalpha() and len(word) > 1):
            raise ValueError(f"{word!r} cannot be hidden: a word is two or more letters a to z")
        return word

    @model_validator(mode="after")
    def _has_room(self) -> "Target":
        for least, most, what in (
            (self.min_words, self.max_words, "words"),
            (self.min_points, self.max_points, "points"),
        ):
            if most is not None and most < least:
                raise ValueError(f"{least} to {most} {what}: the least is more than the most")
        return self


class Hit(NamedTuple):
    """What a search came to."""

    board: NDArray[np.uint8]
    """(cells,): letters as numbers, 0 = a."""
    words: int
    points: int
    met: bool
    """Whether the board is all that was asked for; else it is the nearest that was seen."""


class Targeting:
    """Searches for boards on which the words of one solver are as wanted."""

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
        """A board that meets ``target``, or the nearest that so many evaluations found.

        The same arguments give the same board unless ``stop`` says that time is up. Raises ValueError for
        sides out of range, and CannotHide for a word that is too long for the board, offensive on a board
        that must not be, or with a q that no ``Qu`` face can stand for.
        """
        shape = grid(height, width)
        word = self._in_cells(target, shape)
        nearest: Hit | None = None
        least = np.inf
        seen = attempt = 0
        while nearest is None or not (nearest.met or seen >= evaluations or stop()):
            for miss, hit, looked_at in self._attempt(shape, f"{seed}/{attempt}", target, word):
                seen += looked_at
                if miss < least:
                    least, nearest = miss, hit
                if hit.met or seen >= evaluations or stop():
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
        waited = batch = 0
        while waited < _PATIENCE:
            batch += 1
            boards = _varied(hit.board, free_cells, statistics.letters, f"{seed}/{batch}")
            miss, candidate = self._nearest(boards, shape, target)
            waited = 0 if miss < least else waited + 1
            if miss <= least:
                least, hit = miss, candidate
            yield least, hit, len(boards)

    def _nearest(self, boards: Boards, shape: Grid, target: Target) -> tuple[float, Hit]:
        """The board of those that misses the target least, and by how much: 0 is a hit."""
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
        """A solver for those words of the lexicon alone; None if there is none."""
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
    """The search for boards on which the words of ``solver`` are as wanted, made once."""
    return Targeting(solver)


def hidden_path(shape: Grid, length: int, random: Random) -> list[int]:
    """So many different cells at random, each touching the one before.

    Depth first, from cells in random order; a search that has gone astray is begun again.
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
    """A batch of boards that differ from ``board`` in one free cell, or by two swapped."""
    given = chances(seed, 4 * _BATCH).reshape(4, _BATCH)
    each = np.arange(_BATCH)
    one, other = free[(given[:2] * len(free)).astype(np.int64)]
    boards = np.repeat(board.reshape(1, -1), _BATCH, axis=0)
    sums = np.cumsum(letters)
    fresh = np.searchsorted(sums[:-1], given[2] * sums[-1], side="right")
    swaps = given[3] < 0.5
    boards[each, one] = np.where(swaps, board[other], fresh)
    boards[each[swaps], other[swaps]] = board[one[swaps]]
    return boards
