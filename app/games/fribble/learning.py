"""Trains leave values from self-play.

In each position of the games, a random rack is drawn from all tiles not on the board, and its best move
found. A leave is worth as much as racks containing it do better than average: a ridge regression on single
tiles, pairs and the balance of vowels and consonants. Best moves depend on leave values, so training is
iterated.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.leave_kernels import FEATURES, learn
from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.presets import Preset
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.selfplay import Table
from app.games.fribble.strategy import player
from app.games.fribble.tileset import RACK, TILES
from app.games.randomness import drawn

SHRINKAGE: Final = 40.0
"""Ridge penalty: a weight with this many observations is shrunk by half."""


class Observed(NamedTuple):
    """Random racks in positions of self-play, and their equities."""

    racks: NDArray[np.int64]
    """(n, 7): the kinds of the tiles, in random order."""
    equities: NDArray[np.float64]
    """(n,): the equity of the best move, in points."""


def observe(generator: MoveGenerator, preset: Preset, leaves: Leaves, games: int, random: Random) -> Observed:
    """Play games with ``leaves``, and evaluate a random rack whenever the bag has at least seven tiles."""
    choose = player("static", leaves)
    racks, equities = [], []
    for _ in range(games):
        table = Table(generator, preset, random)
        while not table.over:
            if table.in_bag >= RACK:
                hidden = table.unseen + table.counts[table.to_move]
                rack = drawn(random, np.repeat(np.arange(len(TILES)), hidden).tolist(), RACK)
                racks.append(rack)
                equities.append(_equity(table, leaves, rack))
            table.play(choose(table))
    return Observed(np.array(racks, np.int64), np.array(equities))


def fit(observed: Sequence[Observed]) -> Leaves:
    """Return the leave values that best fit the observations (least squares)."""
    products, responses = np.zeros((FEATURES, FEATURES)), np.zeros(FEATURES)
    mean = float(np.concatenate([batch.equities for batch in observed]).mean())
    for batch in observed:
        learn(batch.racks, batch.equities - mean, products, responses)
    seen = np.flatnonzero(np.diagonal(products))
    system = products[np.ix_(seen, seen)] + SHRINKAGE * np.eye(len(seen))
    weights = np.zeros(FEATURES, np.int32)
    weights[seen] = np.rint(POINT * np.linalg.solve(system, responses[seen]))
    return Leaves(weights)


def _equity(table: Table, leaves: Leaves, tiles: Sequence[int]) -> float:
    """Return the equity of the best move or exchange with these tiles, in points."""
    rack = Rack(np.bincount(tiles, minlength=len(TILES)).astype(np.int32))
    leave_values = leaves.values(rack)
    exchanged = int(leave_values[:-1].max())
    best = table.generator.best(table.squares, rack, leave_values)
    return max(exchanged, POINT * best[1] + int(leave_values[best[2]]) if best else exchanged) / POINT
