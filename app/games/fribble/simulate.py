"""Moves valued by playing on: what the opponent answers, and what we answer then, with tiles drawn at random.

In each sample the tiles that are not seen are dealt to the opponent's rack and the bag, the same for every
move looked at; a rack is the more likely, the better it explains the opponent's last move. All play as
``static`` does. How often the game is won from where a sample ends follows from the points between the
players and the tiles still to come: in 700 games of ``static`` against itself the rest of a game brought who
was to move 20 points, with a standard deviation of 16 + 7 * sqrt(tiles not seen).
"""

from collections.abc import Callable, Sequence
from math import erf, pi, sqrt
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.endgame import EndgameSolver, Ending
from app.games.fribble.inference import Hidden
from app.games.fribble.kernels import POINT
from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator, Rack, Squares
from app.games.fribble.presets import Preset
from app.games.fribble.selfplay import NO_MOVE, Choice, LastMove, Player, Table
from app.games.fribble.strategy import player
from app.games.fribble.tileset import RACK, TILES

TO_MOVE: Final = 20.0
"""Points that it is worth to be the next to move."""
SURE: Final = 16.0
PER_ROOT_TILE: Final = 7.0
CONFIDENT: Final = 1.96
"""Standard errors to either side that hold 95% of a normal distribution."""
FEWEST: Final = 32
"""Samples before a move may be given up."""
SIMULATED: Final = 12
"""Moves that are worth looking at: those of the highest equity."""
PRIOR: Final = 20
"""So many samples count as much as what ``static`` thinks: the best of many noisy numbers is noise, too."""
MOST: Final = 2000


class Estimate(NamedTuple):
    """What playing on says of a move."""

    choice: Choice
    equity: float
    """Points we gain on the opponent with it and the turns played on, tiles kept included."""
    win_share: float
    """How often the game is won, draws counting half: 0 to 1."""
    error: float
    """Half the width of the 95% interval of the win share."""
    samples: int
    """0 for what an endgame search found."""


class Candidate(NamedTuple):
    """A move to look at."""

    choice: Choice
    equity: float
    """What ``static`` thinks of it, in points."""


class Situation(NamedTuple):
    """What who is to move knows."""

    squares: Squares
    rack: NDArray[np.int32]
    """(27,): the tiles of each kind in hand."""
    unseen: NDArray[np.int32]
    """(27,): those in the bag and on the opponent's rack."""
    lead: int
    """Our score less the opponent's."""
    scoreless: int = 0
    """How many turns without points have just gone by."""
    last: LastMove | None = None
    """What the opponent has just laid."""


class LookAhead(NamedTuple):
    """How far playing on goes."""

    enough: Callable[[int], bool]
    """Told how many samples of a simulation were taken: whether that is enough."""
    give_up: Callable[[int], bool]
    """Told how many positions of an endgame were looked at: whether to search no longer."""
    random: Random
    """Deals the tiles that are not seen."""

    @classmethod
    def until(cls, late: Callable[[], bool]) -> "LookAhead":
        """As far as one gets before it is ``late``; the tiles dealt are always the same."""
        return cls(lambda _: late(), lambda _: late(), Random(0))


def simulate(
    generator: MoveGenerator,
    preset: Preset,
    leaves: Leaves,
    situation: Situation,
    candidates: Sequence[Candidate],
    random: Random,
    stop: Callable[[int], bool],
    plies: int = 2,
) -> list[Estimate]:
    """The candidates by their win share, best first, and of equals by equity.

    ``stop`` is told how many samples were taken, and says whether that is enough; one is always taken. Moves
    that are behind the best beyond doubt are not looked at any more, and come after those that are.
    """
    tallies = [_Tally(*candidate) for candidate in candidates]
    points = 1 / (sqrt(2 * pi) * _deviation(int(situation.unseen.sum())))
    play_on = player("static", leaves)
    unseen, last = situation.unseen, situation.last
    hidden = Hidden.anything(unseen)
    if last is not None:
        hidden = Hidden.after(last, unseen, generator, leaves, random, lambda: stop(0))
    running = list(tallies)
    for sample in range(1, MOST + 1):
        dealt = hidden.deal(random)
        seed = int(random.random() * (1 << 53))
        for tally in running:
            table = _table(generator, preset, situation, dealt, Random(seed))
            kept = [0, 0]
            choice = tally.choice
            for ply in range(plies + 1):
                if ply:
                    choice = play_on(table)
                kept[table.to_move] = int(leaves.worths(table.rack)[choice.kept])
                table.play(choice)
                if table.over:
                    break
            tally.add(*_outcome(table, (kept[0] - kept[1]) / POINT, situation.lead))
        if stop(sample):
            break
        if sample % FEWEST == 0:
            best = max(tally.win_share - tally.error for tally in running)
            running = [tally for tally in running if tally.win_share + tally.error >= best]
            if len(running) == 1:
                break
    level = sum(tally.win_share - points * tally.static for tally in tallies) / len(tallies)
    # A line through shares near 0 or 1 leaves that range.
    found = [tally.estimate(min(1.0, max(0.0, level + points * tally.static))) for tally in tallies]
    return sorted(found, key=lambda each: (-each.samples, -each.win_share, -each.equity))


