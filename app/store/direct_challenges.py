"""Direct challenges: a player asks another for a game of two, who accepts or declines.

A row is a challenge. One that is answered or withdrawn expires at once, and is kept for a day, so that a
player who reconnects learns of it. The challenges of ``challenges.py`` are something else: the deals of
finished games.
"""

import json
from collections.abc import Callable, Mapping
from secrets import token_urlsafe
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pydantic_core import to_json
from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from app.games.game import Setup
from app.store.blocks import blocking, is_blocked, kept_apart
from app.store.bot_accounts import is_bot_account
from app.store.database import Database
from app.store.games import GameStore
from app.store.models import BadField, Seat, Table, TableSettings, TooMuch, UnknownChallenge
from app.store.rated_games import check_rated_apart
from app.store.rows import check_room
from app.store.sanctions import Sanctioned, check_may_meet
from app.store.schema import direct_challenges, players
from app.store.shown_names import SHOWN_NAME

OPEN_SECONDS: Final = 24 * 3600.0
"""Seconds after which an unanswered challenge expires.

Stored challenges that expire earlier are closed: with a higher number, all that are open now would be.
"""
KEPT_SECONDS: Final = 24 * 3600.0
"""Seconds for which a challenge that was answered or withdrawn is kept."""
MOST_SENT: Final = 10
"""Maximum number of open challenges that a player has sent."""
MOST_RECEIVED: Final = 20
"""Maximum number of open challenges that a player has received."""
_ROW: Final = direct_challenges.c
_IS_CLOSED: Final = _ROW.expires_at < _ROW.created_at + OPEN_SECONDS
"""Whether a challenge was answered or withdrawn."""

News: TypeAlias = Literal["challenge", "challenge_over"]
"""Events about a challenge: it has been sent, or it is no longer open."""
Ending: TypeAlias = Literal["accepted", "declined", "withdrawn"]


class BadChallenge(BadField):
    """Such a challenge cannot be sent; the message says why."""


class NotTaken(PermissionError):
    """The other player cannot be challenged. The message does not say why: it may be a block."""


class NewGame(NamedTuple):
    """The game that the challenge is for."""

    kind: str
    options: Setup
    settings: TableSettings


class DirectChallenge(NamedTuple):
    """An open challenge, as one of its two players sees it."""

    id: str
    sent: bool
    """Whether the player sent it; else they received it."""
    name: str | None
    """The other player's name."""
    is_bot: bool
    """Whether the other player is a bot account."""
    kind: str
    options: dict[str, Any]
    turn_limit: int | None
    rated: bool
    created_at: float
    expires_at: float


