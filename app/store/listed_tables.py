"""Tables listed in the lobby, and the limits per player and address."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, select

from app.grammar import format_count
from app.store.models import TooMuch
from app.store.schema import games, seats

LISTED_FOR: Final = 24 * 3600.0
"""Seconds that a table stays in the lobby."""


@dataclass(frozen=True, slots=True)
class ListingLimits:
    """Maximum numbers of tables in the lobby at a time, per player and per address."""

    of_player: int = 3
    of_address: int = 10


def waiting(at: float) -> tuple[ColumnElement[bool], ...]:
    """The SQL conditions for a table being in the lobby at ``at``."""
    free = select(seats.c.game_id).where(
        seats.c.game_id == games.c.id, seats.c.player_id.is_(None), seats.c.bot_level.is_(None)
    )
    return games.c.status == "open", games.c.listed, games.c.created_at > at - LISTED_FOR, free.exists()


def check_listing(
    connection: Connection, player_id: str | None, origin: str | None, at: float, limits: ListingLimits
) -> None:
    """Raise TooMuch if the player or the address with the digest ``origin`` has reached its limit."""
    opener = seats.alias()
    mine = select(opener.c.game_id).where(
        opener.c.game_id == games.c.id, opener.c.seat == 0, opener.c.player_id == player_id
    )
    for condition, limit, subject in (
        (mine.exists(), limits.of_player, "you have"),
        (games.c.origin == origin, limits.of_address, "your address has"),
    ):
        query = select(func.count()).select_from(games).where(*waiting(at), condition)
        listed = connection.scalar(query) or 0
        if listed >= limit:
            raise TooMuch(
                f"{subject} {format_count(listed, 'game')} in the lobby, the most allowed: "
                "cancel one, or start this one unlisted"
            )


def by_turns(most: int, at: float, apart: Collection[str] = ()) -> Any:
    """A query for ``most`` tables in the lobby, round robin over addresses or players.

    Leaves out tables where a player in ``apart`` has a seat.
    """
    opener = seats.alias()
    source = func.coalesce(games.c.origin, opener.c.player_id, games.c.id)
    turn = func.row_number().over(partition_by=source, order_by=games.c.created_at.desc())
    met = seats.alias()
    meets = select(met.c.game_id).where(met.c.game_id == games.c.id, met.c.player_id.in_(apart))
    query = (
        select(games.c.id, games.c.created_at)
        .join(opener, (opener.c.game_id == games.c.id) & (opener.c.seat == 0))
        .where(*waiting(at))
        .order_by(turn, games.c.created_at.desc())
        .limit(most)
    )
    return query.where(~meets.exists()) if apart else query
