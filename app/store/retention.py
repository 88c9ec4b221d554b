"""Retention: removing old finished, abandoned and imported games.

Results, daily scores, statistics and leaderboards stay when their games are removed.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, false, func, select, update

from app.store.database import Database
from app.store.days import open_since
from app.store.listed_tables import LISTED_FOR
from app.store.schema import (
    analyses,
    attempts,
    cards,
    games,
    imports,
    lessons,
    moves,
    players,
    results,
    snapshots,
    study_boards,
)

DAY: Final = 24 * 3600.0
LESSON_KEPT: Final = DAY
"""Seconds after which a lesson is removed: it can be opened anew."""
_AT_ONCE: Final = 500
"""Most games removed in one transaction; other writers wait meanwhile."""


@dataclass(frozen=True, slots=True)
class Retention:
    """Days after which games are removed; None keeps them forever."""

    finished_days: int | None = None
    """Since the end of a finished game."""
    abandoned_days: int | None = 90
    """Since the last move or seat taken in an unfinished game."""
    imported_days: int | None = 30
    """Since the import of a game that no player keeps."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """Number of games removed, or to be removed."""

    finished: int
    abandoned: int
    imported: int = 0
    lessons: int = 0


@dataclass(frozen=True, slots=True)
class Holdings:
    """Row counts of a database."""

    games: dict[tuple[str, str], int]
    """By (kind, status); the status is ``open`` or ``finished``."""
    players: int
    moves: int
    results: int
    analyses: int
    boards: int
    cards: int


def holdings(database: Database) -> Holdings:
    """The current row counts."""
    with database.reading() as connection:
        return Holdings(
            _games(connection),
            *(
                connection.scalar(select(func.count()).select_from(table)) or 0
                for table in (players, moves, results, analyses, study_boards, cards)
            ),
        )


def games_by_status(database: Database) -> dict[tuple[str, str], int]:
    """Number of games by (kind, status)."""
    with database.reading() as connection:
        return _games(connection)


def prunable(database: Database, retention: Retention, at: float) -> Pruned:
    """What ``prune`` would remove at ``at``, in seconds since the epoch."""
    with database.reading() as connection:
        count = select(func.count()).select_from(games)
        return Pruned(
            connection.scalar(count.where(_finished(retention, at), ~_lessons(at))) or 0,
            connection.scalar(count.where(_abandoned(retention, at), ~_lessons(at))) or 0,
            connection.scalar(count.where(_imported(retention, at), ~_finished(retention, at))) or 0,
            connection.scalar(count.where(_lessons(at))) or 0,
        )


def prune(database: Database, retention: Retention, at: float) -> Pruned:
    """Remove the games that are due at ``at``, with their moves, analyses and remarks.

    Keeps ranked games of a running daily. Removes unfinished daily attempts with their games. Safe to run
    while the database is in use, and concurrently.
    """
    over = _remove(database, _lessons(at))
    finished = _remove(database, _finished(retention, at))
    abandoned = _remove(database, _abandoned(retention, at))
    return Pruned(finished, abandoned, _remove(database, _imported(retention, at)), over)


def forget_origins(database: Database, at: float) -> None:
    """Delete the address digests of games that no longer count against a limit."""
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
            # Check again: a move may have been made before we had the lock.
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


def _lessons(at: float) -> ColumnElement[bool]:
    return and_(games.c.created_at < at - LESSON_KEPT, games.c.id.in_(select(lessons.c.game_id)))


def _not_ranked_now(at: float) -> ColumnElement[bool]:
    ranked = select(attempts.c.game_id).where(attempts.c.day >= open_since(at).isoformat())
    return games.c.id.not_in(ranked)


def _games(connection: Connection) -> dict[tuple[str, str], int]:
    counted = select(games.c.kind, games.c.status, func.count()).group_by(games.c.kind, games.c.status)
    return {(kind, status): count for kind, status, count in connection.execute(counted)}
