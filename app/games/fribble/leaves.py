"""What the tiles kept on a rack are worth: how much more a turn makes with them than with drawn ones."""

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.leave_kernels import FEATURES, leave_worths
from app.games.fribble.movegen import Rack
from app.resources import resource


class Leaves:
    """Weights of what a set of tiles has: see :mod:`app.games.fribble.leave_kernels`."""

    def __init__(self, weights: NDArray[np.int32]) -> None:
        """``weights`` has FEATURES numbers, in thousandths of a point."""
        self.weights: Final = weights

    def worths(self, rack: Rack) -> NDArray[np.int32]:
        """What each way to keep some of the rack is worth, in thousandths of a point."""
        result = np.zeros(rack.ways, np.int32)
        leave_worths(rack.counts, rack.strides, self.weights, result)
        return result

    def save(self, file: Path) -> None:
        """Write the weights that are not 0 to ``file`` (``.npz``)."""
        places = np.flatnonzero(self.weights).astype(np.int16)
        np.savez_compressed(file, places=places, weights=self.weights[places])


def no_leaves() -> Leaves:
    """As if all tiles were the same to keep."""
    return Leaves(np.zeros(FEATURES, np.int32))


def load_leaves(file: Path) -> Leaves:
    """What ``save`` wrote. Raises OSError."""
    weights = np.zeros(FEATURES, np.int32)
    with np.load(file, allow_pickle=False) as stored:
        weights[stored["places"]] = stored["weights"]
    weights.flags.writeable = False
    return Leaves(weights)


@cache
def shipped_leaves(preset: str) -> Leaves:
    """What was learned for this preset; for one that nothing was learned for, that of the default."""
    folder = resource("data") / "fribble"
    named = folder / f"leaves-{preset}.npz"
    return load_leaves(named if named.exists() else folder / "leaves-wwf.npz")
