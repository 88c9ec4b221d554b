"""Rematches: the players of a finished game play again at a new table."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from app.store.blocks import is_blocked, kept_apart
from app.store.games import GameStore
from app.store.models import NotYourSeat, Seat, Table, TooEarly, UnknownGame
from app.store.rows import seats_of
from app.store.schema import games
from app.store.seating import Seating
from app.store.waiting_tables import note_rematch


@dataclass(frozen=True, slots=True)
class Rematch:
    """An unfinished rematch, as one of its possible players sees it."""

    game_id: str
    wanted_by: tuple[int, ...]
    """Seats of the finished game whose players have joined the rematch."""
    seated: bool
    """Whether this player has joined."""
    free: int
    """Number of free seats."""


class Rematches:
    """Finds, opens and joins rematches."""

    def __init__(self, games: GameStore, seating: Seating) -> None:
        self._games = games
        self._seating = seating

    def of(self, table: Table, player_id: str | None) -> Rematch | None:
        """The rematch of a finished game that this player has joined or may join; None for anyone else."""
        if player_id is None or table.other_changes == 0 or table.seat_of(player_id) is None:
            return None
        with self._games.database.reading() as connection:
            return _rematch(connection, table, player_id)

    def missing_players(self, table: Table, player_id: str | None) -> list[Seat]:
        """The other players of the original game who have not joined this rematch.

        Empty for those who did not play the original game. Leaves out players kept apart by a block.
        """
        if player_id is None or table.is_full or table.seat_of(player_id) is None:
            return []
        joined = {seat.player_id for seat in table.seats}
        with self._games.database.reading() as connection:
            before = connection.scalar(select(games.c.id).where(games.c.rematch_id == table.id))
            taken = seats_of(connection, before) if before else ()
            if not any(seat.player_id == player_id for seat in taken):
                return []
            apart = {None, *joined, *kept_apart(connection, player_id)}
        return [seat for seat in taken if seat.player_id not in apart and not seat.is_erased]

    def join(
        self, game_id: str, player_id: str | None, at: float, stop: Callable[[], bool] = lambda: False
    ) -> Table:
        """Give the player a seat at the rematch of a finished game, opening it if there is none.

        A new rematch has the same settings and bots, and a new seed. Its opener begins, and the others keep
        the order of turns, so that teams stay together; the players' seats are free for them. Raises
        UnknownGame, NotYourSeat, TooEarly, TooMuch, and BadTable if a deal that may take long is not found
        before ``stop`` returns true.
        """
        table = self._games.load(game_id, at)
        if player_id is None or table.seat_of(player_id) is None:
            raise NotYourSeat("only players of this game can join its rematch")
        if table.finished_at is None:
            raise TooEarly("the game is still in progress: you can ask for a rematch when it is over")
        while True:
            rematch = self.of(table, player_id)
            found = rematch.game_id if rematch else self._open(table, player_id, at, stop)
            # If it was closed or filled meanwhile, open another.
            with suppress(UnknownGame):
                joined = self._seating.seat(found, player_id, at, self._place(table, found, player_id))
                if joined.seat_of(player_id) is not None:
                    return joined
            table = self._games.read(game_id)

    def _place(self, table: Table, rematch_id: str, player_id: str) -> int | None:
        """The player's seat at the rematch, as far behind its opener as before; None if the opener is new."""
        opener = table.seat_of(self._games.read(rematch_id).seats[0].player_id)
        own = table.seat_of(player_id)
        return None if opener is None or own is None else (own - opener) % len(table.seats)

    def _open(self, table: Table, player_id: str, at: float, stop: Callable[[], bool]) -> str:
        """The ID of a new table for the rematch; concurrent callers all get the first one."""
        draft = self._games.again(table, tuple(_seats(table, player_id)), at, stop)
        with self._games.database.writing() as connection:
            # The row lock serializes concurrent callers.
            query = select(games.c.id).where(games.c.id == table.id).with_for_update()
            connection.scalar(query)
            if (found := _rematch(connection, table, player_id)) is not None:
                return found.game_id
            opened = self._games.keep_new(connection, draft)
            connection.execute(update(games).where(games.c.id == table.id).values(rematch_id=opened.id))
            note_rematch(connection, opened.id)
        self._games.changed(self._games.read(table.id), None)
        return opened.id


def _seats(table: Table, player_id: str) -> Iterator[Seat]:
    own = table.seat_of(player_id) or 0
    yield Seat(player_id)
    for seat in (*table.seats[own + 1 :], *table.seats[:own]):
        yield Seat(bot_level=seat.bot_level)


def _rematch(connection: Connection, table: Table, player_id: str) -> Rematch | None:
    """The table's unfinished rematch, if the player has joined it or may join it.

    None if a block keeps the player apart from another who has joined it: the player then opens another.
    """
    another = games.alias()
    query = (
        select(another.c.id)
        .join(games, games.c.rematch_id == another.c.id)
        .where(games.c.id == table.id, another.c.status == "open")
    )
    found = connection.scalar(query)
    taken = seats_of(connection, found) if found else ()
    joined = {seat.player_id for seat in taken if seat.player_id is not None}
    wanted_by = tuple(number for number, seat in enumerate(table.seats) if seat.player_id in joined)
    free = sum(seat.is_free for seat in taken)
    if found is None or not wanted_by or not (free or player_id in joined):
        return None
    if any(is_blocked(connection, player_id, other) for other in joined - {player_id}):
        return None
    return Rematch(found, wanted_by, player_id in joined, free)
