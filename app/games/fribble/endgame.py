"""The end of a game for two, the bag empty and so both racks known: the best play there is.

Alpha-beta with iterative deepening over all placements and passes. Where a search of limited depth ends, the
game is played on greedily to see what comes of it; once no line of play that matters ends so, the result is
exact. The search begins with greedy play's own line, and what it finds before it is exact counts only where
it gains no less even if both then play greedily: so it does not lose to greedy play when it is given up.
Positions are remembered by a digest of all that they consist of.
"""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.kernels import POINTS, TILE, spend
from app.games.fribble.layout import CELLS
from app.games.fribble.movegen import MoveGenerator, Rack, Squares
from app.games.fribble.selfplay import NO_MOVE, Choice
from app.games.fribble.tileset import TILES

DEEPEST: Final = 40
_INFINITE: Final = 1 << 20

Stop = Callable[[int], bool]
"""Told how many positions were looked at; whether to search no longer."""


class Ending(NamedTuple):
    """A position with the bag empty."""

    squares: Squares
    ours: NDArray[np.int32]
    """(27,): the tiles of each kind of who is to move."""
    theirs: NDArray[np.int32]
    scoreless: int
    """How many turns without points have just gone by."""


class Line(NamedTuple):
    """What a search has found."""

    choice: Choice
    value: int
    """By how many points who is to move gains on the other until the game is settled."""
    exact: bool
    """Whether nobody can do better for themselves."""
    depth: int
    positions: int


class _Known(NamedTuple):
    """What is remembered of a position: its value lies between these."""

    low: int
    high: int
    depth: int
    exact: bool
    """Whether that holds for a search of any depth."""
    best: int

    def settles(self, depth: int, low: int, high: int) -> int | None:
        """The value, as far as a search of this depth needs it: if it is between ``low`` and ``high``."""
        if not self.exact and self.depth != depth:
            return None
        if self.low == self.high or self.low >= high:
            return self.low
        return self.high if self.high <= low else None


class _Stopped(Exception):
    pass