def likely_share(lead: float, tiles: int, *, to_move: bool) -> float:
    """How often who leads by so many points wins a game for two, 0 to 1, nothing else being known.

    ``tiles`` are those that the player to move does not see.
    """
    expected = lead + (TO_MOVE if to_move else -TO_MOVE)
    return (1 + erf(expected / _deviation(tiles) / sqrt(2))) / 2


def _deviation(tiles: int) -> float:
    """Of the points that the rest of a game brings, with so many tiles not seen."""
    return SURE + PER_ROOT_TILE * sqrt(tiles)


def simulating(
    leaves: Leaves,
    random: Random,
    begin: Callable[[], Callable[[int], bool]],
    top: int = SIMULATED,
) -> Player:
    """Who simulates the ``top`` moves of the highest equity, and plays endgames out of knowledge.

    ``begin`` is called at the start of a turn for the ``stop`` of its search.
    """

    def choose(table: Table) -> Choice:
        stop = begin()
        if table.in_bag == 0:
            solver = EndgameSolver(table.generator, table.preset.scoreless_turns)
            counts = table.counts[table.to_move], table.counts[1 - table.to_move]
            return solver.solve(Ending(table.squares, *counts, table.scoreless), stop).choice
        rack = table.rack
        worths = leaves.worths(rack)
        candidates = best_candidates(table.generator, table.squares, rack, worths, top)
        instead = player("static", leaves)(table)
        if instead.move == NO_MOVE:
            candidates.append(Candidate(instead, int(worths[instead.kept]) / POINT))
        if len(candidates) == 1:
            return candidates[0].choice
        lead = table.scores[table.to_move] - table.scores[1 - table.to_move]
        counts = table.counts[table.to_move]
        situation = Situation(table.squares, counts, table.unseen, lead, table.scoreless, table.last)
        found = simulate(table.generator, table.preset, leaves, situation, candidates, random, stop)
        return found[0].choice

    return choose


def estimated(
    generator: MoveGenerator,
    preset: Preset,
    leaves: Leaves,
    situation: Situation,
    candidates: Sequence[Candidate],
    ahead: LookAhead,
) -> list[Estimate]:
    """The candidates simulated, best first; with the bag empty, the best play alone, whatever it is.

    Its error is 0 where it is exact, and 0.5 where the search was given up.
    """
    if situation.unseen.sum() > RACK:
        return simulate(generator, preset, leaves, situation, candidates, ahead.random, ahead.enough)
    solver = EndgameSolver(generator, preset.scoreless_turns)
    ending = Ending(situation.squares, situation.rack, situation.unseen, situation.scoreless)
    found = solver.solve(ending, ahead.give_up)
    share = 0.5 + 0.5 * float(np.sign(situation.lead + found.value))
    return [Estimate(found.choice, found.value, share, 0.0 if found.exact else 0.5, 0)]


def best_candidates(
    generator: MoveGenerator, squares: Squares, rack: Rack, worths: NDArray[np.int32], top: int
) -> list[Candidate]:
    """The ``top`` placements of the highest equity, best first."""
    moves = generator.moves(squares, rack)
    equities = moves.scores.astype(np.int64) * POINT + worths[moves.kept]
    return [
        Candidate(
            Choice(int(moves.numbers[each]), int(moves.scores[each]), int(moves.kept[each])),
            int(equities[each]) / POINT,
        )
        for each in np.lexsort((moves.numbers, -equities))[:top]
    ]


class _Tally:
    """The samples of one choice, added up."""

    def __init__(self, choice: Choice, static: float) -> None:
        self.choice: Final = choice
        self.static: Final = static
        self.samples = 0
        self._equity = self._share = self._squares = 0.0

    def add(self, equity: float, share: float) -> None:
        self.samples += 1
        self._equity += equity
        self._share += share
        self._squares += share * share

    @property
    def win_share(self) -> float:
        return self._share / self.samples

    @property
    def error(self) -> float:
        if self.samples == 1:
            return 0.5
        variance = (self._squares - self.samples * self.win_share**2) / (self.samples - 1)
        return CONFIDENT * sqrt(max(0.0, variance) / self.samples)

    def estimate(self, prior: float) -> Estimate:
        share = (self._share + PRIOR * prior) / (self.samples + PRIOR)
        return Estimate(self.choice, self._equity / self.samples, share, self.error, self.samples)


def _table(
    generator: MoveGenerator,
    preset: Preset,
    situation: Situation,
    dealt: NDArray[np.int64],
    random: Random,
) -> Table:
    """The game as it may stand: seat 0 is us, and ``dealt`` the opponent's rack, then the bag."""
    held = min(RACK, len(dealt))
    theirs = np.bincount(dealt[:held], minlength=len(TILES)).astype(np.int32)
    counts = np.stack([situation.rack, theirs])
    table = Table(generator, preset, random, (situation.squares.copy(), counts, dealt[held:].copy()))
    table.scoreless = situation.scoreless
    return table


def _outcome(table: Table, leave: float, lead: int) -> tuple[float, float]:
    """What seat 0 has gained on the other, and how often it wins from here.

    ``leave`` is how much more what it kept is worth than what the other kept.
    """
    if table.over:
        ours, theirs = table.settle()
        spread = lead + ours - theirs
        return float(ours - theirs), 0.5 if spread == 0 else float(spread > 0)
    gained = table.scores[0] - table.scores[1] + (leave if table.in_bag else 0.0)
    tiles = table.in_bag + int(table.counts[1 - table.to_move].sum())
    return gained, likely_share(lead + gained, tiles, to_move=table.to_move == 0)
