"""Reading and writing the rows of a game, within the caller's transaction."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from app.grammar import format_count
from app.store.models import LoggedMove, Remark, Seat, Table, TooMuch, UnknownGame
from app.store.notices import HAS_CHANNEL, note_turns
from app.store.results import keep_results
from app.store.schema import attempts, games, lessons, moves, players, seats, snapshots
from app.store.shown_names import SHOWN_NAME

_IDENTIFIER: Final = re.compile("[A-Za-z0-9_-]{1,32}")
_GAME: Final = (
    select(
        games,
        snapshots.c.state,
        snapshots.c.saved_at,
        attempts.c.day,
        lessons.c.skips,
        seats.c.player_id,
        seats.c.bot_level,
        SHOWN_NAME,
        players.c.owner_id,
        players.c.erased_at,
        HAS_CHANNEL,
    )
    .join(seats, seats.c.game_id == games.c.id)
    .outerjoin(players, players.c.id == seats.c.player_id)
    .outerjoin(snapshots, snapshots.c.game_id == games.c.id)
    .outerjoin(attempts, attempts.c.game_id == games.c.id)
    .outerjoin(lessons, lessons.c.game_id == games.c.id)
    .where(games.c.id == bindparam("game"))
    .order_by(seats.c.seat)
)
# Built once: building a statement and looking it up in SQLAlchemy's cache takes longer than executing it.
_MOVE: Final = insert(moves)
_SNAPSHOT: Final = update(snapshots).where(snapshots.c.game_id == bindparam("game"))


def remarks_of(text: str) -> tuple[Remark, ...]:
    """Parse the ``remarks`` column of a game."""
    return tuple(Remark(*remark) for remark in json.loads(text))


def insert_game(connection: Connection, table: Table, options: Any, origin: str | None = None) -> None:
    """Insert a game and its seats; ``origin`` is the address digest if it counts against a limit."""
    connection.execute(insert(games).values(_game_values(table, options, origin)))
    connection.execute(insert(seats), _seat_values(table))


def insert_begun(connection: Connection, tables: Sequence[Table], at: float) -> list[Table]:
    """Insert many games whose seats are all taken, and return them after their opening moves.

    Takes only a few statements; see ``insert_game`` and ``begin`` for a single game.
    """
    if not tables:
        return []
    begun, made = [], []
    for opened in tables:
        table = opened
        for move in table.game.opening(table.state.options):
            ply = table.state.ply
            made.append(
                {"game_id": table.id, "ply": ply, "seat": 0, "move": move.model_dump_json(), "at": at}
            )
            table = replace(table, state=table.game.apply(table.state, 0, move, at), moved_at=at)
        begun.append(table)
    connection.execute(insert(games), [_game_values(each, each.state.options) for each in begun])
    connection.execute(insert(seats), [row for each in begun for row in _seat_values(each)])
    if made:
        connection.execute(insert(moves), made)
    rows = [{"game_id": each.id, **_snapshot_values(each)} for each in begun]
    connection.execute(insert(snapshots), rows)
    for each in begun:
        note_turns(connection, each, (), at)
    return begun


def keep_move(
    connection: Connection,
    table: Table,
    seat: int,
    move: Any,
    at: float,
    after: Any,
    stored_at: float | None = None,
) -> Table:
    """Store a move that led to the state ``after``, and return the table after it.

    ``stored_at`` is the time now, if the move was due earlier.
    Raises IntegrityError if a concurrent request made this ply.
    """
    over = table.game.outcome(after) is not None
    movers = table.movers
    made = {
        "game_id": table.id,
        "ply": table.state.ply,
        "seat": seat,
        "move": move.model_dump_json(),
        "at": at,
    }
    connection.execute(_MOVE, made)
    # A move that changes nothing for the seat to move gives it no more time and does not delay a bot.
    unchanged = table.game.unchanged_since(after) <= table.state.ply
    moved_at = table.moved_at if unchanged else at
    table = replace(table, state=after, moved_at=moved_at, finished_at=at if over else None)
    keep_snapshot(connection, table)
    note_turns(connection, table, movers, at)
    if over:
        connection.execute(
            update(games).where(games.c.id == table.id).values(status="finished", finished_at=at)
        )
        keep_results(connection, table, at if stored_at is None else stored_at)
    return table


def begin(connection: Connection, table: Table, at: float) -> Table:
    """Make the game's opening moves if every seat is taken, and return the table after them."""
    if table.is_full:
        note_turns(connection, table, (), at)
        for move in table.game.opening(table.state.options):
            table = keep_move(connection, table, 0, move, at, table.game.apply(table.state, 0, move, at))
    return table


