"""Seats: join by invitation or from the lobby, add bots, close a table, claim a game from an idle player."""

import math
from dataclasses import replace

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.exc import IntegrityError

from app.games.game import Forfeit
from app.grammar import there_are
from app.store.blocks import kept_apart
from app.store.bot_accounts import is_bot_account
from app.store.games import GameStore
from app.store.models import (
    NEEDS_INVITATION,
    BadTable,
    NotYourSeat,
    Seat,
    StalePly,
    Table,
    TooEarly,
    UnknownGame,
    WrongInvitation,
)
from app.store.rated_games import check_rated_apart, has_played
from app.store.rows import begin, check_room, keep_snapshot, seats_of
from app.store.sanctions import check_may_meet
from app.store.schema import games, seats
from app.store.waiting_tables import note_rematch


class Seating:
    """Changes the seats of tables."""

    def __init__(self, games: GameStore) -> None:
        self._games = games

    def sit_down(
        self, game_id: str, invitation: str | None, player_id: str, at: float, wanted: int | None = None
    ) -> Table:
        """Give the player the seat they want, or the next free one; no effect if all seats are taken.

        The game begins when the last seat is taken. Only listed tables can be joined without an invitation.
        Raises UnknownGame, WrongInvitation, Sanctioned, and BadTable if there is no such seat, or if
        people and bot accounts would meet in a rated game.
        """
        table = self._games.read(game_id)
        table.admit(invitation)
        if invitation is None:
            self._check_apart(table, player_id)
        return self._take(table, Seat(player_id=player_id), at, wanted)

    def seat(self, game_id: str, player_id: str, at: float, wanted: int | None = None) -> Table:
        """Like ``sit_down``, without checking an invitation. Raises UnknownGame, Sanctioned."""
        table = self._games.read(game_id)
        if table.seat_of(player_id) is not None:
            return table
        return self._take(table, Seat(player_id), at, wanted)

    def add_bot(
        self,
        game_id: str,
        player_id: str | None,
        level: int,
        at: float,
        wanted: int | None = None,
        free: int | None = None,
    ) -> Table:
        """Put a bot on the seat that a player at the table wants for it, or on the next free one.

        No effect unless ``free`` seats are free, if it is given: so a request sent twice adds one bot.
        Raises UnknownGame, NotYourSeat, and BadTable if there is no such seat or no bot of this level.
        """
        table = self._games.read(game_id)
        if table.seat_of(player_id) is None:
            raise NotYourSeat("only the players of this game can add a bot")
        if level > len(table.game.bots):
            raise BadTable(f"this game has no bot of level {level}", "level")
        return self._take(table, Seat(bot_level=level), at, wanted, free)

    def close(self, game_id: str, player_id: str | None) -> None:
        """Delete a table that has not started, for its opener, if no other player has joined.

        If the opener has left, any of its players may close it.
        Raises UnknownGame, NotYourSeat, TooEarly.
        """
        table = self._games.read(game_id)
        with self._games.database.writing() as connection:
            table = _locked(connection, table)  # a player who joins meanwhile waits and then finds no table
            if table.seat_of(player_id) not in table.closers:
                raise NotYourSeat("only the player who started this game can cancel it")
            if not table.may_be_closed:
                reason = "the game has started" if table.is_full else "another player has joined"
                raise TooEarly(f"{reason}: it can no longer be cancelled")
            rematch_of = note_rematch(connection, table.id)
            connection.execute(delete(games).where(games.c.id == table.id))
        # Open pages request the later version, and find that the game has been deleted.
        self._games.changed(replace(table, other_changes=table.other_changes + 1), None)
        if rematch_of is not None:
            self._games.changed(self._games.read(rematch_of), None)

    def claim(self, game_id: str, player_id: str | None, at: float) -> Table:
        """Make the seat to move forfeit the game if its player was idle past the limit, or resign if erased.

        Raises UnknownGame, NotYourSeat, TooEarly, and StalePly if it moved after all.
        """
        table = self._games.load(game_id, at)
        seat, idle = table.seat_of(player_id), table.game.to_move(table.state)
        if seat is None or seat == idle:
            raise NotYourSeat("only a player waiting for the other’s move can claim a forfeit")
        if idle is None:
            over = table.finished_at is not None
            raise TooEarly(f"the game {'is over' if over else 'has not started'}: it cannot be claimed")
        if table.claimable_at is None:
            raise TooEarly("this game has no turn limit: it cannot be claimed")
        if at < table.claimable_at:
            raise TooEarly(
                f"not yet: {there_are(math.ceil(table.claimable_at - at), 'second')} left for the move"
            )
        move = table.game.resignation
        if table.game.forfeits and not table.waits_for_erased:
            with self._games.database.reading() as connection:
                move = Forfeit(began=has_played(connection, game_id, idle))
        try:
            return self._games.make(table, idle, move, at)
        except IntegrityError:
            raise StalePly(self._games.read(game_id), table.state.ply) from None

    def _check_apart(self, table: Table, player_id: str) -> None:
        """Raise WrongInvitation, as for an unlisted table, if a block separates the player from one there."""
        with self._games.database.reading() as connection:
            apart = kept_apart(connection, player_id)
        if any(seat.player_id in apart for seat in table.seats):
            raise WrongInvitation(NEEDS_INVITATION)

    def _take(
        self,
        table: Table,
        occupant: Seat,
        at: float,
        wanted: int | None = None,
        free: int | None = None,
    ) -> Table:
        """Give the wanted or next free seat to ``occupant``; no effect if none is free or they have one."""
        table.check_seat(wanted)
        with self._games.database.writing() as connection:
            before = table = _locked(connection, table)
            as_seen = free in (None, sum(each.is_free for each in table.seats))
            seated = as_seen and not table.is_full and table.seat_of(occupant.player_id) is None
            if seated:
                check_may_meet(connection, occupant.player_id, at)
                check_room(connection, occupant.player_id, self._games.most_open)
                if occupant.player_id is not None:
                    seated_bots = [each.is_bot for each in table.seats if each.player_id is not None]
                    joins = is_bot_account(connection, occupant.player_id)
                    check_rated_apart(table.settings, [*seated_bots, joins])
                given = wanted if wanted is not None and table.seats[wanted].is_free else table.free_seat
                connection.execute(
                    update(seats)
                    .where(seats.c.game_id == table.id, seats.c.seat == given)
                    .values(player_id=occupant.player_id, bot_level=occupant.bot_level)
                )
                table = replace(table, seats=seats_of(connection, table.id), moved_at=at)
                keep_snapshot(connection, table)
                table = begin(connection, table, at)
                rematch_of = note_rematch(connection, table.id)
        if not seated:
            return self._games.read(table.id)
        self._games.changed(table, before)
        if rematch_of is not None:
            self._games.changed(self._games.read(rematch_of), None)
        return table


def _locked(connection: Connection, table: Table) -> Table:
    """The table with its current seats; its row is locked, so that concurrent callers wait.

    Raises UnknownGame if it was closed meanwhile.
    """
    query = select(games.c.finished_at, games.c.asked).where(games.c.id == table.id).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is None:
        raise UnknownGame(f"there is no game {table.id!r}: it was cancelled just now")
    taken = seats_of(connection, table.id)
    return replace(table, finished_at=row.finished_at, seats=taken, other_changes=row.asked)
