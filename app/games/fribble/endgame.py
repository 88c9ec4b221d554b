"""Two-player endgame search, with the bag empty and so both racks known.

Alpha-beta with iterative deepening over all placements and passes, with a transposition table. At the depth
limit, the game is played out greedily; the result is exact once no relevant line ends that way. The first
line is greedy play's own, and a result that is not exact counts only if it gains no less when both then play
greedily: so an aborted search does not lose to greedy play.
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
"""Given the number of positions searched: whether to stop."""


class Ending(NamedTuple):
    """A position with the bag empty."""

    squares: Squares
    ours: NDArray[np.int32]
    """(27,): the count of each kind of tile of the player to move."""
    theirs: NDArray[np.int32]
    scoreless: int
    """The number of consecutive scoreless turns so far."""


class Line(NamedTuple):
    """The result of a search."""

    choice: Choice
    value: int
    """Points that the player to move gains on the opponent by the end of the game."""
    exact: bool
    """Whether the value is proven optimal for both players."""
    depth: int
    positions: int


class _Known(NamedTuple):
    """A transposition table entry: bounds of a position's value."""

    low: int
    high: int
    depth: int
    exact: bool
    """Whether the bounds hold at any depth."""
    best: int

    def settles(self, depth: int, low: int, high: int) -> int | None:
        """Return the value, if the entry decides it for a search of this depth with this window."""
        if not self.exact and self.depth != depth:
            return None
        if self.low == self.high or self.low >= high:
            return self.low
        return self.high if self.high <= low else None


class _Stopped(Exception):
    pass


class EndgameSolver:
    """Searches endgames. Not thread-safe: use one solver per search."""

    def __init__(self, generator: MoveGenerator, scoreless_turns: int) -> None:
        """``scoreless_turns`` in a row end the game."""
        self._generator = generator
        self._scoreless_turns = scoreless_turns
        self._points = np.append(generator.values[: len(TILES) - 1], 0)
        self._known: dict[bytes, _Known] = {}
        self._positions = 0
        self._stop: Stop = lambda _: False

    def solve(self, ending: Ending, stop: Stop = lambda _: False) -> Line:
        """Return the best play found when the search completes or ``stop`` returns true.

        A play that is not exact gains at least as much as the highest score does if both continue greedily.
        """
        self._known.clear()
        self._positions, self._stop = 0, stop
        greedy = greedy_choice(self._generator, ending)
        baseline = self._gained(ending, greedy)
        found = Line(greedy, baseline, exact=False, depth=0, positions=0)
        for depth in range(1, DEEPEST + 1):
            try:
                value, exact, best = self._best(ending, depth, -_INFINITE, _INFINITE)
            except _Stopped:
                break
            choice = self._choice(ending, best)
            if exact or self._gained(ending, choice) >= baseline:
                found = Line(choice, value, exact, depth, self._positions)
            if exact:
                break
        return found._replace(positions=self._positions)

    def _gained(self, ending: Ending, choice: Choice) -> int:
        """Return the choice's gain if both play greedily from there to the end."""
        return choice.score - self._played_out(self._after(ending, choice.move, choice.score))

    def _best(self, ending: Ending, depth: int, low: int, high: int) -> tuple[int, bool, int]:
        """Return the value within the window ``low`` to ``high``, whether it is exact, and the best move."""
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
        """Yield each turn with its score and resulting position: ``first``, then the most promising."""
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
        """Return the settlement's gain for the player to move if the game is over, else None."""
        ours, theirs = int(ending.ours @ self._points), int(ending.theirs @ self._points)
        if not ending.theirs.any():
            return -2 * ours
        if ending.scoreless >= self._scoreless_turns:
            return theirs - ours
        return None

    def _played_out(self, ending: Ending) -> int:
        """Return the gain of the player to move if both play greedily to the end."""
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
        digest = blake2b(board.tobytes(), digest_size=16)
        digest.update(ending.ours.astype(np.int8).tobytes())
        digest.update(ending.theirs.astype(np.int8).tobytes())
        digest.update(bytes([ending.scoreless]))
        return digest.digest()


def greedy_choice(generator: MoveGenerator, ending: Ending) -> Choice:
    """Return the highest-scoring move, or a pass."""
    rack = Rack(ending.ours)
    best = generator.best(ending.squares, rack, np.zeros(rack.leave_count, np.int32))
    return Choice(NO_MOVE, 0, rack.leave_count - 1) if best is None else Choice(*best)
