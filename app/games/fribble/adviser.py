"""Advice on a turn, for players, bots and game analysis.

Ranks the best placements, and an exchange or pass if that is better: by score, by equity with leave values,
or by Monte Carlo simulation.
"""

from collections.abc import Iterable
from itertools import chain, islice, takewhile
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.advice import Advice, Forecast, Knows, LeaveValues, best_first, best_kept, counted
from app.games.fribble.bag import missing, without
from app.games.fribble.board import Board
from app.games.fribble.endgame import EndgameSolver
from app.games.fribble.ending import Ending
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import MoveGenerator, Moves, Rack, Squares, number_of
from app.games.fribble.placement import Placement
from app.games.fribble.preendgame import PreEndgameSolver
from app.games.fribble.presets import Preset, presets
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.reported_turns import ReportedTurn
from app.games.fribble.selfplay import NO_MOVE, Choice, LastMove
from app.games.fribble.simulate import (
    SIMULATED,
    Candidate,
    Estimate,
    LookAhead,
    Situation,
    ended,
)
from app.games.fribble.state import State, Turn, exchangeable
from app.games.fribble.strategy import Strategy, leave_values
from app.games.fribble.tileset import RACK


class Instead(NamedTuple):
    """An exchange or a pass."""

    exchanged: str
    """The tiles put back; empty for a pass."""
    leave: str
    """The tiles kept."""
    equity: float
    """The value of the leave, in points."""
    choice: Choice
    """The same turn in the engine's terms."""
    forecast: Forecast | None = None


class TurnAdvice(NamedTuple):
    """The adviser's result for a turn."""

    found: Moves
    """All legal placements, including words excluded by ``knows``."""
    leave_values: LeaveValues
    """The value of each leave of the rack after a placement."""
    exchange_values: LeaveValues
    """The same after an exchange."""
    moves: tuple[Advice, ...]
    """The best placements, best first."""
    instead: Instead | None
    """The exchange or pass that is better than all placements, or None."""


class Comparison(NamedTuple):
    """A turn compared with the best ones, by simulation or, with an empty bag, by the endgame search."""

    moves: tuple[Advice, ...]
    """The best placements, best first."""
    instead: Instead | None
    """The exchange or pass that is better than all placements, or None."""
    played: Forecast
    """Forecast of the turn itself."""
    lost: float
    """Win probability of the best turn minus that of this one, 0 to 1."""
    error: float
    """Half the width of the 95% confidence interval of ``lost``; 0 if it is exact."""


class LastPlacement(NamedTuple):
    """The opponent's latest placement, from which the tiles it kept can be inferred."""

    placement: Placement
    points: int

    @classmethod
    def by(cls, turn: Turn | ReportedTurn) -> "LastPlacement | None":
        """Return the placement of a turn; None if there was none, or if it was withdrawn."""
        stays = isinstance(turn, ReportedTurn) or turn.kind == "place"
        return cls(turn.placement, turn.points) if turn.placement is not None and stays else None


class Outlook(NamedTuple):
    """A position as the player to move sees it."""

    board: Board
    tiles: str
    """The rack: capitals and ``?``."""
    unseen: str
    """The tiles in the bag and on the other racks."""
    exchangeable: int
    """The maximum number of tiles that may be exchanged."""
    lead: int = 0
    """Own score minus that of the best opponent who has not resigned."""
    scoreless: int = 0
    """The number of consecutive scoreless turns so far."""
    opponents: int = 1
    """The number of other racks. With more than one, the position cannot be simulated.

    Racks of players who have resigned are included, because their tiles are unseen but out of play."""
    last: LastPlacement | None = None
    """None if the last turn was not a placement, or is unknown."""


