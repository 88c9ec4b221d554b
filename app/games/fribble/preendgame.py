"""Win probabilities with one to four tiles in the bag, over all ways to draw them.

A placement that empties the bag leads to one endgame per draw, in which both players know both racks. The
endgame solver decides whether each is won, drawn or lost; the win probability is exact once all are decided.
After a pass, an exchange or a placement that leaves tiles in the bag, players do not know each other's racks;
then both play the ``static`` strategy until the bag is empty, and the result is an estimate.
Candidates are searched in the order of ``best_first``.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import comb
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.best_first import BestFirst, Draw, Prospect, Trial
from app.games.fribble.endgame import EndgameSolver, Stop
from app.games.fribble.endgame_kernels import search_endgame
from app.games.fribble.endgame_lists import PreviousTurn
from app.games.fribble.ending import Ending
from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.presets import Preset
from app.games.fribble.rack_kernels import spend
from app.games.fribble.selfplay import NO_MOVE, Choice, Table
from app.games.fribble.simulate import Candidate, Estimate, LookAhead, Situation, estimated
from app.games.fribble.strategy import player
from app.games.fribble.tileset import RACK, TILES
from app.games.randomness import shuffled

EACH: Final = 200_000
"""Most positions searched for one draw; after that the deepest complete search is the result, not exact."""
BRIEFLY: Final = 50_000
"""The same if there is little time."""
QUICKLY: Final = {1: 240_000, 2: 60_000, 3: 20_000, 4: 20_000}
"""Most positions searched for a turn, by the number of tiles in the bag, before it is simulated instead.

With 3 or 4 in the bag, 240,000 positions decided one turn in 40. With a second per turn, simulating instead
gained 0.7% of the win share."""
MOST_IN_BAG: Final = max(QUICKLY)
EFFORTS: Final = (64, 1_024, 16_384, 262_144)
"""Positions searched for a draw when its candidate is selected for the first time, the second and so on.

