"""The strongest player of one engine against another: simulation, pre-endgame and endgame search."""

from collections.abc import Callable
from random import Random

from app.games.fribble.endgame import EndgameSolver
from app.games.fribble.ending import Ending
from app.games.fribble.leaves import Leaves
from app.games.fribble.preendgame import PreEndgameSolver
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.selfplay import NO_MOVE, Choice, Player, Table
from app.games.fribble.simulate import SIMULATED, Candidate, LookAhead, Situation, best_candidates
from app.games.fribble.strategy import best_turn


def simulating(
    leaves: Leaves,
    random: Random,
    begin: Callable[[], Callable[[int], bool]],
    top: int = SIMULATED,
) -> Player:
    """Return a player that simulates the ``top`` moves of highest equity, and solves endgames.

    With few tiles in the bag it tries all draws first. ``begin`` is called at the start of a turn and returns
    the ``stop`` of its search.
    """

    def choose(table: Table) -> Choice:
        stop = begin()
        if table.in_bag == 0:
            solver = EndgameSolver(table.generator, table.preset.scoreless_turns)
            counts = table.counts[table.to_move], table.counts[1 - table.to_move]
            return solver.solve(Ending(table.squares, *counts, table.scoreless), stop).choice
        rack = table.rack
        leave_values = leaves.values(rack, table.unseen)
        candidates = best_candidates(table.generator, table.squares, rack, leave_values, top)
        exchange, equity = best_turn("static", leaves, table)
        if exchange.move == NO_MOVE:
            candidates.append(Candidate(exchange, equity / POINT))
        if len(candidates) == 1:
            return candidates[0].choice
        lead = table.scores[table.to_move] - table.scores[1 - table.to_move]
        counts = table.counts[table.to_move]
        situation = Situation(table.squares, counts, table.unseen, lead, table.scoreless, table.last)
        pre_endgame = PreEndgameSolver(table.generator, table.preset, leaves)
        return pre_endgame.estimates(situation, candidates, LookAhead(stop, stop, random))[0].choice

    return choose
