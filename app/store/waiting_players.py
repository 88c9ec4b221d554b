"""Rows of players who wait for an opponent, within the caller's transaction."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, and_, bindparam, case, delete, or_, select, update

from app.store.database import Database, upsert
from app.store.models import Table
from app.store.pairing_rules import ANYBODY_AFTER, Waiter
from app.store.ratings import Speed
from app.store.schema import blocks, games, seats, waiting

THERE_WITHIN: Final = 10.0
"""Seconds after their last request for which players count as present; others are not paired."""
FORGOTTEN_AFTER: Final = 3600.0
"""A player's row is removed this many seconds after their last request."""
_ROW: Final = waiting.c


class Pool(NamedTuple):
    """What players wait for: only players in the same pool are paired."""

    kind: str
    speed: Speed
    rated: bool


@dataclass(frozen=True, slots=True)
class Wait:
    """The state of a player who is waiting or has been paired."""

    pool: Pool
    waiter: Waiter
    seen_at: float
    game_id: str | None
    """The game for which they have been paired; None while they wait."""

    def seconds(self, at: float) -> float:
        """Seconds that they have waited."""
        return max(0.0, at - self.waiter.since)

    def is_there(self, at: float) -> bool:
        """Whether they made a request or were paired within THERE_WITHIN."""
        return self.seen_at >= at - THERE_WITHIN

    def window(self, at: float) -> float | None:
        """The largest difference in rating that they accept; None if they accept anybody."""
        return None if self.seconds(at) >= ANYBODY_AFTER else self.waiter.window(at)


def wait_of(connection: Connection, player_id: str, *, lock: bool = False) -> Wait | None:
    """The player's state; None if they are not waiting, or the game they were paired for is over."""
    query = (
        select(waiting)
        .outerjoin(games, games.c.id == _ROW.game_id)
        .where(_ROW.player_id == player_id, or_(_ROW.game_id.is_(None), games.c.status == "open"))
    )
    found = connection.execute(query.with_for_update(of=waiting) if lock else query).one_or_none()
    if found is None:
        return None
    return Wait(Pool(found.kind, found.speed, found.rated), _waiter(found), found.seen_at, found.game_id)


def keep_wait(connection: Connection, wait: Wait) -> None:
    """Store a player's wait, replacing an earlier one."""
    waiter, pool = wait.waiter, wait.pool
    values = {
        **pool._asdict(),
        "value": waiter.value,
        "deviation": waiter.deviation,
        "since": waiter.since,
        "seen_at": wait.seen_at,
        "met_twice": waiter.met_twice,
        "game_id": None,
    }
    statement = upsert(connection, waiting).values(player_id=waiter.player_id, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=["player_id"], set_=values))


def note_seen(connection: Connection, player_id: str, at: float) -> None:
    """Note that a waiting player is present. If they were away, their wait starts again."""
    away = _ROW.seen_at < at - THERE_WITHIN
    seen = update(waiting).where(_ROW.player_id == player_id, _ROW.game_id.is_(None))
    connection.execute(seen.values(since=case((away, at), else_=_ROW.since), seen_at=at))


def all_there(connection: Connection, pool: Pool, at: float) -> list[Waiter]:
    """The players of a pool who can be paired."""
    return [_waiter(row) for row in connection.execute(select(waiting).where(_is_there(pool, at)))]


def blocked_in(connection: Connection, pool: Pool, at: float) -> list[tuple[str, str]]:
    """The pairs of players of a pool who can be paired but are kept apart by a block."""
    there = select(_ROW.player_id).where(_is_there(pool, at))
    pairs = select(blocks.c.player_id, blocks.c.blocked_id)
    both = blocks.c.player_id.in_(there), blocks.c.blocked_id.in_(there)
    return [(blocker, blocked) for blocker, blocked in connection.execute(pairs.where(*both))]


def take(connection: Connection, pool: Pool, players: list[str], at: float) -> set[str]:
    """Lock and return the players who still wait, without those locked by another transaction."""
    mine = select(_ROW.player_id).where(_ROW.player_id.in_(players), _is_there(pool, at))
    return set(connection.scalars(mine.order_by(_ROW.player_id).with_for_update(skip_locked=True)))


def note_paired(connection: Connection, tables: Iterable[Table], at: float) -> None:
    """Store for the players of these games that they have been paired."""
    rows = [{"player": seat.player_id, "game": table.id} for table in tables for seat in table.seats]
    if rows:
        paired = update(waiting).where(_ROW.player_id == bindparam("player"))
        connection.execute(paired.values(game_id=bindparam("game"), seen_at=at), rows)


def remove_waits(connection: Connection, *players: str) -> None:
    """Delete the players' waits, and clear ``met_twice`` where it refers to them."""
    connection.execute(delete(waiting).where(_ROW.player_id.in_(players)))
    connection.execute(update(waiting).where(_ROW.met_twice.in_(players)).values(met_twice=None))


def forget_waits(database: Database, at: float) -> None:
    """Remove the rows of players without a request for FORGOTTEN_AFTER."""
    with database.writing() as connection:
        connection.execute(delete(waiting).where(_ROW.seen_at < at - FORGOTTEN_AFTER))


def met_twice(connection: Connection, player_id: str, kind: str) -> str | None:
    """The opponent in both of a player's latest two games of a kind; None if they were different."""
    own, other = seats.alias(), seats.alias()
    theirs = and_(other.c.game_id == own.c.game_id, other.c.seat != own.c.seat)
    latest = (
        select(other.c.player_id)
        .select_from(own)
        .join(games, games.c.id == own.c.game_id)
        .join(other, theirs)
        .where(own.c.player_id == player_id, games.c.kind == kind, other.c.player_id.is_not(None))
        .order_by(games.c.created_at.desc())
        .limit(2)
    )
    found = list(connection.scalars(latest))
    return found[0] if len(found) == 2 and found[0] == found[1] else None


def _is_there(pool: Pool, at: float) -> ColumnElement[bool]:
    wanted = _ROW.kind == pool.kind, _ROW.speed == pool.speed, _ROW.rated.is_(pool.rated)
    return and_(*wanted, _ROW.game_id.is_(None), _ROW.seen_at >= at - THERE_WITHIN)


def _waiter(row: Row[Any]) -> Waiter:
    return Waiter(row.player_id, row.value, row.deviation, row.since, row.met_twice)
