"""Ranks the placements in a position."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board import Board
from app.games.fribble.movegen import Moves, Rack, placement_of
from app.games.fribble.placement import Placement, words
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.selfplay import Choice
from app.games.fribble.tileset import TILES


class Forecast(NamedTuple):
    """The result of simulating a turn or, with at most four tiles in the bag, of the endgame search."""

    win_share: float
    """Win probability, 0 to 1; draws count half."""
    error: float
    """Half the width of the win share's 95% confidence interval."""
    gain: float
    """Points gained on the opponent: over the simulated turns with leaves included, or to the end of an
    endgame; the ``static`` equity if every draw from the bag was searched."""
    reply: float | None = None
    """Mean points of the opponent's next turn; None if it was searched, not simulated."""
    exact_share: float | None = None
    """If every draw from the bag was searched: the probability of those with an exact result, 0 to 1."""


class Advice(NamedTuple):
    """A placement and its evaluation."""

    placement: Placement
    words: tuple[str, ...]
    """The main word, then the crossing words, in upper case."""
    score: int
    leave: str
    """The tiles kept."""
    leave_value: float
    """The value of the leave, in points."""
    equity: float
    """Score plus leave value."""
    choice: Choice
    """The same turn in the engine's terms."""
    forecast: Forecast | None = None


LeaveValues = NDArray[np.int32]
"""The value of each leave of a rack, in thousandths of a point."""


def best_kept(rack: Rack, leave_values: LeaveValues, exchangeable: int) -> int:
    """Return the number of the best leave of ``rack`` after an exchange of 1 to ``exchangeable`` tiles.

    Ties go to the lowest number.
    """
    fewest = rack.counts.sum() - exchangeable
    allowed = [kept for kept in range(rack.leave_count - 1) if len(rack.kept(kept)) >= fewest]
    return max(allowed, key=lambda kept: int(leave_values[kept]))


def counted(tiles: str) -> NDArray[np.int32]:
    """(27,): the count of each kind of tile."""
    return np.array([tiles.count(kind) for kind in TILES], np.int32)


Knows = Callable[[str], bool]
"""Whether a word (lower case) may be part of a move."""


def best_first(
    moves: Moves,
    board: Board,
    rack: Rack,
    knows: Knows | None = None,
    leave_values: LeaveValues | None = None,
) -> Iterator[Advice]:
    """Yield the moves by equity, best first; ties by move number."""
    equities = moves.scores.astype(np.float64)
    if leave_values is not None:
        equities += leave_values[moves.kept] / POINT
    yield from _in_order(moves, np.lexsort((moves.numbers, -equities)), equities, board, rack, knows)


def nearest_first(
    moves: Moves, score: float, board: Board, rack: Rack, knows: Knows | None = None
) -> Iterator[Advice]:
    """Yield the moves by distance of their score from ``score``, nearest first; ties by move number."""
    equities = moves.scores.astype(np.float64)
    yield from _in_order(
        moves, np.lexsort((moves.numbers, np.abs(equities - score))), equities, board, rack, knows
    )


def _in_order(
    moves: Moves,
    order: np.ndarray[tuple[int], np.dtype[np.intp]],
    equities: np.ndarray[tuple[int], np.dtype[np.float64]],
    board: Board,
    rack: Rack,
    knows: Knows | None,
) -> Iterator[Advice]:
    for index in order:
        placement = placement_of(int(moves.numbers[index]))
        formed = words(board, placement)
        if knows is None or all(knows(word.lower()) for word in formed):
            yield Advice(
                placement=placement,
                words=formed,
                score=int(moves.scores[index]),
                leave=rack.kept(int(moves.kept[index])),
                leave_value=float(equities[index]) - int(moves.scores[index]),
                equity=float(equities[index]),
                choice=Choice(int(moves.numbers[index]), int(moves.scores[index]), int(moves.kept[index])),
            )
