"""Win probabilities with one to four tiles in the bag, over all ways to draw them.

A placement that empties the bag leads to an endgame with both racks known to both players, one for each
draw: the endgame solver decides whether it is won, drawn or lost, and the win probability is exact once all
are decided. After a pass, an exchange or a placement that leaves tiles in the bag, players do not know each
other's racks; then both play the ``static`` strategy until the bag is empty, and the result is an estimate.

Candidates are tried by their ``static`` equity, best first, and given up once they cannot win more than the
best that is exact: the draw that settled this for one candidate is tried first on the next.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import comb
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame import EndgameSolver, Ending, Stop
from app.games.fribble.endgame_kernels import search_endgame
from app.games.fribble.kernels import spend
from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.presets import Preset
from app.games.fribble.selfplay import NO_MOVE, Choice, Table
from app.games.fribble.simulate import Candidate, Estimate, LookAhead, Situation
from app.games.fribble.strategy import player
from app.games.fribble.tileset import RACK, TILES
from app.games.randomness import shuffled

MOST_IN_BAG: Final = 4
EACH: Final = 200_000
"""Most positions searched for one draw; then the deepest complete search decides, and is not exact."""
BRIEFLY: Final = 50_000
"""The same, where there is little time."""
QUICKLY: Final = 300_000
"""Most positions searched for a turn, before it is simulated instead."""
_ROUNDING: Final = 1e-9


class Prospect(NamedTuple):
    """The result for a candidate."""

    candidate: Candidate
    win_share: float
    """Win probability, 0 to 1; draws count half. Draws of tiles that were not tried count as lost."""
    exact_share: float
    """The probability of the draws of tiles whose result is exact, 0 to 1."""
    tried_share: float
    """The probability of the draws that were tried, 0 to 1; below 1 if the candidate was given up."""

    @property
    def exact(self) -> bool:
        """Whether the win probability is exact."""
        return self.exact_share == 1.0


class Draw(NamedTuple):
    """Tiles that may be the bag."""

    counts: NDArray[np.int32]
    """(27,): the count of each kind of tile."""
    weight: int
    """The number of ways to draw them, tiles of the same kind taken apart."""


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
        self._solver: Final = EndgameSolver(generator, preset.scoreless_turns)

    def evaluate(
        self,
        situation: Situation,
        candidates: Sequence[Candidate],
        random: Random,
        stop: Stop = lambda _: False,
        each: int = EACH,
    ) -> list[Prospect]:
        """Return what the candidates win, best first; those given up, or begun too late, come last.

        ``stop`` is given the number of endgame positions searched and says whether to stop. Raises ValueError
        unless the bag holds 1 to MOST_IN_BAG tiles.
        """
        in_bag = int(situation.unseen.sum()) - RACK
        if not 0 < in_bag <= MOST_IN_BAG:
            raise ValueError(f"there are {in_bag} tiles in the bag: accepted are 1 to {MOST_IN_BAG}")
        ways = draws(situation.unseen, in_bag)
        total = sum(way.weight for way in ways)
        searched, best = 0, -1.0
        found: list[Prospect] = []
        for candidate in sorted(candidates, key=lambda each: -each.equity):
            won, tried, exactly = 0.0, 0, 0
            for place, way in enumerate(ways):
                if won + total - tried <= best * total:
                    # The draw that refuted this candidate may refute the next.
                    ways.insert(0, ways.pop(place - 1))
                    break
                outcome, exact, positions = self._outcome(
                    situation, candidate.choice, way, random, partial(_later, stop, searched), each
                )
                searched += positions
                won += way.weight * outcome
                tried += way.weight
                exactly += way.weight * exact
                if stop(searched):
                    break
            found.append(Prospect(candidate, won / total, exactly / total, tried / total))
            if exactly == total:
                best = max(best, won / total)
            if best == 1.0 or stop(searched):
                break
        # Those of equal share stay in the order of their equity.
        found.sort(key=lambda prospect: (-int(prospect.tried_share), -prospect.win_share))
        return found

    def best(
        self, situation: Situation, candidates: Sequence[Candidate], random: Random, stop: Stop
    ) -> list[Prospect]:
        """Return what ``evaluate`` found, if its first is exact and no other can win more; else nothing.

        Other turns are compared by their upper bounds, and by estimates if they do not empty the bag.
        """
        found = self.evaluate(situation, candidates, random, stop, BRIEFLY)
        if not found or not found[0].exact:
            return []
        most = found[0].win_share
        complete = len(found) == len(candidates) or most == 1.0
        bounded = all(each.win_share + 1 - each.tried_share <= most + _ROUNDING for each in found)
        return found if complete and bounded else []

    def decided(
        self,
        situation: Situation,
        candidates: Sequence[Candidate],
        ahead: LookAhead,
        played: Choice | None = None,
    ) -> list[Estimate]:
        """Return the exact result if it is found within QUICKLY positions, best first; otherwise nothing.

        Candidates that were given up are left out, except ``played``. There is no result with more tiles in
        the bag, or none, nor while the search is not compiled.
        """
        in_bag = int(situation.unseen.sum()) - RACK
        if not 0 < in_bag <= MOST_IN_BAG or not search_endgame.ready:
            return []

        def stop(more: int) -> bool:
            return more > QUICKLY or ahead.give_up(more)

        found = self.best(situation, candidates, ahead.random, stop)
        tried = [prospect for prospect in found if prospect.tried_share == 1.0]
        if not found or played is None or any(each.candidate.choice == played for each in tried):
            return [_estimate(prospect) for prospect in tried]
        own = next(each for each in candidates if each.choice == played)
        tried += self.evaluate(situation, [own], ahead.random, stop, BRIEFLY)
        return [_estimate(prospect) for prospect in tried] if tried[-1].tried_share == 1.0 else []

    def _outcome(
        self, situation: Situation, choice: Choice, way: Draw, random: Random, stop: Stop, each: int
    ) -> tuple[float, bool, int]:
        """Return what a turn wins if the bag is ``way``, if that is exact, and the positions searched."""
        theirs = situation.unseen - way.counts
        bag = np.repeat(np.arange(len(TILES)), way.counts).astype(np.int64)
        if int(situation.rack.sum()) - _laid(choice) + len(bag) <= RACK:
            squares, ours = situation.squares.copy(), situation.rack + way.counts
            self._generator.lay(squares, choice.move)
            spend(choice.move, ours)
            scoreless = 0 if choice.score else situation.scoreless + 1
            ending = Ending(squares, theirs, ours, scoreless)
            sign, exact = self._solver.compare(
                ending, situation.lead + choice.score, lambda more: more > each or stop(more)
            )
            return (1 - sign) / 2, exact, self._solver.positions
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


def _estimate(prospect: Prospect) -> Estimate:
    """Return the estimate of a turn; its error is half of what is not exact."""
    error, (choice, equity) = (1 - prospect.exact_share) / 2, prospect.candidate
    return Estimate(
        choice,
        equity,
        prospect.win_share,
        error,
        0,
        behind_error=error,
        exact_share=prospect.exact_share,
    )


def _later(stop: Stop, before: int, more: int) -> bool:
    return stop(before + more)


def _laid(choice: Choice) -> int:
    """Return the number of tiles laid."""
    if choice.move == NO_MOVE:
        return 0
    used = np.zeros(len(TILES), np.int32)
    spend(choice.move, used)
    return -int(used.sum())
