"""A position with the bag empty, and greedy play in it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.movegen import MoveGenerator, Rack, Squares
from app.games.fribble.rack_kernels import KINDS, spend
from app.games.fribble.selfplay import NO_MOVE, Choice


class Ending(NamedTuple):
    """A position with the bag empty."""

    squares: Squares
    ours: NDArray[np.int32]
    """(27,): the count of each kind of tile of the player to move."""
    theirs: NDArray[np.int32]
    scoreless: int
    """The number of consecutive scoreless turns so far."""

    def after(self, generator: MoveGenerator, choice: Choice) -> "Ending":
        """Return the position after a turn, with the opponent to move."""
        if choice.move == NO_MOVE:
            return Ending(self.squares, self.theirs, self.ours, self.scoreless + 1)
        squares, ours = self.squares.copy(), self.ours.copy()
        generator.lay(squares, choice.move)
        spend(choice.move, ours)
        return Ending(squares, self.theirs, ours, 0 if choice.score else self.scoreless + 1)

    def settlement(self, generator: MoveGenerator, scoreless_turns: int) -> int | None:
        """If the game is over, return what the player to move gains by the tiles left; else None.

        ``scoreless_turns`` in a row end the game.
        """
        ours, theirs = (int(rack @ generator.values[:KINDS]) for rack in (self.ours, self.theirs))
        if not self.theirs.any():
            return -2 * ours
        return theirs - ours if self.scoreless >= scoreless_turns else None


def greedy_choice(generator: MoveGenerator, ending: Ending) -> Choice:
    """Return the highest-scoring move, or a pass."""
    rack = Rack(ending.ours)
    best = generator.best(ending.squares, rack, np.zeros(rack.leave_count, np.int32))
    return Choice(NO_MOVE, 0, rack.leave_count - 1) if best is None else Choice(*best)


def greedy_gain(generator: MoveGenerator, ending: Ending, scoreless_turns: int) -> int:
    """Return the points that the player to move gains if both play greedily to the end."""
    value, sign = 0, 1
    while (over := ending.settlement(generator, scoreless_turns)) is None:
        best = greedy_choice(generator, ending)
        value += sign * best.score
        sign = -sign
        ending = ending.after(generator, best)
    return value + sign * over
