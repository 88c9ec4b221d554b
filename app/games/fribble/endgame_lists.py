"""Moves listed once on a board, for all the endings that a turn there leads to.

The pre-endgame asks for the same boards again and again: each of many turns is followed by each draw of
tiles. The moves of a rack before the turn are most of those after it; the search adds the others.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame_move_kernels import INDEX, MOVE
from app.games.fribble.movegen import Squares

_MOST_KEPT: Final = 1 << 18
"""Moves kept in all, of 136 bytes each."""


class Before(NamedTuple):
    """The turn that led to an ending."""

    squares: Squares
    """The board before it."""
    rack: NDArray[np.int32]
    """(27,): the count of each kind of tile of the player who made it."""
    move: int


class MoveList(NamedTuple):
    """All moves of a rack on a board, in the columns of the search."""

    moves: NDArray[np.int64]
    listed: NDArray[np.int64]
    complete: bool
    """False if there are more than the search has room for."""

    def numbered_from(self, first: int) -> NDArray[np.int64]:
        """Return the list for moves that are stored from this index on."""
        listed = self.listed.copy()
        listed[:, INDEX] += first
        return listed


class ListedBoard:
    """A board with the moves of the racks listed on it so far; the oldest lists are dropped."""

    def __init__(self, squares: Squares, list_moves: Callable[[NDArray[np.int32]], MoveList]) -> None:
        """``list_moves`` lists the moves of a rack on this board."""
        self.squares: Final = squares.copy()
        self.keys: Final[dict[int, int]] = {}
        """The search's key of the board after each move."""
        self._list_moves: Final = list_moves
        self._lists: Final[dict[bytes, MoveList]] = {}
        self._kept = 0

    def moves(self, rack: NDArray[np.int32]) -> MoveList:
        """Return the moves of a rack."""
        key = rack.tobytes()
        found = self._lists.get(key)
        if found is None:
            found = self._lists[key] = self._list_moves(rack)
            self._kept += len(found.moves)
            while self._kept > _MOST_KEPT and len(self._lists) > 1:
                self._kept -= len(self._lists.pop(next(iter(self._lists))).moves)
        return found

    def record(self, rack: NDArray[np.int32], move: int) -> NDArray[np.int64]:
        """Return the columns of a move of this rack."""
        moves = self.moves(rack).moves
        row: NDArray[np.int64] = moves[np.flatnonzero(moves[:, MOVE] == move)[0]]
        return row
