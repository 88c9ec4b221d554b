"""Players: guests identified by a cookie, with an optional nickname."""

import re
import unicodedata
from secrets import token_urlsafe
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from app.store.database import Database
from app.store.digests import digest_of
from app.store.models import NO_PLAYER, BadField, UnknownPlayer
from app.store.sanctions import check_may_name
from app.store.schema import players, recoveries, sanctions
from app.store.shown_names import MARK
from app.store.waiting_tables import LookAgain, change_tables, show_changes
from app.words.family import has_offensive_word

LONGEST_NICKNAME: Final = 24
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"})
"""Unicode categories of characters that are invisible or cover others."""
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Invisible characters in other categories: joiners, fillers, the empty Braille cell."""
_SELECTORS: Final = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Unicode variation selectors, which are invisible: two different names could look the same."""
_LONGEST_TYPED: Final = 1000
"""Maximum length of a nickname as typed: ``normalize`` takes seconds to order thousands of marks."""
_MOST_MARKS: Final = 2
"""Maximum number of combining marks on one letter."""


RECOVERY_SECONDS: Final = 7 * 24 * 3600
"""Lifetime of a link that moves a player to another device."""


_USED: Final = "this link has been used, and works only once: make a new one on your other device"


class UnknownRecovery(LookupError):
    """The one-time link was used or replaced, or has expired."""


class BadNickname(BadField):
    """The nickname is not accepted; the message says why."""


class PlayerStore:
    """The stored players."""

    def __init__(self, database: Database, look_again: LookAgain = lambda _games: None) -> None:
        self._database = database
        self._look_again = look_again

    def create(self, at: float, preferences: str | None = None) -> str:
        """Create a guest and return their ID."""
        player_id = token_urlsafe(16)
        with self._database.writing() as connection:
            values = {"id": player_id, "created_at": at, "preferences": preferences, "listed_from": at}
            connection.execute(insert(players).values(values))
        return player_id

    def exists(self, player_id: str) -> bool:
        """Whether the player is stored and not erased.

        A cookie may predate the database, or belong to a player who was erased on another device.
        """
        query = select(players.c.id).where(players.c.id == player_id, players.c.erased_at.is_(None))
        with self._database.reading() as connection:
            found = connection.scalar(query)
        return found is not None

    def nickname(self, player_id: str) -> str | None:
        """The player's nickname, if any."""
        with self._database.reading() as connection:
            found: str | None = connection.scalar(select(players.c.nickname).where(players.c.id == player_id))
        return found

    def rename(self, player_id: str, nickname: str, at: float) -> str:
        """Set the nickname and return it as stored: in NFC, with single spaces.

        Raises BadNickname, Sanctioned, UnknownPlayer.
        """
        kept = clean_nickname(nickname)
        seen = [player_id] if kept != self.nickname(player_id) else []
        with self._database.writing() as connection:
            changed = change_tables(connection, seen, at)  # before the lock, as in ``Seating``
            lock_player(connection, player_id)
            check_may_name(connection, player_id, at)
            connection.execute(update(players).where(players.c.id == player_id).values(nickname=kept))
            removed = sanctions.c.player_id == player_id, sanctions.c.kind == "name"
            connection.execute(delete(sanctions).where(*removed))  # has ended: their own name replaces it
        show_changes(self._database, self._look_again, changed)
        return kept

    def preferences(self, player_id: str) -> str | None:
        """The player's preferences as text; None if everything is at its default."""
        with self._database.reading() as connection:
            query = select(players.c.preferences).where(players.c.id == player_id)
            found: str | None = connection.scalar(query)
        return found

    def keep_preferences(self, player_id: str, preferences: str | None) -> None:
        """Store the preferences of a player who is not erased."""
        mine = players.c.id == player_id, players.c.erased_at.is_(None)
        with self._database.writing() as connection:
            connection.execute(update(players).where(*mine).values(preferences=preferences))

    def recovery(self, player_id: str, at: float, seconds: float = RECOVERY_SECONDS) -> str:
        """Create a one-time token that signs another device in as this player within ``seconds``.

        Raises UnknownPlayer.
        """
        token = token_urlsafe(24)
        with self._database.writing() as connection:
            lock_player(connection, player_id)
            connection.execute(delete(recoveries).where(recoveries.c.expires_at <= at))
            connection.execute(
                insert(recoveries).values(
                    token=digest_of(token), player_id=player_id, expires_at=at + seconds
                )
            )
        return token

    def recover(self, token: str, at: float) -> str:
        """Use up a token and return its player. Raises UnknownRecovery."""
        with self._database.writing() as connection:
            player_id = _owner_of_token(connection, token, at)
            unused = recoveries.c.token == digest_of(token), recoveries.c.used_at.is_(None)
            if not connection.execute(update(recoveries).where(*unused).values(used_at=at)).rowcount:
                raise UnknownRecovery(_USED)
        return player_id

    def check_recovery(self, token: str, at: float) -> None:
        """Raise UnknownRecovery if a token cannot be used."""
        with self._database.reading() as connection:
            _owner_of_token(connection, token, at)


