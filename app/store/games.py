"""Games at the store: opened, joined, loaded, moved on and listed.

The log of moves is the truth, the snapshot a short cut.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from secrets import token_hex, token_urlsafe
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.games.game import IllegalMove, OutOfTurn, Setup
from app.games.record import BrokenRecord, Record, replay, write
from app.games.rulebook import GAMES, Rulebook
from app.store.database import Database
from app.store.results import keep_results
from app.store.schema import attempts, games, moves, players, seats, snapshots
from app.store.tables import (
    UNHURRIED,
    Company,
    LoggedMove,
    NotYourSeat,
    Refused,
    Remark,
    Seat,
    StalePly,
    Table,
    TooEarly,
    TooMuch,
    UnknownGame,
    WrongInvitation,
)

MOST_REMARKS: Final = 500
"""Lines that may be said at one table."""
IN_A_BREATH: Final = 5
TALKATIVE: Final = 10.0
"""A seat may say so many lines in so many seconds."""
LISTED_FOR: Final = 24 * 3600.0
"""Seconds for which a table waits in the lobby for somebody to join."""
_IDENTIFIER: Final = re.compile("[A-Za-z0-9_-]{1,32}")


class GameStore:
    """The tables of this installation."""

    def __init__(
        self,
        database: Database,
        rulebook: Rulebook,
        changed: Callable[[Table], None] = lambda _: None,
    ) -> None:
        """``changed`` is told of every move and every seat taken, once it is kept."""
        self._database = database
        self._rulebook = rulebook
        self._changed = changed

    def open(
        self, kind: str, setup: Setup, taken: Sequence[Seat], at: float, company: Company = UNHURRIED
    ) -> Table:
        """A new game; where no seat is free it begins at once, if its rules let it.

        Raises UnknownLexicon, and IllegalMove where the options do not go with that many seats.
        """
        options = self._rulebook.pin(kind, setup)
        # Dealing may take seconds, and while one writes nobody else does.
        table = self._dealt(kind, options, taken, at, token_hex(16), company)
        with self._database.writing() as connection:
            return self._keep_new(connection, table)

    def open_within(
        self,
        connection: Connection,
        kind: str,
        options: Any,
        taken: Sequence[Seat],
        at: float,
        seed: str,
    ) -> Table:
        """As ``open``, inside a transaction that does more, with pinned options and the seed given."""
        return self._keep_new(connection, self._dealt(kind, options, taken, at, seed, UNHURRIED))

    def _dealt(
        self, kind: str, options: Any, taken: Sequence[Seat], at: float, seed: str, company: Company
    ) -> Table:
        game = self._rulebook.game(kind, options.lexicon)
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
            company=company,
        )

    def _keep_new(self, connection: Connection, table: Table) -> Table:
        _insert_game(connection, table, table.state.options)
        _keep_snapshot(connection, table)
        return self._begin_within(connection, table, table.created_at)

    def sit_down(self, game_id: str, invitation: str, player_id: str, at: float) -> Table:
        """The table with the player on its next free seat, or as a watcher where none is free.

        The game begins with the last seat taken. Raises UnknownGame, WrongInvitation.
        """
        table = self._read(game_id)
        if table.invitation is None or table.invitation != invitation:
            raise WrongInvitation("this invitation is not for this table: ask for the link again")
        return self._take(table, Seat(player_id=player_id), at)

    def add_bot(self, game_id: str, player_id: str | None, level: int, at: float) -> Table:
        """The table with a bot on its next free seat, put there by one who sits at it.

        Raises UnknownGame, NotYourSeat.
        """
        table = self._read(game_id)
        if table.seat_of(player_id) is None:
            raise NotYourSeat("only those who sit at this table may add a bot")
        return self._take(table, Seat(bot_level=level), at)

    def join(self, game_id: str, player_id: str, at: float) -> Table:
        """As ``sit_down``, at a table that anybody may join. Raises UnknownGame, WrongInvitation."""
        table = self._read(game_id)
        if not table.company.listed:
            raise WrongInvitation("this table is for who is invited")
        return self._take(table, Seat(player_id=player_id), at)

    def claim(self, game_id: str, player_id: str | None, at: float) -> Table:
        """The game after the seat that has been idle for longer than agreed gave up.

        Raises UnknownGame, NotYourSeat, TooEarly, and StalePly where it moved after all.
        """
        table = self.load(game_id, at)
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
                f"not yet: there are {math.ceil(table.claimable_at - at)} seconds left for the move"
            )
        try:
            return self._append(table, idle, table.game.resignation, at)
        except IntegrityError:
            raise StalePly(self._read(game_id), table.state.ply) from None

    def say(self, game_id: str, player_id: str | None, line: int, at: float) -> Table:
        """The table after one of the seats said a line. Raises UnknownGame, NotYourSeat, TooMuch."""
        seat = self._read(game_id).seat_of(player_id)
        if seat is None:
            raise NotYourSeat("only those who sit at this table may say something")
        with self._database.writing() as connection:
            query = select(games.c.remarks).where(games.c.id == game_id).with_for_update()
            remarks = _remarks(connection.scalar(query) or "[]")
            if len(remarks) >= MOST_REMARKS:
                raise TooMuch(f"that is enough said: a table keeps {MOST_REMARKS} lines")
            if sum(one.seat == seat and one.at > at - TALKATIVE for one in remarks) >= IN_A_BREATH:
                raise TooMuch(f"one thing after another: {IN_A_BREATH} lines in {TALKATIVE:.0f} seconds")
            remarks = (*remarks, Remark(seat, line, at))
            connection.execute(update(games).where(games.c.id == game_id).values(remarks=json.dumps(remarks)))
        table = self._read(game_id)  # somebody may have moved since
        self._changed(table)
        return table

    def load(self, game_id: str, at: float) -> Table:
        """The game as it stands at ``at``.

        What happens by itself until then, a clock that runs out or a bot that has thought long enough,
        happens and is recorded as of its own time. Raises UnknownGame.
        """
        table = self._read(game_id)
        while (pending := _pending(table, at)) is not None:
            seat, move, when = pending
            try:
                table = self._append(table, seat, move, when)
            except IntegrityError:
                table = self._read(game_id)  # another reader was there first
        return table

    def happens_at(self, table: Table) -> float | None:
        """When the next thing happens by itself at this table: a clock runs out, a bot has thought enough."""
        pending = _pending(table, math.inf)
        return None if pending is None else pending[2]

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
                raise NotYourSeat("this is somebody else's game: you can watch it")
            if ply is not None and ply != table.state.ply:
                raise StalePly(table, ply)
            try:
                if not table.is_full:
                    raise OutOfTurn("the game begins when every seat is taken")
                move = read(table)
                if isinstance(move, table.game.reserved):
                    raise IllegalMove(f"a move of type {move.type!r} is not a player's to make")
                return self._append(table, seat, move, at)
            except OutOfTurn as refusal:
                raise Refused(table, refusal) from None
            except IntegrityError:
                # Somebody else made this ply, and the move may still be meant for what stands now.
                if self._read(game_id).state.ply == table.state.ply:
                    raise

    def log(self, game_id: str) -> list[LoggedMove]:
        """Every move of a game in order.

        Raises UnknownGame.
        """
        with self._database.reading() as connection:
            return list(_log(connection, game_id, _game_row(connection, game_id).kind))

    def states(self, game_id: str) -> tuple[Any, ...]:
        """Every state of a game from the first, folded from its log.

        Raises UnknownGame.
        """
        with self._database.reading() as connection:
            row = _game_row(connection, game_id)
            logged = list(_log(connection, game_id, row.kind))
            taken = _seats(connection, game_id)
        options = GAMES[row.kind].options_type.model_validate_json(row.options)
        game = self._rulebook.game(row.kind, options.lexicon)
        states = [game.start(options, len(taken), row.seed)]
        for line in logged:
            states.append(game.apply(states[-1], line.seat, line.move, line.at))
        return tuple(states)

    def joinable(self, most: int, at: float) -> list[Table]:
        """The tables with a free seat that anybody may take, the latest opened first."""
        free = select(seats.c.game_id).where(seats.c.player_id.is_(None), seats.c.bot_level.is_(None))
        query = (
            select(games.c.id)
            .where(
                games.c.status == "open",
                games.c.listed,
                games.c.id.in_(free),
                games.c.created_at > at - LISTED_FOR,
            )
            .order_by(games.c.created_at.desc())
            .limit(most)
        )
        with self._database.reading() as connection:
            found = list(connection.scalars(query))
        return [self._read(game_id) for game_id in found]

    def unfinished(self, player_id: str, most: int, at: float, kind: str | None = None) -> list[Table]:
        """The player's open games, of one kind or of all, the latest touched first."""
        query = (
            select(games.c.id)
            .join(seats, seats.c.game_id == games.c.id)
            .join(snapshots, snapshots.c.game_id == games.c.id)
            .where(seats.c.player_id == player_id, games.c.status == "open")
            .order_by(snapshots.c.saved_at.desc())
            .limit(most)
        )
        if kind is not None:
            query = query.where(games.c.kind == kind)
        with self._database.reading() as connection:
            found = list(connection.scalars(query))
        tables = [self.load(game_id, at) for game_id in found]
        return [table for table in tables if table.finished_at is None]

    def keep_record(self, record: Record, at: float) -> Table:
        """A finished game that a text recorded, kept to be watched; its seats are nobody's.

        Raises UnknownLexicon, and BrokenRecord where its moves do not follow or do not end the game.
        """
        game = self._rulebook.game(record.kind, record.options.lexicon)
        states = replay(record, game)
        if game.outcome(states[-1]) is None:
            raise BrokenRecord(f"the game is not finished after its last ply, {len(record.moves) - 1}")
        table = Table(
            id=token_urlsafe(9),
            kind=record.kind,
            seed=record.seed,
            created_at=at,
            finished_at=at,
            seats=(Seat(),) * record.seats,
            invitation=None,
            game=game,
            state=states[-1],
            moved_at=at,
        )
        with self._database.writing() as connection:
            _insert_game(connection, table, record.options)
            connection.execute(
                insert(moves),
                [
                    {
                        "game_id": table.id,
                        "ply": ply,
                        "seat": line.seat,
                        "move": line.move.model_dump_json(),
                        "at": line.at,
                    }
                    for ply, line in enumerate(record.moves)
                ],
            )
            _keep_snapshot(connection, table)
        return table

    def record(self, game_id: str) -> str:
        """A game as a text that ``keep_record`` reads. Raises UnknownGame."""
        table = self._read(game_id)
        log = [(line.seat, line.move, line.at) for line in self.log(game_id)]
        return write(table.game, self.states(game_id), table.seed, log)

    def ping(self) -> None:
        """Return if the database answers; raises SQLAlchemy's OperationalError if not."""
        with self._database.reading() as connection:
            connection.execute(select(1))

    def _read(self, game_id: str) -> Table:
        with self._database.reading() as connection:
            row = _game_row(connection, game_id)
            taken = _seats(connection, game_id)
        options = GAMES[row.kind].options_type.model_validate_json(row.options)
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
            game=self._rulebook.game(row.kind, options.lexicon),
            state=state,
            moved_at=moved_at,
            day=None if row.day is None else date.fromisoformat(row.day),
            company=Company(row.turn_limit, row.listed),
            remarks=_remarks(row.remarks),
        )

    def _rebuilt(self, game_id: str, created_at: float) -> tuple[Any, float]:
        log = self.log(game_id)
        return self.states(game_id)[-1], log[-1].at if log else created_at

    def _take(self, table: Table, occupant: Seat, at: float) -> Table:
        """Give the next free seat to ``occupant``; of those who reach for it at once one gets it."""
        with self._database.writing() as connection:
            # Who takes a seat waits here until all who came before are seated.
            connection.execute(select(games.c.id).where(games.c.id == table.id).with_for_update())
            table = replace(table, seats=_seats(connection, table.id))
            seated = not table.is_full and table.seat_of(occupant.player_id) is None
            if seated:
                connection.execute(
                    update(seats)
                    .where(seats.c.game_id == table.id, seats.c.seat == table.free_seat)
                    .values(player_id=occupant.player_id, bot_level=occupant.bot_level)
                )
                table = replace(table, seats=_seats(connection, table.id), moved_at=at)
                _keep_snapshot(connection, table)
                table = self._begin_within(connection, table, at)
        if not seated:
            return self._read(table.id)
        self._changed(table)
        return table

    def _begin_within(self, connection: Connection, table: Table, at: float) -> Table:
        if table.is_full:
            for move in table.game.opening(table.state.options):
                table = _append_within(connection, table, 0, move, at)
        return table

    def _append(self, table: Table, seat: int, move: Any, at: float) -> Table:
        """Make the move and keep it; IntegrityError where somebody else made this ply."""
        after = table.game.apply(table.state, seat, move, at)
        with self._database.writing() as connection:
            table = _keep_move(connection, table, seat, move, at, after)
        self._changed(table)
        return table


