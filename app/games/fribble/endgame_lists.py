"""Moves listed once on a board, for all the endgames that turns on it lead to.

The pre-endgame search meets the same board many times: each candidate turn is combined with each draw of
tiles. Most moves after a turn were possible before it; the search adds the new ones.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame_move_kernels import SLOT_BITS
from app.games.fribble.movegen import Squares
from app.games.fribble.rack_kernels import KINDS
from app.games.fribble.tileset import RACK


class PreviousTurn(NamedTuple):
    """The turn that led to an ending."""

    squares: Squares
    """The board before it. It must not be changed, because boards are compared by identity."""
    rack: NDArray[np.int32]
    """(27,): the rack of the player who made it, as the count of each kind of tile."""
    move: int


class SearchRack(NamedTuple):
    """A rack in the search's form."""

    kinds: NDArray[np.int64]
    """(7,): the kind of tile of each slot; unused slots have kinds that are not on the rack."""
    slots: NDArray[np.int64]
    """(27,): by kind, a packed rack with one tile of it."""
    packed: int
    points: int


def search_rack_of(rack: NDArray[np.int32], values: NDArray[np.int32]) -> SearchRack:
    """Return a rack in the search's form; ``values`` are the points of each kind of tile."""
    held = np.flatnonzero(rack)
    kinds = np.concatenate([held, np.flatnonzero(rack == 0)[: RACK - len(held)]])
    slots = np.zeros(KINDS, np.int64)
    slots[held] = 1 << SLOT_BITS * np.arange(len(held))
    return SearchRack(kinds, slots, int(rack @ slots), int(rack @ values))


class MoveList(NamedTuple):
    """All moves of a rack, from ``begin`` to ``end`` of the search's array of moves and of its list."""

    holding: SearchRack
    begin: int
    end: int
    complete: bool
    """False if there are more moves than the search's arrays hold."""


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
