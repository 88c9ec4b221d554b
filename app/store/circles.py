"""Circles: private groups of players. Their members' games are in ``circle_activity.py``."""

from contextlib import suppress
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.store.database import Database
from app.store.models import BadField, NotYourSeat, TooMuch
from app.store.players import UnknownRecovery, clean_nickname
from app.store.sanctions import check_may_meet, check_may_name
from app.store.schema import (
    circles,
    members,
    players,
)
from app.store.shown_names import SHOWN_NAME

MOST_CIRCLES: Final = 20
"""Maximum number of circles per player."""
MOST_MEMBERS: Final = 50
"""Maximum number of members per circle."""
LONGEST_NAME: Final = 40
_LONGEST_ID: Final = 32


class UnknownCircle(LookupError):
    """There is no such circle, or the player is not a member of it: a circle is private."""


class BadCircle(BadField):
    """The action is not possible for this circle; the message says why."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a circle."""

    number: int
    """Never reused within the circle. Members see each other's numbers, while player IDs stay secret."""
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


_UNKNOWN: Final = "there is no such circle, or you are not a member of it: ask a member for the link"


def clean_name(name: str) -> str:
    """The name of a circle, cleaned like a nickname. Raises BadCircle."""
    try:
        kept = clean_nickname(name, most=LONGEST_NAME)
    except ValueError as refused:
        raise BadCircle(str(refused).replace("a nickname", "the name of a circle"), "name") from None
    return kept


class Circles:
    """All circles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, name: str, player_id: str, at: float) -> str:
        """Open a circle with the player as its owner and return its ID.

        Raises BadCircle, Sanctioned, TooMuch.
        """
        kept, circle_id = clean_name(name), token_urlsafe(9)
        with self._database.writing() as connection:
            check_may_name(connection, player_id, at)
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

    def read_for_operators(self, circle_id: str) -> Circle:
        """A circle, for operators. Raises UnknownCircle."""
        try:
            with self._database.reading() as connection:
                return _read(connection, circle_id)
        except UnknownCircle:
            raise UnknownCircle("there is no such circle: it may have been closed") from None

    def invited(self, circle_id: str, invitation: str) -> Circle:
        """A circle, for those with its link. Raises UnknownCircle, UnknownRecovery if the link is void."""
        with self._database.reading() as connection:
            return _invited(connection, circle_id, invitation)

    def join(self, circle_id: str, invitation: str, player_id: str, at: float) -> None:
        """Make the player a member; no effect if they are one already.

        Raises UnknownCircle, UnknownRecovery, Sanctioned, TooMuch.
        """
        try:
            with self._database.writing() as connection:
                circle = _invited(connection, circle_id, invitation, lock=True)
                if any(member.player_id == player_id for member in circle.members):
                    return
                check_may_meet(connection, player_id, at)
                if len(circle.members) >= MOST_MEMBERS:
                    raise TooMuch(f"this circle has {MOST_MEMBERS} members, the most allowed")
                _check_most(connection, player_id)
                count = update(circles).where(circles.c.id == circle_id)
                number = count.values(last_number=circles.c.last_number + 1).returning(circles.c.last_number)
                _add(connection, circle_id, player_id, connection.scalars(number).one(), at)
        except IntegrityError:
            return  # another request of this player was first

    def rename(self, circle_id: str, player_id: str, name: str, at: float) -> None:
        """Rename a circle. Raises BadCircle, UnknownCircle, NotYourSeat, Sanctioned."""
        kept = clean_name(name)
        with self._database.writing() as connection:
            _owned(connection, circle_id, player_id)
            check_may_name(connection, player_id, at)
            connection.execute(update(circles).where(circles.c.id == circle_id).values(name=kept))

    def renew(self, circle_id: str, player_id: str) -> None:
        """Replace the invitation link by a new one. Raises UnknownCircle, NotYourSeat."""
        with self._database.writing() as connection:
            _owned(connection, circle_id, player_id)
            fresh = update(circles).where(circles.c.id == circle_id)
            connection.execute(fresh.values(invitation=token_urlsafe(9)))

    def remove(self, circle_id: str, player_id: str, number: int) -> None:
        """Remove another member. Raises UnknownCircle, NotYourSeat, BadCircle."""
        with self._database.writing() as connection:
            circle = _owned(connection, circle_id, player_id)
            if circle.member(player_id).number == number:
                raise BadCircle("you cannot remove yourself: leave the circle, or close it", "path", "number")
            this = members.c.circle_id == circle_id, members.c.number == number
            if not connection.execute(delete(members).where(*this)).rowcount:
                raise BadCircle(f"the circle has no member number {number}", "path", "number")

    def leave(self, circle_id: str, player_id: str) -> None:
        """Leave a circle. If the owner leaves, the next member becomes owner; an empty circle is closed.

        Raises UnknownCircle.
        """
        with self._database.writing() as connection:
            _leave(connection, _read(connection, circle_id, lock=True), player_id)

    def close(self, circle_id: str, player_id: str) -> None:
        """Close a circle for all. Raises UnknownCircle, NotYourSeat."""
        with self._database.writing() as connection:
            _owned(connection, circle_id, player_id)
            _close(connection, circle_id)


def leave_all(connection: Connection, player_id: str) -> None:
    """Make a player who is being erased leave all circles."""
    own = select(members.c.circle_id).where(members.c.player_id == player_id).order_by(members.c.circle_id)
    for circle_id in list(connection.scalars(own)):
        with suppress(UnknownCircle):  # closed meanwhile, or they were removed from it
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
        SHOWN_NAME,
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
        raise UnknownRecovery("this link to a circle is not valid any more: ask a member for the new one")
    return circle


def _owned(connection: Connection, circle_id: str, player_id: str) -> Circle:
    circle = _read(connection, circle_id, lock=True)
    if not circle.member(player_id).is_owner:
        raise NotYourSeat("only the owner of a circle may do this")
    return circle


def _check_most(connection: Connection, player_id: str) -> None:
    own = select(func.count()).where(members.c.player_id == player_id)
    if (connection.scalar(own) or 0) >= MOST_CIRCLES:
        raise TooMuch(f"you are in {MOST_CIRCLES} circles, the most allowed: leave one")


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
