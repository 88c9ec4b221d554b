"""The best moves of a position, for who asks: players, bots, the analysis of a game."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board import Board
from app.games.fribble.kernels import POINT
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import MoveGenerator, Moves, Rack, placement_of
from app.games.fribble.placement import Placement, words
from app.games.fribble.state import State
from app.games.fribble.strategy import Strategy, worths
from app.games.fribble.tileset import TILES


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


class Advised(NamedTuple):
    """The best moves there are."""

    total: int
    """How many legal placements there are, known words or not."""
    moves: tuple[Advice, ...]
    """Best first."""


Worths = NDArray[np.int32]
"""What each way to keep some of the rack is worth, in thousandths of a point."""


def worths_in(state: State, generator: MoveGenerator, strategy: Strategy = "static") -> Worths:
    """What each way to keep some of its rack is worth to the seat to move."""
    unseen = np.array([state.unseen.count(kind) for kind in TILES], np.int32)
    leaves = shipped_leaves(state.options.preset)
    return worths(strategy, generator, leaves, Rack(state.racks[state.to_move]), unseen)


def best_kept(rack: Rack, worth: Worths, exchangeable: int) -> int:
    """What is best kept of ``rack``, as it numbers it, when up to so many tiles, one at least, are exchanged.

    Of equals it is the one with the lowest number, which keeps nothing if nothing is.
    """
    fewest = rack.counts.sum() - exchangeable
    allowed = [kept for kept in range(rack.ways - 1) if len(rack.kept(kept)) >= fewest]
    return max(allowed, key=lambda kept: int(worth[kept]))


Knows = Callable[[str], bool]
"""Whether a word, in lower case, may be part of a move."""


def advise(
    generator: MoveGenerator,
    board: Board,
    tiles: str,
    top: int,
    knows: Knows | None = None,
    worth: Worths | None = None,
) -> Advised:
    """The ``top`` moves with the rack ``tiles``; all of a move's words are known where ``knows`` is given.

    Without ``worth`` the tiles kept count nothing.
    """
    rack = Rack(tiles)
    moves = generator.moves(generator.squares(board), rack)
    return Advised(moves.total, tuple(islice(best_first(moves, board, rack, knows, worth), top)))


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
            )
