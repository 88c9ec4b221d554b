"""Planning over rounds: the value of gems, and the best word or shuffle in view of it.

The values are learned by self-play (``data/build/gem_values.py``) and shipped in
``data/wibble/gem-values.toml``. Where a shuffle may be better than the best word, the board is shuffled many
times to see what that brings.
"""

import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from app.games.game import Frozen
from app.games.randomness import generator
from app.games.wibble.board import mix
from app.games.wibble.bound_kernels import MOST_SWAPS
from app.games.wibble.modes import ModeRules
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import FoundWord, Solver
from app.games.wibble.state import Board
from app.resources import resource

UNLIKELY: Final = 10.0
"""A word better by this many points than a shuffle of a typical board is played without trying shuffles. In
190 positions of self-play no shuffle was the best choice then."""
BATCH: Final = 8
"""The number of shuffles tried before each comparison with the best word."""
SHUFFLES: Final = 32
"""The most shuffles tried. The estimate's standard error is then 1.5 points on average."""
CERTAIN: Final = 2.5
"""No more shuffles are tried when their mean is this many standard errors from the best word."""


class GemTable(Frozen):
    """Learned values for a number of seats, indexed by round, from the first, then by gems held."""

    seats: int
    expected_points: tuple[tuple[float, ...], ...]
    """The mean points that a seat still scores, from the start of its turn in this round to the end."""
    shuffle_below: tuple[tuple[float, ...], ...]
    """A shuffle is better than a word of lower value than this; a value is the points now and later."""
    likeness: float
    """The slope of the regression of a board's value after a shuffle on its value before."""

    def later(self, rounds_left: int) -> tuple[float, ...]:
        """Return the mean points still to score by number of gems, with ``rounds_left`` rounds to begin."""
        points = self.expected_points
        return points[max(len(points) - rounds_left, 0)] if rounds_left else (0.0,)


class Position(NamedTuple):
    """A turn of one seat."""

    board: Board
    size: int
    round: int
    gems: int
    """Gems that the seat holds."""


class Plan(NamedTuple):
    """The best choice at a point of a turn."""

    word: FoundWord | None
    """The best word now; None if there is none."""
    shuffle: bool
    """Whether to shuffle rather than play it."""
    expected: float
    """The expected points from here to the end of the game, including this turn's."""


@cache
def gem_tables() -> tuple[GemTable, ...]:
    """Return the tables, by ascending number of seats."""
    table = tomllib.loads((resource("data") / "wibble" / "gem-values.toml").read_text(encoding="utf-8"))
    return TypeAdapter(tuple[GemTable, ...]).validate_python(table["tables"])


def gem_table(seats: int) -> GemTable:
    """Return the table for ``seats`` seats, or for the largest smaller number."""
    return [table for table in gem_tables() if table.seats <= max(seats, 1)][-1]


def points_later(mode: ModeRules, table: GemTable, round_: int, gems: int) -> float:
    """Return the expected points after a turn in ``round_`` that leaves ``gems`` gems.

    0 in modes without rounds or gems.
    """
    if not plans_ahead(mode) or mode.rounds is None:
        return 0.0
    later = table.later(mode.rounds - round_)
    return later[min(gems, len(later) - 1)]


def plans_ahead(mode: ModeRules) -> bool:
    """Whether the mode has gems to save over its rounds."""
    return mode.gems is not None and mode.rounds is not None


def affordable_swaps(mode: ModeRules, gems: int) -> int:
    """Return the number of swaps that ``gems`` gems pay for, up to three; 0 in modes without swaps."""
    cost = mode.costs.get("swap")
    return min(gems // cost, MOST_SWAPS) if cost else 0


def gem_rows(position: Position, mode: ModeRules, table: GemTable) -> list[list[int]]:
    """Return the expected later points, by the number of swaps made and of gems collected in this turn.

    In the form of ``Solver.best_by_value``: a row for every number of swaps that the gems held pay for.
    """
    most = mode.gems.most if mode.gems else 0
    cost = mode.costs.get("swap", 0)
    return [
        [
            round(
                points_later(
                    mode, table, position.round, min(position.gems - swapped * cost + gathered, most)
                )
            )
            for gathered in range(len(set(position.board.gems)) + 1)
        ]
        for swapped in range(affordable_swaps(mode, position.gems) + 1)
    ]


def plan(
    position: Position,
    solver: Solver,
    scoring: Scoring,
    mode: ModeRules,
    table: GemTable,
    allowed: NDArray[np.uint8] | None = None,
) -> Plan:
    """Return the best plan in the position: a word with its swaps, or a shuffle.

    The shuffles tried are determined by the position and are not those of the game.
    """
    word, expected = _best_word(position, solver, scoring, mode, table, allowed)
    price = mode.costs.get("shuffle")
    if not plans_ahead(mode) or mode.rounds is None or price is None or position.gems < price:
        return Plan(word, shuffle=False, expected=expected)
    row = table.shuffle_below[max(len(table.shuffle_below) - 1 - (mode.rounds - position.round), 0)]
    bar = row[min(position.gems, len(row) - 1)]
    if expected >= bar + table.likeness * (expected - bar) + UNLIKELY:
        return Plan(word, shuffle=False, expected=expected)
    left = position.gems - price
    start = table.later(mode.rounds - position.round + 1)
    values = [start[min(gems, len(start) - 1)] for gems in range(left, -1, -price)]

    def value_of(board: Board) -> float:
        shuffled = position._replace(board=board, gems=left)
        return _best_word(shuffled, solver, scoring, mode, table, allowed)[1]

    after = _after_shuffles(position, value_of, [more - fewer for more, fewer in pairwise(values)], expected)
    return Plan(word, shuffle=after > expected, expected=max(after, expected))


def _best_word(
    position: Position,
    solver: Solver,
    scoring: Scoring,
    mode: ModeRules,
    table: GemTable,
    allowed: NDArray[np.uint8] | None,
) -> tuple[FoundWord | None, float]:
    """Return the best word, None if there is none, and the expected points with it, or with a pass."""
    board, size, round_, gems = position
    word = solver.best_by_value(board, size, scoring, gem_rows(position, mode, table), allowed)
    if word:
        most = mode.gems.most if mode.gems else 0
        gems = min(gems - len(word.swaps) * mode.costs.get("swap", 0) + word.gems, most)
    return word, (word.points if word else 0) + points_later(mode, table, round_, gems)


def _after_shuffles(
    position: Position, value_of: Callable[[Board], float], costs: Sequence[float], word: float
) -> float:
    """Return the expected points after one shuffle or more, each made only while that is expected to gain.

    ``value_of`` returns the value of a shuffled board; ``costs`` are the points that each further shuffle
    costs; ``word`` is the value of the best word on the board, with which the result is to be compared.
    """
    random, values = generator(position.board.letters, position.round), list[float]()
    expected = 0.0
    while len(values) < SHUFFLES:
        values += [value_of(mix(position.board, random, _any_board, 0)) for _ in range(BATCH)]
        expected = float(np.mean(values))
        for cost in reversed(costs):
            expected = float(np.mean(np.maximum(values, expected - cost)))
        if abs(expected - word) >= CERTAIN * np.std(values) / np.sqrt(len(values)):
            break
    return expected


def _any_board(_letters: str, enough: int) -> int:
    """Count words so that every board has enough: few boards have not, and counting takes time."""
    return enough
