"""Tables that a player leaves, or that show the player otherwise, within the caller's transaction."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, delete, func, or_, select, true, update

from app.store.database import NO_WRITES, Database
from app.store.schema import games, seats

SHOWN_FOR: Final = 86_400.0
"""Seconds after the end of a game for which its open pages refresh."""
LookAgain: TypeAlias = Callable[[Iterable[str]], None]
"""Makes the open pages of games refresh. Called after the change is committed."""


def note_rematch(connection: Connection, game_id: str) -> str | None:
    """If this table is a rematch, count a change at the original game, and return that game's ID."""
    original = games.c.rematch_id == game_id
    count = update(games).where(original).values(asked=games.c.asked + 1).returning(games.c.id)
    found: str | None = connection.scalar(count)
    return found


def leave_waiting_tables(connection: Connection, *players: str) -> list[str]:
    """Free the players' seats at tables that have not begun, and delete tables without other people.

    Return the IDs of these tables and, for rematches, of the original games: see ``LookAgain``.
    """
    changed = []
    theirs = select(seats.c.game_id).where(seats.c.player_id.in_(players))
    free = select(seats.c.game_id).where(seats.c.player_id.is_(None), seats.c.bot_level.is_(None))
    waiting = games.c.status == "open", games.c.id.in_(theirs), games.c.id.in_(free)
    locked = select(games.c.id).where(*waiting).order_by(games.c.id).with_for_update()
    for game_id in list(connection.scalars(locked)):
        its = seats.c.game_id == game_id
        taken = connection.execute(select(seats.c.player_id, seats.c.bot_level).where(its)).all()
        if all(seat.player_id or seat.bot_level for seat in taken):
            continue  # a player joined before the rows were locked
        changed += [game_id, *filter(None, [note_rematch(connection, game_id)])]
        if any(seat.player_id not in (None, *players) for seat in taken):
            own = update(seats).where(its, seats.c.player_id.in_(players)).values(player_id=None)
            count = games.c.asked + connection.execute(own).rowcount + 1
            connection.execute(update(games).where(games.c.id == game_id).values(asked=count))
        else:
            connection.execute(delete(games).where(games.c.id == game_id))
    return changed


class ShownTables(NamedTuple):
    """Tables that show a player otherwise."""

    changed: list[str]
    """Tables whose change is counted, and tables that are deleted."""
    busy: list[str]
    """Tables that another transaction changed meanwhile, so that ``show_changes`` counts their change."""


def change_tables(connection: Connection, players: Iterable[str], at: float) -> ShownTables:
    """Count a change of the tables that show one of the players; for ``show_changes``, after the commit.

    These are the unfinished ones, and those that ended within SHOWN_FOR. The change counts more than their
    seats, which may be cleared.
    """
    own = seats.c.player_id.in_(players)
    theirs = select(seats.c.game_id).where(own)
    on_show = or_(games.c.status == "open", games.c.finished_at > at - SHOWN_FOR), games.c.id.in_(theirs)
    # Others lock a rematch before its original game or the reverse: waiting for them might never end.
    locked = select(games.c.id).where(*on_show).with_for_update(skip_locked=True)
    found = list(connection.scalars(locked))
    busy = list(connection.scalars(select(games.c.id).where(*on_show, games.c.id.not_in(found))))
    _count_change(connection, found, own)
    return ShownTables(found, busy)


def show_changes(database: Database, look_again: LookAgain, shown: ShownTables) -> None:
    """Make the open pages of tables refresh, after a transaction with ``change_tables``."""
    look_again(shown.changed)
    for game_id in shown.busy:
        # One at a time, with nothing else locked. What the caller changed is stored, even if this fails.
        with suppress(*NO_WRITES), database.writing() as connection:
            _count_change(connection, [game_id])
        look_again([game_id])


def _count_change(
    connection: Connection, game_ids: list[str], changed: ColumnElement[bool] | None = None
) -> None:
    """Count a change of ``changed`` seats, or of all seats if these may have been cleared already."""
    of_seats = true() if changed is None else changed
    number = select(func.count()).where(of_seats, seats.c.game_id == games.c.id).scalar_subquery()
    change = update(games).where(games.c.id.in_(game_ids))
    connection.execute(change.values(asked=games.c.asked + number + 1))
