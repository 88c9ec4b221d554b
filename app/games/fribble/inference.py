"""What the opponent is likely to hold: its latest move tells which tiles it kept.

Who keeps a bad rack would have played otherwise. Racks that it may have moved from are drawn, and each counts
the more, the nearer the move it made comes to the best with that rack (M. Richards and E. Amir, "Opponent
Modeling in Scrabble", IJCAI 2007).
"""

from collections.abc import Callable
from random import Random
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.kernels import POINT, spend
from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.selfplay import LastMove
from app.games.fribble.tileset import RACK, TILES
from app.games.randomness import drawn, shuffled

DRAWS: Final = 300
"""How many racks are tried: each costs a search for the best move."""
DOUBT: Final = 0.3
"""A move so many points behind the best was made half as likely as the best."""


class Hidden:
    """The tiles that one player of two does not see."""

    def __init__(
        self, unseen: NDArray[np.int32], kept: NDArray[np.int64], likelihoods: NDArray[np.float64]
    ) -> None:
        """``unseen`` (27,) counts the tiles of each kind.

        ``kept`` (draws, tiles) has the kinds that the opponent may have kept, a row each, all of them unseen,
        and ``likelihoods`` (draws,) adds up to 1.
        """
        self._unseen: Final = unseen
        self._kept: Final = kept
        self._odds: Final = np.cumsum(likelihoods)

    @classmethod
    def anything(cls, unseen: NDArray[np.int32]) -> Self:
        """All racks are as likely as others."""
        return cls(unseen, np.zeros((1, 0), np.int64), np.ones(1))

    @classmethod
    def after(
        cls,
        last: LastMove,
        unseen: NDArray[np.int32],
        generator: MoveGenerator,
        leaves: Leaves,
        random: Random,
        late: Callable[[], bool],
    ) -> Self:
        """What is likely after the opponent's ``last`` move, which it made from a full rack.

        ``late`` says whether to think about it no longer.
        """
        played = np.zeros(len(TILES), np.int32)
        spend(last.move, played)
        played = -played
        size = RACK - int(played.sum())
        if size == 0:
            return cls.anything(unseen)
        kinds = np.repeat(np.arange(len(TILES)), unseen).tolist()
        kept = np.array([drawn(random, kinds, size) for _ in range(DRAWS)], np.int64)
        behind: list[float] = []
        for tiles in kept:
            rack = Rack((played + np.bincount(tiles, minlength=len(TILES))).astype(np.int32))
            leave_values = leaves.values(rack)
            best = generator.best(last.squares, rack, leave_values)
            made = POINT * last.score + int(leave_values[rack.strides[tiles].sum()])
            most = made if best is None else POINT * best[1] + int(leave_values[best[2]])
            behind.append(max(0, most - made) / POINT)
            if late():
                break
        likelihoods = 1 / (1 + (np.array(behind) / DOUBT) ** 2)
        return cls(unseen, kept[: len(behind)], likelihoods / likelihoods.sum())

    def deal(self, random: Random) -> NDArray[np.int64]:
        """The kinds of all these tiles: the opponent's rack first, then the bag in its order."""
        row = min(int(np.searchsorted(self._odds, random.random())), len(self._odds) - 1)
        tiles = self._kept[row]
        rest = self._unseen - np.bincount(tiles, minlength=len(TILES))
        others = shuffled(random, np.repeat(np.arange(len(TILES)), rest).tolist())
        return np.concatenate([tiles, np.array(others, np.int64)])
