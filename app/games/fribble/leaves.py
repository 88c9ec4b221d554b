"""Leave values: how many points more than with random tiles a player gains with those kept."""

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.advice import counted
from app.games.fribble.leave_kernels import FEATURES, STAGES, evaluate_leaves
from app.games.fribble.movegen import Rack
from app.games.fribble.presets import Preset
from app.resources import resource


class Leaves:
    """The weights of a leave's features; see :mod:`app.games.fribble.leave_kernels`."""

    def __init__(self, weights: NDArray[np.int32], usual: NDArray[np.float64]) -> None:
        """``weights`` has FEATURES times STAGES entries, in thousandths of a point.

        ``usual`` (27,) is the share of each kind of tile in the set.
        """
        self.weights: Final = weights
        self.usual: Final = usual

    def values(
        self, rack: Rack, unseen: NDArray[np.int32], *, opponents: int = 1, exchanging: bool = False
    ) -> NDArray[np.int32]:
        """Return the value of each leave of the rack, in thousandths of a point.

        They are those after a placement, or after an exchange.

        ``unseen`` counts the tiles of each kind (27) in the bag and on the racks of the ``opponents``.
        """
        result = np.zeros(rack.leave_count, np.int32)
        position = rack.counts, rack.strides, unseen
        evaluate_leaves(*position, self.usual, self.weights, opponents, int(exchanging), result)
        return result

    def save(self, file: Path) -> None:
        """Write the non-zero weights to ``file`` (``.npz``)."""
        places = np.flatnonzero(self.weights).astype(np.int16)
        np.savez_compressed(file, staged_places=places, weights=self.weights[places], usual=self.usual)


def no_leaves(preset: Preset) -> Leaves:
    """Return weights that value all leaves equally."""
    counts = counted(preset.tiles.full_bag)
    return Leaves(np.zeros(FEATURES * STAGES, np.int32), counts / counts.sum())


def load_leaves(file: Path) -> Leaves:
    """Load a file written by ``save``. Raises OSError, and ValueError for other files."""
    weights = np.zeros(FEATURES * STAGES, np.int32)
    with np.load(file, allow_pickle=False) as stored:
        if "staged_places" not in stored:
            raise ValueError(f"{file} has no leave values, or those of a version that had no stages")
        weights[stored["staged_places"]] = stored["weights"]
        usual = stored["usual"]
    weights.flags.writeable = usual.flags.writeable = False
    return Leaves(weights, usual)


@cache
def shipped_leaves(preset: str) -> Leaves:
    """Return the trained leave values of this preset, or those of the default preset if it has none."""
    folder = resource("data") / "fribble"
    named = folder / f"leaves-{preset}.npz"
    return load_leaves(named if named.exists() else folder / "leaves-wwf.npz")
