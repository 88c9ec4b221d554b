"""Move selection without lookahead: by score alone (``greedy``) or with leave values (``static``)."""

from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.rack_kernels import POINT
from app.games.fribble.selfplay import NO_MOVE, Choice, Player, Table
from app.games.fribble.tileset import RACK, TILES

Strategy: TypeAlias = Literal["greedy", "static"]

STAYING_IN: Final = 10 * POINT
"""Approximate cost of keeping tiles when the bag is empty: the opponent moves next, and may go out."""


_MANY: Final = np.full(len(TILES), RACK, np.int32)


def leave_values(
    strategy: Strategy, generator: MoveGenerator, leaves: Leaves, rack: Rack, unseen: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return the value of each leave of the rack under the strategy, in thousandths of a point.

    ``unseen`` counts the tiles of each kind (27) in the bag and on the other racks. For two players, the bag
    is empty if at most seven tiles are unseen: then a player who goes out gains twice the value of the
    opponent's tiles, and a leave probably costs twice its value.
    """
    if strategy == "greedy":
        return np.zeros(rack.leave_count, np.int32)
    if unseen.sum() > RACK:
        return leaves.values(rack)
    points = np.append(generator.values[: len(unseen) - 1], 0)
    per_kind = np.arange(rack.leave_count)[:, None] // np.maximum(rack.strides, 1) % (rack.counts + 1)
    result: NDArray[np.int32] = (-2 * POINT * (per_kind @ points) - STAYING_IN).astype(np.int32)
    result[0] = 2 * POINT * int(unseen @ points)
    return result


def player(strategy: Strategy, leaves: Leaves) -> Player:
    """Return a player that makes the move of highest equity, or exchanges if that is better."""
    return lambda table: best_turn(strategy, leaves, table)[0]


def best_turn(strategy: Strategy, leaves: Leaves, table: Table) -> tuple[Choice, int]:
    """Return the turn of highest equity, and the value of the tiles it keeps in thousandths of a point."""
    rack = table.rack
    unseen = table.unseen if table.in_bag == 0 else _MANY
    values = leave_values(strategy, table.generator, leaves, rack, unseen)
    best = table.generator.best(table.squares, rack, values)
    exchange = _best_exchange(table, values)
    if best is None:
        choice = Choice(NO_MOVE, 0, rack.leave_count - 1 if exchange is None else exchange)
    elif (
        exchange is not None and strategy != "greedy" and values[exchange] > POINT * best[1] + values[best[2]]
    ):
        choice = Choice(NO_MOVE, 0, exchange)
    else:
        choice = Choice(*best)
    return choice, int(values[choice.kept])


def _best_exchange(table: Table, values: NDArray[np.int32]) -> int | None:
    """Return the best leave after an exchange; None if the bag has too few tiles for one."""
    if table.in_bag < max(table.preset.exchange_minimum, RACK):
        return None
    return int(values[:-1].argmax())