class DirectChallenges:
    """All direct challenges."""

    def __init__(
        self,
        games: GameStore,
        notify: Callable[[str, News, str], None] = lambda _player, _news, _challenge: None,
        begun: Callable[[Table], None] = lambda _table: None,
    ) -> None:
        """``notify`` gets a player's ID, the event and a challenge's ID; ``begun`` gets the new game."""
        self._games = games
        self._notify = notify
        self._begun = begun

    @property
    def _database(self) -> Database:
        return self._games.database

    def send(self, player_id: str, opponent_id: str, wanted: NewGame, at: float) -> str:
        """Challenge another player, and return the ID of the challenge.

        Raises BadChallenge, NotTaken, Sanctioned, TooMuch, and BadTable or UnknownLexicon if the game is
        not possible.
        """
        if player_id == opponent_id:
            raise BadChallenge("you cannot challenge yourself; challenge another player", "opponent")
        draft = self._draft(wanted, player_id, opponent_id, at)  # raises an error if the game is not possible
        made = {
            "id": token_urlsafe(9),
            "player_id": player_id,
            "opponent_id": opponent_id,
            "kind": wanted.kind,
            "options": to_json(wanted.options).decode(),
            "turn_limit": wanted.settings.turn_limit,
            "rated": wanted.settings.rated,
            "created_at": at,
            "expires_at": at + OPEN_SECONDS,
        }
        try:
            with self._database.writing() as connection:
                _lock(connection, player_id, opponent_id)
                same = (_ROW.player_id == player_id) & (_ROW.opponent_id == opponent_id)
                connection.execute(delete(direct_challenges).where(_is_past(at) | same & _IS_CLOSED))
                self._check(connection, draft, player_id, opponent_id, at)
                connection.execute(insert(direct_challenges).values(made))
        except IntegrityError:
            raise BadChallenge(
                "you have challenged this player already; withdraw that challenge first", "opponent"
            ) from None
        challenge_id = str(made["id"])
        self._notify(opponent_id, "challenge", challenge_id)
        return challenge_id

    def of_player(self, player_id: str | None, at: float) -> list[DirectChallenge]:
        """The open challenges to and by a player, the latest first."""
        with self._database.reading() as connection:
            apart = kept_apart(connection, player_id)
            query = (
                select(direct_challenges, SHOWN_NAME, players.c.owner_id)
                .join(
                    players,
                    or_(
                        (_ROW.player_id == player_id) & (players.c.id == _ROW.opponent_id),
                        (_ROW.opponent_id == player_id) & (players.c.id == _ROW.player_id),
                    ),
                )
                .where(_is_open(at), players.c.id.not_in(apart))
                .order_by(_ROW.created_at.desc(), _ROW.id)
            )
            found = connection.execute(query).all() if player_id is not None else []
        return [
            DirectChallenge(
                row.id,
                row.player_id == player_id,
                row.nickname,
                row.owner_id is not None,
                row.kind,
                json.loads(row.options),
                row.turn_limit,
                row.rated,
                row.created_at,
                row.expires_at,
            )
            for row in found
        ]

    def count_received(self, player_id: str, at: float) -> int:
        """Number of open challenges to a player, without those of players kept apart. One query."""
        received = (_ROW.opponent_id == player_id) & ~blocking(player_id, _ROW.player_id)
        with self._database.reading() as connection:
            return _count(connection, received, at)

    def closed_since(self, player_id: str, since: float) -> list[str]:
        """The IDs of challenges to and by a player that were answered or withdrawn from ``since`` on."""
        mine = (_ROW.player_id == player_id) | (_ROW.opponent_id == player_id)
        query = select(_ROW.id).where(mine, _IS_CLOSED, _ROW.expires_at >= since)
        with self._database.reading() as connection:
            return list(connection.scalars(query.order_by(_ROW.expires_at)))

    def accept(self, player_id: str | None, challenge_id: str, at: float) -> Table:
        """Accept a challenge and begin its game. Seats are assigned at random.

        Raises UnknownChallenge, NotTaken, Sanctioned, TooMuch.
        """
        with self._database.reading() as connection:
            row = connection.execute(_open(challenge_id, at, _ROW.opponent_id == player_id)).one_or_none()
            if row is None or player_id is None:
                raise _not_open(connection, challenge_id, player_id, at)
        # Dealing may take long, so do it before anything is locked.
        draft = self._draft(self._wanted(row._mapping), row.player_id, player_id, at)
        with self._database.writing() as connection:
            _lock(connection, row.player_id, player_id)
            if not _close(connection, challenge_id, at, "accepted", draft.id):
                raise _not_open(connection, challenge_id, player_id, at)
            if is_blocked(connection, row.player_id, player_id):
                raise _unknown()
            check_may_meet(connection, player_id, at)
            self._check_other(connection, row.player_id, at)
            _check_apart(connection, draft)
            self._games.keep_new(connection, draft)
        table = self._games.read(draft.id)  # includes the players' names
        self._notify(row.player_id, "challenge_over", challenge_id)
        self._begun(table)
        return table

    def decline(self, player_id: str | None, challenge_id: str, at: float) -> None:
        """Decline a challenge. Raises UnknownChallenge."""
        sender = self._end(challenge_id, at, "opponent_id", player_id, "declined")
        self._notify(sender, "challenge_over", challenge_id)

    def withdraw(self, player_id: str | None, challenge_id: str, at: float) -> None:
        """Withdraw a challenge that the player sent. Raises UnknownChallenge."""
        opponent = self._end(challenge_id, at, "player_id", player_id, "withdrawn")
        self._notify(opponent, "challenge_over", challenge_id)

    def _end(self, challenge_id: str, at: float, side: str, player_id: str | None, ending: Ending) -> str:
        """Close a challenge that has the player in the column ``side``, and return the other player."""
        query = _open(challenge_id, at, _ROW[side] == player_id)
        with self._database.writing() as connection:
            row = connection.execute(query.with_for_update()).one_or_none()
            if row is None or not _close(connection, challenge_id, at, ending):
                raise _not_open(connection, challenge_id, player_id, at)
        other: str = row.player_id if side == "opponent_id" else row.opponent_id
        return other

    def _check(
        self, connection: Connection, draft: Table, player_id: str, opponent_id: str, at: float
    ) -> None:
        """Raise an error if the player may not challenge the other."""
        check_may_meet(connection, player_id, at)
        check_room(connection, player_id, self._games.most_open)
        _check_apart(connection, draft)
        if _count(connection, _ROW.player_id == player_id, at) >= MOST_SENT:
            raise TooMuch(f"you have sent {MOST_SENT} challenges, the most allowed: withdraw one")
        if is_blocked(connection, player_id, opponent_id):
            raise _not_taken()
        self._check_other(connection, opponent_id, at)
        if _count(connection, _ROW.opponent_id == opponent_id, at) >= MOST_RECEIVED:
            raise _not_taken()

    def _check_other(self, connection: Connection, player_id: str, at: float) -> None:
        """Raise NotTaken if the other player may not play or is erased."""
        there = select(players.c.id).where(players.c.id == player_id, players.c.erased_at.is_(None))
        try:
            check_may_meet(connection, player_id, at)
            check_room(connection, player_id, self._games.most_open)
        except (Sanctioned, TooMuch):
            raise _not_taken() from None
        if connection.scalar(there) is None:
            raise _not_taken()

    def _draft(self, wanted: NewGame, player_id: str, opponent_id: str, at: float) -> Table:
        both = [Seat(player_id), Seat(opponent_id)]
        return self._games.draft_for_two(wanted.kind, wanted.options, both, at, wanted.settings)

    def _wanted(self, row: Mapping[Any, Any]) -> NewGame:
        setup = self._games.rulebook.games[row["kind"]].setup_type.model_validate_json(row["options"])
        return NewGame(row["kind"], setup, TableSettings(row["turn_limit"], rated=row["rated"]))