def _remarks(text: str) -> tuple[Remark, ...]:
    return tuple(Remark(*one) for one in json.loads(text))


def _insert_game(connection: Connection, table: Table, options: Any) -> None:
    connection.execute(
        insert(games).values(
            id=table.id,
            kind=table.kind,
            options=options.model_dump_json(),
            seed=table.seed,
            status="open" if table.finished_at is None else "finished",
            created_at=table.created_at,
            finished_at=table.finished_at,
            invitation=table.invitation,
            turn_limit=table.company.turn_limit,
            listed=table.company.listed,
        )
    )
    connection.execute(
        insert(seats),
        [
            {
                "game_id": table.id,
                "seat": seat,
                "player_id": taken.player_id,
                "bot_level": taken.bot_level,
            }
            for seat, taken in enumerate(table.seats)
        ],
    )


def _pending(table: Table, at: float) -> tuple[int, Any, float] | None:
    """What happens next by itself, if it has happened by ``at``: (seat, move, when)."""
    if table.finished_at is not None or not table.is_full:
        return None
    game, state = table.game, table.state
    seat, due = game.to_move(state), game.due(state, at)
    if seat is not None and (level := table.seats[seat].bot_level) is not None:
        thought = game.bot(state, seat, level)
        when = table.moved_at + thought.seconds
        if when <= (at if due is None else due.at):
            return seat, thought.move, when
    return (due.seat, due.move, due.at) if due is not None else None


