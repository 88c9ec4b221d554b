"""Finished games from their first ply to their last."""

from typing import Any

from app.store.tables import Table
from app.web.services import Services


class StillSecret(Exception):
    """The game cannot be given away yet; the text says why."""


class NoSuchPly(LookupError):
    """The game has no such ply; the text says which it has."""


def replay_context(house: Services, table: Table, ply: int) -> dict[str, Any]:
    """The view after ``ply`` moves, and before the last of them, with the number of plies there are.

    Raises NoSuchPly.
    """
    states = house.replays.of(table.id)
    if not 0 <= ply < len(states):
        raise NoSuchPly(f"this game has plies 0 to {len(states) - 1}, not {ply}")
    return {
        "view": table.game.reveal(states[ply]),
        "before": table.game.reveal(states[ply - 1]) if ply else None,
        "ply": ply,
        "last_ply": len(states) - 1,
    }


def record_of(house: Services, game_id: str) -> str:
    """A finished game as a text. Raises StillSecret while the game, or its day, goes on."""
    table = house.games.look(game_id, house.clock())
    if table.finished_at is None:
        raise StillSecret("the game goes on: its record tells the tiles to come")
    if house.dailies.is_running(table.seed, house.clock()):
        raise StillSecret("today's daily can be taken away tomorrow: its record tells the tiles to come")
    return house.records.of(game_id)
