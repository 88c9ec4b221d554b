"""Games at the store: opened, loaded, and moved on.

The log of moves is the truth, the snapshot a short cut.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from secrets import token_hex, token_urlsafe
from typing import Any, Final

from pydantic import ValidationError
from sqlalchemy import Connection, Row, select
from sqlalchemy.exc import IntegrityError

from app.games.game import IllegalMove, OutOfTurn, Setup
from app.games.rulebook import GAMES, AnyGame, Rulebook
from app.store.bot_moves import StartThinking, Thoughts, think_at_once
from app.store.database import NO_WRITES, Database
from app.store.listing import ListingLimits, check_listing
from app.store.models import (
    NO_TURN_LIMIT,
    LoggedMove,
    NotYourSeat,
    Refused,
    Seat,
    StalePly,
    Table,
    TableSettings,
    Unplayable,
)
from app.store.rows import (
    begin,
    check_room,
    game_row,
    insert_game,
    keep_move,
    keep_snapshot,
    log_of,
    remarks_of,
)
from app.words.library import DamagedLexicon, UnknownLexicon

PUT_BACK: Final = 60.0
"""A latest move so many seconds ahead tells of a clock that was put back, for which no bot waits."""

MOST_PLIES: Final = 10_000
"""Moves that a game may have: to show it again each of them is played."""

UNWATCHED: Final = 4
"""Moves that bots among themselves catch up with at a time: a whole game of the best would take seconds."""

LOOK_AGAIN: Final = 1.0
"""Seconds after which it is asked again what a bot plays that still thinks, or waits for room to do so."""

MOST_OPEN: Final = 1000
"""Games that a player may sit at which did not end, if nothing else is agreed."""


def fold(game: AnyGame, state: Any, log: Iterable[LoggedMove]) -> Iterator[Any]:
    """The states after each move of ``log``, the first of which is made in ``state``."""
    for line in log:
        time.sleep(0)  # between two moves the interpreter is free for the threads that answer pages
        state = game.apply(state, line.seat, line.move, line.at)
        yield state


def secret_seed() -> str:
    """128 bits that nobody can guess."""
    return token_hex(16)


class GameStore:
    """The games of this installation; who sits at them and what is said there have stores of their own."""

    def __init__(
        self,
        database: Database,
        rulebook: Rulebook,
        changed: Callable[[Table], None] = lambda _: None,
        most_open: int = MOST_OPEN,
        seeds: Callable[[], str] = secret_seed,
        start_thinking: StartThinking = think_at_once,
        listing: ListingLimits | None = None,
    ) -> None:
        """``changed`` is told of every move, every seat taken and every remark, once it is kept.

        A player sits at ``most_open`` games at most that did not end; each game has the next of ``seeds``.
        ``start_thinking`` is where bots think.
        ``listing`` says how many tables one may have in the lobby.
        """
        self.database = database
        self.rulebook = rulebook
        self.changed = changed
        self.most_open = most_open
        self.seeds = seeds
        self._listing = listing or ListingLimits()
        self._thoughts = Thoughts(start_thinking)

    def open(
        self,
        kind: str,
        setup: Setup,
        taken: Sequence[Seat],
        at: float,
        settings: TableSettings = NO_TURN_LIMIT,
    ) -> Table:
        """A new game; where no seat is free it begins at once, if its rules let it.

        Raises UnknownLexicon, TooMuch, and IllegalMove where the options do not go with that many seats.
        """
        return self.keep(self.draft(kind, setup, taken, at, settings))

    def draft(
        self,
        kind: str,
        setup: Setup,
        taken: Sequence[Seat],
        at: float,
        settings: TableSettings = NO_TURN_LIMIT,
    ) -> Table:
        """A new game that nobody has kept yet: see ``keep``.

        Raises UnknownLexicon, and IllegalMove where the options do not go with that many seats.
        """
        return self.deal(kind, self.rulebook.pin(kind, setup), taken, at, self.seeds(), settings)

    def again(self, table: Table, taken: Sequence[Seat], at: float) -> Table:
        """A new game as agreed at this table, on tiles of its own, that nobody has kept yet: see ``keep``.

        It is for whom it is opened: nobody else finds it in the lobby.
        """
        options = table.game.anew(table.state.options)
        settings = replace(table.settings, listed=False)
        return self.deal(table.kind, options, taken, at, self.seeds(), settings)

    def check_listing(self, player_id: str | None, origin: str | None, at: float) -> None:
        """Raise TooMuch where the player, or who is at the address of ``origin``, may list no more tables."""
        with self.database.reading() as connection:
            check_listing(connection, player_id, origin, at, self._listing)

    def keep(self, draft: Table, origin: str | None = None) -> Table:
        """Keep a new game; where no seat is free it begins at once, if its rules let it. Raises TooMuch.

        Dealing it may have taken seconds: while one writes nobody else does. ``origin`` stands for the
        address of who lists it.
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
    ) -> Table:
        """A game with pinned options and the seed given, which nobody has kept yet: see ``keep_new``."""
        game = self.rulebook.game(kind, options.lexicon)
        return Table(
            id=token_urlsafe(9),
            kind=kind,
            seed=seed,
            created_at=at,
            finished_at=None,
            seats=tuple(taken),
            invitation=token_urlsafe(9) if len(taken) > 1 else None,
            game=game,
            state=game.start(options, len(taken), seed),
            moved_at=at,
            settings=settings,
        )

    def keep_new(self, connection: Connection, table: Table, origin: str | None = None) -> Table:
        """Keep a game that was dealt, inside a transaction that may do more; it begins if it is full.

        Raises TooMuch where a player sits at too many games.
        """
        for seat in table.seats:
            check_room(connection, seat.player_id, self.most_open)
        insert_game(connection, table, table.state.options, origin)
        keep_snapshot(connection, table)
        return begin(connection, table, table.created_at)

    def read(self, game_id: str) -> Table:
        """The game as it was last kept: what happens by itself is left to ``load``.

        Raises UnknownGame, and of those Unplayable where the installation lacks what the game needs.
        """
        with self.database.reading() as connection:
            row, taken = game_row(connection, game_id)
        _, game = self._rules(row)
        if row.state is None:
            state, moved_at = self._rebuilt(game_id, row.created_at)
        else:
            state, moved_at = GAMES[row.kind].state_type.model_validate_json(row.state), row.saved_at
        return Table(
            id=game_id,
            kind=row.kind,
            seed=row.seed,
            created_at=row.created_at,
            finished_at=row.finished_at,
            seats=taken,
            invitation=row.invitation,
            game=game,
            state=state,
            moved_at=moved_at,
            day=None if row.day is None else date.fromisoformat(row.day),
            settings=TableSettings(row.turn_limit, row.listed),
            remarks=remarks_of(row.remarks),
            asked=row.asked,
        )

    def load(self, game_id: str, at: float) -> Table:
        """The game as it stands at ``at``.

        What happens by itself until then, a clock that runs out or a bot that has thought long enough,
        happens and is recorded as of its own time. What a bot is still to think out, which it then begins
        to, happens when the game is loaded again. Where only bots sit, that may be more than can be thought
        about while somebody waits: then some of it happens, and more when the game is loaded again.
        Raises UnknownGame.
        """
        table = self.read(game_id)
        bots_alone = all(seat.bot_level is not None for seat in table.seats)
        last = table.state.ply + UNWATCHED if bots_alone else math.inf
        while table.state.ply < last and (pending := self._pending(table, at)) is not None:
            seat, move, when = pending
            try:
                table = self.make(table, seat, move, when)
            except IntegrityError:
                table = self.read(game_id)  # another reader was there first
        return table

    def look(self, game_id: str, at: float) -> Table:
        """As ``load``, for who only looks: where the store takes no writes, the game as it was last kept.

        Raises UnknownGame.
        """
        try:
            return self.load(game_id, at)
        except NO_WRITES:
            return self.read(game_id)

    def happens_at(self, table: Table, at: float) -> float | None:
        """When the next thing happens by itself at this table: a clock runs out, a bot has thought enough.

        While it is not known what a bot plays, that is when to ask again.
        """
        pending = self._pending(table, math.inf)
        if pending is None and table.bot_to_move is not None:
            return at + LOOK_AGAIN
        # A clock that was put back since the latest move does not make anybody wait for the difference.
        return None if pending is None else pending[2] + min(0.0, at - table.moved_at)

    def play(
        self, game_id: str, player_id: str | None, move: Any, at: float, ply: int | None = None
    ) -> Table:
        """The game after a move that is safely kept.

        ``ply`` is the position the mover saw; None takes whatever stands. Raises UnknownGame, NotYourSeat,
        StalePly, Refused (not now), IllegalMove (never).
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
        """As ``play``, for who must know the table to ``read`` the move; raises what ``read`` raises, too."""
        while True:
            table = self.load(game_id, at)
            seat = table.seat_of(player_id)
            if seat is None:
                raise NotYourSeat("this is somebody else’s game: you can watch it")
            if ply is not None and ply != table.state.ply:
                raise StalePly(table, ply)
            try:
                if not table.is_full:
                    raise OutOfTurn("the game begins when every seat is taken")
                move = read(table)
                if table.state.ply >= MOST_PLIES and move != table.game.resignation:
                    raise OutOfTurn(f"the game has {MOST_PLIES:,} moves, and no game has more: end it")
                if isinstance(move, table.game.reserved):
                    raise IllegalMove(f"a move of type {move.type!r} is not a player’s to make")
                return self.make(table, seat, move, at)
            except OutOfTurn as refusal:
                raise Refused(table, refusal) from None
            except IntegrityError:
                # Somebody else made this ply, and the move may still be meant for what stands now.
                if self.read(game_id).state.ply == table.state.ply:
                    raise

    def make(self, table: Table, seat: int, move: Any, at: float) -> Table:
        """The table after a move that is safely kept, whoever made it.

        Raises SQLAlchemy's IntegrityError where somebody else made this ply, and what the rules raise.
        """
        after = table.game.apply(table.state, seat, move, at)
        logged = table.game.logged(table.state, move)
        with self.database.writing() as connection:
            table = keep_move(connection, table, seat, logged, at, after)
        self.changed(table)
        self._think_ahead(table)
        return table

    def log(self, game_id: str, first: int = 0, end: int | None = None) -> list[LoggedMove]:
        """The moves of a game in order, from ply ``first`` to before ply ``end``: by default all.

        Raises UnknownGame.
        """
        with self.database.reading() as connection:
            row, _ = game_row(connection, game_id)
            return list(log_of(connection, game_id, row.kind, first, end))

    def states(self, game_id: str) -> tuple[Any, ...]:
        """Every state of a game from the first, folded from its log. Raises UnknownGame."""
        return tuple(self.positions(game_id))

    def positions(self, game_id: str) -> Iterator[Any]:
        """The states of a game one by one, as ``states`` has them all. Raises UnknownGame."""
        with self.database.reading() as connection:
            row, taken = game_row(connection, game_id)
            logged = list(log_of(connection, game_id, row.kind))
        options, game = self._rules(row)
        first = game.start(options, len(taken), row.seed)
        yield first
        yield from fold(game, first, logged)

    def ping(self) -> None:
        """Return if the database answers; raises SQLAlchemy's OperationalError if not."""
        with self.database.reading() as connection:
            connection.execute(select(1))

    def _think_ahead(self, table: Table) -> None:
        """By the time it should have moved a bot knows how."""
        if table.bot_to_move is not None:
            self._thoughts.of(table, *table.bot_to_move)

    def _rules(self, row: Row[Any]) -> tuple[Any, AnyGame]:
        """A game's options and the rules that they ask for. Raises Unplayable."""
        try:
            options = GAMES[row.kind].options_type.model_validate_json(row.options)
            return options, self.rulebook.game(row.kind, options.lexicon)
        except ValidationError as wrong:  # the options were good when they were kept: a preset is gone
            lacking = "; ".join(one["msg"].removeprefix("Value error, ") for one in wrong.errors())
        except (UnknownLexicon, DamagedLexicon) as gone:
            lacking = str(gone)
        raise Unplayable(f"this game cannot be shown here any more: {lacking}")

    def _rebuilt(self, game_id: str, created_at: float) -> tuple[Any, float]:
        [latest] = deque(self.positions(game_id), maxlen=1)
        log = self.log(game_id, first=latest.ply - 1)
        return latest, log[-1].at if log else created_at

    def _pending(self, table: Table, at: float) -> tuple[int, Any, float] | None:
        """What happens next by itself, if it has happened by ``at``: (seat, move, when)."""
        if table.finished_at is not None or not table.is_full:
            return None
        due = table.game.due(table.state, at)
        if table.bot_to_move is not None:
            seat, level = table.bot_to_move
            thought = self._thoughts.of(table, seat, level)
            if thought is None:
                return None  # a clock does not run out on a bot that found no time to think
            when = at if at < table.moved_at - PUT_BACK else table.moved_at + thought.seconds
            if when <= (at if due is None else due.at):
                return seat, thought.move, when
        return (due.seat, due.move, due.at) if due is not None else None
