"""Circles: private groups of players, with their tables, their dailies and what they have played.

What counts in a circle is what its members did after they joined. A member gets a point for every other
member whose score they beat, in a daily or in a game that both played; a tie counts for nobody.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from secrets import token_urlsafe
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, insert, not_, or_, select, update
from sqlalchemy.exc import IntegrityError

from app.store.database import Database
from app.store.models import NotYourSeat, TooMuch
from app.store.players import UnknownRecovery, clean_nickname
from app.store.schema import (
    attempts,
    challenge_entries,
    challenges,
    circles,
    games,
    members,
    players,
    results,
)

MOST_CIRCLES: Final = 20
"""Most circles of a player."""
MOST_MEMBERS: Final = 50
"""Most members of a circle."""
LONGEST_NAME: Final = 40
_LONGEST_ID: Final = 32


class UnknownCircle(LookupError):
    """There is no such circle, or the player is no member of it: a circle is private."""


class BadCircle(ValueError):
    """What was asked of a circle is not possible; the message says why."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a circle."""

    number: int
    """Unique in the circle; where members are named to each other, their IDs stay secret."""
    player_id: str
    nickname: str | None
    is_owner: bool
    joined_at: float


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle, as its members see it."""

    id: str
    name: str
    invitation: str
    """The secret part of the link by which others join."""
    created_at: float
    members: tuple[Member, ...]
    """In the order they joined."""

    def member(self, player_id: str) -> Member:
        """Return the member who is this player. Raises UnknownCircle."""
        found = next((member for member in self.members if member.player_id == player_id), None)
        if found is None:
            raise UnknownCircle(_UNKNOWN)
        return found


@dataclass(frozen=True, slots=True)
class ListedCircle:
    """A circle in a player's list."""

    id: str
    name: str
    members: int


@dataclass(frozen=True, slots=True)
class Record:
    """What one member has achieved against others since some time."""

    beaten: dict[int, int]
    """How often they beat each other member, by number; zeros are left out."""

    @property
    def points(self) -> int:
        """How often they beat anybody."""
        return sum(self.beaten.values())


@dataclass(frozen=True, slots=True)
class DailyScore:
    """A member's score in a daily."""

    kind: str
    number: int
    score: int


@dataclass(frozen=True, slots=True)
class FeedLine:
    """A game that a member finished."""

    number: int
    game_id: str
    kind: str
    mode: str
    seats: int
    won: bool
    score: int
    finished_at: float
    kept: bool
    """Whether the game is still stored; a pruned game leaves its result."""


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A member's challenge that the reader has not taken."""

    id: str
    number: int
    kind: str
    mode: str
    created_at: float


_UNKNOWN: Final = "there is no such circle, or you are no member of it: ask a member for the link"


def clean_name(name: str) -> str:
    """The name of a circle, with single spaces. Raises BadCircle."""
    try:
        kept = clean_nickname(name, most=LONGEST_NAME)
    except ValueError as refused:
        raise BadCircle(str(refused).replace("a nickname", "the name of a circle")) from None
    return kept


