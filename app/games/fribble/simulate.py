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

from app.games.fribble.endgame import EndgameSolver
from app.games.fribble.ending import Ending
from app.games.fribble.inference import Hidden
from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator, Rack, Squares
from app.games.fribble.presets import Preset
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.selfplay import NO_MOVE, Choice, LastMove, Table
from app.games.fribble.strategy import best_turn
from app.games.fribble.tileset import RACK, TILES

TO_MOVE: Final = 20.0
"""The value of having the next turn, in points."""
SURE: Final = 16.0
PER_ROOT_TILE: Final = 7.0
CONFIDENT: Final = 1.96
"""Standard errors on either side of a 95% confidence interval."""
FEWEST: Final = 32
"""Minimum samples before a candidate may be dropped."""
CERTAIN: Final = 2.5
"""A candidate this many standard errors behind is dropped. Because it is tested repeatedly, 1.96 would drop
good ones; with 2.5, the choices in 64 positions lost 0.003% of the win share compared with unlimited time."""
NOTICEABLE: Final = 0.001
"""Smaller differences in win share are ignored: in a game as good as won or lost, equity decides."""
SIMULATED: Final = 12
"""The number of candidates simulated: the moves of highest equity."""
PLIES: Final = 2
"""Turns played after the candidate."""
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
    reply: float | None = None
    """Mean points of the opponent's next turn; None if found by an endgame search."""
    behind_error: float = 0.0
    """Half the width of the 95% confidence interval of the best candidate's win share minus this one's."""
    exact_share: float | None = None
    """If every draw from the bag was searched: the probability of those with an exact result, 0 to 1."""


class Candidate(NamedTuple):
    """A move to simulate."""

    choice: Choice
    equity: float
    """Its ``static`` equity, in points."""


class Situation(NamedTuple):
    """A position as the player to move sees it."""

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
    simulate_now: Callable[[], bool] = lambda: False
    """Whether to give up a search of all draws, so that time is left for a simulation."""

    @classmethod
    def until(cls, late: Callable[[], bool], simulate_now: Callable[[], bool] = lambda: False) -> "LookAhead":
        """Return limits that stop when ``late`` returns true. The tiles dealt are always the same."""
        return cls(lambda _: late(), lambda _: late(), Random(0), simulate_now)


def simulate(
    generator: MoveGenerator,
    preset: Preset,
    leaves: Leaves,
    situation: Situation,
    candidates: Sequence[Candidate],
    random: Random,
    stop: Callable[[int], bool],
) -> list[Estimate]:
    """Return the candidates by win share, then equity, best first.

    ``stop`` takes the number of samples taken and returns whether to stop; at least one is taken. Candidates
    whose win share is significantly below that of the best are dropped early and are never returned first.
    Their win share is that of the first, minus its lead over them in the samples that they share.
    """
    tallies = [_Tally(*candidate) for candidate in candidates]
    points = 1 / (sqrt(2 * pi) * _deviation(int(situation.unseen.sum())))
    unseen, last = situation.unseen, situation.last
    placed, exchanged = (
        leaves.values(Rack(situation.rack), unseen, exchanging=exchanging) for exchanging in (False, True)
    )
    hidden = Hidden.uniform(unseen)
    if last is not None:
        hidden = Hidden.after(last, unseen, situation.rack, generator, leaves, random, lambda: stop(0))
    running = list(tallies)
    for sample in range(1, MOST + 1):
        dealt = hidden.deal(random)
        seed = int(random.random() * (1 << 53))
        held = min(RACK, len(dealt))
        counts = np.stack([situation.rack, np.bincount(dealt[:held], minlength=len(TILES)).astype(np.int32)])
        for tally in running:
            under_way = situation.squares.copy(), counts.copy(), dealt[held:].copy()
            table = Table(generator, preset, Random(seed), under_way)
            table.scoreless = situation.scoreless
            kept = int((exchanged if tally.choice.move == NO_MOVE else placed)[tally.choice.kept])
            leave, reply = _played_on(table, tally.choice, kept, leaves)
            tally.add(*_outcome(table, leave, situation.lead), reply)
        if stop(sample):
            break
        if sample % FEWEST == 0:
            best = max(running, key=lambda tally: tally.win_share)
            running = [tally for tally in running if not tally.is_behind(best)]
            if len(running) == 1:
                break
    return _ranked(tallies, running, points)