class Adviser:
    """Finds the best turns for one preset and one lexicon."""

    def __init__(self, generator: MoveGenerator, preset: str) -> None:
        """``preset`` is the name of ``generator``'s preset."""
        self._generator: Final = generator
        self._preset: Final = presets()[preset]
        self._leaves: Final = shipped_leaves(preset)

    def advise(
        self,
        outlook: Outlook,
        top: int,
        strategy: Strategy = "static",
        ahead: LookAhead | None = None,
        knows: Knows | None = None,
    ) -> TurnAdvice:
        """Return the ``top`` placements, and an exchange or pass if that is better.

        With ``ahead``, in a two-player game, the best candidates are simulated, or with the bag empty the
        endgame is searched. With ``knows``, only placements whose words are all known are returned.
        """
        rack, unseen = Rack(outlook.tiles), counted(outlook.unseen)
        squares = self._generator.squares(outlook.board)
        values, exchange_values = self._leave_values(strategy, outlook, rack, unseen)
        found = self._generator.moves(squares, rack)
        ranked = best_first(found, outlook.board, rack, knows, values)
        moves = list(islice(ranked, max(top, SIMULATED)))
        instead = _instead(rack, exchange_values, outlook.exchangeable)
        if ahead is None or outlook.opponents > 1 or not outlook.unseen:
            better = not moves or (strategy != "greedy" and instead.equity > moves[0].equity)
            return TurnAdvice(found, values, exchange_values, tuple(moves[:top]), instead if better else None)
        turns: list[Advice | Instead] = [*moves[:SIMULATED], instead]
        tried: list[Advice | Instead] = []
        for choice, forecast in self._estimates(squares, rack, unseen, outlook, turns, ahead):
            # The best endgame move may have low equity, and so be missing from the moves so far.
            candidates: Iterable[Advice | Instead] = chain([instead], moves, ranked)
            turn = next((turn for turn in candidates if turn.choice == choice), None)
            if turn is not None:
                tried.append(turn._replace(forecast=forecast))
        known = {turn.choice for turn in tried}
        best = [turn for turn in tried if isinstance(turn, Advice)]
        best += [move for move in moves if move.choice not in known]
        first = next(iter([*tried, *best]), instead)
        return TurnAdvice(
            found, values, exchange_values, tuple(best[:top]), first if isinstance(first, Instead) else None
        )

    def compare(
        self, outlook: Outlook, played: Choice, top: int, ahead: LookAhead, knows: Knows | None = None
    ) -> Comparison:
        """Compare a turn of a two-player game with the best ones that ``knows`` allows.

        ``played`` may be any turn that the rules accepted, as with a word that is not in the lexicon.
        """
        rack, unseen = Rack(outlook.tiles), counted(outlook.unseen)
        squares = self._generator.squares(outlook.board)
        values, exchange_values = self._leave_values("static", outlook, rack, unseen)
        found = self._generator.moves(squares, rack)
        ranked = best_first(found, outlook.board, rack, knows, values)
        instead = _instead(rack, exchange_values, outlook.exchangeable)
        turns: list[Advice | Instead] = [*islice(ranked, SIMULATED), instead]
        candidates = {turn.choice: Candidate(turn.choice, turn.equity) for turn in turns}
        equity = (
            played.score + int((exchange_values if played.move == NO_MOVE else values)[played.kept]) / POINT
        )
        candidates.setdefault(played, Candidate(played, equity))
        situation = Situation(
            squares, rack.counts, unseen, outlook.lead, outlook.scoreless, self._laid(outlook)
        )
        if unseen.sum() > RACK:
            estimates = self._pre_endgame.estimates(situation, list(candidates.values()), ahead, played)
        else:
            estimates = self._ended(situation, played, ahead)
            best = estimates[0].choice
            # The best turn of an endgame may have low equity, and so be missing so far.
            if all(turn.choice != best for turn in turns):
                turns += islice((move for move in ranked if move.choice == best), 1)
        return _comparison(estimates, turns, played, top)

    def _leave_values(
        self, strategy: Strategy, outlook: Outlook, rack: Rack, unseen: NDArray[np.int32]
    ) -> tuple[LeaveValues, LeaveValues]:
        """The value of each leave after a placement, and after an exchange."""
        placed, exchanged = (
            leave_values(
                strategy,
                self._generator,
                self._leaves,
                rack,
                unseen,
                opponents=outlook.opponents,
                exchanging=exchanging,
            )
            for exchanging in (False, True)
        )
        return placed, exchanged

    @property
    def _pre_endgame(self) -> PreEndgameSolver:
        """A new solver for one turn, because solvers are not thread-safe."""
        return PreEndgameSolver(self._generator, self._preset, self._leaves)

    def _ended(self, situation: Situation, played: Choice, ahead: LookAhead) -> list[Estimate]:
        """Evaluate the best turn of an endgame and the one that was played."""
        solver = EndgameSolver(self._generator, self._preset.scoreless_turns)
        ending = Ending(situation.squares, situation.rack, situation.unseen, situation.scoreless)
        best = solver.solve(ending, ahead.give_up)
        estimates = [ended(situation.lead, best.choice, best.value, exact=best.exact)]
        if best.choice != played:
            gained, exact = solver.gain(ending, played, ahead.give_up)
            estimates.append(ended(situation.lead, played, gained, exact=exact and best.exact))
        return sorted(estimates, key=lambda estimate: (-estimate.win_share, -estimate.equity))

    def _estimates(
        self,
        squares: Squares,
        rack: Rack,
        unseen: NDArray[np.int32],
        outlook: Outlook,
        turns: list[Advice | Instead],
        ahead: LookAhead,
    ) -> list[tuple[Choice, Forecast]]:
        """Return the simulation's results for these turns, or the endgame's best turn; best first."""
        last = self._laid(outlook)
        situation = Situation(squares, rack.counts, unseen, outlook.lead, outlook.scoreless, last)
        candidates = [Candidate(turn.choice, turn.equity) for turn in turns]
        found = self._pre_endgame.estimates(situation, candidates, ahead)
        return [(estimate.choice, _forecast(estimate)) for estimate in found]

    def _laid(self, outlook: Outlook) -> LastMove | None:
        """Return the last placement in the engine's terms."""
        if outlook.last is None:
            return None
        placement, points = outlook.last
        before = outlook.board.without(placement.cells)
        return LastMove(self._generator.squares(before), number_of(before, placement), points)


