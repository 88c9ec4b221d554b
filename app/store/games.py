"""Games at the store: opened, loaded, moved on and listed.

The log of moves is the truth, the snapshot a short cut.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from secrets import token_hex, token_urlsafe
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.games.game import OutOfTurn, Setup
from app.games.rulebook import GAMES, AnyGame, Rulebook
from app.store.database import Database
from app.store.schema import games, moves, seats, snapshots


class UnknownGame(LookupError):
    """There is no game with that identifier."""


class NotYourSeat(PermissionError):
    """Who asks does not sit where the move is made."""


class StalePly(Exception):
    """The move was meant for an earlier position; ``table`` is the game as it stands."""

    def __init__(self, table: "Table", ply: int) -> None:
        super().__init__(f"the move was for ply {ply}, but the game is at ply {table.state.ply}")
        self.table = table


class Refused(Exception):
    """The rules refuse the move at this moment; ``table`` is the game as it stands."""

    def __init__(self, table: "Table", refusal: OutOfTurn) -> None:
        super().__init__(refusal.reason)
        self.table = table


@dataclass(frozen=True, slots=True)
class Table:
    """One game as the store knows it."""

    id: str
    kind: str
    seed: str
    created_at: float
    finished_at: float | None
    players: tuple[str, ...]
    """The player on each seat."""
    game: AnyGame
    state: Any

    def seat_of(self, player_id: str | None) -> int | None:
        """Where a player sits; None for a watcher."""
        return self.players.index(player_id) if player_id in self.players else None

    def view(self, player_id: str | None) -> Any:
        """The game as that player may see it."""
        return self.game.view(self.state, self.seat_of(player_id))


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """One line of a game's log."""

    ply: int
    seat: int
    move: Any
    at: float


