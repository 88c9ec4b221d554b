"""Replay of finished games."""

from typing import Any

from app.store.models import Table
from app.web.guard.limits import charge
from app.web.guard.rates import Caller
from app.web.services import Services
from app.web.table.record import check_secret


def replay_context(services: Services, caller: Caller, table: Table, ply: int) -> dict[str, Any]:
    """Template context with the views after ``ply`` and ``ply - 1`` moves, and the last ply.

    Counts as an engine request unless the game is cached. Raises NoSuchPly, TooOften, PoolFull, StillSecret.
    """
    check_secret(services, table, caller.player)
    if services.replays.knows(table.id):
        position = services.replays.position(table, ply)
    else:
        charge(services, caller, "engines", 1)
        position = services.pool.run(caller, f"{table.kind} replay", services.replays.position, table, ply)
    return {
        "view": table.game.reveal(position.state),
        "before": None if position.before is None else table.game.reveal(position.before),
        "ply": ply,
        "last_ply": table.state.ply,
    }