def outlook_of(state: State) -> Outlook:
    """Return the position as the seat to move sees it."""
    return Outlook(
        board=state.board,
        tiles=state.racks[state.to_move],
        unseen=state.unseen,
        exchangeable=exchangeable(state),
        lead=state.lead_of(state.to_move),
        scoreless=sum(1 for _ in takewhile(lambda turn: turn.points == 0, reversed(state.turns))),
        opponents=len(state.racks) - 1,
        last=LastPlacement.by(state.turns[-1]) if state.turns else None,
    )


def outlook_on(
    board: Board, tiles: str, preset: Preset, lead: int, scoreless: int = 0, last: LastPlacement | None = None
) -> Outlook:
    """Return a position entered by a user, with our rack ``tiles``; the opponent's is assumed full."""
    unseen = missing(board.tiles + tiles, preset.tiles.full_bag)
    in_bag = len(unseen) - RACK
    allowed = min(in_bag, len(tiles)) if in_bag >= preset.exchange_minimum else 0
    return Outlook(board, tiles, unseen, allowed, lead, scoreless, last=last)


def _forecast(estimate: Estimate) -> Forecast:
    return Forecast(estimate.win_share, estimate.error, estimate.equity, estimate.reply, estimate.exact_share)


def _comparison(
    estimates: list[Estimate], turns: list[Advice | Instead], played: Choice, top: int
) -> Comparison:
    """Compare ``played`` with the other turns by their estimates, best first."""
    by_choice = {turn.choice: turn for turn in turns}
    known = [
        by_choice.pop(estimate.choice)._replace(forecast=_forecast(estimate))
        for estimate in estimates
        if estimate.choice in by_choice
    ]
    # In an endgame the turns of highest equity follow, up to ``top``.
    listed = [*known, *by_choice.values()]
    own = next(estimate for estimate in estimates if estimate.choice == played)
    first = listed[0]
    return Comparison(
        moves=tuple(turn for turn in listed if isinstance(turn, Advice))[:top],
        instead=first if isinstance(first, Instead) else None,
        played=_forecast(own),
        lost=max(0.0, estimates[0].win_share - own.win_share),
        error=0.0 if own is estimates[0] else own.behind_error,
    )


def _instead(rack: Rack, leave_values: LeaveValues, exchangeable: int) -> Instead:
    """Return the best exchange, or a pass if no exchange is allowed."""
    kept = best_kept(rack, leave_values, exchangeable) if exchangeable else rack.leave_count - 1
    leave = rack.kept(kept)
    return Instead(
        without(rack.tiles, leave), leave, int(leave_values[kept]) / POINT, Choice(NO_MOVE, 0, kept)
    )
