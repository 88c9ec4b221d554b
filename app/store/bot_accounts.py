"""Bot accounts: players that a program plays for their owner.

Their names are marked wherever others see them (``SHOWN_NAME``). A bot account has no cookie: a program
acts as it with a token created by the owner. The rules are in docs/operations.md, "Bot accounts".
"""

from secrets import token_urlsafe
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, func, insert, select

from app.store.database import Database
from app.store.models import TooMuch, UnknownPlayer
from app.store.players import clean_nickname, lock_player
from app.store.results import erase_player
from app.store.sanctions import check_may_name
from app.store.schema import players
from app.store.waiting_tables import LookAgain, show_changes

MOST_BOTS: Final = 5
"""Maximum number of bot accounts per player."""


class UnknownBot(LookupError):
    """The player has no such bot account."""


class PeopleOnly(PermissionError):
    """A bot account may not do this; the message says what it may do instead."""


class BotAccount(NamedTuple):
    """A bot account as its owner sees it."""

    id: str
    nickname: str | None
    """None if an operator has removed it."""
    created_at: float


class BotAccounts:
    """All bot accounts."""

    def __init__(self, database: Database, look_again: LookAgain = lambda _games: None) -> None:
        self._database = database
        self._look_again = look_again

    def make(self, owner_id: str, nickname: str, at: float) -> BotAccount:
        """Create a bot account. Raises BadNickname, Sanctioned, TooMuch, UnknownPlayer."""
        made = BotAccount(token_urlsafe(16), clean_nickname(nickname), at)
        with self._database.writing() as connection:
            # The lock makes concurrent requests count one after the other.
            lock_player(connection, owner_id)
            check_may_name(connection, owner_id, at)
            if (connection.scalar(select(func.count()).where(*_of(owner_id))) or 0) >= MOST_BOTS:
                raise TooMuch(f"you have {MOST_BOTS} bot accounts, the most allowed: delete one")
            values = made._asdict() | {"owner_id": owner_id, "listed_from": at}
            connection.execute(insert(players).values(values))
        return made

    def of_player(self, owner_id: str) -> list[BotAccount]:
        """The player's bot accounts, the oldest first."""
        columns = players.c.id, players.c.nickname, players.c.created_at
        query = select(*columns).where(*_of(owner_id)).order_by(players.c.created_at, players.c.id)
        with self._database.reading() as connection:
            return [BotAccount(*row) for row in connection.execute(query)]

    def find(self, owner_id: str, bot_id: str) -> BotAccount:
        """One of the player's bot accounts. Raises UnknownBot."""
        found = next((bot for bot in self.of_player(owner_id) if bot.id == bot_id), None)
        if found is None:
            raise UnknownBot("you have no such bot account: see the list of yours")
        return found

    def check(self, bot_id: str) -> str:
        """The ID of a bot account of any player. Raises UnknownPlayer if there is none."""
        # PostgreSQL fails on a zero character.
        this = players.c.id == (bot_id if bot_id.isprintable() else "")
        query = select(players.c.id).where(
            this, players.c.owner_id.is_not(None), players.c.erased_at.is_(None)
        )
        with self._database.reading() as connection:
            found: str | None = connection.scalar(query)
        if found is None:
            raise UnknownPlayer("there is no such bot account: ask its owner for the ID")
        return found

    def erase(self, owner_id: str, bot_id: str, at: float) -> None:
        """Erase one of the player's bot accounts, like a player. Raises UnknownBot."""
        bot = self.find(owner_id, bot_id)
        with self._database.writing() as connection:
            changed = erase_player(connection, bot.id, at)
        show_changes(self._database, self._look_again, changed)


def is_bot_account(connection: Connection, player_id: str | None) -> bool:
    """Whether a player is a bot account."""
    query = select(players.c.owner_id.is_not(None)).where(players.c.id == player_id)
    return player_id is not None and bool(connection.scalar(query))


def check_is_person(connection: Connection, player_id: str | None, instead: str) -> None:
    """Raise PeopleOnly if a player is a bot account; ``instead`` says what bot accounts can do."""
    if is_bot_account(connection, player_id):
        raise PeopleOnly(f"this is for people: a bot account can {instead}")


def _of(owner_id: str) -> tuple[ColumnElement[bool], ...]:
    return players.c.owner_id == owner_id, players.c.erased_at.is_(None)
