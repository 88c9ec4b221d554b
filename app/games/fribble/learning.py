"""Trains leave values from self-play.

A ridge regression predicts the points that a player gains on the opponent from a turn to the end of the game:
by the tiles kept, the number of tiles in the bag and the unseen tiles; once the bag is empty, by both racks.
To explore all leaves, each game is played with slightly changed values of the kinds of tile. The number of
tiles kept is confounded with the board: on a closed board players keep more and score less. So leaves are
compared only with others of their size, and random leaves of each size have the mean value 0. The remaining
error with few tiles in the bag is attributed to the number of tiles that a turn draws (TIMING).
"""

from collections import deque
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble import last_leave_kernels as last_leaves
from app.games.fribble.last_leave_kernels import learn_last
from app.games.fribble.leave_kernels import (
    BALANCE,
    COARSE,
    CONSTANT,
    COUNTS,
    DOUBLE,
    FEATURES,
    KNOTS,
    LEARNED,
    MIXTURE,
    PAIR,
    POOL,
    SIZE,
    STAGES,
    TILE,
    TIMING,
    average,
    learn,
)
from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator
from app.games.fribble.presets import Preset
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.selfplay import Table
from app.games.fribble.strategy import best_turn
from app.games.fribble.tileset import RACK, TILES
from app.games.randomness import drawn

EXPLORED: Final = 3.0
"""The value of a kind of tile is changed by up to this many points, up or down, in a game."""
SHRINKAGE: Final = (
    (TILE, DOUBLE, 1000.0),
    (DOUBLE, PAIR, 4000.0),
    (PAIR, BALANCE, 8000.0),
    (BALANCE, SIZE, 2000.0),
    (SIZE, MIXTURE, 1.0),
    (MIXTURE, POOL, 1000.0),
    (POOL, TIMING, 4000.0),
    (TIMING, CONSTANT, 20.0),
    (CONSTANT, LEARNED, 1.0),
)
"""Ridge penalties of features: with this many observations, a weight is halfway between its previous value
and their mean. A penalty is the variance of a game's points (65 squared) over that of the expected change."""
LAST_SHRINKAGE: Final = 50.0
"""The same with the bag empty, where the standard deviation of the points is 14."""
AVERAGED: Final = 20_000
"""The number of random leaves used to set the value of each size."""
_BATCHES: Final = 200


class Observed(NamedTuple):
    """Turns of self-play and their results."""

    kept: NDArray[np.int32]
    """(n, 27): the count of each kind of tile kept."""
    unseen: NDArray[np.int32]
    """(n, 27): the count of each kind that the player could not see before the turn."""
    left: NDArray[np.int64]
    """(n,): the number of tiles left in the bag after the turn."""
    gains: NDArray[np.float64]
    """(n,): points gained on the opponent after the turn, to the end of the game."""


def observe(generator: MoveGenerator, preset: Preset, leaves: Leaves, games: int, random: Random) -> Observed:
    """Play games with ``leaves``, each player's slightly changed, and return their turns."""
    found = []
    for _ in range(games):
        table, turns = Table(generator, preset, random), []
        players = [_explorer(leaves, random) for _ in range(2)]
        while not table.over:
            seat, rack, unseen = table.to_move, table.rack, table.unseen
            choice, _ = best_turn("static", players[seat], table)
            kept = choice.kept // np.maximum(rack.strides, 1) % (rack.counts + 1)
            table.play(choice)
            turns.append((seat, kept, unseen, table.in_bag, table.scores[seat] - table.scores[1 - seat]))
        final = table.settle()
        found += [
            (kept, unseen, left, final[seat] - final[1 - seat] - ahead)
            for seat, kept, unseen, left, ahead in turns
        ]
    columns = zip(*found, strict=True)
    return Observed(
        *(
            np.array(column, dtype)
            for column, dtype in zip(columns, (np.int32, np.int32, np.int64, np.float64), strict=True)
        )
    )


