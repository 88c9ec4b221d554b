"""The placements of a position in the order of what they are worth."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board import Board
from app.games.fribble.kernels import POINT
from app.games.fribble.movegen import Moves, Rack, placement_of
from app.games.fribble.placement import Placement, words
from app.games.fribble.selfplay import Choice
from app.games.fribble.tileset import TILES


class Forecast(NamedTuple):
    """What playing on says of a turn; with the bag empty, what the search of the endgame does."""

    win_share: float
    """How often the game is won with it, draws counting half: 0 to 1."""
    error: float
    """Half the width of the 95% interval of that."""
    gain: float
    """Points gained on the opponent: in the turns played on, tiles kept included; in an endgame, until its
    end."""


class Advice(NamedTuple):
    """A placement and what it is worth."""

    placement: Placement
    words: tuple[str, ...]
    """The main word, then those that cross it, in upper case."""
    score: int
    leave: str
    """What it keeps on the rack."""
    worth: float
    """What the leave is worth, in points."""
    equity: float
    """The score and what the leave is worth."""
    choice: Choice
    """The same as the engine knows it."""
    forecast: Forecast | None = None


Worths = NDArray[np.int32]
"""What each way to keep some of the rack is worth, in thousandths of a point."""


def best_kept(rack: Rack, worth: Worths, exchangeable: int) -> int:
    """What is best kept of ``rack``, as it numbers it, when up to so many tiles, one at least, are exchanged.

    Of equals it is the one with the lowest number, which keeps nothing if nothing is.
    """
    fewest = rack.counts.sum() - exchangeable
    allowed = [kept for kept in range(rack.leave_count - 1) if len(rack.kept(kept)) >= fewest]
    return max(allowed, key=lambda kept: int(worth[kept]))


def counted(tiles: str) -> NDArray[np.int32]:
    """(27,): how many of each kind of tile there are."""
    return np.array([tiles.count(kind) for kind in TILES], np.int32)


Knows = Callable[[str], bool]
"""Whether a word, in lower case, may be part of a move."""


def best_first(
    moves: Moves, board: Board, rack: Rack, knows: Knows | None = None, worth: Worths | None = None
) -> Iterator[Advice]:
    """The moves by what they are worth; of equals the lowest number first."""
    equities = moves.scores.astype(np.float64)
    if worth is not None:
        equities += worth[moves.kept] / POINT
    yield from _told(moves, np.lexsort((moves.numbers, -equities)), equities, board, rack, knows)


def nearest_first(
    moves: Moves, score: float, board: Board, rack: Rack, knows: Knows | None = None
) -> Iterator[Advice]:
    """The moves by how near to a score of ``score`` they come; of equals the lowest number first."""
    equities = moves.scores.astype(np.float64)
    yield from _told(
        moves, np.lexsort((moves.numbers, np.abs(equities - score))), equities, board, rack, knows
    )


def _told(
    moves: Moves,
    order: np.ndarray[tuple[int], np.dtype[np.intp]],
    equities: np.ndarray[tuple[int], np.dtype[np.float64]],
    board: Board,
    rack: Rack,
    knows: Knows | None,
) -> Iterator[Advice]:
    for index in order:
        placement = placement_of(int(moves.numbers[index]))
        made = words(board, placement)
        if knows is None or all(knows(word.lower()) for word in made):
            yield Advice(
                placement=placement,
                words=made,
                score=int(moves.scores[index]),
                leave=rack.kept(int(moves.kept[index])),
                worth=float(equities[index]) - int(moves.scores[index]),
                equity=float(equities[index]),
                choice=Choice(int(moves.numbers[index]), int(moves.scores[index]), int(moves.kept[index])),
            )
