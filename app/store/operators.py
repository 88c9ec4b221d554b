"""Operators: the players who may moderate. A one-time link makes a player an operator."""

from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Final

from sqlalchemy import delete, insert, or_, select, update

from app.store.audit import COMMAND_LINE, by, note
from app.store.database import Database
from app.store.digests import digest_of
from app.store.players import UnknownRecovery, clean_nickname
from app.store.schema import operators

LINK_SECONDS: Final = 24 * 3600
"""Lifetime of the link that makes an operator."""
_LONGEST_NAME: Final = 32


class UnknownOperator(LookupError):
    """There is no operator with this name."""


class OperatorExists(ValueError):
    """Another operator has this name, or the player is an operator already."""


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator, or a name whose link has not been used yet."""

    name: str
    joined: bool
    """Whether the link was used."""
    added_at: float


class Operators:
    """The players who may moderate."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, name: str, at: float) -> str:
        """Create a one-time token that makes a player the operator with this name, within LINK_SECONDS.

        Raises BadNickname, OperatorExists.
        """
        kept, token = clean_nickname(name, most=_LONGEST_NAME), token_urlsafe(24)
        with self._database.writing() as connection:
            unused = operators.c.name == kept, operators.c.player_id.is_(None)
            connection.execute(delete(operators).where(*unused))
            if connection.scalar(select(operators.c.name).where(operators.c.name == kept)) is not None:
                raise OperatorExists(f"there is an operator {kept} already: choose another name")
            values = {"name": kept, "token": digest_of(token), "expires_at": at + LINK_SECONDS}
            connection.execute(insert(operators).values(**values, added_at=at))
            note(connection, COMMAND_LINE, "add operator", "", at, detail=kept)
        return token

    def invited(self, token: str, at: float) -> str:
        """The operator name of a link’s token. Raises UnknownRecovery."""
        query = select(operators.c.name).where(
            operators.c.token == digest_of(token), operators.c.expires_at > at
        )
        with self._database.reading() as connection:
            found: str | None = connection.scalar(query)
        if found is None:
            raise UnknownRecovery("this link was already used or has expired: ask for a new one")
        return found

    def join(self, token: str, player_id: str, at: float) -> str:
        """Use up a token: make the player an operator and return the name. Raises UnknownRecovery.

        If they are an operator already, raises OperatorExists and leaves the token valid.
        """
        name = self.invited(token, at)
        with self._database.writing() as connection:
            if connection.scalar(select(operators.c.name).where(operators.c.player_id == player_id)):
                raise OperatorExists("you are an operator already")
            this = operators.c.token == digest_of(token), operators.c.expires_at > at
            joined = update(operators).where(*this)
            if not connection.execute(joined.values(player_id=player_id, token=None)).rowcount:
                raise UnknownRecovery("this link was already used or has expired: ask for a new one")
            note(connection, by(name), "join operators", "", at)
        return name

    def name_of(self, player_id: str) -> str | None:
        """The player's name as an operator; None for other players."""
        with self._database.reading() as connection:
            query = select(operators.c.name).where(operators.c.player_id == player_id)
            found: str | None = connection.scalar(query)
        return found

    def remove(self, name: str, at: float) -> None:
        """Remove an operator, or revoke an unused link. Raises UnknownOperator."""
        with self._database.writing() as connection:
            if not connection.execute(delete(operators).where(operators.c.name == name)).rowcount:
                raise UnknownOperator(f"there is no operator {name!r}")
            note(connection, COMMAND_LINE, "remove operator", "", at, detail=name)

    def all(self, at: float) -> list[Operator]:
        """The operators and those whose link can still be used, by name."""
        columns = operators.c.name, operators.c.player_id.is_not(None), operators.c.added_at
        there = or_(operators.c.player_id.is_not(None), operators.c.expires_at > at)
        with self._database.reading() as connection:
            rows = connection.execute(select(*columns).where(there).order_by(operators.c.name))
            return [Operator(name, bool(joined), added_at) for name, joined, added_at in rows]
