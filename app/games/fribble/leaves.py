"""Leave values: how much more a turn scores with the tiles kept than with random ones."""

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.leave_kernels import FEATURES, evaluate_leaves
from app.games.fribble.movegen import Rack
from app.resources import resource


class Leaves:
    """The weights of a leave's features; see :mod:`app.games.fribble.leave_kernels`."""

    def __init__(self, weights: NDArray[np.int32]) -> None:
        """``weights`` has FEATURES entries, in thousandths of a point."""
        self.weights: Final = weights

    def values(self, rack: Rack) -> NDArray[np.int32]:
        """Return the value of each leave of the rack, in thousandths of a point."""
        result = np.zeros(rack.leave_count, np.int32)
        evaluate_leaves(rack.counts, rack.strides, self.weights, result)
        return result

    def save(self, file: Path) -> None:
        """Write the non-zero weights to ``file`` (``.npz``)."""
        places = np.flatnonzero(self.weights).astype(np.int16)
        np.savez_compressed(file, places=places, weights=self.weights[places])


def no_leaves() -> Leaves:
    """Return weights that value all leaves equally."""
    return Leaves(np.zeros(FEATURES, np.int32))


def load_leaves(file: Path) -> Leaves:
    """Load a file written by ``save``. Raises OSError."""
    weights = np.zeros(FEATURES, np.int32)
    with np.load(file, allow_pickle=False) as stored:
        weights[stored["places"]] = stored["weights"]
    weights.flags.writeable = False
    return Leaves(weights)


@cache
def shipped_leaves(preset: str) -> Leaves:
    """Return the trained leave values of this preset, or those of the default preset if it has none."""
    folder = resource("data") / "fribble"
    named = folder / f"leaves-{preset}.npz"
    return load_leaves(named if named.exists() else folder / "leaves-wwf.npz")
