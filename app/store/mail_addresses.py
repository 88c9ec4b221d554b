"""Mail addresses for sign-in links; each is confirmed before it is stored."""

import re
from secrets import token_urlsafe
from typing import Final

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from app.store.database import Database
from app.store.digests import digest_of
from app.store.players import UnknownRecovery, lock_player
from app.store.schema import mail_addresses, mail_confirmations

LINK_SECONDS: Final = 15 * 60
"""Lifetime of a link sent by mail."""
_LONGEST: Final = 254
_ADDRESS: Final = re.compile(r"[^@\s<>\"(),:;\\[\]]+@(?:[^@\s<>\"(),:;\\[\].]+\.)+[^@\s<>\"(),:;\\[\].]{2,}")
"""Addresses that a mail server may accept; the confirmation shows whether an address exists."""


class BadAddress(ValueError):
    """The address is not accepted; the message says why."""


def clean_address(typed: str) -> str:
    """The address in lower case, without surrounding spaces. Raises BadAddress."""
    address = typed.strip().lower()
    if len(address) > _LONGEST or not _ADDRESS.fullmatch(address):
        raise BadAddress("this is not a mail address: expected one like ada@example.org")
    return address


class MailAddresses:
    """The confirmed mail addresses of all players: at most one per player, and one player per address."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def confirmation(self, player_id: str, address: str, at: float) -> str:
        """Create a one-time token that confirms this address for the player within LINK_SECONDS.

        Raises UnknownPlayer.
        """
        token = token_urlsafe(24)
        values = {"token": digest_of(token), "player_id": player_id, "address": address}
        with self._database.writing() as connection:
            lock_player(connection, player_id)
            expired = mail_confirmations.c.expires_at <= at
            connection.execute(delete(mail_confirmations).where(expired))
            connection.execute(insert(mail_confirmations).values(**values, expires_at=at + LINK_SECONDS))
        return token

    def confirm(self, token: str, at: float) -> str:
        """Use up a token, store its address, replacing an earlier one, and return it.

        Raises UnknownRecovery, and BadAddress if the address is another player's by now.
        """
        this = mail_confirmations.c.token == digest_of(token), mail_confirmations.c.expires_at > at
        columns = mail_confirmations.c.player_id, mail_confirmations.c.address
        try:
            with self._database.writing() as connection:
                row = connection.execute(select(*columns).where(*this)).one_or_none()
                if row is None or not connection.execute(delete(mail_confirmations).where(*this)).rowcount:
                    raise UnknownRecovery("this link was already used or has expired: ask for a new one")
                own = mail_addresses.c.player_id == row.player_id
                connection.execute(delete(mail_addresses).where(own))
                values = {"player_id": row.player_id, "address": row.address, "confirmed_at": at}
                connection.execute(insert(mail_addresses).values(values))
        except IntegrityError:
            raise BadAddress("this address belongs to another profile: sign in with it instead") from None
        return str(row.address)

    def player_of(self, address: str) -> str | None:
        """The player who has confirmed this address, if any."""
        query = select(mail_addresses.c.player_id).where(mail_addresses.c.address == address)
        with self._database.reading() as connection:
            found: str | None = connection.scalar(query)
        return found

    def of_player(self, player_id: str) -> str | None:
        """The player's address, if any."""
        query = select(mail_addresses.c.address).where(mail_addresses.c.player_id == player_id)
        with self._database.reading() as connection:
            found: str | None = connection.scalar(query)
        return found

    def remove(self, player_id: str) -> None:
        """Remove the player's address, and their unused confirmation tokens."""
        with self._database.writing() as connection:
            for table in (mail_addresses, mail_confirmations):
                connection.execute(delete(table).where(table.c.player_id == player_id))
