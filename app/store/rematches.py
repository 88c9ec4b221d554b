"""Rematches: where those who sat at a finished game play again, all of them at one table."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from app.store.games import GameStore
from app.store.models import NotYourSeat, Seat, Table, TooEarly, UnknownGame
from app.store.rows import note_rematch, seats_of
from app.store.schema import games
from app.store.seating import Seating


@dataclass(frozen=True, slots=True)
class Rematch:
    """A table that was opened for a rematch and did not end, as one who may sit there sees it."""

    game_id: str
    wanted_by: tuple[int, ...]
    """The seats of the finished game whose players sit there."""
    seated: bool
    """Whether who looks is one of them."""
    free: int
    """Seats that nobody has taken yet."""


class Rematches:
    """The rematches of all games."""

    def __init__(self, games: GameStore, seating: Seating) -> None:
        self._games = games
        self._seating = seating

    def of(self, table: Table, player_id: str | None) -> Rematch | None:
        """The rematch of a finished game that who sat there sits at or may join; others know of none."""
        if table.asked == 0 or table.seat_of(player_id) is None:
            return None
        with self._games.database.reading() as connection:
            return _rematch(connection, table, player_id)

    def join(self, game_id: str, player_id: str | None, at: float) -> Table:
        """The rematch with the player on a seat of it: the one there is, or else a new one.

        A new one is as the game was, on tiles of its own: who asks first has its first seat, bots come along,
        and the seats of the others wait. Raises UnknownGame, NotYourSeat, TooEarly, TooMuch.
        """
        table = self._games.load(game_id, at)
        if player_id is None or table.seat_of(player_id) is None:
            raise NotYourSeat("only those who sat at this game have a rematch of it")
        if table.finished_at is None:
            raise TooEarly("the game goes on: there is a rematch when it is over")
        while True:
            rematch = self.of(table, player_id)
            found = rematch.game_id if rematch else self._open(table, player_id, at)
            # It may have been closed, or its last seat taken, meanwhile: then there is another table.
            with suppress(UnknownGame):
                there = self._seating.seat(found, player_id, at)
                if there.seat_of(player_id) is not None:
                    return there
            table = self._games.read(game_id)

    def _open(self, table: Table, player_id: str, at: float) -> str:
        """A new table for the rematch; of those who open one at once all get the first."""
        draft = self._games.again(table, tuple(_chairs(table, player_id)), at)
        with self._games.database.writing() as connection:
            # Who asks waits here until all who asked before have their table.
            query = select(games.c.id).where(games.c.id == table.id).with_for_update()
            connection.scalar(query)
            if (found := _rematch(connection, table, player_id)) is not None:
                return found.game_id
            opened = self._games.keep_new(connection, draft)
            connection.execute(update(games).where(games.c.id == table.id).values(rematch_id=opened.id))
            note_rematch(connection, opened.id)
        self._games.changed(self._games.read(table.id))
        return opened.id


def _chairs(table: Table, player_id: str) -> Iterator[Seat]:
    yield Seat(player_id)
    for seat in table.seats:
        if seat.player_id != player_id:
            yield Seat(bot_level=seat.bot_level)


def _rematch(connection: Connection, table: Table, player_id: str | None) -> Rematch | None:
    """The table's rematch, if the player sits there or may sit down; none that all of them have left."""
    another = games.alias()
    query = (
        select(another.c.id)
        .join(games, games.c.rematch_id == another.c.id)
        .where(games.c.id == table.id, another.c.status == "open")
    )
    found = connection.scalar(query)
    taken = seats_of(connection, found) if found else ()
    there = {seat.player_id for seat in taken if seat.player_id is not None}
    wanted_by = tuple(seat for seat, one in enumerate(table.seats) if one.player_id in there)
    free = sum(seat.is_free for seat in taken)
    if found is None or not wanted_by or not (free or player_id in there):
        return None
    return Rematch(found, wanted_by, player_id in there, free)
