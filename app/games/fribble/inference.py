"""Inference of the opponent's rack from its latest move.

A player with another rack might have moved differently. Possible racks are sampled and weighted by how close
the move comes to the best move with that rack (M. Richards and E. Amir, "Opponent Modeling in Scrabble",
IJCAI 2007).
"""

from collections.abc import Callable
from random import Random
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.rack_kernels import POINT, spend
from app.games.fribble.selfplay import LastMove
from app.games.fribble.tileset import RACK, TILES
from app.games.randomness import drawn, shuffled

DRAWS: Final = 300
"""The number of racks sampled; each takes a search for the best move."""
DOUBT: Final = 0.3
"""A move this many points below the best is half as likely as the best."""


class Hidden:
    """The distribution of the tiles that a player cannot see, in a two-player game."""

    def __init__(
        self, unseen: NDArray[np.int32], kept: NDArray[np.int64], likelihoods: NDArray[np.float64]
    ) -> None:
        """``unseen`` (27,) counts the tiles of each kind.

        ``kept`` (samples, tiles) has one possible leave of the opponent per row, as kinds of tile;
        ``likelihoods`` (samples,) add up to 1.
        """
        self._unseen: Final = unseen
        self._kept: Final = kept
        self._odds: Final = np.cumsum(likelihoods)

    @classmethod
    def uniform(cls, unseen: NDArray[np.int32]) -> Self:
        """Return the uniform distribution."""
        return cls(unseen, np.zeros((1, 0), np.int64), np.ones(1))

    @classmethod
    def after(
        cls,
        last: LastMove,
        unseen: NDArray[np.int32],
        rack: NDArray[np.int32],
        generator: MoveGenerator,
        leaves: Leaves,
        random: Random,
        late: Callable[[], bool],
    ) -> Self:
        """Return the distribution after the opponent's ``last`` move, made from a full rack.

        ``rack`` (27,) counts the player's own tiles, ``late`` returns whether to stop sampling.
        """
        played = np.zeros(len(TILES), np.int32)
        spend(last.move, played)
        played = -played
        size = RACK - int(played.sum())
        if size == 0:
            return cls.uniform(unseen)
        kinds = np.repeat(np.arange(len(TILES)), unseen).tolist()
        kept = np.array([drawn(random, kinds, size) for _ in range(DRAWS)], np.int64)
        behind: list[float] = []
        for tiles in kept:
            leave = np.bincount(tiles, minlength=len(TILES)).astype(np.int32)
            theirs = Rack(played + leave)
            leave_values = leaves.values(theirs, unseen + rack - leave)
            best = generator.best(last.squares, theirs, leave_values)
            actual = POINT * last.score + int(leave_values[theirs.strides[tiles].sum()])
            most = actual if best is None else POINT * best[1] + int(leave_values[best[2]])
            behind.append(max(0, most - actual) / POINT)
            if late():
                break
        likelihoods = 1 / (1 + (np.array(behind) / DOUBT) ** 2)
        return cls(unseen, kept[: len(behind)], likelihoods / likelihoods.sum())

    def deal(self, random: Random) -> NDArray[np.int64]:
        """Return a random order of the kinds of all unseen tiles: the opponent's rack, then the bag."""
        row = min(int(np.searchsorted(self._odds, random.random())), len(self._odds) - 1)
        tiles = self._kept[row]
        rest = self._unseen - np.bincount(tiles, minlength=len(TILES))
        others = shuffled(random, np.repeat(np.arange(len(TILES)), rest).tolist())
        return np.concatenate([tiles, np.array(others, np.int64)])
