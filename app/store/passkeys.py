"""Passkeys of players, and the challenges they answer (W3C Web Authentication, Level 3)."""

from secrets import token_bytes
from typing import Final, NamedTuple

from sqlalchemy import delete, func, insert, select, update

from app.store.database import Database
from app.store.digests import digest_of
from app.store.models import TooMuch
from app.store.players import lock_player
from app.store.schema import passkey_challenges, passkeys

CHALLENGE_SECONDS: Final = 300.0
"""Lifetime of a challenge."""
MOST_PASSKEYS: Final = 10
"""Maximum number of passkeys per player."""


class BadPasskey(ValueError):
    """The passkey is not accepted; the message says why."""


class Passkey(NamedTuple):
    """A stored passkey."""

    id: str
    """The digest of the credential ID."""
    player_id: str
    credential_id: bytes
    public_key: bytes
    sign_count: int
    name: str
    """The browser in which it was created, such as ``Firefox on Android``."""
    created_at: float
    used_at: float | None


class Passkeys:
    """The passkeys of all players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def challenge(self, player_id: str | None, at: float) -> bytes:
        """Create a one-time challenge for adding a passkey to a player, or for signing in (None)."""
        made = token_bytes(32)
        values = {"digest": digest_of(made), "player_id": player_id, "expires_at": at + CHALLENGE_SECONDS}
        with self._database.writing() as connection:
            expired = passkey_challenges.c.expires_at <= at
            connection.execute(delete(passkey_challenges).where(expired))
            connection.execute(insert(passkey_challenges).values(values))
        return made

    def use_challenge(self, challenge: bytes, player_id: str | None, at: float) -> None:
        """Use up a challenge. Raises BadPasskey if it is for something else, was used, or has expired."""
        this = (
            passkey_challenges.c.digest == digest_of(challenge),
            passkey_challenges.c.player_id.is_(None)
            if player_id is None
            else passkey_challenges.c.player_id == player_id,
            passkey_challenges.c.expires_at > at,
        )
        with self._database.writing() as connection:
            if not connection.execute(delete(passkey_challenges).where(*this)).rowcount:
                raise BadPasskey("this took too long, or was sent twice: try again")

    def add(
        self, player_id: str, credential_id: bytes, public_key: bytes, sign_count: int, name: str, at: float
    ) -> None:
        """Add a passkey. Raises BadPasskey if it is in use already, TooMuch, UnknownPlayer."""
        values = {
            "id": digest_of(credential_id),
            "player_id": player_id,
            "credential_id": credential_id,
            "public_key": public_key,
            "sign_count": sign_count,
            "name": name,
            "created_at": at,
        }
        with self._database.writing() as connection:
            lock_player(connection, player_id)
            known = select(passkeys.c.id).where(passkeys.c.id == values["id"])
            if connection.scalar(known) is not None:
                raise BadPasskey("this passkey is in use already")
            own = select(func.count()).where(passkeys.c.player_id == player_id)
            if (connection.scalar(own) or 0) >= MOST_PASSKEYS:
                raise TooMuch(f"you have {MOST_PASSKEYS} passkeys, the most allowed: remove one")
            connection.execute(insert(passkeys).values(values))

    def find(self, credential_id: bytes) -> Passkey:
        """The passkey with this credential ID. Raises BadPasskey."""
        query = select(*_COLUMNS).where(passkeys.c.id == digest_of(credential_id))
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise BadPasskey("no profile has this passkey: it may have been removed")
        return Passkey(*row)

    def used(self, passkey: Passkey, sign_count: int, at: float) -> None:
        """Record that a passkey was used, and the authenticator's new signature count."""
        this = update(passkeys).where(passkeys.c.id == passkey.id)
        with self._database.writing() as connection:
            connection.execute(this.values(sign_count=sign_count, used_at=at))

    def of_player(self, player_id: str) -> list[Passkey]:
        """The player's passkeys, the oldest first."""
        query = select(*_COLUMNS).where(passkeys.c.player_id == player_id)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(passkeys.c.created_at, passkeys.c.id))
            return [Passkey(*row) for row in rows]

    def remove(self, player_id: str, passkey_id: str) -> None:
        """Remove one of the player's passkeys. Raises BadPasskey."""
        this = passkeys.c.id == passkey_id, passkeys.c.player_id == player_id
        with self._database.writing() as connection:
            if not connection.execute(delete(passkeys).where(*this)).rowcount:
                raise BadPasskey("you have no such passkey")


_COLUMNS: Final = [passkeys.c[name] for name in Passkey._fields]
