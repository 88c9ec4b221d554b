"""How moves are valued: by their score alone, or with what the tiles kept are worth."""

from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.kernels import POINT
from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.selfplay import NO_MOVE, Choice, Player, Table
from app.games.fribble.tileset import RACK, TILES

Strategy: TypeAlias = Literal["greedy", "static"]

STAYING_IN: Final = 10 * POINT
"""What it costs, about, to leave tiles in hand when the bag is empty: the opponent plays on, and may go
out."""


_MANY: Final = np.full(len(TILES), RACK, np.int32)


def worths(
    strategy: Strategy, generator: MoveGenerator, leaves: Leaves, rack: Rack, unseen: NDArray[np.int32]
) -> NDArray[np.int32]:
    """What each way to keep some of the rack is worth to the strategy, in thousandths of a point.

    ``unseen`` counts the tiles of each kind (27) in the bag and on the other racks. Of two players, one
    holds seven of these; when there are no more, the bag is empty: then who goes out gets twice what the
    other holds, and what is kept is likely to cost twice its points.
    """
    if strategy == "greedy":
        return np.zeros(rack.ways, np.int32)
    if unseen.sum() > RACK:
        return leaves.worths(rack)
    points = np.append(generator.values[: len(unseen) - 1], 0)
    per_kind = np.arange(rack.ways)[:, None] // np.maximum(rack.strides, 1) % (rack.counts + 1)
    result: NDArray[np.int32] = (-2 * POINT * (per_kind @ points) - STAYING_IN).astype(np.int32)
    result[0] = 2 * POINT * int(unseen @ points)
    return result


def player(strategy: Strategy, leaves: Leaves) -> Player:
    """Who plays the move of the highest equity, or exchanges where that promises more."""

    def choose(table: Table) -> Choice:
        rack = table.rack
        unseen = table.unseen if table.in_bag == 0 else _MANY
        worth = worths(strategy, table.generator, leaves, rack, unseen)
        best = table.generator.best(table.squares, rack, worth)
        swap = _best_exchange(table, worth)
        if best is None:
            return Choice(NO_MOVE, 0, rack.ways - 1 if swap is None else swap)
        if swap is not None and strategy != "greedy" and worth[swap] > POINT * best[1] + worth[best[2]]:
            return Choice(NO_MOVE, 0, swap)
        return Choice(*best)

    return choose


def _best_exchange(table: Table, worth: NDArray[np.int32]) -> int | None:
    """What is best kept when the rest is exchanged; None where the bag has too few tiles for that."""
    if table.in_bag < max(table.preset.exchange_minimum, RACK):
        return None
    return int(worth[:-1].argmax())
