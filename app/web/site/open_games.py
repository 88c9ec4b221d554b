"""A player's unfinished games, for the lists on several pages."""

from typing import Any, Final

from app.grammar import format_count
from app.store.models import Table
from app.web.services import Services
from app.web.table.seat_views import seat_views

_SHOWN: Final = 6
"""Games shown on a room's page; if there are more, it links to all."""


def open_games(
    services: Services, player: str | None, kind: str | None = None, most: int = _SHOWN + 1
) -> list[dict[str, Any]]:
    """The player's unfinished games of one or all kinds: their turn first, then others in progress.

    Within each group, the most recently changed first.
    """
    now = services.clock()
    tables = services.lobby.unfinished(player, most, now, kind) if player else []
    found = [_open_game(services, table, player, now) for table in tables]
    return sorted(found, key=lambda game: (game["waiting"], not game["your_turn"]))


def _open_game(services: Services, table: Table, player: str | None, now: float) -> dict[str, Any]:
    room, view, seat = services.rooms[table.kind], table.view(player), table.seat_of(player)
    places = seat_views(table, player)
    return {
        "id": table.id,
        "room": room,
        "mode_title": room.title_of(view),
        "score": room.describe_score(view, seat or 0),
        "opponents": [each.name for each in places if not each.you and each.occupant != "free"],
        "with_players": any(not each.you and not each.bot for each in places),
        "seats": places,
        "teams": getattr(view, "teams", ()),
        "waiting": not table.is_full,
        "your_turn": len(table.seats) > 1 and table.finished_at is None and view.to_move == seat,
        "ago": ago(now - table.moved_at),
    }


def ago(seconds: float) -> str:
    """A time in the past as text, rounded down to one unit, such as ``3 hours ago``."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        count = int(seconds // length)
        if count:
            return f"{format_count(count, unit)} ago"
    return "just now"
