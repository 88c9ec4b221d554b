"""What is said at a table: a few lines to choose from, and not too many of them."""

import json
from typing import Final

from sqlalchemy import select, update

from app.store.games import GameStore
from app.store.models import NotYourSeat, Remark, Table, TooMuch
from app.store.rows import remarks_of
from app.store.schema import games

MOST_REMARKS: Final = 500
"""Lines that may be said at one table."""
REMARK_LIMIT: Final = 5
REMARK_WINDOW_SECONDS: Final = 10.0
"""A seat may say so many lines in so many seconds."""


class Remarks:
    """What is said at all tables."""

    def __init__(self, games: GameStore) -> None:
        self._games = games

    def say(self, game_id: str, player_id: str | None, line: int, at: float) -> Table:
        """The table after one of the seats said a line. Raises UnknownGame, NotYourSeat, TooMuch."""
        seat = self._games.read(game_id).seat_of(player_id)
        if seat is None:
            raise NotYourSeat("only those who sit at this table may say something")
        with self._games.database.writing() as connection:
            query = select(games.c.remarks).where(games.c.id == game_id).with_for_update()
            remarks = remarks_of(connection.scalar(query) or "[]")
            if len(remarks) >= MOST_REMARKS:
                raise TooMuch(f"that is enough said: a table keeps {MOST_REMARKS} lines")
            if (
                sum(one.seat == seat and at - REMARK_WINDOW_SECONDS < one.at <= at for one in remarks)
                >= REMARK_LIMIT
            ):
                raise TooMuch(
                    f"one thing after another: {REMARK_LIMIT} lines in {REMARK_WINDOW_SECONDS:.0f} seconds"
                )
            remarks = (*remarks, Remark(seat, line, at))
            connection.execute(update(games).where(games.c.id == game_id).values(remarks=json.dumps(remarks)))
        table = self._games.read(game_id)  # somebody may have moved since
        self._games.changed(table)
        return table