def _owner_of_token(connection: Connection, token: str, at: float) -> str:
    """The player of an unused token. Raises UnknownRecovery."""
    row = connection.execute(select(recoveries).where(recoveries.c.token == digest_of(token))).one_or_none()
    if row is not None and row.used_at is not None:
        raise UnknownRecovery(_USED)
    if row is None or row.expires_at <= at:
        raise UnknownRecovery(
            "this link was used, has expired or is not complete: make a new one on your other device"
        )
    player_id: str = row.player_id
    return player_id


def clean_nickname(nickname: str, most: int = LONGEST_NICKNAME) -> str:
    """The nickname in NFC, with single spaces, without variation selectors, of at most ``most`` characters.

    Raises BadNickname if it is empty or too long, contains invisible characters or an offensive word, or ends
    with the mark of bot accounts.
    """
    if len(nickname) > _LONGEST_TYPED:
        raise BadNickname(f"a nickname must have 1 to {most} characters, not {len(nickname)}", "nickname")
    composed = unicodedata.normalize("NFC", _SELECTORS.sub("", nickname))
    marks = 0
    for character in composed:
        category = unicodedata.category(character)
        marks = marks + 1 if category == "Mn" else 0
        if category in _UNSEEN or character in _BLANK or marks > _MOST_MARKS:
            name = unicodedata.name(character, f"U+{ord(character):04X}")
            raise BadNickname(f"a nickname may not contain {name} there: use visible characters", "nickname")
    kept = " ".join(composed.split())
    if not 1 <= len(kept) <= most:
        raise BadNickname(f"a nickname must have 1 to {most} characters, not {len(kept)}", "nickname")
    if unicodedata.normalize("NFKC", kept).casefold().endswith(MARK.strip()):
        raise BadNickname(f"a nickname may not end with “{MARK.strip()}”, which marks programs", "nickname")
    if has_offensive_word(kept):
        raise BadNickname("a nickname may not contain an offensive word: choose another", "nickname")
    return kept


def lock_player(connection: Connection, player_id: str, *others: str) -> None:
    """Lock the player's row until the end of the transaction, and those of others: see ``lock_players``.

    Raises UnknownPlayer if one of them is unknown or erased.
    """
    if lock_players(connection, player_id, *others) != {player_id, *others}:
        raise UnknownPlayer(NO_PLAYER)


def lock_players(connection: Connection, *player_ids: str) -> set[str]:
    """Lock players to whom the caller's rows will refer, and return those who are not erased.

    They are locked in the order in which players are erased and merged. Rows that refer to them may be stored
    meanwhile.
    """
    query = select(players.c.id, players.c.erased_at).where(players.c.id.in_(player_ids))
    locked = connection.execute(query.order_by(players.c.id).with_for_update(key_share=True))
    return {row.id for row in locked if row.erased_at is None}
