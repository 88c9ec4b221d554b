"""Monte Carlo evaluation of moves: simulate replies with randomly drawn tiles.

Each sample deals the unseen tiles to the opponent's rack and the bag, the same for every candidate; racks are
weighted by how well they explain the opponent's last move. Both sides play the ``static`` strategy. A
sample's final position is converted to a win probability from the spread and the number of unseen tiles: in
700 games of ``static`` against itself, the rest of a game brought the player to move 20 points more than the
opponent, with a standard deviation of 16 + 7 * sqrt(unseen tiles).
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
"""The value of having the next turn, in points."""
SURE: Final = 16.0
PER_ROOT_TILE: Final = 7.0
CONFIDENT: Final = 1.96
"""Standard errors on either side of a 95% confidence interval."""
FEWEST: Final = 32
"""Minimum samples before a candidate may be dropped."""
SIMULATED: Final = 12
"""The number of candidates simulated: the moves of highest equity."""
PRIOR: Final = 20
"""Weight of the ``static`` evaluation, in samples. Needed because the best of many noisy estimates is
biased."""
MOST: Final = 2000


class Estimate(NamedTuple):
    """The simulation's result for a candidate."""

    choice: Choice
    equity: float
    """Points gained on the opponent over the simulated turns, leaves included."""
    win_share: float
    """Win probability, 0 to 1; draws count half."""
    error: float
    """Half the width of the win share's 95% confidence interval."""
    samples: int
    """0 if found by an endgame search."""


class Candidate(NamedTuple):
    """A move to simulate."""

    choice: Choice
    equity: float
    """Its ``static`` equity, in points."""


class Situation(NamedTuple):
    """What the player to move knows."""

    squares: Squares
    rack: NDArray[np.int32]
    """(27,): the count of each kind of tile on the rack."""
    unseen: NDArray[np.int32]
    """(27,): the count of each kind in the bag and on the opponent's rack."""
    lead: int
    """Own score minus the opponent's."""
    scoreless: int = 0
    """The number of consecutive scoreless turns so far."""
    last: LastMove | None = None
    """The opponent's latest move, if it was a placement."""


class LookAhead(NamedTuple):
    """The limits of a simulation or endgame search."""

    enough: Callable[[int], bool]
    """Given the number of samples taken: whether to stop simulating."""
    give_up: Callable[[int], bool]
    """Given the number of endgame positions searched: whether to stop searching."""
    random: Random
    """Deals the unseen tiles."""

    @classmethod
    def until(cls, late: Callable[[], bool]) -> "LookAhead":
        """Return limits that stop when ``late`` returns true. The tiles dealt are always the same."""
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
    """Return the candidates by win share, then equity, best first.

    ``stop`` is given the number of samples taken and says whether to stop; at least one is taken. Candidates
    whose win share is significantly below the best are dropped early, and come last.
    """
    tallies = [_Tally(*candidate) for candidate in candidates]
    points = 1 / (sqrt(2 * pi) * _deviation(int(situation.unseen.sum())))
    static = player("static", leaves)
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
                    choice = static(table)
                kept[table.to_move] = int(leaves.values(table.rack)[choice.kept])
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
    return sorted(found, key=lambda estimate: (-estimate.samples, -estimate.win_share, -estimate.equity))


def likely_share(lead: float, tiles: int, *, to_move: bool) -> float:
    """Return the win probability, 0 to 1, of the player with this lead in a two-player game.

    ``tiles`` is the number of tiles that the player to move cannot see.
    """
    expected = lead + (TO_MOVE if to_move else -TO_MOVE)
    return (1 + erf(expected / _deviation(tiles) / sqrt(2))) / 2


def _deviation(tiles: int) -> float:
    """Return the standard deviation of the rest of the game's spread, given the number of unseen tiles."""
    return SURE + PER_ROOT_TILE * sqrt(tiles)


def simulating(
    leaves: Leaves,
    random: Random,
    begin: Callable[[], Callable[[int], bool]],
    top: int = SIMULATED,
) -> Player:
    """Return a player that simulates the ``top`` moves of highest equity, and solves endgames.

    ``begin`` is called at the start of a turn and returns the ``stop`` of its search.
    """

    def choose(table: Table) -> Choice:
        stop = begin()
        if table.in_bag == 0:
            solver = EndgameSolver(table.generator, table.preset.scoreless_turns)
            counts = table.counts[table.to_move], table.counts[1 - table.to_move]
            return solver.solve(Ending(table.squares, *counts, table.scoreless), stop).choice
        rack = table.rack
        leave_values = leaves.values(rack)
        candidates = best_candidates(table.generator, table.squares, rack, leave_values, top)
        exchange = player("static", leaves)(table)
        if exchange.move == NO_MOVE:
            candidates.append(Candidate(exchange, int(leave_values[exchange.kept]) / POINT))
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
    """Return the candidates simulated, best first; with the bag empty, the best play alone, of all moves.

    The error is 0 for an exact endgame result, and 0.5 for an incomplete one.
    """
    if situation.unseen.sum() > RACK:
        return simulate(generator, preset, leaves, situation, candidates, ahead.random, ahead.enough)
    solver = EndgameSolver(generator, preset.scoreless_turns)
    ending = Ending(situation.squares, situation.rack, situation.unseen, situation.scoreless)
    found = solver.solve(ending, ahead.give_up)
    share = 0.5 + 0.5 * float(np.sign(situation.lead + found.value))
    return [Estimate(found.choice, found.value, share, 0.0 if found.exact else 0.5, 0)]


def best_candidates(
    generator: MoveGenerator, squares: Squares, rack: Rack, leave_values: NDArray[np.int32], top: int
) -> list[Candidate]:
    """Return the ``top`` placements of highest equity, best first."""
    moves = generator.moves(squares, rack)
    equities = moves.scores.astype(np.int64) * POINT + leave_values[moves.kept]
    return [
        Candidate(
            Choice(int(moves.numbers[index]), int(moves.scores[index]), int(moves.kept[index])),
            int(equities[index]) / POINT,
        )
        for index in np.lexsort((moves.numbers, -equities))[:top]
    ]


class _Tally:
    """The accumulated samples of one candidate."""

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
    """Return a sampled game: seat 0 is the player to move; ``dealt`` is the opponent's rack, then the bag."""
    held = min(RACK, len(dealt))
    theirs = np.bincount(dealt[:held], minlength=len(TILES)).astype(np.int32)
    counts = np.stack([situation.rack, theirs])
    table = Table(generator, preset, random, (situation.squares.copy(), counts, dealt[held:].copy()))
    table.scoreless = situation.scoreless
    return table


def _outcome(table: Table, leave: float, lead: int) -> tuple[float, float]:
    """Return seat 0's gain in points on the opponent, and its win probability.

    ``leave`` is the difference of the two players' leave values.
    """
    if table.over:
        ours, theirs = table.settle()
        spread = lead + ours - theirs
        return float(ours - theirs), 0.5 if spread == 0 else float(spread > 0)
    gained = table.scores[0] - table.scores[1] + (leave if table.in_bag else 0.0)
    tiles = table.in_bag + int(table.counts[1 - table.to_move].sum())
    return gained, likely_share(lead + gained, tiles, to_move=table.to_move == 0)