class Lessons:
    """The observations so far, as the normal equations of a least-squares fit."""

    def __init__(self, before: Leaves, preset: Preset) -> None:
        """``before`` has the leave values to improve."""
        self.turns = 0
        self._before: Final = before
        self._points: Final = preset.tiles.points.astype(np.int32)
        knots = np.zeros((LEARNED, STAGES), bool)
        knots[TILE:DOUBLE] = knots[CONSTANT] = True
        knots[DOUBLE:POOL, ::COARSE] = True
        knots[POOL:CONSTANT, 0] = True
        self._places: Final = np.flatnonzero(knots)
        self._columns: Final = np.cumsum(knots, dtype=np.int64) - 1
        self._products: Final = np.zeros((len(self._places), len(self._places)))
        self._responses: Final = np.zeros(len(self._places))
        self._last_products: Final = np.zeros((last_leaves.FEATURES, last_leaves.FEATURES))
        self._last_responses: Final = np.zeros(last_leaves.FEATURES)
        self._latest: Final[deque[NDArray[np.int32]]] = deque(maxlen=_BATCHES)

    def add(self, observed: Observed) -> None:
        """Add turns."""
        self.turns += len(observed.gains)
        last = observed.unseen.sum(axis=1) <= RACK
        early = Observed(*(column[~last] for column in observed))
        self._latest.append(early.unseen)
        learn(*early, self._before.usual, self._columns, self._products, self._responses)
        kept, theirs, _, gains = (column[last & observed.kept.any(axis=1)] for column in observed)
        learn_last(kept, theirs, gains, self._points, self._last_products, self._last_responses)

    def fit(self, random: Random, *, only_late: bool = False) -> Leaves:
        """Return the leave values that best fit all observations.

        With ``only_late``, only the weights for few tiles in the bag, or none, change. ``random`` draws
        leaves from the tiles unseen in the latest observations, to set the value of each size.
        """
        penalties = np.concatenate([np.full((end - begin) * STAGES, by) for begin, end, by in SHRINKAGE])
        weights = np.zeros(len(penalties))
        weights[: FEATURES * STAGES] = self._before.weights / POINT
        if not only_late:
            sizes = slice(SIZE * STAGES, MIXTURE * STAGES)
            weights[sizes] = 0
            self._solve(weights, penalties, first=0)
            weights[sizes] = 0
            self._spread(weights)
            self._set_sizes(weights.reshape(LEARNED, STAGES), random)
        self._solve(weights, penalties, first=TIMING)
        self._spread(weights)
        last = self._before.last / POINT
        missed = self._last_responses - self._last_products @ last
        last += np.linalg.solve(self._last_products + LAST_SHRINKAGE * np.eye(len(last)), missed)
        return Leaves(
            np.rint(POINT * weights[: FEATURES * STAGES]).astype(np.int32),
            np.rint(POINT * last).astype(np.int32),
            self._before.usual,
        )

    def _solve(self, weights: NDArray[np.float64], penalties: NDArray[np.float64], first: int) -> None:
        """Fit the weights of the features from ``first`` on, at the knots where they are learned."""
        free = self._places >= first * STAGES
        places = self._places[free]
        missed = self._responses[free] - self._products[free] @ weights[self._places]
        weights[places] += np.linalg.solve(
            self._products[np.ix_(free, free)] + np.diag(penalties[places]), missed
        )

    @staticmethod
    def _spread(weights: NDArray[np.float64]) -> None:
        """Extend weights that are learned only at some knots to all knots."""
        staged = weights.reshape(LEARNED, STAGES)
        staged[DOUBLE:POOL] = _between_knots(staged[DOUBLE:POOL])
        staged[POOL:CONSTANT] = staged[POOL:CONSTANT, :1]

    def _set_sizes(self, weights: NDArray[np.float64], random: Random) -> None:
        """Set the weights of SIZE so that random leaves of each size have the mean value 0."""
        unseen = np.concatenate(self._latest)
        rows = np.array([int(random.random() * len(unseen)) for _ in range(AVERAGED)])
        kinds = np.arange(len(TILES))
        tiles = np.array([drawn(random, np.repeat(kinds, unseen[row]).tolist(), RACK - 1) for row in rows])
        products, responses = np.zeros((COUNTS, STAGES, STAGES)), np.zeros((COUNTS, STAGES))
        flat = np.rint(POINT * weights[:FEATURES]).astype(np.int32).ravel()
        average(tiles, unseen[rows], self._before.usual, flat, products, responses)
        known = np.arange(0, STAGES, COARSE)
        for size in range(1, RACK):
            system = products[size][np.ix_(known, known)] + np.eye(len(known))
            weights[SIZE + size, known] = -np.linalg.solve(system, responses[size, known])
        weights[SIZE:MIXTURE] = _between_knots(weights[SIZE:MIXTURE])


def _between_knots(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Interpolate weights given at every COARSE-th knot to all knots."""
    known = np.arange(0, STAGES, COARSE)
    return np.array([np.interp(KNOTS, np.array(KNOTS)[known], row[known]) for row in weights])


def _explorer(leaves: Leaves, random: Random) -> Leaves:
    weights, last = leaves.weights.copy(), leaves.last.copy()
    for kind in range(len(TILES)):
        change = int(POINT * EXPLORED * (2 * random.random() - 1))
        weights[(TILE + kind) * STAGES : (TILE + kind + 1) * STAGES] += change
        last[last_leaves.KEPT + last_leaves.TILE + kind] += change
    last[last_leaves.NUMBERS : last_leaves.KEPT] += int(2 * POINT * EXPLORED * (2 * random.random() - 1))
    return Leaves(weights, last, leaves.usual)