Only those below the limit per draw (``each``) are used; the last time, it is that limit."""
DIRECTLY: Final = 16_384
"""Up to this effort, the search is ``direct``; see ``EndgameSolver.compare``."""
_EQUALS: Final = 5
"""Candidates are searched in the order of (rank by equity + _EQUALS) * 2 ** (number of tiles left)."""
_ROUNDING: Final = 1e-9


def draws(unseen: NDArray[np.int32], size: int) -> list[Draw]:
    """Return all sets of ``size`` of the ``unseen`` tiles, in the order of TILES."""
    kinds = np.flatnonzero(unseen).tolist()

    def chosen(place: int, left: int) -> Iterator[tuple[dict[int, int], int]]:
        if place == len(kinds):
            if left == 0:
                yield {}, 1
            return
        kind, held = kinds[place], int(unseen[kinds[place]])
        for count in range(min(held, left) + 1):
            for rest, weight in chosen(place + 1, left - count):
                yield {kind: count, **rest}, weight * comb(held, count)

    found = []
    for counts, weight in chosen(0, size):
        tiles = np.zeros(len(TILES), np.int32)
        for kind, count in counts.items():
            tiles[kind] = count
        found.append(Draw(tiles, weight))
    return found


class PreEndgameSolver:
    """Evaluates turns with few tiles in the bag. Not thread-safe."""

    def __init__(self, generator: MoveGenerator, preset: Preset, leaves: Leaves) -> None:
        self._generator: Final = generator
        self._static: Final = player("static", leaves)
        self._preset: Final = preset
        self._leaves: Final = leaves
        self._solver: Final = EndgameSolver(generator, preset.scoreless_turns)

    def evaluate(
        self,
        situation: Situation,
        candidates: Sequence[Candidate],
        random: Random,
        stop: Stop = lambda _: False,
        each: int = EACH,
    ) -> list[Prospect]:
        """Return the results of the candidates tried, best first; those not tried with all draws come last.

        ``stop`` takes the number of endgame positions searched and returns whether to stop. Raises ValueError
        unless the bag holds 1 to MOST_IN_BAG tiles.
        """
        in_bag = int(situation.unseen.sum()) - RACK
        if not 0 < in_bag <= MOST_IN_BAG:
            raise ValueError(f"there are {in_bag} tiles in the bag; accepted: 1 to {MOST_IN_BAG}")
        # The endgame solver compares boards by identity, so this must be a new one.
        situation = situation._replace(squares=situation.squares.copy())
        ways = draws(situation.unseen, in_bag)
        ranked = sorted(candidates, key=lambda candidate: -candidate.equity)
        left = [_left(situation, candidate.choice) for candidate in ranked]
        # The bag is empty after turns that leave at most this many tiles.
        few = 2 * RACK - int(situation.unseen.sum())
        trials = [
            Trial(candidate, ways, empties=size <= few) for candidate, size in zip(ranked, left, strict=True)
        ]
        emptying = [place for place, size in enumerate(left) if size <= few]
        emptying.sort(key=lambda place: (place + _EQUALS) << left[place])
        others = [place for place, size in enumerate(left) if size > few]

        def search(trial: Trial, place: int, effort: int, searched: int) -> tuple[float, bool, int]:
            late = partial(_later, stop, searched)
            return self._outcome(situation, trial, ways[place], random, late, effort)

        best_first = BestFirst(ways, search, stop)
        efforts = [effort for effort in EFFORTS if effort < each] + [each]
        best_first.run([trials[place] for place in emptying], efforts)
        best_first.run([trials[place] for place in others], [each])
        found = [trial.prospect for trial in trials if trial.turns]
        # The sort is stable: candidates of equal share stay in the order of their equity.
        found.sort(key=lambda prospect: (-int(prospect.tried_share), -prospect.win_share))
        return found

    def estimates(
        self,
        situation: Situation,
        candidates: Sequence[Candidate],
        ahead: LookAhead,
        played: Choice | None = None,
    ) -> list[Estimate]:
        """Return the candidates, best first: searched with all draws, or simulated.

        The search is used if it settles which turn is best, or shows that the best turn by simulation wins
        less than another. Turns that it gave up are left out, except ``played``, which must be a candidate:
        if there is no time to try it with all draws, the simulation is used.
        """

        def simulate() -> list[Estimate]:
            return estimated(self._generator, self._preset, self._leaves, situation, candidates, ahead)

        found = self._found_quickly(situation, candidates, ahead)
        simulated: list[Estimate] = []
        if not _is_decided(found, len(candidates)):
            simulated = simulate()
            if not _is_refuted(simulated[0].choice, found):
                return simulated
        tried = [prospect for prospect in found if prospect.tried_share == 1.0]
        if played is not None and all(prospect.candidate.choice != played for prospect in tried):
            candidate = next(each for each in candidates if each.choice == played)
            own = self._found_quickly(situation, [candidate], ahead)
            if not own or own[0].tried_share < 1.0:
                return simulated or simulate()
            tried += own
        return [_estimate(prospect, tried[0]) for prospect in tried]

    def _found_quickly(
        self, situation: Situation, candidates: Sequence[Candidate], ahead: LookAhead
    ) -> list[Prospect]:
        """Return the results found within QUICKLY positions; empty before the kernels are compiled."""
        in_bag = int(situation.unseen.sum()) - RACK
        if in_bag not in QUICKLY or not search_endgame.ready:
            return []

        def stop(more: int) -> bool:
            return more > QUICKLY[in_bag] or ahead.simulate_now() or ahead.give_up(more)

        return self.evaluate(situation, candidates, ahead.random, stop, BRIEFLY)

    def _outcome(
        self, situation: Situation, trial: Trial, way: Draw, random: Random, stop: Stop, each: int
    ) -> tuple[float, bool, int]:
        """Return a turn's result if the bag is ``way``, whether it is exact, and the positions searched."""
        choice = trial.candidate.choice
        theirs = situation.unseen - way.counts
        if trial.empties:
            if trial.after is None:
                squares, left = situation.squares.copy(), situation.rack.copy()
                self._generator.lay(squares, choice.move)
                spend(choice.move, left)
                trial.after = squares, left
            squares, left = trial.after
            scoreless = 0 if choice.score else situation.scoreless + 1
            ending = Ending(squares, theirs, left + way.counts, scoreless)
            sign, exact = self._solver.compare(
                ending,
                situation.lead + choice.score,
                lambda more: more > each or stop(more),
                direct=each <= DIRECTLY,
                before=PreviousTurn(situation.squares, situation.rack, choice.move),
            )
            return (1 - sign) / 2, exact, self._solver.positions
        bag = np.repeat(np.arange(len(TILES)), way.counts)
        bag = np.array(shuffled(random, bag.tolist()), np.int64)
        counts = np.stack([situation.rack, theirs]).astype(np.int32)
        table = Table(self._generator, self._preset, random, (situation.squares.copy(), counts, bag))
        table.scoreless = situation.scoreless
        table.play(choice)
        while table.in_bag and not table.over:
            table.play(self._static(table))
        if table.over:
            first, second = table.settle()
            return (1 + float(np.sign(situation.lead + first - second))) / 2, False, 0
        lead = situation.lead + table.scores[0] - table.scores[1]
        mover = table.to_move
        ending = Ending(table.squares, table.counts[mover], table.counts[1 - mover], table.scoreless)
        ahead = lead if mover else -lead
        sign, _ = self._solver.compare(ending, ahead, lambda more: more > each or stop(more))
        return (1 - sign if mover else 1 + sign) / 2, False, self._solver.positions


def _is_decided(found: Sequence[Prospect], candidates: int) -> bool:
    """Whether the first result is exact, and none of the other ``candidates`` can win more.

    The others are compared by their upper bounds, or by estimates if they do not empty the bag.
    """
    if not found or not found[0].exact:
        return False
    most = found[0].win_share
    complete = len(found) == candidates or most == 1.0
    return complete and all(prospect.most <= most + _ROUNDING for prospect in found)


def _is_refuted(choice: Choice, found: Sequence[Prospect]) -> bool:
    """Whether a turn wins less than the first result, which has all draws tried and some exact."""
    if not found or found[0].tried_share < 1.0 or not found[0].exact_share:
        return False
    turn = next((prospect for prospect in found if prospect.candidate.choice == choice), None)
    return turn is not None and turn.most + _ROUNDING < found[0].win_share


def _estimate(prospect: Prospect, best: Prospect) -> Estimate:
    """Return the estimate of a turn; its error is half the share that is not exact."""
    error, behind = ((1 - each.exact_share) / 2 for each in (prospect, best))
    return Estimate(
        *prospect.candidate,
        prospect.win_share,
        error,
        0,
        behind_error=0.0 if prospect is best else error + behind,
        exact_share=prospect.exact_share,
    )


def _later(stop: Stop, before: int, more: int) -> bool:
    return stop(before + more)


def _left(situation: Situation, choice: Choice) -> int:
    """Return the number of tiles left on the rack after a turn, before drawing."""
    rack = situation.rack.copy()
    if choice.move != NO_MOVE:
        spend(choice.move, rack)
    return int(rack.sum())
