"""What tiles kept are worth, learned from games that the machine plays against itself.

In each position of such games a rack is drawn from all tiles that are not on the board, and its best move is
found. What a set of tiles is worth is how much better than the average these racks do that have it; a fit of
least squares finds it for single tiles, pairs, and vowels with consonants. As the best move depends on what
tiles are worth, that is done several times over.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.kernels import POINT
from app.games.fribble.leave_kernels import FEATURES, learn
from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.presets import Preset
from app.games.fribble.selfplay import Table
from app.games.fribble.strategy import player
from app.games.fribble.tileset import RACK, TILES
from app.games.randomness import drawn

SHRINKAGE: Final = 40.0
"""How many observations it takes to believe half of what they say (the ridge of the fit)."""


class Observed(NamedTuple):
    """Racks drawn in positions of games, and what they were worth there."""

    racks: NDArray[np.int64]
    """(n, 7): the kinds of the tiles, in random order."""
    equities: NDArray[np.float64]
    """(n,): of the best turn, in points."""


def observe(generator: MoveGenerator, preset: Preset, leaves: Leaves, games: int, random: Random) -> Observed:
    """Play games with ``leaves``, and try a random rack wherever the bag has seven tiles."""
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
    """The leaves that explain best, in the sense of least squares, what was observed."""
    products, responses = np.zeros((FEATURES, FEATURES)), np.zeros(FEATURES)
    mean = float(np.concatenate([each.equities for each in observed]).mean())
    for each in observed:
        learn(each.racks, each.equities - mean, products, responses)
    seen = np.flatnonzero(np.diagonal(products))
    system = products[np.ix_(seen, seen)] + SHRINKAGE * np.eye(len(seen))
    weights = np.zeros(FEATURES, np.int32)
    weights[seen] = np.rint(POINT * np.linalg.solve(system, responses[seen]))
    return Leaves(weights)


def _equity(table: Table, leaves: Leaves, tiles: Sequence[int]) -> float:
    """The equity of the best turn with these tiles, in points; an exchange is one, too."""
    rack = Rack(np.bincount(tiles, minlength=len(TILES)).astype(np.int32))
    worths = leaves.worths(rack)
    exchanged = int(worths[:-1].max())
    best = table.generator.best(table.squares, rack, worths)
    return max(exchanged, POINT * best[1] + int(worths[best[2]]) if best else exchanged) / POINT
