"""Two-player endgame search: the bag is empty, so both racks are known.

Alpha-beta over all placements and passes, with a transposition table; the search itself is in
``endgame_kernels``. Two shallow searches evaluate positions at their depth limit by greedy play with the
moves known so far. Narrow-window searches to the end of the game follow: each either proves the expected
value or gives a bound, which is the next search's expected value (MTD(f): A. Plaat and others, "Best-First
Fixed-Depth Minimax Algorithms", Artificial Intelligence 87, 1996). Positions are compared by 64-bit keys.

The first result is greedy play. An inexact result replaces it only if its move gains no less, proven or with
greedy play after it, so an aborted search is never worse than greedy play.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.board_kernels import LINES, POINTS, SQUARE_ROWS, TILE
from app.games.fribble.endgame_kernels import search_endgame
from app.games.fribble.endgame_keys import board_key, line_keys, zobrist_keys
from app.games.fribble.endgame_lists import (
    ListedBoard,
    MoveList,
    PreviousTurn,
    SearchRack,
    Turn,
    search_rack_of,
)
from app.games.fribble.endgame_move_kernels import (
    ALPHA,
    BEGIN,
    BEST,
    BETA,
    BOARD_KEY,
    BUILT,
    COMPLETE,
    CURRENT,
    DEPTH,
    END,
    INFINITE,
    LIST_COLUMNS,
    MINE,
    MOVE,
    MOVE_COLUMNS,
    MOVES,
    MY_POINTS,
    OVERFLOW,
    PLIES,
    PLY,
    PLY_COLUMNS,
    POSITIONS,
    REGISTERS,
    RESULT,
    RESULT_EXACT,
    ROOT,
    SCORELESS,
    THEIR_POINTS,
    THEIRS,
    UNBOUNDED,
    WORDS,
    Keys,
    LiveBoard,
    Tree,
)
from app.games.fribble.endgame_solo_kernels import solo_arrays
from app.games.fribble.endgame_table_kernels import ENTRY_COLUMNS
from app.games.fribble.endgame_word_kernels import word_arrays
from app.games.fribble.ending import Ending, greedy_choice, greedy_gain
from app.games.fribble.layout import CELLS
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.rack_kernels import KINDS
from app.games.fribble.selfplay import NO_MOVE, Choice
from app.games.fribble.tileset import RACK

DEEPEST: Final = 40
_HOLDINGS: Final = [MINE, THEIRS, MY_POINTS, THEIR_POINTS, COMPLETE]
_ENTRIES: Final = 1 << 20
_LISTED: Final = 1 << 18
_MOST_KEPT: Final = _LISTED // 3
"""The lists of a ListedBoard are dropped when they have more moves than this."""
_PATIENCE: Final = 4
"""``stop`` is called again after 1/_PATIENCE of the positions searched so far, from _SHORTEST to _LONGEST."""
_SHORTEST: Final = 64
_LONGEST: Final = 256
_SHALLOW: Final = 2
"""The depth, in turns, of the last search before those to the end of the game."""

Stop = Callable[[int], bool]
"""Given the number of positions searched: whether to stop."""


class Line(NamedTuple):
    """The result of a search."""

    choice: Choice
    value: int
    """Points that the player to move gains on the opponent by the end of the game.

    If not exact, it is a guess; from a search to the end of the game, a bound.
    """
    exact: bool
    """Whether the value is proven optimal for both players."""
    depth: int
    """Turns searched; DEEPEST if to the end of the game."""
    positions: int


class _Result(NamedTuple):
    """The result of one search of several."""

    value: int
    exact: bool
    proven: bool
    """Whether the best move is proven to gain ``value`` or more."""
    depth: int
    best: int


class _Stopped(Exception):
    pass


class EndgameSolver:
    """Searches endgames. Not thread-safe: use one solver per search."""

    def __init__(self, generator: MoveGenerator, scoreless_turns: int, unbounded: int = 500) -> None:
        """``scoreless_turns`` in a row end the game.

        The bounds of ``endgame_solo_kernels`` are used only after ``unbounded`` positions: most endgames are
        solved before they pay off.
        """
        self._generator = generator
        self._scoreless_turns = scoreless_turns
        self._unbounded = unbounded
        self._points = generator.values[:KINDS]
        self._live = LiveBoard(
            generator.gaddag,
            generator.premiums,
            generator.values,
            generator.bonus,
            np.zeros((2, 2 * CELLS), np.int32),
        )
        self._tree = Tree(
            plies=np.zeros((PLIES + 1, PLY_COLUMNS), np.int64),
            moves=np.zeros((_LISTED, MOVE_COLUMNS), np.int64),
            listed=np.zeros((2 * _LISTED, LIST_COLUMNS), np.int64),
            kinds=np.zeros((2, RACK), np.int64),
            slots=np.zeros((2, KINDS), np.int64),
            barred=np.zeros(_LISTED + 1, np.int8),
            filled=np.zeros(WORDS, np.int64),
            sets=np.zeros(1 << RACK, np.int64),
            registers=np.zeros(REGISTERS, np.int64),
        )
        self._plies, self._registers = self._tree.plies, self._tree.registers
        self._keys = Keys(*zobrist_keys(), np.zeros(LINES, np.int64))
        self._table = np.zeros((_ENTRIES, ENTRY_COLUMNS), np.int64)
        self._boards = np.zeros((PLIES + 1, SQUARE_ROWS, 2 * CELLS), np.int32)
        self._scratch = (
            np.zeros(CELLS, np.int8),
            np.zeros(KINDS, np.int32),
            np.zeros(KINDS, np.int64),
            np.zeros(1, np.int32),
        )
        self._words = word_arrays()
        self._solo = solo_arrays()
        self._board: ListedBoard | None = None

    def solve(self, ending: Ending, stop: Stop = lambda _: False) -> Line:
        """Return the best play found when the search completes or ``stop`` returns true.

        If both then play greedily, an inexact play gains at least as much as the greedy one.
        """
        greedy = greedy_choice(self._generator, ending)
        baseline = self._gained(ending, greedy)
        found = Line(greedy, baseline, exact=False, depth=0, positions=0)
        try:
            self._begin(ending, stop)
            for result in self._results(stop):
                choice = found.choice
                if result.best != choice.move:
                    choice = self._choice(ending, result.best)
                    enough = result.exact or (result.proven and result.value >= baseline)
                    if not enough and self._gained(ending, choice) < baseline:
                        continue
                found = Line(choice, result.value, result.exact, result.depth, self.positions)
        except _Stopped:
            pass
        return found._replace(positions=self.positions)

    def gain(self, ending: Ending, choice: Choice, stop: Stop = lambda _: False) -> tuple[int, bool]:
        """Return the points that a turn gains by the end of the game, and whether that is exact.

        Both players then play the best turns that the search finds; see ``solve``.
        """
        after = ending.after(self._generator, choice)
        over = after.settlement(self._generator, self._scoreless_turns)
        if over is not None:
            return choice.score - over, True
        reply = self.solve(after, stop)
        return choice.score - reply.value, reply.exact

    def solve_without(
        self, ending: Ending, excluded: Callable[[int], bool], stop: Stop = lambda _: False
    ) -> Line | None:
        """Return the best play whose move is not ``excluded``; None if there is none, or no exact result."""
        self._table[:] = 0
        try:
            self._begin(ending, stop)
            count = int(self._registers[MOVES])
            self._tree.barred[:count] = [excluded(move) for move in self._tree.moves[:count, MOVE].tolist()]
            self._tree.barred[-1] = excluded(NO_MOVE)
            for value, exact, _, depth, best in self._results(stop):
                if value == -INFINITE:
                    return None
                if exact:
                    return Line(self._choice(ending, best), value, exact, depth, self.positions)
        except _Stopped:
            pass
        finally:
            self._tree.barred[:] = 0
            self._table[:] = 0  # The root's entry is valid only without the excluded moves.
        return None

    def compare(
        self,
        ending: Ending,
        target: int,
        stop: Stop = lambda _: False,
        *,
        direct: bool = False,
        before: PreviousTurn | None = None,
    ) -> tuple[int, bool]:
        """Return whether the best play gains more than ``target`` (1), as much (0) or less (-1).

        Also return whether that is exact; if not, it is the result of the deepest search completed in time. A
        ``direct`` search goes to the end of the game right after the shallow ones: that often takes fewer
        positions, but gives a poorer result if stopped. Moves listed on the board ``before`` are reused.
        """
        sign = int(np.sign(-target))
        try:
            self._begin(ending, stop, before)
            for depth in (*range(1, _SHALLOW + 1), DEEPEST) if direct else range(1, DEEPEST + 1):
                value, exact, _ = self._search(depth, stop, (target - 1, target + 1))
                sign = int(np.sign(value - target))
                if exact:
                    return sign, True
        except _Stopped:
            pass
        return sign, False

    @property
    def positions(self) -> int:
        """The number of positions searched in the last search."""
        return int(self._registers[POSITIONS])

    def _begin(self, ending: Ending, stop: Stop, before: PreviousTurn | None = None) -> None:
        """List the moves of both players. Raises _Stopped.

        Faster with the turn ``before``, if earlier searches had turns on the same board.
        """
        if before is None or not self._begin_after(before, ending):
            self._board = None
            self._set_up([search_rack_of(rack, self._points) for rack in (ending.ours, ending.theirs)])
            self._plies[ROOT, BOARD_KEY] = board_key(ending.squares, self._generator.values)
            self._boards[ROOT - 2] = ending.squares
            self._registers[[PLY, BUILT]] = ROOT - 2
        self._live.grid[:] = ending.squares[[TILE, POINTS]]
        self._keys.lines[:] = line_keys(ending.squares, self._generator.values)
        self._plies[ROOT, SCORELESS] = ending.scoreless
        self._run(0, stop, once=True)

    def _set_up(self, holdings: Sequence[SearchRack]) -> None:
        """Set up the plies up to the root, with no moves listed."""
        self._registers[:] = 0
        self._registers[UNBOUNDED] = self._unbounded
        self._plies[: ROOT + 1] = 0
        for seat, (kinds, slots, mine, points) in enumerate(holdings):
            self._tree.kinds[seat], self._tree.slots[seat] = kinds, slots
            other = holdings[1 - seat]
            for ply in range(ROOT - 2 + seat, ROOT + 1, 2):
                self._plies[ply, _HOLDINGS] = mine, other.packed, points, other.points, ply

    def _begin_after(self, before: PreviousTurn, ending: Ending) -> bool:
        """Start from the move lists of both players on the board before a turn.

        Returns whether that is possible: the turn is listed, and the lists fit.
        """
        board = self._board
        if board is None or board.squares is not before.squares or board.end > _MOST_KEPT:
            board = self._board = ListedBoard(before.squares)
        lists = [self._listed_on(board, rack) for rack in (ending.ours, ending.theirs, before.rack)]
        if not all(each.complete for each in lists):
            return False
        turn = board.turns.get(before.move)
        if turn is None:
            _, begin, end, _ = lists[2]
            places = np.flatnonzero(self._tree.moves[begin:end, MOVE] == before.move)
            if not places.size:  # The turn makes a word that is not in the lexicon.
                return False
            key = board_key(ending.squares, self._generator.values)
            turn = board.turns[before.move] = Turn(begin + int(places[0]), key)
        self._set_up([each.holding for each in lists[:2]])
        for ply, (_, begin, end, _) in enumerate(lists[:2]):
            self._plies[ply, [BEGIN, END, COMPLETE, CURRENT]] = begin, end, ply, NO_MOVE
            self._plies[ply + ROOT - 2, COMPLETE] = ply
        self._plies[ROOT - 3, CURRENT] = turn.place
        self._plies[ROOT - 2, [BEGIN, END]] = board.end
        self._plies[ROOT, BOARD_KEY] = turn.key
        self._boards[: ROOT - 2] = board.squares
        self._registers[[PLY, MOVES, BUILT]] = ROOT - 2, board.end, ROOT - 3
        return True

    def _listed_on(self, board: ListedBoard, rack: NDArray[np.int32]) -> MoveList:
        """Return the moves of a rack on the board; cached."""
        key = rack.tobytes()
        if key not in board.lists:
            holding = search_rack_of(rack, self._points)
            self._set_up([holding, holding])
            self._boards[ROOT - 1] = board.squares
            self._plies[ROOT - 1, [BEGIN, END]] = board.end
            self._registers[[PLY, MOVES, BUILT]] = ROOT - 1, board.end, ROOT - 1
            self._run(0, lambda _: False, once=True)
            begin, board.end = board.end, int(self._registers[MOVES])
            board.lists[key] = MoveList(holding, begin, board.end, not self._registers[OVERFLOW])
        return board.lists[key]

    def _results(self, stop: Stop) -> Iterator[_Result]:
        """Search until the value is exact; yield what each search finds. Raises _Stopped."""
        value = best = 0
        for depth in range(1, _SHALLOW + 1):
            value, exact, best = self._search(depth, stop)
            yield _Result(value, exact, exact, depth, best)
            if exact:
                return
        low, high = -INFINITE, INFINITE
        while low < high:
            bound, proven, move = self._search(DEEPEST, stop, (value - 1, value + 1))
            if not proven:
                yield _Result(bound, exact=False, proven=False, depth=DEEPEST, best=move)
                return
            if bound >= value:
                low, best = bound, move
            if bound <= value:
                high = bound
            yield _Result(bound, low == high, bound >= value, DEEPEST, best)
            value = bound

    def _search(
        self, depth: int, stop: Stop, window: tuple[int, int] = (-INFINITE, INFINITE)
    ) -> tuple[int, bool, int]:
        """Search to a depth; return the value, whether it is exact, and the best move. Raises _Stopped.

        A value at or outside the window's limits is a bound on the true value.
        """
        self._plies[ROOT, DEPTH] = depth
        self._plies[ROOT, [ALPHA, BETA]] = window
        self._run(_SHORTEST, stop)
        exact = bool(self._registers[RESULT_EXACT]) and not self._registers[OVERFLOW]
        return int(self._registers[RESULT]), exact, int(self._plies[ROOT, BEST])

    def _run(self, more: int, stop: Stop, *, once: bool = False) -> None:
        workspace = self._generator.workspace
        arrays = (
            *self._live,
            *self._tree,
            *self._keys,
            self._table,
            self._boards,
            *self._scratch,
            workspace.anchors,
            workspace.stack,
            workspace.moves,
            workspace.scores,
            workspace.kept,
            *self._words,
            *self._solo,
        )
        while True:
            done = search_endgame(*arrays, self._scoreless_turns, self.positions + more)
            if done or once:
                return
            if stop(self.positions):
                raise _Stopped
            more = min(_LONGEST, max(_SHORTEST, self.positions // _PATIENCE))

    def _gained(self, ending: Ending, choice: Choice) -> int:
        """Return the choice's gain if both play greedily from there to the end."""
        after = ending.after(self._generator, choice)
        return choice.score - greedy_gain(self._generator, after, self._scoreless_turns)

    def _choice(self, ending: Ending, move: int) -> Choice:
        rack = Rack(ending.ours)
        if move == NO_MOVE:
            return Choice(NO_MOVE, 0, rack.leave_count - 1)
        moves = self._generator.moves(ending.squares, rack)
        place = int(np.flatnonzero(moves.numbers == move)[0])
        return Choice(move, int(moves.scores[place]), int(moves.kept[place]))
