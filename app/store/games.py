"""Stored games: open, load, play.

A game's state is a fold over its move log; the stored snapshot is a cache of it.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from secrets import token_hex, token_urlsafe
from typing import Any, Final

from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from app.games.game import Forfeit, IllegalMove, OutOfTurn, Setup
from app.games.randomness import generator, shuffled
from app.games.rulebook import Rulebook
from app.store.bot_moves import StartThinking, Thoughts, think_at_once
from app.store.database import NO_WRITES, Database
from app.store.game_reader import GameReader
from app.store.listed_tables import ListingLimits, check_listing
from app.store.models import (
    NO_TURN_LIMIT,
    BadTable,
    NotYourSeat,
    Refused,
    Seat,
    StalePly,
    Table,
    TableSettings,
)
from app.store.rated_games import check_may_be_rated
from app.store.rows import (
    begin,
    check_room,
    insert_game,
    keep_move,
    keep_snapshot,
)
from app.store.sanctions import check_may_meet
from app.store.schema import players

PUT_BACK: Final = 60.0
"""If the latest move is more seconds than this in the future, the clock was set back: bots do not wait."""

MOST_PLIES: Final = 10_000
"""Maximum number of moves in a game: a replay plays every one of them."""

UNWATCHED: Final = 4
"""Maximum number of bot moves per load of a bots-only game: a whole game of the best bots takes seconds."""

LOOK_AGAIN: Final = 1.0
"""Seconds between polls for the move of a bot that is thinking or waiting for the engine pool."""

JUST_MADE: Final = 32
"""Number of recently changed tables cached by this process, to show them without reading the database."""

MOST_OPEN: Final = 1000
"""Default limit of unfinished games per player."""


def secret_seed() -> str:
    """A random 128-bit seed, as hexadecimal digits."""
    return token_hex(16)


class GameStore(GameReader):
    """The stored games: open, load, play. Seats and remarks are changed by ``Seating`` and ``Remarks``."""

    def __init__(
        self,
        database: Database,
        rulebook: Rulebook,
        changed: Callable[[Table, Table | None], None] = lambda _table, _before: None,
        most_open: int = MOST_OPEN,
        seeds: Callable[[], str] = secret_seed,
        start_thinking: StartThinking = think_at_once,
        listing: ListingLimits | None = None,
    ) -> None:
        """``changed`` is called after each move, seat taken and remark is committed.

        It gets the table and, after a move or a seat taken, the table as it was before.
        ``most_open`` limits the unfinished games of a player, ``listing`` the tables in the lobby.
        ``seeds`` makes the seed of each game, ``start_thinking`` starts computing a bot's move.
        """
        super().__init__(database, rulebook)
        self.changed = changed
        self.most_open = most_open
        self.seeds = seeds
        self._listing = listing or ListingLimits()
        self._thoughts = Thoughts(start_thinking)
        self._just_made: Final = deque[Table](maxlen=JUST_MADE)

    def open(
        self,
        kind: str,
        setup: Setup,
        taken: Sequence[Seat],
        at: float,
        settings: TableSettings = NO_TURN_LIMIT,
    ) -> Table:
        """Create and store a game. It begins at once if no seat is free and its rules allow it.

        Raises UnknownLexicon, TooMuch, and BadTable if the options do not allow that many seats.
        """
        return self.keep(self.draft(kind, setup, taken, at, settings))

    def draft(
        self,
        kind: str,
        setup: Setup,
        taken: Sequence[Seat],
        at: float,
        settings: TableSettings = NO_TURN_LIMIT,
        seed: str | None = None,
    ) -> Table:
        """Create a game without storing it; see ``keep``. The seed is random by default.

        Raises UnknownLexicon, and as ``deal``.
        """
        options = self.rulebook.pin(kind, setup)
        return self.deal(kind, options, taken, at, seed or self.seeds(), settings)

    def draft_for_two(
        self, kind: str, setup: Setup, players: Sequence[Seat], at: float, settings: TableSettings
    ) -> Table:
        """Create a game as ``draft`` does, for two players; its seed decides who begins."""
        seed = self.seeds()
        return self.draft(kind, setup, shuffled(generator(f"{seed}/seats", 0), players), at, settings, seed)

    def again(
        self,
        table: Table,
        taken: Sequence[Seat],
        at: float,
        stop: Callable[[], bool] = lambda: False,
    ) -> Table:
        """Create a game with this table's settings and a new seed, without storing it; see ``keep``.

        It is not listed in the lobby. Raises as ``deal``.
        """
        options = table.game.without_deal(table.state.options)
        settings = replace(table.settings, listed=False)
        return self.deal(table.kind, options, taken, at, self.seeds(), settings, stop)

    def check_listing(self, player_id: str | None, origin: str | None, at: float) -> None:
        """Raise TooMuch if the player, or the address with the digest ``origin``, has reached its limit."""
        with self.database.reading() as connection:
            check_listing(connection, player_id, origin, at, self._listing)

    def keep(self, draft: Table, origin: str | None = None) -> Table:
        """Store a draft. It begins at once if no seat is free and its rules allow it. Raises TooMuch.

        Separate from ``draft`` because dealing may take seconds and SQLite has one writer at a time.
        ``origin`` is the digest of the address that lists the table.
        """
        with self.database.writing() as connection:
            if draft.settings.listed:
                check_listing(connection, draft.seats[0].player_id, origin, draft.created_at, self._listing)
            table = self.keep_new(connection, draft, origin if draft.settings.listed else None)
        self._think_ahead(table)
        return table

    def deal(
        self,
        kind: str,
        options: Any,
        taken: Sequence[Seat],
        at: float,
        seed: str,
        settings: TableSettings = NO_TURN_LIMIT,
        stop: Callable[[], bool] = lambda: False,
    ) -> Table:
        """Create a game from pinned options and a seed, without storing it; see ``keep_new``.

        Raises BadTable if the rules refuse the options or seats, if a deal that may take long is not found
        before ``stop`` returns true, or if the game should be rated and cannot be.
        """
        game = self.rulebook.game(kind, options.lexicon)
        try:
            state = game.start_before(stop, options, len(taken), seed)
        except IllegalMove as refused:
            field = "options" if len(taken) in game.seats(options) else "seats"
            raise BadTable(refused.reason, field) from None
        table = Table(
            id=token_urlsafe(9),
            kind=kind,
            seed=seed,
            created_at=at,
            finished_at=None,
            seats=tuple(taken),
            invitation=token_urlsafe(9) if len(taken) > 1 else None,
            game=game,
            state=state,
            moved_at=at,
            settings=settings,
        )
        if settings.rated:
            check_may_be_rated(table)
        return table

    def keep_new(self, connection: Connection, table: Table, origin: str | None = None) -> Table:
        """Store a dealt game within the caller's transaction; it begins if no seat is free.

        Raises TooMuch if a player has too many unfinished games, and Sanctioned if a suspended player would
        meet others there.
        """
        people = [seat.player_id for seat in table.seats if seat.player_id is not None]
        if len(people) > 1:
            # The locks that the seats take, in the order in which players are erased and merged.
            rows = select(players.c.id).where(players.c.id.in_(people)).order_by(players.c.id)
            connection.execute(rows.with_for_update(read=True, key_share=True))
        for seat in table.seats:
            if not table.has_one_person:
                check_may_meet(connection, seat.player_id, table.created_at)
            check_room(connection, seat.player_id, self.most_open)
        insert_game(connection, table, table.state.options, origin)
        keep_snapshot(connection, table)
        return begin(connection, table, table.created_at)

    def load(self, game_id: str, at: float, version: str | None = None) -> Table:
        """The game at time ``at``, after applying the timeouts and bot moves that are due.

        Each is recorded with the time it was due. If a bot move is not computed yet, its computation is
        started, and a later load makes the move. In a bots-only game, at most ``UNWATCHED`` moves are made
        per load. ``version`` is the version just announced, if any: it is not read from the database if this
        process made it.
        Raises UnknownGame.
        """
        made = (each for each in tuple(self._just_made) if each.id == game_id and each.version == version)
        table = next(made, None) or self.read(game_id)
        bots_alone = all(seat.bot_level is not None for seat in table.seats)
        last = table.state.ply + UNWATCHED if bots_alone else math.inf
        while table.state.ply < last and (pending := self._pending(table, at)) is not None:
            seat, move, when = pending
            try:
                table = self.make(table, seat, move, when, stored_at=at)
            except IntegrityError:
                table = self.read(game_id)  # a concurrent request made the move first
            except IllegalMove as refusal:  # a fault of the bot; the player's request is valid
                raise RuntimeError(f"{table.kind}, seat {seat}: {move!r} is refused: {refusal}") from refusal
        return table

    def load_or_read(self, game_id: str, at: float) -> Table:
        """Like ``load``, but falls back to the stored game if the database cannot be written to.

        Raises UnknownGame.
        """
        try:
            return self.load(game_id, at)
        except NO_WRITES:
            return self.read(game_id)

    def happens_at(self, table: Table, at: float) -> float | None:
        """When the next timeout or bot move is due; None if there is none.

        While a bot's move is still being computed, the time of the next poll.
        """
        pending = self._pending(table, math.inf)
        if pending is None and table.bot_to_move is not None:
            return at + LOOK_AGAIN
        # If the clock was set back since the latest move, do not wait for the difference.
        return None if pending is None else pending[2] + min(0.0, at - table.moved_at)

    def play(
        self, game_id: str, player_id: str | None, move: Any, at: float, ply: int | None = None
    ) -> Table:
        """Make a player's move and return the game after it is committed.

        ``ply`` is the position the player saw; None accepts any. Raises UnknownGame, NotYourSeat,
        StalePly, Refused (illegal at this moment), IllegalMove (always illegal).
        """
        return self.play_as_read(game_id, player_id, lambda _: move, at, ply)

    def play_as_read(
        self,
        game_id: str,
        player_id: str | None,
        read: Callable[[Table], Any],
        at: float,
        ply: int | None = None,
    ) -> Table:
        """Like ``play``, with ``read`` parsing the move for the table. Also raises what ``read`` raises."""
        while True:
            table = self.load(game_id, at)
            seat = table.seat_of(player_id)
            if seat is None:
                raise NotYourSeat("this is another player’s game: you can only watch it")
            if ply is not None and not table.unchanged_since <= ply <= table.state.ply:
                raise StalePly(table, ply)
            try:
                return self.make(table, seat, _read_move(table, read), at)
            except OutOfTurn as refusal:
                raise Refused(table, refusal) from None
            except IntegrityError:
                # Another request made this ply; the move may still be legal in the new position.
                if self.read(game_id).state.ply == table.state.ply:
                    raise

    def skip_wait(self, game_id: str, player_id: str | None, at: float) -> Table:
        """Make the next bot move now, or as soon as it is computed, for the only person at the table.

        No effect if it is no bot's turn or another person plays, too.
        Raises UnknownGame, NotYourSeat.
        """
        table = self.load(game_id, at)
        if table.seat_of(player_id) is None:
            raise NotYourSeat("this is another player’s game: you can only watch it")
        if table.bot_to_move is None or not table.has_one_person:
            return table
        self._thoughts.hurry(table, *table.bot_to_move, at)
        return self.load(game_id, at)

    def make(self, table: Table, seat: int, move: Any, at: float, stored_at: float | None = None) -> Table:
        """Make a move for any seat and return the table after it is committed.

        ``stored_at`` is the time now, if the move was due earlier.
        Raises SQLAlchemy's IntegrityError if another request made this ply, and what the rules raise.
        """
        before, after = table, table.game.apply(table.state, seat, move, at)
        logged = table.game.logged(table.state, move)
        with self.database.writing() as connection:
            table = keep_move(connection, table, seat, logged, at, after, stored_at)
        self._just_made.append(table)
        self.changed(table, before)
        self._think_ahead(table)
        return table

    def _think_ahead(self, table: Table) -> None:
        """Start computing the bot's move, so that it is ready when it is due."""
        if table.bot_to_move is not None:
            self._thoughts.get(table, *table.bot_to_move)

    def _pending(self, table: Table, at: float) -> tuple[int, Any, float] | None:
        """The next timeout or bot move that is due by ``at``: (seat, move, when)."""
        if table.finished_at is not None or not table.is_full:
            return None
        due = table.game.due(table.state, at)
        if table.bot_to_move is not None:
            seat, level = table.bot_to_move
            thought = self._thoughts.get(table, seat, level)
            if thought is None:
                return None  # a bot whose move is not computed yet has no timeout
            when = at if at < table.moved_at - PUT_BACK else table.moved_at + thought.seconds
            if when <= max(at, table.moved_at) and (due is None or when < due.at):
                return seat, thought.move, when
        return (due.seat, due.move, due.at) if due is not None else None


def _read_move(table: Table, read: Callable[[Table], Any]) -> Any:
    """A player's move, if players may make it. Raises OutOfTurn, IllegalMove and what ``read`` raises."""
    if not table.is_full:
        raise OutOfTurn("the game starts when every seat is taken")
    move = read(table)
    if table.state.ply >= MOST_PLIES and move != table.game.resignation:
        raise OutOfTurn(f"the game has {MOST_PLIES:,} moves, the most allowed: end it")
    reserved: tuple[Any, ...] = (Forfeit, *table.game.reserved)
    if isinstance(move, reserved):
        raise IllegalMove(f"players cannot make a move of type {move.type!r}")
    return move