class Circles:
    """All circles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, name: str, player_id: str, at: float) -> str:
        """Open a circle with the player as its owner and return its ID. Raises BadCircle, TooMuch."""
        kept, circle_id = clean_name(name), token_urlsafe(9)
        with self._database.writing() as connection:
            _check_most(connection, player_id)
            values = {"id": circle_id, "name": kept, "invitation": token_urlsafe(9), "created_at": at}
            connection.execute(insert(circles).values(values))
            _add(connection, circle_id, player_id, 1, at, is_owner=True)
        return circle_id

    def of_player(self, player_id: str) -> list[ListedCircle]:
        """The player's circles, by name."""
        mine, all_members = members.alias(), members.alias()
        query = (
            select(circles.c.id, circles.c.name, func.count().label("members"))
            .join(mine, mine.c.circle_id == circles.c.id)
            .join(all_members, all_members.c.circle_id == circles.c.id)
            .where(mine.c.player_id == player_id)
            .group_by(circles.c.id, circles.c.name)
            .order_by(circles.c.name, circles.c.id)
        )
        with self._database.reading() as connection:
            return [ListedCircle(*row) for row in connection.execute(query)]

    def read(self, circle_id: str, player_id: str | None) -> Circle:
        """A circle, for its members. Raises UnknownCircle."""
        with self._database.reading() as connection:
            circle = _read(connection, circle_id)
        circle.member(player_id or "")
        return circle

    def invited(self, circle_id: str, invitation: str) -> Circle:
        """A circle, for who has its link. Raises UnknownCircle, UnknownRecovery if the link is void."""
        with self._database.reading() as connection:
            return _invited(connection, circle_id, invitation)

    def join(self, circle_id: str, invitation: str, player_id: str, at: float) -> None:
        """Make the player a member; no effect on one. Raises UnknownCircle, UnknownRecovery, TooMuch."""
        try:
            with self._database.writing() as connection:
                circle = _invited(connection, circle_id, invitation, lock=True)
                if any(member.player_id == player_id for member in circle.members):
                    return
                if len(circle.members) >= MOST_MEMBERS:
                    raise TooMuch(f"this circle has {MOST_MEMBERS} members, the most there can be")
                _check_most(connection, player_id)
                number = max((member.number for member in circle.members), default=0) + 1
                _add(connection, circle_id, player_id, number, at)
        except IntegrityError:
            return  # another request of this player was first

    def rename(self, circle_id: str, player_id: str, name: str) -> None:
        """Rename a circle. Raises BadCircle, UnknownCircle, NotYourSeat."""
        kept = clean_name(name)
        with self._database.writing() as connection:
            _owned(connection, circle_id, player_id)
            connection.execute(update(circles).where(circles.c.id == circle_id).values(name=kept))

    def renew(self, circle_id: str, player_id: str) -> None:
        """Make the link void and another in its place. Raises UnknownCircle, NotYourSeat."""
        with self._database.writing() as connection:
            _owned(connection, circle_id, player_id)
            fresh = update(circles).where(circles.c.id == circle_id)
            connection.execute(fresh.values(invitation=token_urlsafe(9)))

    def remove(self, circle_id: str, player_id: str, number: int) -> None:
        """Remove another member. Raises UnknownCircle, NotYourSeat, BadCircle."""
        with self._database.writing() as connection:
            circle = _owned(connection, circle_id, player_id)
            if circle.member(player_id).number == number:
                raise BadCircle("an owner does not remove themselves: leave the circle, or close it")
            this = members.c.circle_id == circle_id, members.c.number == number
            if not connection.execute(delete(members).where(*this)).rowcount:
                raise BadCircle(f"the circle has no member number {number}")

    def leave(self, circle_id: str, player_id: str) -> None:
        """Leave a circle. It goes to the member who joined first; without any it is closed.

        Raises UnknownCircle.
        """
        with self._database.writing() as connection:
            _leave(connection, _read(connection, circle_id, lock=True), player_id)

    def close(self, circle_id: str, player_id: str) -> None:
        """Close a circle for all. Raises UnknownCircle, NotYourSeat."""
        with self._database.writing() as connection:
            _owned(connection, circle_id, player_id)
            _close(connection, circle_id)

    def records(
        self, circle: Circle, *, since: float = 0.0, today: date, seen: Iterable[str] = ()
    ) -> dict[int, Record]:
        """What every member has achieved since some time, by number.

        Of today's dailies only those count that the reader has ``seen``: no score of another is told before.
        """
        one, other = attempts.alias(), attempts.alias()
        its_day = or_(one.c.day < today.isoformat(), one.c.kind.in_(list(seen)))
        same_daily = and_(one.c.day == other.c.day, one.c.kind == other.c.kind)
        daily = _pairs(circle, one, other, same_daily, one.c.score > other.c.score, since).where(its_day)
        mine, theirs = results.alias(), results.alias()
        better = or_(
            and_(mine.c.won, not_(theirs.c.won)),
            and_(mine.c.won == theirs.c.won, mine.c.score > theirs.c.score),
        )
        game = _pairs(circle, mine, theirs, mine.c.game_id == theirs.c.game_id, better, since)
        beaten: dict[int, dict[int, int]] = {member.number: {} for member in circle.members}
        with self._database.reading() as connection:
            for query in (daily, game):
                for winner, loser, times in connection.execute(query):
                    if times:
                        beaten[winner][loser] = beaten[winner].get(loser, 0) + times
        return {number: Record(each) for number, each in beaten.items()}

    def dailies(self, circle: Circle, day: date) -> list[DailyScore]:
        """All scores of members in the dailies of a day, the best first."""
        query = (
            select(attempts.c.kind, members.c.number, attempts.c.score)
            .join(members, members.c.player_id == attempts.c.player_id)
            .where(
                members.c.circle_id == circle.id,
                attempts.c.day == day.isoformat(),
                attempts.c.score.is_not(None),
            )
            .order_by(attempts.c.kind, attempts.c.score.desc(), attempts.c.finished_at)
        )
        with self._database.reading() as connection:
            return [DailyScore(*row) for row in connection.execute(query)]

    def feed(self, circle: Circle, today: date, most: int) -> list[FeedLine]:
        """The games that members finished since they joined, latest first, but for today's dailies."""
        todays = select(attempts.c.game_id).where(attempts.c.day == today.isoformat())
        query = (
            select(
                members.c.number,
                results.c.game_id,
                results.c.kind,
                results.c.mode,
                results.c.seats,
                results.c.won,
                results.c.score,
                results.c.finished_at,
                games.c.id.is_not(None),
            )
            .join(members, members.c.player_id == results.c.player_id)
            .outerjoin(games, games.c.id == results.c.game_id)
            .where(
                members.c.circle_id == circle.id,
                results.c.finished_at >= members.c.joined_at,
                results.c.game_id.not_in(todays),
            )
            .order_by(results.c.finished_at.desc(), members.c.number)
            .limit(most)
        )
        with self._database.reading() as connection:
            return [FeedLine(*row) for row in connection.execute(query)]

    def open_challenges(self, circle: Circle, player_id: str, most: int) -> list[OpenChallenge]:
        """Challenges of other members that the player has not taken, latest first."""
        taken = select(challenge_entries.c.challenge_id).where(challenge_entries.c.player_id == player_id)
        query = (
            select(challenges.c.id, members.c.number, results.c.kind, results.c.mode, challenges.c.created_at)
            .join(members, members.c.player_id == challenges.c.player_id)
            .join(
                results,
                and_(
                    results.c.game_id == challenges.c.game_id,
                    results.c.player_id == challenges.c.player_id,
                ),
            )
            .where(
                members.c.circle_id == circle.id,
                challenges.c.player_id != player_id,
                challenges.c.created_at >= members.c.joined_at,
                challenges.c.id.not_in(taken),
            )
            .order_by(challenges.c.created_at.desc())
            .limit(most)
        )
        with self._database.reading() as connection:
            return [OpenChallenge(*row) for row in connection.execute(query)]


