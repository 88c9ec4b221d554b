"""Who sits at a table: seats taken by invitation or from the lobby, by bots, and claimed from who left."""

import math
from dataclasses import replace

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError

from app.grammar import there_are
from app.store.games import GameStore
from app.store.models import NotYourSeat, Seat, StalePly, Table, TooEarly
from app.store.rows import begin, check_room, keep_snapshot, note_rematch, seats_of
from app.store.schema import games, seats


class Seating:
    """The seats of all tables."""

    def __init__(self, games: GameStore) -> None:
        self._games = games

    def sit_down(self, game_id: str, invitation: str | None, player_id: str, at: float) -> Table:
        """The table with the player on its next free seat, or as a watcher where none is free.

        The game begins with the last seat taken. Without an invitation one sits down at a listed table only.
        Raises UnknownGame, WrongInvitation.
        """
        table = self._games.read(game_id)
        table.admit(invitation)
        return self._take(table, Seat(player_id=player_id), at)

    def seat(self, game_id: str, player_id: str, at: float) -> Table:
        """The table with the player on its next free seat, for who knows that they may have it.

        As ``sit_down``. Raises UnknownGame.
        """
        table = self._games.read(game_id)
        return table if table.seat_of(player_id) is not None else self._take(table, Seat(player_id), at)

    def add_bot(self, game_id: str, player_id: str | None, level: int, at: float) -> Table:
        """The table with a bot on its next free seat, put there by one who sits at it.

        Raises UnknownGame, NotYourSeat.
        """
        table = self._games.read(game_id)
        if table.seat_of(player_id) is None:
            raise NotYourSeat("only those who sit at this table may add a bot")
        return self._take(table, Seat(bot_level=level), at)

    def close(self, game_id: str, player_id: str | None) -> None:
        """Take away, for good, a table that still waits and where nobody but its opener and bots sits.

        Raises UnknownGame, NotYourSeat, TooEarly.
        """
        table = self._games.read(game_id)
        with self._games.database.writing() as connection:
            # Who takes a seat meanwhile waits, and finds no table any more.
            connection.execute(select(games.c.id).where(games.c.id == table.id).with_for_update())
            table = replace(table, seats=seats_of(connection, table.id))
            if table.seat_of(player_id) != 0:
                raise NotYourSeat("only who has opened a table may close it")
            if not table.may_be_closed:
                raise TooEarly(f"{_why_not(table)}: the table cannot be closed any more")
            rematch_of = note_rematch(connection, table.id)
            connection.execute(delete(games).where(games.c.id == table.id))
        if rematch_of is not None:
            self._games.changed(self._games.read(rematch_of))

    def claim(self, game_id: str, player_id: str | None, at: float) -> Table:
        """The game after the seat that has been idle for longer than agreed gave up.

        Raises UnknownGame, NotYourSeat, TooEarly, and StalePly where it moved after all.
        """
        table = self._games.load(game_id, at)
        seat, idle = table.seat_of(player_id), table.game.to_move(table.state)
        if seat is None or seat == idle:
            raise NotYourSeat("only those who wait at this table may claim it")
        if idle is None:
            over = table.finished_at is not None
            raise TooEarly(f"the game {'is over' if over else 'has not begun'}: there is nothing to claim")
        if table.claimable_at is None:
            raise TooEarly("this table waits for ever: there is nothing to claim")
        if at < table.claimable_at:
            raise TooEarly(
                f"not yet: {there_are(math.ceil(table.claimable_at - at), 'second')} left for the move"
            )
        try:
            return self._games.make(table, idle, table.game.resignation, at)
        except IntegrityError:
            raise StalePly(self._games.read(game_id), table.state.ply) from None

    def _take(self, table: Table, occupant: Seat, at: float) -> Table:
        """Give the next free seat to ``occupant``; of those who reach for it at once one gets it."""
        with self._games.database.writing() as connection:
            # Who takes a seat waits here until all who came before are seated.
            ended = select(games.c.finished_at).where(games.c.id == table.id).with_for_update()
            finished_at = connection.scalar(ended)
            table = replace(table, finished_at=finished_at, seats=seats_of(connection, table.id))
            seated = not table.is_full and table.seat_of(occupant.player_id) is None
            if seated:
                check_room(connection, occupant.player_id, self._games.most_open)
                connection.execute(
                    update(seats)
                    .where(seats.c.game_id == table.id, seats.c.seat == table.free_seat)
                    .values(player_id=occupant.player_id, bot_level=occupant.bot_level)
                )
                table = replace(table, seats=seats_of(connection, table.id), moved_at=at)
                keep_snapshot(connection, table)
                table = begin(connection, table, at)
                rematch_of = note_rematch(connection, table.id)
        if not seated:
            return self._games.read(table.id)
        self._games.changed(table)
        if rematch_of is not None:
            self._games.changed(self._games.read(rematch_of))
        return table


def _why_not(table: Table) -> str:
    return "the game has begun" if table.is_full else "somebody sits here with you"
