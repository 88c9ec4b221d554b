"""The audit log of operators' actions: who did what to whom, when and why. Append-only."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, insert, select, true

from app.store.database import Database
from app.store.schema import audit

COMMAND_LINE: Final = "command line"
UNNAMED: Final = "operator with the token"
"""The actor in an entry for a person who used the operators' token."""


def by(name: str) -> str:
    """The actor in an entry for the operator of this name."""
    return f"operator {name}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the audit log."""

    number: int
    at: float
    operator: str
    action: str
    player_id: str | None
    game_id: str | None
    circle_id: str | None
    detail: str
    """Details of the action, such as the end of a sanction. Never a player's name."""
    reason: str


class Audit:
    """Reads the audit log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def latest(self, most: int, before: int | None = None) -> list[Entry]:
        """The latest entries, or the latest before the entry with the number ``before``, latest first."""
        condition = true() if before is None else audit.c.number < before
        with self._database.reading() as connection:
            return read_entries(connection, condition, most)


def read_entries(connection: Connection, condition: ColumnElement[bool], most: int) -> list[Entry]:
    """The entries for which a condition holds, latest first."""
    query = select(*(audit.c[name] for name in Entry.__slots__)).where(condition)
    return [Entry(*row) for row in connection.execute(query.order_by(audit.c.number.desc()).limit(most))]


def note(
    connection: Connection,
    operator: str,
    action: str,
    reason: str,
    at: float,
    *,
    player_id: str | None = None,
    game_id: str | None = None,
    circle_id: str | None = None,
    detail: str = "",
) -> Entry:
    """Add an entry within the caller's transaction, and return it."""
    values = {
        "at": at,
        "operator": operator,
        "action": action,
        "player_id": player_id,
        "game_id": game_id,
        "circle_id": circle_id,
        "detail": detail,
        "reason": reason,
    }
    number = connection.execute(insert(audit).values(values).returning(audit.c.number)).scalar_one()
    return Entry(number, at, operator, action, player_id, game_id, circle_id, detail, reason)
