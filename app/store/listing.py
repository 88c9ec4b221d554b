"""Tables that wait in the lobby, and how many of them one player or one address may have there."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, select

from app.grammar import format_count
from app.store.models import TooMuch
from app.store.schema import games, seats

LISTED_FOR: Final = 24 * 3600.0
"""Seconds for which a table waits in the lobby for somebody to join."""


@dataclass(frozen=True, slots=True)
class ListingLimits:
    """How many tables may wait in the lobby at the same time."""

    of_player: int = 3
    of_address: int = 10


def waiting(at: float) -> tuple[ColumnElement[bool], ...]:
    """What is true of a table that is in the lobby at ``at``."""
    free = select(seats.c.game_id).where(
        seats.c.game_id == games.c.id, seats.c.player_id.is_(None), seats.c.bot_level.is_(None)
    )
    return games.c.status == "open", games.c.listed, games.c.created_at > at - LISTED_FOR, free.exists()


def check_listing(
    connection: Connection, player_id: str | None, origin: str | None, at: float, limits: ListingLimits
) -> None:
    """Raise TooMuch where the player or the address of ``origin`` has enough tables in the lobby."""
    opener = seats.alias()
    mine = select(opener.c.game_id).where(
        opener.c.game_id == games.c.id, opener.c.seat == 0, opener.c.player_id == player_id
    )
    for whose, most, who in (
        (mine.exists(), limits.of_player, "you have"),
        (games.c.origin == origin, limits.of_address, "your address has"),
    ):
        there = connection.scalar(select(func.count()).select_from(games).where(*waiting(at), whose)) or 0
        if there >= most:
            raise TooMuch(
                f"{who} {format_count(there, 'table')} in the lobby, and {most} are accepted: "
                "close one, or open this table without listing it"
            )


def by_turns(most: int, at: float) -> Any:
    """A query for ``most`` tables in the lobby: one of each address or player first, then a second one."""
    opener = seats.alias()
    whose = func.coalesce(games.c.origin, opener.c.player_id, games.c.id)
    turn = func.row_number().over(partition_by=whose, order_by=games.c.created_at.desc())
    return (
        select(games.c.id, games.c.created_at)
        .join(opener, (opener.c.game_id == games.c.id) & (opener.c.seat == 0))
        .where(*waiting(at))
        .order_by(turn, games.c.created_at.desc())
        .limit(most)
    )
