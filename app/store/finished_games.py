"""Finished games, for studies and puzzles: their IDs, without players."""

from sqlalchemy import select

from app.store.database import Database
from app.store.schema import games


def finished_games(database: Database, kind: str) -> list[str]:
    """Return the IDs of all finished games of a kind, the oldest first."""
    chosen = (
        select(games.c.id)
        .where(games.c.kind == kind, games.c.status == "finished")
        .order_by(games.c.finished_at, games.c.id)
    )
    with database.reading() as connection:
        return list(connection.scalars(chosen))
