"""Imported games: limits per address and player, and keeping a game for longer."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, insert, select, update

from app.grammar import format_count
from app.store.database import Database
from app.store.models import NotYourSeat, TooMuch
from app.store.schema import games, imports, seats


@dataclass(frozen=True, slots=True)
class ImportLimits:
    """Maximum numbers of imported games at a time."""

    of_address: int = 100
    """Games imported from one address and not kept by a player."""
    of_player: int = 20
    """Games kept by one player."""


def check_import(connection: Connection, origin: str | None, limits: ImportLimits) -> None:
    """Raise TooMuch if the address with the digest ``origin`` has reached its limit."""
    if origin is None:
        return
    query = (
        select(func.count())
        .select_from(imports.join(games, games.c.id == imports.c.game_id))
        .where(games.c.origin == origin, imports.c.kept_by.is_(None))
    )
    if (connection.scalar(query) or 0) >= limits.of_address:
        most = format_count(limits.of_address, "imported game")
        raise TooMuch(
            f"your address has {most} here, the most allowed: import again when some have been removed"
        )


def note_import(connection: Connection, game_id: str, at: float) -> None:
    """Record that a game was imported."""
    connection.execute(insert(imports).values(game_id=game_id, imported_at=at))


class Imports:
    """The imported games of this installation."""

    def __init__(self, database: Database, limits: ImportLimits) -> None:
        self._database = database
        self.limits = limits

    def imported_at(self, game_id: str) -> float | None:
        """When a game was imported; None if a player keeps it or if it was not imported."""
        query = select(imports.c.imported_at).where(imports.c.game_id == game_id, imports.c.kept_by.is_(None))
        with self._database.reading() as connection:
            found: float | None = connection.scalar(query)
        return found

    def keep(self, game_id: str, player_id: str | None) -> None:
        """Keep an imported game as long as other finished games, for a player who has a seat in any game.

        No effect if a player keeps it already, or if it was not imported. Raises NotYourSeat, TooMuch.
        """
        with self._database.writing() as connection:
            seated = select(seats.c.game_id).where(seats.c.player_id == player_id).limit(1)
            if player_id is None or connection.scalar(seated) is None:
                raise NotYourSeat("play a game here first to keep an imported one")
            query = select(imports.c.kept_by).where(imports.c.game_id == game_id).with_for_update()
            row = connection.execute(query).one_or_none()
            if row is None or row.kept_by is not None:
                return
            count = select(func.count()).select_from(imports).where(imports.c.kept_by == player_id)
            if (connection.scalar(count) or 0) >= self.limits.of_player:
                most = format_count(self.limits.of_player, "imported game")
                raise TooMuch(f"you keep {most}, the most allowed")
            connection.execute(update(imports).where(imports.c.game_id == game_id).values(kept_by=player_id))
            connection.execute(update(games).where(games.c.id == game_id).values(origin=None))