def leave_all(connection: Connection, player_id: str) -> None:
    """Take a player who is erased out of all circles."""
    own = select(members.c.circle_id).where(members.c.player_id == player_id).order_by(members.c.circle_id)
    for circle_id in list(connection.scalars(own)):
        _leave(connection, _read(connection, circle_id, lock=True), player_id)


def _read(connection: Connection, circle_id: str, *, lock: bool = False) -> Circle:
    # PostgreSQL fails on a zero character.
    readable = len(circle_id) <= _LONGEST_ID and circle_id.isprintable()
    query = select(circles).where(circles.c.id == circle_id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none() if readable else None
    if row is None:
        raise UnknownCircle(_UNKNOWN)
    columns = (
        members.c.number,
        members.c.player_id,
        players.c.nickname,
        members.c.is_owner,
        members.c.joined_at,
    )
    found = connection.execute(
        select(*columns)
        .join(players, players.c.id == members.c.player_id)
        .where(members.c.circle_id == circle_id)
        .order_by(members.c.number)
    )
    return Circle(
        row.id, row.name, row.invitation, row.created_at, tuple(Member(*member) for member in found)
    )


def _invited(connection: Connection, circle_id: str, invitation: str, *, lock: bool = False) -> Circle:
    circle = _read(connection, circle_id, lock=lock)
    if circle.invitation != invitation:
        raise UnknownRecovery("this link to a circle is void: ask a member for the new one")
    return circle


def _owned(connection: Connection, circle_id: str, player_id: str) -> Circle:
    circle = _read(connection, circle_id, lock=True)
    if not circle.member(player_id).is_owner:
        raise NotYourSeat("only the owner of a circle may do this")
    return circle


def _check_most(connection: Connection, player_id: str) -> None:
    own = select(func.count()).where(members.c.player_id == player_id)
    if (connection.scalar(own) or 0) >= MOST_CIRCLES:
        raise TooMuch(f"you are in {MOST_CIRCLES} circles, the most there can be: leave one")


def _add(
    connection: Connection, circle_id: str, player_id: str, number: int, at: float, *, is_owner: bool = False
) -> None:
    values = {"circle_id": circle_id, "player_id": player_id, "number": number, "is_owner": is_owner}
    connection.execute(insert(members).values(**values, joined_at=at))


def _leave(connection: Connection, circle: Circle, player_id: str) -> None:
    leaving = circle.member(player_id)
    this = members.c.circle_id == circle.id, members.c.number == leaving.number
    connection.execute(delete(members).where(*this))
    left = [member for member in circle.members if member != leaving]
    if not left:
        _close(connection, circle.id)
    elif leaving.is_owner:
        heir = members.c.circle_id == circle.id, members.c.number == left[0].number
        connection.execute(update(members).where(*heir).values(is_owner=True))


def _close(connection: Connection, circle_id: str) -> None:
    connection.execute(delete(members).where(members.c.circle_id == circle_id))
    connection.execute(delete(circles).where(circles.c.id == circle_id))


def _pairs(
    circle: Circle, one: Any, other: Any, same: ColumnElement[bool], better: ColumnElement[bool], since: float
) -> Any:
    """The numbers of every two members who both finished the ``same``, and how often the first was better."""
    first, second = members.alias(), members.alias()
    return (
        select(first.c.number, second.c.number, func.sum(case((better, 1), else_=0)))
        .select_from(one)
        .join(other, and_(same, one.c.player_id != other.c.player_id))
        .join(first, and_(first.c.player_id == one.c.player_id, first.c.circle_id == circle.id))
        .join(second, and_(second.c.player_id == other.c.player_id, second.c.circle_id == circle.id))
        .where(
            *(
                attempt.c.finished_at >= start
                for attempt in (one, other)
                for start in (first.c.joined_at, second.c.joined_at, since)
            )
        )
        .group_by(first.c.number, second.c.number)
    )
