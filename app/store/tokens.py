"""API tokens, with which a program acts as a player. Only their digests are stored."""

import re
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime
from secrets import token_urlsafe
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, or_, select, update

from app.store.database import NO_WRITES, Database
from app.store.digests import digest_of
from app.store.models import BadField, TooMuch
from app.store.players import clean_nickname, lock_player
from app.store.schema import players, tokens

Scope: TypeAlias = Literal["read", "play", "engine"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
"""What a token may allow: reading, playing and changing the player's data, using the engines."""
PREFIX: Final = "wib_"
"""Prefix of every token, by which scanners for leaked secrets recognize it."""
MOST_TOKENS: Final = 20
"""Maximum number of tokens per player, including expired ones that are still listed."""
LONGEST_NAME: Final = 40
LONGEST_DAYS: Final = 366
"""Maximum lifetime of a token."""
LISTED_FOR: Final = 30 * 24 * 3600.0
"""Seconds for which an expired token is still listed."""
USED_EVERY: Final = 3600.0
"""Minimum number of seconds between two updates of a token's last use."""
_DAY: Final = 24 * 3600.0
_SHAPE: Final = re.compile(f"{PREFIX}[A-Za-z0-9_-]{{43}}")


class WrongToken(ValueError):
    """The token is unknown, revoked or expired; the message says which."""


class BadToken(BadField):
    """Such a token cannot be made; the message says why."""


class UnknownToken(LookupError):
    """The player has no token with this ID."""


class Token(NamedTuple):
    """A token as its owner sees it."""

    id: str
    """Identifies the token to its owner; it is not secret."""
    name: str
    scopes: tuple[Scope, ...]
    created_at: float
    expires_at: float
    used_at: float | None
    """Its last use; may lag by USED_EVERY seconds."""
    bot_id: str | None
    """The owner's bot account that it acts as; None if it acts as the owner."""


class Bearer(NamedTuple):
    """The player behind a token, and what the token may do."""

    player_id: str
    owner_id: str | None
    """For a bot account, the player it belongs to, whose limits apply."""
    scopes: frozenset[Scope]
    expires_at: float


def clean_token_name(name: str) -> str:
    """The name of a token, cleaned like a nickname. Raises BadToken."""
    try:
        return clean_nickname(name, most=LONGEST_NAME)
    except ValueError as refused:
        raise BadToken(str(refused).replace("a nickname", "the name of a token"), "name") from None


class Tokens:
    """The tokens of all players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(
        self,
        player_id: str,
        name: str,
        scopes: Collection[Scope],
        days: int,
        at: float,
        bot_id: str | None = None,
    ) -> tuple[str, Token]:
        """Create a token that is valid for ``days``; return its text, which is not stored, and its data.

        It acts as the player, or as their bot account ``bot_id``; the caller has checked that it is theirs.
        Raises BadToken, TooMuch, UnknownPlayer.
        """
        kept = tuple(scope for scope in SCOPES if scope in scopes)
        if not kept:
            raise BadToken(f"choose one or more of {', '.join(SCOPES)}", "scopes")
        if not 1 <= days <= LONGEST_DAYS:
            raise BadToken(f"a token lasts 1 to {LONGEST_DAYS} days, not {days}", "days")
        secret = PREFIX + token_urlsafe(32)
        made = Token(token_urlsafe(9), clean_token_name(name), kept, at, at + days * _DAY, None, bot_id)
        values = {
            "id": made.id,
            "digest": digest_of(secret),
            "player_id": bot_id or player_id,
            "name": made.name,
            "scopes": " ".join(kept),
            "created_at": at,
            "expires_at": made.expires_at,
        }
        with self._database.writing() as connection:
            # The lock makes concurrent requests count one after the other.
            lock_player(connection, player_id, bot_id or player_id)
            own = select(func.count()).where(_is_of(player_id))
            if (connection.scalar(own) or 0) >= MOST_TOKENS:
                raise TooMuch(f"you have {MOST_TOKENS} tokens, the most allowed: revoke one")
            connection.execute(insert(tokens).values(values))
        return secret, made

    def of_player(self, player_id: str) -> list[Token]:
        """The tokens of the player and their bot accounts, the latest first."""
        query = select(tokens).where(_is_of(player_id))
        with self._database.reading() as connection:
            found = connection.execute(query.order_by(tokens.c.created_at.desc(), tokens.c.id))
            return [_token(row, player_id) for row in found]

    def revoke(self, player_id: str, token_id: str) -> None:
        """Delete one of the player's tokens. Raises UnknownToken."""
        mine = tokens.c.id == token_id, _is_of(player_id)
        with self._database.writing() as connection:
            if not connection.execute(delete(tokens).where(*mine)).rowcount:
                raise UnknownToken("you have no such token: see the list of your tokens")

    def find(self, text: str, at: float) -> Bearer:
        """The player behind a token; the use is recorded. Raises WrongToken."""
        if not _SHAPE.fullmatch(text):
            raise WrongToken(
                f"the token is malformed: expected Bearer, {PREFIX} and 43 more characters, as shown once"
            )
        query = (
            select(tokens, players.c.owner_id)
            .join(players, players.c.id == tokens.c.player_id)
            .where(tokens.c.digest == digest_of(text))
        )
        with self._database.reading() as connection:
            found = connection.execute(query).one_or_none()
        if found is None:
            raise WrongToken("the token is unknown or was revoked: make a new one")
        check_expiry(found.expires_at, at)
        if found.used_at is None or at - found.used_at >= USED_EVERY:
            self._note_used(found.id, at)
        return Bearer(found.player_id, found.owner_id, frozenset(_scopes(found.scopes)), found.expires_at)

    def _note_used(self, token_id: str, at: float) -> None:
        with suppress(*NO_WRITES), self._database.writing() as connection:
            connection.execute(update(tokens).where(tokens.c.id == token_id).values(used_at=at))


def check_expiry(expires_at: float, at: float) -> None:
    """Raise WrongToken if a token has expired."""
    if at >= expires_at:
        end = datetime.fromtimestamp(expires_at, UTC)
        raise WrongToken(f"the token expired on {end.day} {end:%B %Y}: make a new one")


def delete_tokens(connection: Connection, player_id: str) -> None:
    """Delete all tokens of a player and their bot accounts."""
    connection.execute(delete(tokens).where(_is_of(player_id)))


def forget_tokens(database: Database, at: float) -> None:
    """Remove tokens that expired more than LISTED_FOR ago."""
    with database.writing() as connection:
        connection.execute(delete(tokens).where(tokens.c.expires_at < at - LISTED_FOR))


def _token(row: Row[Any], owner_id: str) -> Token:
    bot_id = None if row.player_id == owner_id else row.player_id
    return Token(row.id, row.name, _scopes(row.scopes), row.created_at, row.expires_at, row.used_at, bot_id)


def _scopes(stored: str) -> tuple[Scope, ...]:
    return tuple(scope for scope in SCOPES if scope in stored.split())


def _is_of(player_id: str) -> ColumnElement[bool]:
    """The SQL condition that a token acts as a player or one of their bot accounts."""
    bots = select(players.c.id).where(players.c.owner_id == player_id)
    return or_(tokens.c.player_id == player_id, tokens.c.player_id.in_(bots))
