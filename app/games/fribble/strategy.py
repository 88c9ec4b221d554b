"""Move selection without lookahead: by score alone (``greedy``) or with leave values (``static``)."""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.games.fribble.leaves import Leaves
from app.games.fribble.movegen import MoveGenerator, Rack
from app.games.fribble.rack_kernels import KINDS, POINT
from app.games.fribble.selfplay import NO_MOVE, Choice, Player, Table
from app.games.fribble.tileset import RACK

Strategy: TypeAlias = Literal["greedy", "static"]


def leave_values(
    strategy: Strategy,
    generator: MoveGenerator,
    leaves: Leaves,
    rack: Rack,
    unseen: NDArray[np.int32],
    *,
    opponents: int = 1,
    exchanging: bool = False,
) -> NDArray[np.int32]:
    """Return the value of each leave of the rack under the strategy, in thousandths of a point.

    The values hold after a placement, or after an exchange if ``exchanging``.

    ``unseen`` counts the tiles of each kind (27) in the bag and on the racks of the ``opponents``; the bag is
    empty if their racks could hold them all.
    """
    if strategy == "greedy":
        return np.zeros(rack.leave_count, np.int32)
    if unseen.sum() > opponents * RACK:
        return leaves.values(rack, unseen, opponents=opponents, exchanging=exchanging)
    return leaves.last_values(rack, unseen, generator.values[:KINDS], opponents=opponents)


def player(strategy: Strategy, leaves: Leaves) -> Player:
    """Return a player that makes the move of highest equity, or exchanges if that is better."""
    return lambda table: best_turn(strategy, leaves, table)[0]


def best_turn(strategy: Strategy, leaves: Leaves, table: Table) -> tuple[Choice, int]:
    """Return the turn of highest equity, and the value of the tiles it keeps in thousandths of a point."""
    rack, unseen = table.rack, table.unseen
    values = leave_values(strategy, table.generator, leaves, rack, unseen)
    best = table.generator.best(table.squares, rack, values)
    equity = None if best is None else POINT * best[1] + int(values[best[2]])
    if table.in_bag >= max(table.preset.exchange_minimum, RACK) and (equity is None or strategy != "greedy"):
        kept = leave_values(strategy, table.generator, leaves, rack, unseen, exchanging=True)[:-1]
        exchange = int(kept.argmax())
        if equity is None or kept[exchange] > equity:
            return Choice(NO_MOVE, 0, exchange), int(kept[exchange])
    choice = Choice(NO_MOVE, 0, rack.leave_count - 1) if best is None else Choice(*best)
    return choice, int(values[choice.kept])
