"""Leave values, a heuristic: the points gained with the tiles kept, compared with random tiles."""

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble import last_leave_kernels as last_leaves
from app.games.fribble.advice import counted
from app.games.fribble.last_leave_kernels import evaluate_last_leaves
from app.games.fribble.leave_kernels import FEATURES, STAGES, evaluate_leaves
from app.games.fribble.movegen import Rack
from app.games.fribble.presets import Preset
from app.games.fribble.rack_kernels import KINDS, POINT
from app.resources import resource

STAYING_IN: Final = 10
"""Approximate cost, in points, of keeping tiles with the bag empty: the opponent may go out next."""


class Leaves:
    """The weights of a leave's features.

    See :mod:`app.games.fribble.leave_kernels` and :mod:`app.games.fribble.last_leave_kernels`.
    """

    def __init__(
        self, weights: NDArray[np.int32], last: NDArray[np.int32], usual: NDArray[np.float64]
    ) -> None:
        """``weights`` has FEATURES times STAGES entries, ``last`` the weights with the bag empty.

        Both are in thousandths of a point. ``usual`` (27,) is the share of each kind of tile in the set.
        """
        self.weights: Final = weights
        self.last: Final = last
        self.usual: Final = usual

    def values(
        self, rack: Rack, unseen: NDArray[np.int32], *, opponents: int = 1, exchanging: bool = False
    ) -> NDArray[np.int32]:
        """Return the value of each leave of the rack, in thousandths of a point.

        The values hold after a placement, or after an exchange if ``exchanging``.

        ``unseen`` counts the tiles of each kind (27) in the bag and on the racks of the ``opponents``.
        """
        result = np.zeros(rack.leave_count, np.int32)
        position = rack.counts, rack.strides, unseen
        evaluate_leaves(*position, self.usual, self.weights, opponents, int(exchanging), result)
        return result

    def last_values(
        self, rack: Rack, theirs: NDArray[np.int32], points: NDArray[np.int32], *, opponents: int = 1
    ) -> NDArray[np.int32]:
        """Return the value of each leave when the bag is empty, in thousandths of a point.

        ``theirs`` counts the tiles of each kind (27) on the racks of the ``opponents``; ``points`` (27,) has
        the points of each kind. A player who goes out gains the points of the opponents' tiles, which each of
        them loses. With several opponents, a leave costs twice its points plus STAYING_IN.
        """
        result = np.zeros(rack.leave_count, np.int32)
        if opponents == 1:
            evaluate_last_leaves(rack.counts, rack.strides, theirs, points, self.last, result)
            return result
        per_kind = np.arange(rack.leave_count)[:, None] // np.maximum(rack.strides, 1) % (rack.counts + 1)
        result[:] = -POINT * (2 * (per_kind @ points) + STAYING_IN)
        result[0] = round((1 + 1 / opponents) * POINT * int(theirs @ points))
        return result

    def save(self, file: Path) -> None:
        """Write the weights to ``file`` (``.npz``)."""
        places = np.flatnonzero(self.weights).astype(np.int16)
        np.savez_compressed(
            file, places_by_timing=places, weights=self.weights[places], last=self.last, usual=self.usual
        )


def no_leaves(preset: Preset) -> Leaves:
    """Return weights that value all leaves at 0, but by the points of their tiles once the bag is empty."""
    counts = counted(preset.tiles.full_bag)
    last = np.zeros(last_leaves.FEATURES, np.int32)
    last[last_leaves.NUMBERS : last_leaves.KEPT] = -POINT * STAYING_IN
    tiles = last_leaves.KEPT + last_leaves.TILE
    last[tiles : tiles + KINDS] = -2 * POINT * preset.tiles.points.astype(np.int32)
    return Leaves(np.zeros(FEATURES * STAGES, np.int32), last, counts / counts.sum())


def load_leaves(file: Path) -> Leaves:
    """Load a file written by ``save``. Raises OSError, and ValueError for other files."""
    weights = np.zeros(FEATURES * STAGES, np.int32)
    with np.load(file, allow_pickle=False) as stored:
        if "places_by_timing" not in stored:
            raise ValueError(f"{file} has no leave values, or those of an earlier version")
        weights[stored["places_by_timing"]] = stored["weights"]
        usual, last = stored["usual"], stored["last"]
    for array in (weights, last, usual):
        array.flags.writeable = False
    return Leaves(weights, last, usual)


@cache
def shipped_leaves(preset: str) -> Leaves:
    """Return the trained leave values of this preset, or those of the default preset if it has none."""
    folder = resource("data") / "fribble"
    named = folder / f"leaves-{preset}.npz"
    return load_leaves(named if named.exists() else folder / "leaves-wwf.npz")
