"""Players: guests known by an identifier in their cookie, and by a nickname if they like."""

import unicodedata
from secrets import token_urlsafe
from typing import Final

from sqlalchemy import insert, select, update

from app.store.database import Database
from app.store.schema import players

LONGEST_NICKNAME: Final = 24
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"})
"""Unicode categories that do not show, or that hide what does."""
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters of other categories that do not show: joiners, fillers, an empty Braille cell."""
_MOST_MARKS: Final = 2
"""Marks on one letter; scripts need a few, nobody needs a tower of them."""


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
        """Whether this store knows the player; a cookie may be older than the database."""
        with self._database.reading() as connection:
            found = connection.scalar(select(players.c.id).where(players.c.id == player_id))
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


def clean_nickname(nickname: str) -> str:
    """The nickname with single spaces, in Unicode's composed form.

    Raises BadNickname for one that is empty, too long, or holds characters that cannot be seen.
    """
    composed = unicodedata.normalize("NFC", nickname)
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
