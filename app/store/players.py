"""Players: guests known by nothing but an identifier in their cookie."""

from secrets import token_urlsafe

from sqlalchemy import insert, select

from app.store.database import Database
from app.store.schema import players


class PlayerStore:
    """Who has ever moved a tile."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, at: float) -> str:
        """A new guest's identifier."""
        player_id = token_urlsafe(16)
        with self._database.writing() as connection:
            connection.execute(insert(players).values(id=player_id, created_at=at))
        return player_id

    def exists(self, player_id: str) -> bool:
        """Whether this store knows the player; a cookie may be older than the database."""
        with self._database.reading() as connection:
            found = connection.scalar(select(players.c.id).where(players.c.id == player_id))
        return found is not None
