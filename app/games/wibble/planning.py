"""Planning over rounds: the value of gems, and the best word or shuffle in view of it.

The values are learned by self-play (``data/build/gem_values.py``) and shipped in
``data/wibble/gem-values.toml``.
"""

import tomllib
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from app.games.game import Frozen
from app.games.wibble.bound_kernels import MOST_SWAPS
from app.games.wibble.modes import ModeRules
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import FoundWord, Solver
from app.games.wibble.state import Board
from app.resources import resource


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
    """Return the best plan in the position: a word with its swaps, or a shuffle."""
    board, size, round_, gems = position
    most = mode.gems.most if mode.gems else 0
    cost = mode.costs.get("swap", 0)
    word = solver.best_by_value(board, size, scoring, gem_rows(position, mode, table), allowed)
    expected = 0.0
    if word:
        left = min(gems - len(word.swaps) * cost + word.gems, most)
        expected = word.points + points_later(mode, table, round_, left)
    price = mode.costs.get("shuffle")
    if not plans_ahead(mode) or mode.rounds is None or price is None or gems < price:
        return Plan(word, shuffle=False, expected=expected)
    row = table.shuffle_below[max(len(table.shuffle_below) - 1 - (mode.rounds - round_), 0)]
    bar = row[min(gems, len(row) - 1)]
    if expected >= bar:
        return Plan(word, shuffle=False, expected=expected)
    return Plan(word, shuffle=True, expected=bar + table.likeness * (expected - bar))
