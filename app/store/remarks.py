"""Remarks at a table: lines from a fixed list, rate limited."""

import json
from typing import Final

from sqlalchemy import select, update

from app.store.games import GameStore
from app.store.models import NotYourSeat, Remark, Table, TooMuch
from app.store.rows import remarks_of
from app.store.sanctions import check_may_speak
from app.store.schema import games

MOST_REMARKS: Final = 500
"""Maximum number of remarks at one table."""
REMARK_LIMIT: Final = 5
REMARK_WINDOW_SECONDS: Final = 10.0
"""A seat may make REMARK_LIMIT remarks within this time."""


class Remarks:
    """Adds remarks to tables."""

    def __init__(self, games: GameStore) -> None:
        self._games = games

    def say(self, game_id: str, player_id: str | None, line: int, at: float) -> Table:
        """Add a remark by a player with a seat. Raises UnknownGame, NotYourSeat, Sanctioned, TooMuch."""
        seat = self._games.read(game_id).seat_of(player_id)
        if seat is None:
            raise NotYourSeat("only the players of this game can make remarks")
        with self._games.database.writing() as connection:
            query = select(games.c.remarks).where(games.c.id == game_id).with_for_update()
            remarks = remarks_of(connection.scalar(query) or "[]")
            check_may_speak(connection, player_id, at)  # locks the player: after the game, as in ``Seating``
            if len(remarks) >= MOST_REMARKS:
                raise TooMuch(f"this game has {MOST_REMARKS} remarks, the most allowed")
            since = at - REMARK_WINDOW_SECONDS
            recent = sum(remark.seat == seat and since < remark.at <= at for remark in remarks)
            if recent >= REMARK_LIMIT:
                raise TooMuch(
                    f"too many remarks: at most {REMARK_LIMIT} in {REMARK_WINDOW_SECONDS:.0f} seconds"
                )
            remarks = (*remarks, Remark(seat, line, at))
            connection.execute(update(games).where(games.c.id == game_id).values(remarks=json.dumps(remarks)))
        table = self._games.read(game_id)  # includes moves made meanwhile
        self._games.changed(table, None)
        return table