def _ranked(tallies: Sequence["_Tally"], running: Sequence["_Tally"], points: float) -> list[Estimate]:
    """The estimates of all candidates, best first; only one still ``running`` is first.

    ``points`` is the win share that a point of ``static`` equity is worth.
    """
    level = sum(tally.win_share - points * tally.static for tally in tallies) / len(tallies)

    def estimate(tally: _Tally, samples: int) -> Estimate:
        # The linear prior may exceed the range 0 to 1.
        return tally.estimate(min(1.0, max(0.0, level + points * tally.static)), samples)

    found = [(estimate(tally, tally.samples), tally) for tally in running]
    top, first = min(found, key=lambda each: (-each[0].win_share, -each[0].equity))
    for tally in tallies:
        if tally not in running:
            own, theirs = estimate(tally, tally.samples), estimate(first, tally.samples)
            share = max(0.0, top.win_share - max(0.0, theirs.win_share - own.win_share))
            found.append((own._replace(win_share=share), tally))
    found.sort(key=lambda each: (each[1] is not first, -each[0].win_share, -each[0].equity))
    return [result._replace(behind_error=tally.error_behind(first)) for result, tally in found]


def _played_on(table: Table, choice: Choice, leave: int, leaves: Leaves) -> tuple[float, int]:
    """Continue a sampled game with a turn, whose leave has the value ``leave``, and ``PLIES`` more turns.

    Returns the player's last leave value minus the opponent's, and the points of the second turn.
    """
    kept, reply = [leave, 0], 0
    table.play(choice)
    for ply in range(PLIES):
        if table.over:
            break
        mover = table.to_move
        choice, kept[mover] = best_turn("static", leaves, table)
        if ply == 0:
            reply = choice.score
        table.play(choice)
    return (kept[0] - kept[1]) / POINT, reply


def likely_share(lead: float, tiles: int, *, to_move: bool) -> float:
    """Return the win probability, 0 to 1, of the player with this lead in a two-player game.

    ``tiles`` is the number of tiles that the player to move cannot see.
    """
    expected = lead + (TO_MOVE if to_move else -TO_MOVE)
    return (1 + erf(expected / _deviation(tiles) / sqrt(2))) / 2


def _deviation(tiles: int) -> float:
    """Return the standard deviation of the rest of the game's spread, given the number of unseen tiles."""
    return SURE + PER_ROOT_TILE * sqrt(tiles)


def estimated(
    generator: MoveGenerator,
    preset: Preset,
    leaves: Leaves,
    situation: Situation,
    candidates: Sequence[Candidate],
    ahead: LookAhead,
) -> list[Estimate]:
    """Simulate the candidates and return them, best first; with the bag empty, only the best of all moves.

    The error is 0 for an exact endgame result, and 0.5 for an incomplete one.
    """
    if situation.unseen.sum() > RACK:
        return simulate(generator, preset, leaves, situation, candidates, ahead.random, ahead.enough)
    solver = EndgameSolver(generator, preset.scoreless_turns)
    ending = Ending(situation.squares, situation.rack, situation.unseen, situation.scoreless)
    found = solver.solve(ending, ahead.give_up)
    return [ended(situation.lead, found.choice, found.value, exact=found.exact)]


def ended(lead: int, choice: Choice, gained: int, *, exact: bool) -> Estimate:
    """Return the estimate of a turn that gains ``gained`` points by the end of the game.

    The error is 0.5 unless it is exact.
    """
    error = 0.0 if exact else 0.5
    share = 0.5 + 0.5 * float(np.sign(lead + gained))
    return Estimate(choice, gained, share, error, 0, behind_error=error)


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
        self._equity = self._reply = self._share = 0.0
        self._shares: list[float] = []

    def add(self, equity: float, share: float, reply: int) -> None:
        self._equity += equity
        self._reply += reply
        self._share += share
        self._shares.append(share)

    @property
    def samples(self) -> int:
        return len(self._shares)

    @property
    def win_share(self) -> float:
        return self._share / self.samples

    @property
    def error(self) -> float:
        return _error(self._shares)

    def is_behind(self, other: "_Tally") -> bool:
        """Whether the other's share is noticeably and significantly higher, in the samples they share."""
        behind = other.win_share - self.win_share
        return behind > NOTICEABLE and behind > CERTAIN / CONFIDENT * self.error_behind(other)

    def error_behind(self, other: "_Tally") -> float:
        """The error of the difference of the two shares, in the samples they share."""
        return (
            0.0
            if other is self
            else _error([ours - theirs for ours, theirs in zip(self._shares, other._shares, strict=False)])
        )

    def estimate(self, prior: float, samples: int) -> Estimate:
        """Return the estimate with the share of the first ``samples``, shrunk towards ``prior``."""
        share = (sum(self._shares[:samples]) + PRIOR * prior) / (samples + PRIOR)
        equity, reply = self._equity / self.samples, self._reply / self.samples
        return Estimate(self.choice, equity, share, self.error, self.samples, reply)


def _error(samples: Sequence[float]) -> float:
    """Return half the width of the 95% confidence interval of the mean; 0.5 with a single sample."""
    if len(samples) == 1:
        return 0.5
    return CONFIDENT * float(np.std(samples, ddof=1)) / sqrt(len(samples))


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
