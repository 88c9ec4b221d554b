"""Sanctions: what operators forbid a player, temporarily or for good.

``moderation.py`` imposes them; they are checked here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final, Literal, TypeAlias

from cachetools import TTLCache
from sqlalchemy import ColumnElement, Connection, Select, or_, select

from app.store.database import Database
from app.store.days import format_time
from app.store.models import NO_PLAYER, UnknownPlayer
from app.store.schema import players, sanctions

SanctionKind: TypeAlias = Literal["suspend", "mute", "name"]
"""What is forbidden: meeting others; having a name and making remarks; choosing a name."""
SEEN_WITHIN: Final = 5.0
"""Seconds until every worker hides the remarks of a muted player."""
_MEANINGS: Final[dict[SanctionKind, str]] = {
    "suspend": "you are suspended {until}: you can play alone and finish your games",
    "mute": "you are muted {until}: you can play, without a name and without remarks",
    "name": "you cannot choose a name {until}: an operator has removed yours",
}
"""The strictest first."""


class Sanctioned(PermissionError):
    """An operator has forbidden this to the player; the message says until when."""


@dataclass(frozen=True, slots=True)
class Sanction:
    """What a player is forbidden, and why."""

    kind: SanctionKind
    since: float
    until: float | None
    """None for good."""
    reason: str

    @property
    def meaning(self) -> str:
        """Its effect, as a message to the player."""
        return _MEANINGS[self.kind].format(until=format_until(self.until))


def format_until(until: float | None) -> str:
    """The end of a sanction: ``until 24 November 2026, 14:00 UTC`` or ``for good``."""
    if until is None:
        return "for good"
    return f"until {format_time(until)}"


def check_may_meet(connection: Connection, player_id: str | None, at: float) -> None:
    """Raise Sanctioned if the player is suspended: no seat with others, no pairing, challenge or circle.

    Raise UnknownPlayer if they were erased, as the other checks do.
    """
    _check(connection, player_id, at, "suspend")


def suspended_among(connection: Connection, players: Sequence[str], at: float) -> set[str]:
    """The players in ``players`` whom ``check_may_meet`` would refuse."""
    row = sanctions.c
    query = select(row.player_id).where(row.player_id.in_(players), row.kind == "suspend", is_in_force(at))
    return set(connection.scalars(query))


def check_may_speak(connection: Connection, player_id: str | None, at: float) -> None:
    """Raise Sanctioned if the player may not make remarks."""
    _check(connection, player_id, at, "suspend", "mute")


def check_may_name(connection: Connection, player_id: str | None, at: float) -> None:
    """Raise Sanctioned if the player may not name themselves or a circle."""
    _check(connection, player_id, at, "suspend", "mute", "name")


def is_in_force(at: float) -> ColumnElement[bool]:
    """The SQL condition that a sanction has not ended."""
    return or_(sanctions.c.until.is_(None), sanctions.c.until > at)


def sanctioned_players(kind: SanctionKind, at: float) -> Select[tuple[str]]:
    """A query for the players under this sanction, and their bot accounts."""
    holds = or_(sanctions.c.player_id == players.c.id, sanctions.c.player_id == players.c.owner_id)
    return select(players.c.id).join(sanctions, holds).where(sanctions.c.kind == kind, is_in_force(at))


def sanctions_of(connection: Connection, player_id: str, at: float) -> list[Sanction]:
    """The player's sanctions in force, the strictest first."""
    columns = (sanctions.c.kind, sanctions.c.since, sanctions.c.until, sanctions.c.reason)
    query = select(*columns).where(sanctions.c.player_id == player_id, is_in_force(at))
    found = [Sanction(*row) for row in connection.execute(query)]
    return sorted(found, key=lambda each: list(_MEANINGS).index(each.kind))


class Sanctions:
    """The sanctions of all players."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: TTLCache[None, frozenset[str]] = TTLCache(1, SEEN_WITHIN)
        self._lock = Lock()

    def of_player(self, player_id: str, at: float) -> list[Sanction]:
        """The player's sanctions in force, the strictest first."""
        with self._database.reading() as connection:
            return sanctions_of(connection, player_id, at)

    def check_may_meet(self, player_id: str | None, at: float) -> None:
        """Raise Sanctioned if the player is suspended, before work is done for them."""
        with self._database.reading() as connection:
            check_may_meet(connection, player_id, at)

    def muted_players(self, at: float) -> frozenset[str]:
        """The muted players and their bot accounts; may lag by SEEN_WITHIN seconds."""
        with self._lock:
            known: frozenset[str] | None = self._known.get(None)
        if known is None:
            with self._database.reading() as connection:
                known = frozenset(connection.scalars(sanctioned_players("mute", at)))
            with self._lock:
                self._known[None] = known
        return known

    def forget(self) -> None:
        """Clear the cache, after sanctions have changed."""
        with self._lock:
            self._known.clear()


def _check(connection: Connection, player_id: str | None, at: float, *kinds: SanctionKind) -> None:
    if player_id is None:
        return
    # The lock is the one that a foreign key takes: it waits for a transaction that erases the player.
    query = select(players.c.owner_id, players.c.erased_at).where(players.c.id == player_id)
    row = connection.execute(query.with_for_update(read=True, key_share=True)).one_or_none()
    if row is not None and row.erased_at is not None:
        raise UnknownPlayer(NO_PLAYER)
    for each in (player_id, None if row is None else row.owner_id):
        for found in [] if each is None else sanctions_of(connection, each, at):
            if found.kind in kinds:
                raise Sanctioned(found.meaning)