class EndgameSolver:
    """Searches endgames; one for each search that runs at a time."""

    def __init__(self, generator: MoveGenerator, scoreless_turns: int) -> None:
        """``scoreless_turns`` in a row end the game."""
        self._generator = generator
        self._scoreless_turns = scoreless_turns
        self._points = np.append(generator.values[: len(TILES) - 1], 0)
        self._known: dict[bytes, _Known] = {}
        self._positions = 0
        self._stop: Stop = lambda _: False

    def solve(self, ending: Ending, stop: Stop = lambda _: False) -> Line:
        """The best play, or what looks best by the time that ``stop`` says so.

        If both go on greedily after what is not exact, it gains no less than the highest score does.
        """
        self._known.clear()
        self._positions, self._stop = 0, stop
        greedy = greedy_choice(self._generator, ending)
        floor = self._gained(ending, greedy)
        found = Line(greedy, floor, exact=False, depth=0, positions=0)
        for depth in range(1, DEEPEST + 1):
            try:
                value, exact, best = self._best(ending, depth, -_INFINITE, _INFINITE)
            except _Stopped:
                break
            choice = self._choice(ending, best)
            if exact or self._gained(ending, choice) >= floor:
                found = Line(choice, value, exact, depth, self._positions)
            if exact:
                break
        return found._replace(positions=self._positions)

    def _gained(self, ending: Ending, choice: Choice) -> int:
        """What the choice gains if both play their highest score from there to the end."""
        return choice.score - self._played_out(self._after(ending, choice.move, choice.score))

    def _best(self, ending: Ending, depth: int, low: int, high: int) -> tuple[int, bool, int]:
        """The value, if it is between ``low`` and ``high``; whether it is exact; and the best move."""
        over = self._settled(ending)
        if over is not None:
            return over, True, NO_MOVE
        self._positions += 1
        if self._stop(self._positions):
            raise _Stopped
        if depth == 0:
            return self._played_out(ending), False, NO_MOVE
        key = self._key(ending)
        known = self._known.get(key)
        if known is not None and (settled := known.settles(depth, low, high)) is not None:
            return settled, known.exact, known.best
        hint = NO_MOVE if known is None else known.best
        value, best, all_exact, cut_exact = -_INFINITE, NO_MOVE, True, False
        for move, score, after in self._turns(ending, hint):
            theirs, exact, _ = self._best(after, depth - 1, score - high, score - max(low, value))
            all_exact &= exact
            if score - theirs > value:
                value, best = score - theirs, move
                if value >= high:
                    cut_exact = exact
                    break
        exact = cut_exact if value >= high else all_exact
        self._known[key] = _Known(
            value if value > low else -_INFINITE, value if value < high else _INFINITE, depth, exact, best
        )
        return value, exact, best

    def _turns(self, ending: Ending, first: int) -> Iterator[tuple[int, int, Ending]]:
        """Each turn there is, its score, and what it leads to; the likeliest first, ``first`` before all."""
        rack = Rack(ending.ours)
        moves = self._generator.moves(ending.squares, rack)
        kept = np.arange(rack.leave_count)[:, None] // np.maximum(rack.strides, 1) % (rack.counts + 1)
        promise = -2 * (kept @ self._points)
        promise[0] = 2 * int(ending.theirs @ self._points)
        order = np.lexsort((moves.numbers, -(moves.scores + promise[moves.kept]), moves.numbers != first))
        numbers, scores = moves.numbers[order].tolist(), moves.scores[order].tolist()
        for move, score in zip(numbers, scores, strict=True):
            yield move, score, self._after(ending, move, score)
        yield NO_MOVE, 0, self._after(ending, NO_MOVE, 0)

    def _after(self, ending: Ending, move: int, score: int) -> Ending:
        if move == NO_MOVE:
            return Ending(ending.squares, ending.theirs, ending.ours, ending.scoreless + 1)
        squares, ours = ending.squares.copy(), ending.ours.copy()
        self._generator.lay(squares, move)
        spend(move, ours)
        return Ending(squares, ending.theirs, ours, 0 if score else ending.scoreless + 1)

    def _settled(self, ending: Ending) -> int | None:
        """What the settlement gives who is to move over the other, if the game is over."""
        ours, theirs = int(ending.ours @ self._points), int(ending.theirs @ self._points)
        if not ending.theirs.any():
            return -2 * ours
        if ending.scoreless >= self._scoreless_turns:
            return theirs - ours
        return None

    def _played_out(self, ending: Ending) -> int:
        """What who is to move gains if both play their highest score to the end."""
        value, sign = 0, 1
        while (over := self._settled(ending)) is None:
            best = greedy_choice(self._generator, ending)
            value += sign * best.score
            sign = -sign
            ending = self._after(ending, best.move, best.score)
        return value + sign * over

    def _choice(self, ending: Ending, move: int) -> Choice:
        rack = Rack(ending.ours)
        if move == NO_MOVE:
            return Choice(NO_MOVE, 0, rack.leave_count - 1)
        moves = self._generator.moves(ending.squares, rack)
        place = int(np.flatnonzero(moves.numbers == move)[0])
        return Choice(move, int(moves.scores[place]), int(moves.kept[place]))

    @staticmethod
    def _key(ending: Ending) -> bytes:
        board = ending.squares[[TILE, POINTS], :CELLS].astype(np.int8)
        told = blake2b(board.tobytes(), digest_size=16)
        told.update(ending.ours.astype(np.int8).tobytes())
        told.update(ending.theirs.astype(np.int8).tobytes())
        told.update(bytes([ending.scoreless]))
        return told.digest()


def greedy_choice(generator: MoveGenerator, ending: Ending) -> Choice:
    """The highest score there is, or a pass."""
    rack = Rack(ending.ours)
    best = generator.best(ending.squares, rack, np.zeros(rack.leave_count, np.int32))
    return Choice(NO_MOVE, 0, rack.leave_count - 1) if best is None else Choice(*best)
