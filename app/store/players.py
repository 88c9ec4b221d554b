"""Players: guests known by an identifier in their cookie, and by a nickname if they like."""

import re
import unicodedata
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final

from sqlalchemy import delete, insert, select, update

from app.store.database import Database
from app.store.schema import players, recoveries

LONGEST_NICKNAME: Final = 24
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"})
"""Unicode categories that do not show, or that hide what does."""
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters of other categories that do not show: joiners, fillers, an empty Braille cell."""
_SELECTORS: Final = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Unicode's variation selectors: they choose a glyph and do not show, so two names could look the same."""
_MOST_MARKS: Final = 2
"""Marks on one letter; scripts need a few, nobody needs a tower of them."""


RECOVERY_SECONDS: Final = 7 * 24 * 3600
"""How long a link to another device can be used."""


class UnknownRecovery(LookupError):
    """The link moves nobody; the text says why."""


class BadNickname(ValueError):
    """The nickname is not accepted; the text says why."""


class PlayerStore:
    """Who has ever moved a tile."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, at: float) -> str:
        """A new guest's identifier."""
        player_id = token_urlsafe(16)
        with self._database.writing() as connection:
            connection.execute(insert(players).values(id=player_id, created_at=at))
        return player_id

    def exists(self, player_id: str) -> bool:
        """Whether this store knows the player, and was not told to forget them.

        A cookie may be older than the database, and on another device when its player is erased.
        """
        query = select(players.c.id).where(players.c.id == player_id, players.c.erased_at.is_(None))
        with self._database.reading() as connection:
            found = connection.scalar(query)
        return found is not None

    def nickname(self, player_id: str) -> str | None:
        """What the player calls themselves."""
        with self._database.reading() as connection:
            found: str | None = connection.scalar(select(players.c.nickname).where(players.c.id == player_id))
        return found

    def rename(self, player_id: str, nickname: str) -> str:
        """The nickname as it is kept: in Unicode's composed form, with single spaces.

        Raises BadNickname.
        """
        kept = clean_nickname(nickname)
        with self._database.writing() as connection:
            connection.execute(update(players).where(players.c.id == player_id).values(nickname=kept))
        return kept

    def recovery(self, player_id: str, at: float) -> str:
        """A token that makes another device this player, once, for RECOVERY_SECONDS from now."""
        token = token_urlsafe(24)
        with self._database.writing() as connection:
            connection.execute(delete(recoveries).where(recoveries.c.expires_at <= at))
            connection.execute(
                insert(recoveries).values(
                    token=_digest(token), player_id=player_id, expires_at=at + RECOVERY_SECONDS
                )
            )
        return token

    def recover(self, token: str, at: float) -> str:
        """The player whose token this is, which is then used up. Raises UnknownRecovery."""
        matches = recoveries.c.token == _digest(token), recoveries.c.expires_at > at
        with self._database.writing() as connection:
            player_id: str | None = connection.scalar(select(recoveries.c.player_id).where(*matches))
            if player_id is None or not connection.execute(delete(recoveries).where(*matches)).rowcount:
                raise UnknownRecovery("this link was used already, or is too old: make a new one")
        return player_id


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def clean_nickname(nickname: str) -> str:
    """The nickname with single spaces and no variation selectors, in Unicode's composed form.

    Raises BadNickname for one that is empty, too long, or holds characters that cannot be seen.
    """
    composed = unicodedata.normalize("NFC", _SELECTORS.sub("", nickname))
    marks = 0
    for character in composed:
        category = unicodedata.category(character)
        marks = marks + 1 if category == "Mn" else 0
        if category in _UNSEEN or character in _BLANK or marks > _MOST_MARKS:
            name = unicodedata.name(character, f"U+{ord(character):04X}")
            raise BadNickname(f"a nickname may not hold {name} there: choose characters that can be seen")
    kept = " ".join(composed.split())
    if not 1 <= len(kept) <= LONGEST_NICKNAME:
        raise BadNickname(f"a nickname has 1 to {LONGEST_NICKNAME} characters, not {len(kept)}")
    return kept
