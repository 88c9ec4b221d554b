"""Which tables somebody looks for: those with a free seat, and those a player sits at."""

from collections.abc import Callable, Iterable
from contextlib import suppress

from sqlalchemy import select

from app.store.database import NO_WRITES
from app.store.games import GameStore
from app.store.listing import by_turns
from app.store.models import Table, UnknownGame
from app.store.schema import games, seats, snapshots


class Lobby:
    """The open tables of this installation."""

    def __init__(self, games: GameStore) -> None:
        self._games = games

    def joinable(self, most: int, at: float) -> list[Table]:
        """The tables with a free seat that anybody may take, the latest opened first.

        Where there are more than ``most``, those that have fewer tables there go first.
        """
        with self._games.database.reading() as connection:
            rows = connection.execute(by_turns(most, at)).all()
        found = [row.id for row in sorted(rows, key=lambda row: row.created_at, reverse=True)]
        return _there(found, self._games.read)

    def unfinished(self, player_id: str, most: int, at: float, kind: str | None = None) -> list[Table]:
        """The player's open games, of one kind or of all, the latest touched first.

        They are as of ``at``, or as they were last kept where the store takes no writes.
        """
        query = (
            select(games.c.id)
            .join(seats, seats.c.game_id == games.c.id)
            .join(snapshots, snapshots.c.game_id == games.c.id)
            .where(seats.c.player_id == player_id, games.c.status == "open")
            .order_by(snapshots.c.saved_at.desc())
            .limit(most)
        )
        if kind is not None:
            query = query.where(games.c.kind == kind)
        with self._games.database.reading() as connection:
            found = list(connection.scalars(query))
        try:
            tables = _there(found, lambda game_id: self._games.load(game_id, at))
        except NO_WRITES:  # told by the first: each of the others might wait as long for a lock
            tables = _there(found, self._games.read)
        return [table for table in tables if table.finished_at is None]


def _there(game_ids: Iterable[str], read: Callable[[str], Table]) -> list[Table]:
    """The tables that can be read: one that has gone since, or lacks its word list, hides no other."""
    tables = []
    for game_id in game_ids:
        with suppress(UnknownGame):
            tables.append(read(game_id))
    return tables
