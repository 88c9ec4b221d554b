"""Pairing: "Play now" finds an opponent of similar strength among the waiting players.

Several worker processes may pair at the same time. The lock on a player's row (on SQLite, the write lock)
decides who is paired, and a game is stored in the transaction that takes its players.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Final

from sqlalchemy import Connection, delete

from app.games.clock import BEGIN_WITHIN
from app.games.game import Setup
from app.store.bot_accounts import check_is_person
from app.store.database import Database
from app.store.games import GameStore
from app.store.models import Seat, Table, TableSettings
from app.store.pairing_rules import Waiter, pair_up
from app.store.ratings import Speed, bot_rating, rating_of
from app.store.rows import check_room, insert_begun, players_at_limit
from app.store.sanctions import check_may_meet, suspended_among
from app.store.schema import waiting
from app.store.waiting_players import (
    Pool,
    Wait,
    all_there,
    blocked_in,
    keep_wait,
    met_twice,
    note_paired,
    note_seen,
    take,
    wait_of,
)

BOT_AFTER: Final = 20.0
"""Seconds after which a bot of similar strength is offered."""
EVERY: Final = 1.0
"""Minimum number of seconds between two attempts of a process to pair a pool."""
_AT_ONCE: Final = 50
"""Maximum number of games stored in one transaction; other writers wait meanwhile."""
_DEALING: Final = 1.0
"""After this many seconds of dealing, the games dealt so far are stored and begin."""
_NO_BOT: Final = "no bot is offered yet: wait for a game first"


class NotOffered(ValueError):
    """There is no such quick game; the message lists those offered."""


class NotWaiting(LookupError):
    """The player is not waiting for a game."""


class Pairing:
    """Waiting players and their pairing."""

    def __init__(
        self,
        games: GameStore,
        quick_games: Mapping[tuple[str, Speed], Setup],
        paired: Callable[[Table], None] = lambda _table: None,
    ) -> None:
        """``quick_games`` are the games offered; ``paired`` is called when one has begun."""
        self._games = games
        self._quick_games = quick_games
        self._paired = paired
        self._attempts: dict[Pool, float] = {}
        self._lock = Lock()

    @property
    def _database(self) -> Database:
        return self._games.database

    def check(self, player_id: str | None, kind: str, speed: Speed, at: float) -> None:
        """Check that the player, None for a new one, can wait for this.

        Raises NotOffered, PeopleOnly, Sanctioned, TooMuch.
        """
        if (kind, speed) not in self._quick_games:
            offered = ", ".join(f"{kind} {speed}" for kind, speed in self._quick_games)
            raise NotOffered(f"there is no quick game {kind} {speed}: choose one of {offered}")
        with self._database.reading() as connection:
            check_is_person(connection, player_id, "open or join a casual table, or challenge a player")
            check_may_meet(connection, player_id, at)
            check_room(connection, player_id, self._games.most_open)

    def wait(self, player_id: str, pool: Pool, at: float) -> Wait:
        """Start a player's wait, and pair them if there is a suitable opponent.

        Replaces a wait for another game. No effect if they wait for this already, or have just been paired.
        Raises NotOffered, PeopleOnly, Sanctioned, TooMuch.
        """
        self.check(player_id, pool.kind, pool.speed, at)
        with self._database.writing() as connection:
            found = wait_of(connection, player_id, lock=True)
            if found is not None and found.game_id is not None and found.is_there(at):
                return found
            if found is not None and found.pool == pool and found.game_id is None and found.is_there(at):
                note_seen(connection, player_id, at)
            else:
                rating = rating_of(connection, player_id, pool.kind, pool.speed, at)
                again = met_twice(connection, player_id, pool.kind)
                waiter = Waiter(player_id, rating.value, rating.deviation, at, again)
                keep_wait(connection, Wait(pool, waiter, at, None))
        self.pair(pool, at)
        return self._wait_of(player_id)

    def ask(self, player_id: str | None, at: float) -> Wait | None:
        """A player's wait; None if they are not waiting. The call counts as presence: ``THERE_WITHIN``."""
        if player_id is None:
            return None
        with self._database.reading() as connection:
            found = wait_of(connection, player_id)
        if found is None or found.game_id is not None:
            return found
        if found.seen_at != at:
            with self._database.writing() as connection:
                note_seen(connection, player_id, at)
        if self._is_due(found.pool, at):
            self.pair(found.pool, at)
        with self._database.reading() as connection:
            return wait_of(connection, player_id)

    def paired(self, player_id: str) -> str | None:
        """The unfinished game for which a player has been paired, if any."""
        with self._database.reading() as connection:
            found = wait_of(connection, player_id)
        return None if found is None else found.game_id

    def stop(self, player_id: str | None) -> str | None:
        """Stop a player's wait. Return the unfinished game for which they have been paired, if any."""
        if player_id is None:
            return None
        with self._database.writing() as connection:
            found = wait_of(connection, player_id, lock=True)
            connection.execute(delete(waiting).where(waiting.c.player_id == player_id))
        return None if found is None else found.game_id

    def bot_level(self, wait: Wait, at: float) -> int | None:
        """The level of the bot offered to a waiting player; None if no bot is offered."""
        if wait.game_id is not None or wait.seconds(at) < BOT_AFTER:
            return None
        kind, value = wait.pool.kind, wait.waiter.value
        levels = range(1, len(self._games.rulebook.games[kind].bots) + 1)
        return min(levels, key=lambda level: abs(bot_rating(kind, level).value - value), default=None)

    def play_bot(self, player_id: str | None, at: float) -> str:
        """Open a game against the offered bot, which ends the wait, and return its ID.

        If the player has meanwhile been paired or opened a game against a bot, returns that game's ID. Raises
        NotWaiting, Sanctioned, TooMuch.
        """
        with self._database.reading() as connection:
            found = None if player_id is None else wait_of(connection, player_id)
        level = None if found is None else self.bot_level(found, at)
        if player_id is None or found is None or (level is None and found.game_id is None):
            raise NotWaiting(_NO_BOT)
        if found.game_id is not None:
            return found.game_id
        draft = self._draft(found.pool, Seat(player_id), Seat(bot_level=level), at)
        with self._database.writing() as connection:
            now = wait_of(connection, player_id, lock=True)
            if now is None:
                raise NotWaiting(_NO_BOT)
            if now.game_id is not None:
                return now.game_id
            table = self._games.keep_new(connection, draft)
            note_paired(connection, [table], at)
            return table.id

    def pair(self, pool: Pool, at: float) -> int:
        """Pair as many players of a pool as possible, and return the number of games begun."""
        with self._database.reading() as connection:
            there = all_there(connection, pool, at)
            blocked = blocked_in(connection, pool, at) if len(there) > 1 else []
        begun = 0
        pairs = deque(pair_up(there, blocked, at))
        while pairs:
            # Dealing may take long, so do it before anything is locked, and in short batches.
            drafts: list[Table] = []
            enough = time.monotonic() + _DEALING
            while pairs and len(drafts) < _AT_ONCE and (not drafts or time.monotonic() < enough):
                one, other = pairs.popleft()
                drafts.append(self._draft(pool, Seat(one.player_id), Seat(other.player_id), at))
            with self._database.writing() as connection:
                tables = self._begin(connection, pool, drafts, at)
            begun += len(tables)
            for table in tables:
                self._paired(table)
        return begun

    def _draft(self, pool: Pool, one: Seat, other: Seat, at: float) -> Table:
        settings = TableSettings(turn_limit=BEGIN_WITHIN, rated=pool.rated)
        setup = self._quick_games[pool.kind, pool.speed]
        return self._games.draft_for_two(pool.kind, setup, [one, other], at, settings)

    def _begin(self, connection: Connection, pool: Pool, drafts: list[Table], at: float) -> list[Table]:
        """Store the drafts whose players still wait, and remove waiting players who may not play."""
        players = [seat.player_id for draft in drafts for seat in draft.seats if seat.player_id is not None]
        taken = take(connection, pool, players, at)
        refused = suspended_among(connection, players, at)
        refused |= players_at_limit(connection, players, self._games.most_open)
        refused &= taken
        connection.execute(delete(waiting).where(waiting.c.player_id.in_(refused)))
        may_play = taken - refused
        tables = insert_begun(
            connection,
            [draft for draft in drafts if may_play.issuperset(seat.player_id for seat in draft.seats)],
            at,
        )
        note_paired(connection, tables, at)
        return tables

    def _wait_of(self, player_id: str) -> Wait:
        with self._database.reading() as connection:
            found = wait_of(connection, player_id)
        if found is None:  # cancelled in another tab meanwhile
            raise NotWaiting("you are no longer waiting for a game")
        return found

    def _is_due(self, pool: Pool, at: float) -> bool:
        """Whether the last attempt to pair a pool was at least ``EVERY`` ago; if so, count a new one."""
        with self._lock:
            if abs(at - self._attempts.get(pool, 0.0)) < EVERY:
                return False
            self._attempts[pool] = at
            return True
