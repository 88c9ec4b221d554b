"""What to do with a turn, for who asks: players, bots, the analysis of a game.

The best placements, and an exchange or a pass where that is better, valued by their score, by what the tiles
kept are worth, or by playing on.
"""

from collections.abc import Iterable
from itertools import chain, islice, takewhile
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.advice import Advice, Forecast, Knows, Worths, best_first, best_kept, counted
from app.games.fribble.bag import missing, without
from app.games.fribble.board import Board
from app.games.fribble.kernels import POINT
from app.games.fribble.leaves import shipped_leaves
from app.games.fribble.movegen import MoveGenerator, Moves, Rack, Squares, number_of
from app.games.fribble.placement import Placement
from app.games.fribble.presets import Preset, presets
from app.games.fribble.reported_turns import ReportedTurn
from app.games.fribble.selfplay import NO_MOVE, Choice, LastMove
from app.games.fribble.simulate import SIMULATED, Candidate, LookAhead, Situation, estimated
from app.games.fribble.state import State, Turn, exchangeable
from app.games.fribble.strategy import Strategy, leave_values
from app.games.fribble.tileset import RACK

_DUEL: Final = 2


class Instead(NamedTuple):
    """A turn that lays nothing."""

    exchanged: str
    """The tiles to put back; none to pass."""
    leave: str
    """What it keeps on the rack."""
    equity: float
    """What that is worth, in points."""
    choice: Choice
    """The same as the engine knows it."""
    forecast: Forecast | None = None


class Advised(NamedTuple):
    """What may be done with a turn."""

    found: Moves
    """All legal placements there are, known words or not."""
    worth: Worths
    """What each way to keep some of the rack is worth."""
    moves: tuple[Advice, ...]
    """The best of them, best first."""
    instead: Instead | None
    """What is better than all of them; None where one of them is best."""


class Laid(NamedTuple):
    """What the opponent has just laid: it tells of the tiles that it kept."""

    placement: Placement
    points: int

    @classmethod
    def by(cls, turn: Turn | ReportedTurn) -> "Laid | None":
        """What was laid in a turn; None if nothing was, or is not there any more."""
        stays = isinstance(turn, ReportedTurn) or turn.kind == "place"
        return cls(turn.placement, turn.points) if turn.placement is not None and stays else None


class Outlook(NamedTuple):
    """A position as who is to move sees it."""

    board: Board
    tiles: str
    """In hand: capitals and ``?``."""
    unseen: str
    """In the bag and on other racks."""
    exchangeable: int
    """The most tiles that may be exchanged."""
    lead: int = 0
    """Our score less that of the best of the others."""
    scoreless: int = 0
    """How many turns without points have just gone by."""
    duel: bool = True
    """Whether there is one opponent: only then is it known what playing on means."""
    last: Laid | None = None
    """None where nothing was, or where it is not known."""


class Adviser:
    """Knows what is best with one preset and one lexicon."""

    def __init__(self, generator: MoveGenerator, preset: str) -> None:
        """``preset`` is the name of the one that ``generator`` is for."""
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
    ) -> Advised:
        """The ``top`` placements, and whether to exchange or to pass instead.

        With ``ahead`` the best of them are valued by playing on, against one opponent; once the bag is empty,
        by searching the endgame. All of a placement's words are known where ``knows`` is given.
        """
        rack, unseen = Rack(outlook.tiles), counted(outlook.unseen)
        squares = self._generator.squares(outlook.board)
        worth = leave_values(strategy, self._generator, self._leaves, rack, unseen)
        found = self._generator.moves(squares, rack)
        ranked = best_first(found, outlook.board, rack, knows, worth)
        moves = list(islice(ranked, max(top, SIMULATED)))
        instead = _instead(rack, worth, outlook.exchangeable)
        if ahead is None or not outlook.duel or not outlook.unseen:
            better = not moves or (strategy != "greedy" and instead.equity > moves[0].equity)
            return Advised(found, worth, tuple(moves[:top]), instead if better else None)
        turns: list[Advice | Instead] = [*moves[:SIMULATED], instead]
        tried: list[Advice | Instead] = []
        for choice, forecast in self._estimates(squares, rack, unseen, outlook, turns, ahead):
            # An endgame may want what looks like nothing much, and is not among the moves so far.
            every: Iterable[Advice | Instead] = chain([instead], moves, ranked)
            turn = next((turn for turn in every if turn.choice == choice), None)
            if turn is not None:
                tried.append(turn._replace(forecast=forecast))
        known = {turn.choice for turn in tried}
        best = [turn for turn in tried if isinstance(turn, Advice)]
        best += [move for move in moves if move.choice not in known]
        first = next(iter([*tried, *best]), instead)
        return Advised(found, worth, tuple(best[:top]), first if isinstance(first, Instead) else None)

    def _estimates(
        self,
        squares: Squares,
        rack: Rack,
        unseen: NDArray[np.int32],
        outlook: Outlook,
        turns: list[Advice | Instead],
        ahead: LookAhead,
    ) -> list[tuple[Choice, Forecast]]:
        """What playing on says of the turns, or of the best that it finds, best first."""
        last = self._laid(outlook)
        found = estimated(
            self._generator,
            self._preset,
            self._leaves,
            Situation(squares, rack.counts, unseen, outlook.lead, outlook.scoreless, last),
            [Candidate(turn.choice, turn.equity) for turn in turns],
            ahead,
        )
        return [(each.choice, Forecast(each.win_share, each.error, each.equity)) for each in found]

    def _laid(self, outlook: Outlook) -> LastMove | None:
        """The last play as the engine knows it."""
        if outlook.last is None:
            return None
        placement, points = outlook.last
        before = outlook.board.without(placement.cells)
        return LastMove(self._generator.squares(before), number_of(before, placement), points)


def outlook_of(state: State) -> Outlook:
    """The position as the seat to move sees it."""
    seat = state.to_move
    others = [points for other, points in enumerate(state.scores) if other != seat]
    return Outlook(
        board=state.board,
        tiles=state.racks[seat],
        unseen=state.unseen,
        exchangeable=exchangeable(state),
        lead=state.scores[seat] - max(others),
        scoreless=sum(1 for _ in takewhile(lambda turn: turn.points == 0, reversed(state.turns))),
        duel=len(state.scores) == _DUEL,
        last=Laid.by(state.turns[-1]) if state.turns else None,
    )


def outlook_on(
    board: Board, tiles: str, preset: Preset, lead: int, scoreless: int = 0, last: Laid | None = None
) -> Outlook:
    """A position told from outside, with our ``tiles``; the opponent's rack is thought full."""
    unseen = missing(board.tiles + tiles, preset.tiles.full_bag)
    in_bag = len(unseen) - RACK
    allowed = min(in_bag, len(tiles)) if in_bag >= preset.exchange_minimum else 0
    return Outlook(board, tiles, unseen, allowed, lead, scoreless, last=last)


def _instead(rack: Rack, worth: Worths, exchangeable: int) -> Instead:
    """The best exchange, or where none is allowed a pass."""
    kept = best_kept(rack, worth, exchangeable) if exchangeable else rack.leave_count - 1
    leave = rack.kept(kept)
    return Instead(without(rack.tiles, leave), leave, int(worth[kept]) / POINT, Choice(NO_MOVE, 0, kept))
