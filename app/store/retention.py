"""Retention: removing old finished, abandoned and imported games, and inactive guests' boards and cards.

Results, daily scores, statistics and leaderboards outlive the games.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, false, func, or_, select, update

from app.store.database import Database
from app.store.days import open_since
from app.store.listed_tables import LISTED_FOR
from app.store.schema import (
    analyses,
    attempts,
    card_reviews,
    cards,
    devices,
    games,
    imports,
    lessons,
    mail_addresses,
    moves,
    passkeys,
    phrases,
    players,
    results,
    snapshots,
    study_boards,
    tokens,
)

DAY: Final = 24 * 3600.0
LESSON_KEPT: Final = DAY
"""Seconds after which a lesson is removed; it can be opened again."""
_AT_ONCE: Final = 500
"""Maximum number of games removed in one transaction; other writers wait meanwhile."""
_GUESTS_AT_ONCE: Final = 50
"""Likewise, of guests whose study boards and cards are removed."""


@dataclass(frozen=True, slots=True)
class Retention:
    """Days after which games and guests' boards and cards are removed; None keeps them forever."""

    finished_days: int | None = None
    """Since the end of a finished game."""
    abandoned_days: int | None = 90
    """Since the last move or seat taken in an unfinished game."""
    imported_days: int | None = 30
    """Since the import of a game that no player keeps."""
    guest_days: int | None = 180
    """Since the last visit of a guest, for their study boards and cards; see ``_gone_guests``."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """Numbers of games removed or to be removed, and of guests whose boards and cards are."""

    finished: int
    abandoned: int
    imported: int = 0
    lessons: int = 0
    guests: int = 0


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
            connection.scalar(select(func.count()).where(_gone_guests(retention, at))) or 0,
        )


def prune(database: Database, retention: Retention, at: float) -> Pruned:
    """Remove the games that are due at ``at``, with their moves, analyses and remarks.

    Also removes unfinished daily attempts with their games, and the study boards and cards of guests who have
    not returned. Keeps ranked games of a running daily. Safe to run concurrently and while the database is in
    use.
    """
    over = _remove(database, _lessons(at))
    finished = _remove(database, _finished(retention, at))
    abandoned = _remove(database, _abandoned(retention, at))
    imported = _remove(database, _imported(retention, at))
    return Pruned(finished, abandoned, imported, over, _empty(database, _gone_guests(retention, at)))


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
            # Check again: a move may have been made before the rows were locked.
            gone = select(games.c.id).where(games.c.id.in_(found), outdated)
            ids = list(connection.scalars(gone))
            connection.execute(
                delete(attempts).where(attempts.c.game_id.in_(ids), attempts.c.score.is_(None))
            )
            connection.execute(delete(games).where(games.c.id.in_(ids)))
            removed += len(ids)


def _empty(database: Database, gone: ColumnElement[bool]) -> int:
    """Remove the study boards and cards of players; return how many players had any."""
    emptied = 0
    while True:
        with database.writing() as connection:
            locked = select(players.c.id).where(gone).limit(_GUESTS_AT_ONCE).with_for_update(skip_locked=True)
            found = list(connection.scalars(locked))
            if not found:
                return emptied
            # Check again: a guest may have returned before the rows were locked.
            ids = list(connection.scalars(select(players.c.id).where(players.c.id.in_(found), gone)))
            for table in (study_boards, cards, card_reviews):
                connection.execute(delete(table).where(table.c.player_id.in_(ids)))
            emptied += len(ids)


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


def _gone_guests(retention: Retention, at: float) -> ColumnElement[bool]:
    """Players with study boards or cards who have no way to sign in again and have not visited lately.

    Visits of the owner count for a bot account. Visits with a cookie that predates the list of devices are
    not recorded: what these players have stored is kept.
    """
    if retention.guest_days is None:
        return false()
    before = at - retention.guest_days * DAY
    person = func.coalesce(players.c.owner_id, players.c.id)
    stored = (select(table.c.player_id) for table in (study_boards, cards))
    ways_back = (select(table.c.player_id) for table in (phrases, passkeys, mail_addresses))
    visits = (
        select(table.c.player_id).where(
            table.c.player_id.in_([players.c.id, person]), table.c.used_at >= before
        )
        for table in (devices, tokens)
    )
    return and_(
        players.c.created_at < before,
        players.c.listed_from.is_not(None),
        or_(*(players.c.id.in_(each) for each in stored)),
        *(person.not_in(each) for each in ways_back),
        *(~each.exists() for each in visits),
    )


def _not_ranked_now(at: float) -> ColumnElement[bool]:
    ranked = select(attempts.c.game_id).where(attempts.c.day >= open_since(at).isoformat())
    return games.c.id.not_in(ranked)


def _games(connection: Connection) -> dict[tuple[str, str], int]:
    counted = select(games.c.kind, games.c.status, func.count()).group_by(games.c.kind, games.c.status)
    return {(kind, status): count for kind, status, count in connection.execute(counted)}