class GameStore:
    """The tables of this installation."""

    def __init__(self, database: Database, rulebook: Rulebook) -> None:
        self._database = database
        self._rulebook = rulebook

    def open(
        self,
        kind: str,
        setup: Setup,
        players: Sequence[str],
        at: float,
        *,
        seed: str | None = None,
        first: Sequence[Any] = (),
    ) -> Table:
        """A new game, with the moves ``first`` made by seat 0 at once.

        Raises UnknownLexicon.
        """
        options = self._rulebook.pin(kind, setup)
        game = self._rulebook.game(kind, options.lexicon)
        table = Table(
            id=token_urlsafe(9),
            kind=kind,
            seed=seed or token_hex(16),
            created_at=at,
            finished_at=None,
            players=tuple(players),
            game=game,
            state=None,
        )
        states = [game.start(options, len(players), table.seed)]
        for move in first:
            states.append(game.apply(states[-1], 0, move, at))
        with self._database.writing() as connection:
            connection.execute(
                insert(games).values(
                    id=table.id,
                    kind=kind,
                    options=options.model_dump_json(),
                    seed=table.seed,
                    status="open",
                    created_at=at,
                )
            )
            connection.execute(
                insert(seats),
                [
                    {"game_id": table.id, "seat": seat, "player_id": player}
                    for seat, player in enumerate(players)
                ],
            )
            for before, move in zip(states, first, strict=False):
                connection.execute(
                    insert(moves).values(
                        game_id=table.id, ply=before.ply, seat=0, move=move.model_dump_json(), at=at
                    )
                )
            connection.execute(
                insert(snapshots).values(
                    game_id=table.id, ply=states[-1].ply, state=states[-1].model_dump_json(), saved_at=at
                )
            )
        return replace(table, state=states[-1])

    def load(self, game_id: str, at: float) -> Table:
        """The game as it stands at ``at``: what its clock has ended by then is ended and recorded.

        Raises UnknownGame.
        """
        table = self._read(game_id)
        due = table.game.due(table.state, at)
        if due is None:
            return table
        try:
            return self._append(table, *due, at)
        except IntegrityError:
            return self._read(game_id)  # another reader heard the same bell

    def play(
        self, game_id: str, player_id: str | None, move: Any, at: float, ply: int | None = None
    ) -> Table:
        """The game after a move that is safely kept.

        ``ply`` is the position the mover saw; None takes whatever stands. Raises UnknownGame, NotYourSeat,
        StalePly, Refused (not now), IllegalMove (never).
        """
        table = self.load(game_id, at)
        seat = table.seat_of(player_id)
        if seat is None:
            raise NotYourSeat("this is somebody else's game: you can watch it")
        if ply is not None and ply != table.state.ply:
            raise StalePly(table, ply)
        try:
            return self._append(table, seat, move, at)
        except OutOfTurn as refusal:
            raise Refused(table, refusal) from None
        except IntegrityError:
            raise StalePly(self._read(game_id), table.state.ply) from None

    def log(self, game_id: str) -> list[LoggedMove]:
        """Every move of a game in order.

        Raises UnknownGame.
        """
        with self._database.reading() as connection:
            kind = connection.scalar(select(games.c.kind).where(games.c.id == game_id))
            if kind is None:
                raise UnknownGame(_unknown(game_id))
            return list(_log(connection, game_id, kind))

    def states(self, game_id: str) -> tuple[Any, ...]:
        """Every state of a game from the first, folded from its log.

        Raises UnknownGame.
        """
        with self._database.reading() as connection:
            row = _game_row(connection, game_id)
            options = GAMES[row.kind].options_type.model_validate_json(row.options)
            logged = list(_log(connection, game_id, row.kind))
            players = _players(connection, game_id)
        game = self._rulebook.game(row.kind, options.lexicon)
        states = [game.start(options, len(players), row.seed)]
        for line in logged:
            states.append(game.apply(states[-1], line.seat, line.move, line.at))
        return tuple(states)

    def analyse(self, game_id: str) -> Any:
        """What was played against the best there was, from the log of a finished game.

        Raises UnknownGame.
        """
        return self._read(game_id).game.analyse(self.states(game_id))

    def unfinished(self, player_id: str, most: int, at: float) -> list[Table]:
        """The player's open games, the latest touched first."""
        query = (
            select(games.c.id)
            .join(seats, seats.c.game_id == games.c.id)
            .join(snapshots, snapshots.c.game_id == games.c.id)
            .where(seats.c.player_id == player_id, games.c.status == "open")
            .order_by(snapshots.c.saved_at.desc())
            .limit(most)
        )
        with self._database.reading() as connection:
            found = list(connection.scalars(query))
        tables = [self.load(game_id, at) for game_id in found]
        return [table for table in tables if table.finished_at is None]

    def ping(self) -> None:
        """Return if the database answers; raises SQLAlchemy's OperationalError if not."""
        with self._database.reading() as connection:
            connection.execute(select(1))

    def _read(self, game_id: str) -> Table:
        with self._database.reading() as connection:
            row = _game_row(connection, game_id)
            players = _players(connection, game_id)
        options = GAMES[row.kind].options_type.model_validate_json(row.options)
        game = self._rulebook.game(row.kind, options.lexicon)
        state = (
            self.states(game_id)[-1]
            if row.state is None
            else GAMES[row.kind].state_type.model_validate_json(row.state)
        )
        return Table(
            id=game_id,
            kind=row.kind,
            seed=row.seed,
            created_at=row.created_at,
            finished_at=row.finished_at,
            players=players,
            game=game,
            state=state,
        )

    def _append(self, table: Table, seat: int, move: Any, at: float) -> Table:
        """Make the move and keep it; IntegrityError where somebody else made this ply."""
        after = table.game.apply(table.state, seat, move, at)
        over = table.game.outcome(after) is not None
        with self._database.writing() as connection:
            connection.execute(
                insert(moves).values(
                    game_id=table.id, ply=table.state.ply, seat=seat, move=move.model_dump_json(), at=at
                )
            )
            _keep_snapshot(connection, table.id, after, at)
            if over:
                connection.execute(
                    update(games).where(games.c.id == table.id).values(status="finished", finished_at=at)
                )
        return replace(table, state=after, finished_at=at if over else None)


def _keep_snapshot(connection: Connection, game_id: str, state: Any, at: float) -> None:
    values = {"ply": state.ply, "state": state.model_dump_json(), "saved_at": at}
    kept = connection.execute(update(snapshots).where(snapshots.c.game_id == game_id).values(values))
    if kept.rowcount == 0:
        connection.execute(insert(snapshots).values(game_id=game_id, **values))


def _game_row(connection: Connection, game_id: str) -> Row[Any]:
    query = (
        select(games, snapshots.c.state)
        .outerjoin(snapshots, snapshots.c.game_id == games.c.id)
        .where(games.c.id == game_id)
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise UnknownGame(_unknown(game_id))
    return row


def _players(connection: Connection, game_id: str) -> tuple[str, ...]:
    return tuple(
        connection.scalars(select(seats.c.player_id).where(seats.c.game_id == game_id).order_by(seats.c.seat))
    )


def _log(connection: Connection, game_id: str, kind: str) -> Iterator[LoggedMove]:
    adapter = GAMES[kind].move_adapter
    for row in connection.execute(select(moves).where(moves.c.game_id == game_id).order_by(moves.c.ply)):
        yield LoggedMove(row.ply, row.seat, adapter.validate_json(row.move), row.at)


def _unknown(game_id: str) -> str:
    return f"there is no game {game_id!r} here"