def _append_within(connection: Connection, table: Table, seat: int, move: Any, at: float) -> Table:
    return _keep_move(connection, table, seat, move, at, table.game.apply(table.state, seat, move, at))


def _keep_move(connection: Connection, table: Table, seat: int, move: Any, at: float, after: Any) -> Table:
    over = table.game.outcome(after) is not None
    connection.execute(
        insert(moves).values(
            game_id=table.id, ply=table.state.ply, seat=seat, move=move.model_dump_json(), at=at
        )
    )
    table = replace(table, state=after, moved_at=at, finished_at=at if over else None)
    _keep_snapshot(connection, table)
    if over:
        connection.execute(
            update(games).where(games.c.id == table.id).values(status="finished", finished_at=at)
        )
        keep_results(connection, table)
    return table


def _keep_snapshot(connection: Connection, table: Table) -> None:
    values = {
        "ply": table.state.ply,
        "state": table.state.model_dump_json(),
        "saved_at": table.moved_at,
    }
    kept = connection.execute(update(snapshots).where(snapshots.c.game_id == table.id).values(values))
    if kept.rowcount == 0:
        connection.execute(insert(snapshots).values(game_id=table.id, **values))


def _game_row(connection: Connection, game_id: str) -> Row[Any]:
    query = (
        select(games, snapshots.c.state, snapshots.c.saved_at, attempts.c.day)
        .outerjoin(snapshots, snapshots.c.game_id == games.c.id)
        .outerjoin(attempts, attempts.c.game_id == games.c.id)
        .where(games.c.id == game_id)
    )
    # PostgreSQL does not even look for some texts (with a zero character), so only identifiers are asked for.
    row = connection.execute(query).one_or_none() if _IDENTIFIER.fullmatch(game_id) else None
    if row is None:
        raise UnknownGame(f"there is no game {game_id!r} here")
    return row


def _seats(connection: Connection, game_id: str) -> tuple[Seat, ...]:
    query = (
        select(seats.c.player_id, seats.c.bot_level, players.c.nickname)
        .outerjoin(players, players.c.id == seats.c.player_id)
        .where(seats.c.game_id == game_id)
        .order_by(seats.c.seat)
    )
    return tuple(Seat(*row) for row in connection.execute(query))


def _log(connection: Connection, game_id: str, kind: str) -> Iterator[LoggedMove]:
    adapter = GAMES[kind].move_adapter
    for row in connection.execute(select(moves).where(moves.c.game_id == game_id).order_by(moves.c.ply)):
        yield LoggedMove(row.ply, row.seat, adapter.validate_json(row.move), row.at)