def keep_snapshot(connection: Connection, table: Table) -> None:
    """Store the current state in place of the previous snapshot."""
    values = _snapshot_values(table)
    kept = connection.execute(_SNAPSHOT, {"game": table.id, **values})
    if kept.rowcount == 0:
        connection.execute(insert(snapshots).values(game_id=table.id, **values))


def game_row(connection: Connection, game_id: str) -> tuple[Row[Any], tuple[Seat, ...]]:
    """A game's row with its snapshot and daily, and its seats. Raises UnknownGame.

    Read in one statement, so that they are consistent.
    """
    # PostgreSQL fails on some texts, such as those with a zero character, so the ID is checked first.
    rows = connection.execute(_GAME, {"game": game_id}).all() if _IDENTIFIER.fullmatch(game_id) else []
    if not rows:
        raise UnknownGame(f"there is no game {game_id!r}: broken link, or the game was cancelled or deleted")
    return rows[0], tuple(seat_of_row(row) for row in rows)


def seat_of_row(row: Any) -> Seat:
    """The seat in a row that has the player's shown name, ``owner_id`` and ``erased_at``."""
    is_bot, is_erased = row.owner_id is not None, row.erased_at is not None
    return Seat(row.player_id, row.bot_level, row.nickname, is_bot, bool(row.has_channel), is_erased)


def seats_of(connection: Connection, game_id: str) -> tuple[Seat, ...]:
    """The seats of a table, in order."""
    its_player = players.c.owner_id, players.c.erased_at
    query = (
        select(seats.c.player_id, seats.c.bot_level, SHOWN_NAME, *its_player, HAS_CHANNEL)
        .outerjoin(players, players.c.id == seats.c.player_id)
        .where(seats.c.game_id == game_id)
        .order_by(seats.c.seat)
    )
    return tuple(seat_of_row(row) for row in connection.execute(query))


def check_room(connection: Connection, player_id: str | None, most: int) -> None:
    """Raise TooMuch if the player has at least ``most`` unfinished games."""
    if player_id is None:
        return
    query = (
        select(func.count())
        .select_from(seats.join(games, games.c.id == seats.c.game_id))
        .where(seats.c.player_id == player_id, games.c.status == "open")
    )
    if (connection.scalar(query) or 0) >= most:
        raise TooMuch(f"you have {format_count(most, 'unfinished game')}, the most allowed: finish one first")


def players_at_limit(connection: Connection, players: Sequence[str], most: int) -> set[str]:
    """The players in ``players`` whom ``check_room`` would refuse."""
    query = (
        select(seats.c.player_id)
        .join(games, games.c.id == seats.c.game_id)
        .where(seats.c.player_id.in_(players), games.c.status == "open")
        .group_by(seats.c.player_id)
        .having(func.count() >= most)
    )
    return set(connection.scalars(query)) if most > 0 else set(players)


def log_of(
    connection: Connection,
    game_id: str,
    adapter: TypeAdapter[Any],
    first: int = 0,
    end: int | None = None,
) -> Iterator[LoggedMove]:
    """The moves of a game in order, from ply ``first`` up to but excluding ``end``; all by default.

    ``adapter`` parses them.
    """
    query = select(moves).where(moves.c.game_id == game_id, moves.c.ply >= first).order_by(moves.c.ply)
    for row in connection.execute(query if end is None else query.where(moves.c.ply < end)):
        yield LoggedMove(row.ply, row.seat, adapter.validate_json(row.move), row.at)


def _game_values(table: Table, options: Any, origin: str | None = None) -> dict[str, Any]:
    return {
        "id": table.id,
        "kind": table.kind,
        "options": options.model_dump_json(),
        "seed": table.seed,
        "status": "open" if table.finished_at is None else "finished",
        "created_at": table.created_at,
        "finished_at": table.finished_at,
        "invitation": table.invitation,
        "turn_limit": table.settings.turn_limit,
        "listed": table.settings.listed,
        "rated": table.settings.rated,
        "origin": origin,
    }


def _seat_values(table: Table) -> list[dict[str, Any]]:
    return [
        {"game_id": table.id, "seat": seat, "player_id": taken.player_id, "bot_level": taken.bot_level}
        for seat, taken in enumerate(table.seats)
    ]


def _snapshot_values(table: Table) -> dict[str, Any]:
    return {
        "ply": table.state.ply,
        "state": table.state.model_dump_json(),
        "saved_at": table.moved_at,
        "movers": sum(1 << seat for seat in table.movers),
    }