def forget_challenges(database: Database, at: float) -> None:
    """Remove challenges that have expired, and those that were closed a day ago."""
    with database.writing() as connection:
        connection.execute(delete(direct_challenges).where(_is_past(at)))


def _is_open(at: float) -> ColumnElement[bool]:
    return (_ROW.expires_at > at) & ~_IS_CLOSED


def _is_past(at: float) -> ColumnElement[bool]:
    """Whether a challenge need not be kept."""
    return (_ROW.expires_at <= at) & (~_IS_CLOSED | (_ROW.expires_at <= at - KEPT_SECONDS))


def _open(challenge_id: str, at: float, *conditions: ColumnElement[bool]) -> Any:
    return select(direct_challenges).where(_ROW.id == challenge_id, _is_open(at), *conditions)


def _close(
    connection: Connection, challenge_id: str, at: float, ending: Ending, game_id: str | None = None
) -> bool:
    """Let a challenge expire now; return whether it was open."""
    this = update(direct_challenges).where(_ROW.id == challenge_id, _is_open(at))
    return bool(connection.execute(this.values(expires_at=at, ending=ending, game_id=game_id)).rowcount)


def _lock(connection: Connection, *player_ids: str) -> None:
    """Lock players in the order of ``keep_results``, so that concurrent requests count one by one."""
    rows = select(players.c.id).where(players.c.id.in_(player_ids))
    connection.execute(rows.order_by(players.c.id).with_for_update())


def _count(connection: Connection, condition: ColumnElement[bool], at: float) -> int:
    query = select(func.count()).select_from(direct_challenges).where(condition, _is_open(at))
    return connection.scalar(query) or 0


def _check_apart(connection: Connection, draft: Table) -> None:
    """Raise BadTable if people and bot accounts would meet in a rated game."""
    are_bots = [is_bot_account(connection, seat.player_id) for seat in draft.seats]
    check_rated_apart(draft.settings, are_bots, "rated")


def _not_open(
    connection: Connection, challenge_id: str, player_id: str | None, at: float
) -> UnknownChallenge:
    """What happened to a challenge that was sent to or by this player, as far as it is stored."""
    mine = (_ROW.player_id == player_id) | (_ROW.opponent_id == player_id)
    row = connection.execute(select(direct_challenges).where(_ROW.id == challenge_id, mine)).one_or_none()
    if row is not None and row.ending is not None:
        return UnknownChallenge(f"this challenge was {row.ending}", row.game_id)
    if row is not None and row.created_at + OPEN_SECONDS <= min(at, row.expires_at):
        return UnknownChallenge("this challenge has expired: a challenge is open for a day")
    return _unknown()


def _unknown() -> UnknownChallenge:
    return UnknownChallenge("there is no such open challenge: it was answered, withdrawn or has expired")


def _not_taken() -> NotTaken:
    return NotTaken("this player cannot be challenged now: choose another player")
