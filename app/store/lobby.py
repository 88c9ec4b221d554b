"""Lobby queries: tables with a free seat, and a player's unfinished games."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from sqlalchemy import select

from app.store.blocks import kept_apart
from app.store.database import NO_WRITES
from app.store.games import GameStore
from app.store.lessons import is_lesson
from app.store.listed_tables import by_turns
from app.store.models import Table, UnknownGame
from app.store.schema import games, seats, snapshots

_MOVES_NOW: Final = snapshots.c.movers.bitwise_rshift(seats.c.seat).bitwise_and(1) == 1
"""Whether it is a seat's turn, in a game with others that has begun."""


class Lobby:
    """Queries for open tables."""

    def __init__(self, games: GameStore) -> None:
        self._games = games

    def joinable(self, most: int, at: float, player_id: str | None = None) -> list[Table]:
        """Listed tables with a free seat, newest first, without those of players kept apart by blocks.

        If there are more than ``most``, each player or address gets one before any gets a second one.
        """
        with self._games.database.reading() as connection:
            apart = kept_apart(connection, player_id)
            rows = connection.execute(by_turns(most, at, apart)).all()
        found = [row.id for row in sorted(rows, key=lambda row: row.created_at, reverse=True)]
        return _readable(found, self._games.read)

    def turns(self, player_id: str) -> list[str]:
        """The games with others in which it is the player's turn, as last stored, longest waiting first."""
        query = (
            select(games.c.id)
            .select_from(seats)
            .join(games, games.c.id == seats.c.game_id)
            .join(snapshots, snapshots.c.game_id == games.c.id)
            .where(seats.c.player_id == player_id, games.c.status == "open", _MOVES_NOW, ~is_lesson())
            .order_by(snapshots.c.saved_at)
        )
        with self._games.database.reading() as connection:
            return list(connection.scalars(query))

    def unfinished(self, player_id: str, most: int, at: float, kind: str | None = None) -> list[Table]:
        """The player's unfinished games of one or all kinds, first those in which it is their turn.

        Within both groups, the most recently changed is first. Leaves out lessons. The games are as of
        ``at``, or as last stored if the database cannot be written to.
        """
        query = (
            select(games.c.id)
            .join(seats, seats.c.game_id == games.c.id)
            .join(snapshots, snapshots.c.game_id == games.c.id)
            .where(seats.c.player_id == player_id, games.c.status == "open", ~is_lesson())
            .order_by(_MOVES_NOW.desc(), snapshots.c.saved_at.desc())
            .limit(most)
        )
        if kind is not None:
            query = query.where(games.c.kind == kind)
        with self._games.database.reading() as connection:
            found = list(connection.scalars(query))
        try:
            tables = _readable(found, lambda game_id: self._games.load(game_id, at))
        except NO_WRITES:  # do not try the other games: each might wait just as long for the lock
            tables = _readable(found, self._games.read)
        return [table for table in tables if table.finished_at is None]


def _readable(game_ids: Iterable[str], read: Callable[[str], Table]) -> list[Table]:
    """The tables that can be read, skipping games that were removed or whose word list is missing."""
    tables = []
    for game_id in game_ids:
        with suppress(UnknownGame):
            tables.append(read(game_id))
    return tables
