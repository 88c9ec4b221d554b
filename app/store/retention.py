"""How long games are kept: the finished ones, and those that nobody comes back to.

A player's results and ranked scores stay when their games go, and with them statistics and leaderboards.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, false, func, select, update

from app.store.database import Database
from app.store.days import open_since
from app.store.listing import LISTED_FOR
from app.store.schema import analyses, attempts, games, imports, moves, players, results, snapshots

DAY: Final = 24 * 3600.0
_AT_ONCE: Final = 500
"""Games removed in one transaction: writers wait no longer than that takes."""


@dataclass(frozen=True, slots=True)
class Retention:
    """After how many days games go; None keeps them for ever."""

    finished_days: int | None = None
    """Counted from the game's end."""
    abandoned_days: int | None = 90
    """Counted from the last move made, or seat taken, in a game that did not end."""
    imported_days: int | None = 30
    """Counted from its import, of a game that nobody keeps."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many games went, or would go."""

    finished: int
    abandoned: int
    imported: int = 0


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a store holds."""

    games: dict[tuple[str, str], int]
    """By kind and status, which is ``open`` or ``finished``."""
    players: int
    moves: int
    results: int
    analyses: int


def holdings(database: Database) -> Holdings:
    """What the store holds just now."""
    with database.reading() as connection:
        return Holdings(
            _games(connection),
            *(
                connection.scalar(select(func.count()).select_from(table)) or 0
                for table in (players, moves, results, analyses)
            ),
        )


def games_by_status(database: Database) -> dict[tuple[str, str], int]:
    """How many games there are of each kind and status."""
    with database.reading() as connection:
        return _games(connection)


def prunable(database: Database, retention: Retention, at: float) -> Pruned:
    """What ``prune`` would remove at ``at``, in seconds since the epoch."""
    with database.reading() as connection:
        count = select(func.count()).select_from(games)
        return Pruned(
            connection.scalar(count.where(_finished(retention, at))) or 0,
            connection.scalar(count.where(_abandoned(retention, at))) or 0,
            connection.scalar(count.where(_imported(retention, at), ~_finished(retention, at))) or 0,
        )


def prune(database: Database, retention: Retention, at: float) -> Pruned:
    """Remove the games whose time is over at ``at``, with their moves, analyses and what was said.

    A ranked game of a day that is not over stays. An attempt at a daily that was never finished goes with its
    game. It may run while the store is in use, and twice at once.
    """
    finished = _remove(database, _finished(retention, at))
    abandoned = _remove(database, _abandoned(retention, at))
    return Pruned(finished, abandoned, _remove(database, _imported(retention, at)))


def forget_origins(database: Database, at: float) -> None:
    """Forget where games came from that count against no quota any more."""
    counted = select(imports.c.game_id).where(imports.c.game_id == games.c.id, imports.c.kept_by.is_(None))
    over = (games.c.origin.is_not(None), games.c.created_at < at - LISTED_FOR, ~counted.exists())
    with database.writing() as connection:
        connection.execute(update(games).where(*over).values(origin=None))


def _remove(database: Database, outdated: ColumnElement[bool]) -> int:
    removed = 0
    while True:
        with database.writing() as connection:
            locked = select(games.c.id).where(outdated).limit(_AT_ONCE).with_for_update(skip_locked=True)
            found = list(connection.scalars(locked))
            if not found:
                return removed
            # Asked once more: a move may have been made before the lock was ours.
            gone = select(games.c.id).where(games.c.id.in_(found), outdated)
            ids = list(connection.scalars(gone))
            connection.execute(
                delete(attempts).where(attempts.c.game_id.in_(ids), attempts.c.score.is_(None))
            )
            connection.execute(delete(games).where(games.c.id.in_(ids)))
            removed += len(ids)


def _finished(retention: Retention, at: float) -> ColumnElement[bool]:
    if retention.finished_days is None:
        return false()
    over = and_(games.c.status == "finished", games.c.finished_at < at - retention.finished_days * DAY)
    return and_(over, _not_ranked_now(at))


def _abandoned(retention: Retention, at: float) -> ColumnElement[bool]:
    if retention.abandoned_days is None:
        return false()
    before = at - retention.abandoned_days * DAY
    seated = select(snapshots.c.game_id).where(
        snapshots.c.game_id == games.c.id, snapshots.c.saved_at >= before
    )
    moved = select(moves.c.game_id).where(moves.c.game_id == games.c.id, moves.c.at >= before)
    untouched = and_(games.c.created_at < before, ~seated.exists(), ~moved.exists())
    return and_(games.c.status == "open", untouched, _not_ranked_now(at))


def _imported(retention: Retention, at: float) -> ColumnElement[bool]:
    if retention.imported_days is None:
        return false()
    before = at - retention.imported_days * DAY
    return games.c.id.in_(
        select(imports.c.game_id).where(imports.c.kept_by.is_(None), imports.c.imported_at < before)
    )


def _not_ranked_now(at: float) -> ColumnElement[bool]:
    ranked = select(attempts.c.game_id).where(attempts.c.day >= open_since(at).isoformat())
    return games.c.id.not_in(ranked)


def _games(connection: Connection) -> dict[tuple[str, str], int]:
    counted = select(games.c.kind, games.c.status, func.count()).group_by(games.c.kind, games.c.status)
    return {(kind, status): count for kind, status, count in connection.execute(counted)}
