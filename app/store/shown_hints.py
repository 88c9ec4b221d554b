"""What players have been shown and need not see again: offers of lessons, and hints at a table."""

from collections.abc import Iterable

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from app.store.database import Database
from app.store.schema import shown


class ShownHints:
    """Stores by name what each player has seen."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, player_id: str, name: str) -> None:
        """Store that the player has seen this."""
        try:
            with self._database.writing() as connection:
                connection.execute(insert(shown).values(player_id=player_id, name=name))
        except IntegrityError:
            return  # stored already, or the player was erased

    def seen(self, player_id: str, names: Iterable[str]) -> set[str]:
        """The names in ``names`` that the player has seen."""
        wanted = list(names)
        if not wanted:
            return set()
        query = select(shown.c.name).where(shown.c.player_id == player_id, shown.c.name.in_(wanted))
        with self._database.reading() as connection:
            return set(connection.scalars(query))
