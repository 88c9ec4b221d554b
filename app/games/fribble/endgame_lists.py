"""Moves listed once on a board, for all the endings that a turn there leads to.

The pre-endgame asks for the same boards again and again: each of many turns is followed by each draw of
tiles. The moves of a rack before the turn are most of those after it; the search adds the others.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame_move_kernels import SLOT_BITS
from app.games.fribble.movegen import Squares
from app.games.fribble.rack_kernels import KINDS
from app.games.fribble.tileset import RACK


class Before(NamedTuple):
    """The turn that led to an ending."""

    squares: Squares
    """The board before it, which must not be changed: a board is known again by its identity."""
    rack: NDArray[np.int32]
    """(27,): the count of each kind of tile of the player who made it."""
    move: int


class Holding(NamedTuple):
    """A rack as the search knows it."""

    kinds: NDArray[np.int64]
    """(7,): the kind of tile of each slot; unused slots have kinds that are not on the rack."""
    slots: NDArray[np.int64]
    """(27,): by kind, one tile in its slot of the packed rack."""
    packed: int
    points: int


def holding_of(rack: NDArray[np.int32], values: NDArray[np.int32]) -> Holding:
    """Return a rack as the search knows it; ``values`` are the points of each kind of tile."""
    held = np.flatnonzero(rack)
    kinds = np.concatenate([held, np.flatnonzero(rack == 0)[: RACK - len(held)]])
    slots = np.zeros(KINDS, np.int64)
    slots[held] = 1 << SLOT_BITS * np.arange(len(held))
    return Holding(kinds, slots, int(rack @ slots), int(rack @ values))


class MoveList(NamedTuple):
    """Where all moves of a rack are, in the search's array of moves and in its list."""

    holding: Holding
    begin: int
    end: int
    complete: bool
    """False if there are more than the search has room for."""


class Turn(NamedTuple):
    """A turn on a listed board."""

    place: int
    """The index of its move in the search's array."""
    key: int
    """The search's key of the board after it."""


class ListedBoard:
    """A board, with the moves of the racks listed on it so far, which come first in the search's arrays."""

    def __init__(self, squares: Squares) -> None:
        self.squares: Final = squares
        self.lists: Final[dict[bytes, MoveList]] = {}
        """By rack."""
        self.turns: Final[dict[int, Turn]] = {}
        """By move."""
        self.end = 0
        """The number of moves listed."""
