"""Reports by players to the operators, about names, remarks, games and circles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from secrets import token_urlsafe
from typing import Any, Final, Literal, TypeAlias
from unicodedata import category

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from app.store.database import Database
from app.store.models import NO_PLAYER, BadField, UnknownPlayer
from app.store.players import lock_players
from app.store.schema import players, reports

SubjectKind: TypeAlias = Literal["name", "remark", "game", "circle"]
"""A player's name, a remark, a game, or the name of a circle."""
Reason: TypeAlias = Literal["offensive", "harassment", "cheating", "impersonation", "other"]
LONGEST_COMMENT: Final = 300
_UNSEEN: Final = frozenset({"Cc", "Cs"})
"""Unicode categories of control characters and surrogates, which a database may refuse."""
KEPT: Final = 365 * 86_400.0
"""Seconds after which a closed report is deleted."""


class AlreadyReported(Exception):
    """The player has reported this, and no operator has looked at it yet."""


class BadReport(BadField):
    """A subject that cannot be reported; the message says why."""


class UnknownSubject(LookupError):
    """The reported subject does not exist; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is reported, as it is now."""

    kind: SubjectKind
    text: str
    """The name or the remark."""
    player_id: str | None = None
    """The player whom it is about; None for a game and the name of a circle."""
    game_id: str | None = None
    circle_id: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A report, for operators."""

    id: str
    reporter_id: str | None
    """None if the reporter is erased."""
    subject: SubjectKind
    text: str
    """The name or the remark, as it was when reported."""
    player_id: str | None
    nickname: str | None
    """The current name of the reported player."""
    game_id: str | None
    circle_id: str | None
    reason: Reason
    comment: str | None
    at: float
    closed_at: float | None
    outcome: str | None
    """The action that closed it."""

    @property
    def about(self) -> tuple[Literal["player", "game", "circle"], str]:
        """Key by which reports are grouped: the player, else the game or the circle."""
        if self.player_id is not None:
            return "player", self.player_id
        return ("circle", self.circle_id or "") if self.subject == "circle" else ("game", self.game_id or "")


@dataclass(frozen=True, slots=True)
class ReportGroup:
    """Open reports about the same player, game or name of a circle."""

    kind: Literal["player", "game", "circle"]
    id: str
    """ID of the player, the game or the circle."""
    reports: tuple[Report, ...]
    """The oldest first."""


class Reports:
    """The reports of all players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def file(
        self, reporter_id: str, subjects: Sequence[Subject], reason: Reason, comment: str | None, at: float
    ) -> int:
        """Store a player's reports on one or several subjects and return the number of all open reports.

        Names of players who have been erased meanwhile are left out, and their remarks are about the game.
        Reports about a player who has been merged are about the player who was kept.
        Raises AlreadyReported if this player has open reports on all subjects, BadReport on oneself,
        UnknownSubject if no subject is left, and UnknownPlayer.
        """
        with self._database.writing() as connection:
            # The lock on the player's row lets only one of two identical concurrent reports through.
            there, subjects = _lock(connection, reporter_id, subjects)
            if any(subject.player_id == reporter_id for subject in subjects):
                raise BadReport("this is your own: report only what others have written", "about")
            if reporter_id not in there:
                raise UnknownPlayer(NO_PLAYER)
            known = list(_of_players(there, subjects))
            if not known:
                raise UnknownSubject(f"{NO_PLAYER}: nothing was reported")
            is_new = False
            for subject in known:
                # Checked one by one, as two names may be of the same player since a merge.
                if _is_open(connection, reporter_id, subject):
                    continue
                is_new = True
                connection.execute(
                    insert(reports).values(
                        id=token_urlsafe(9),
                        reporter_id=reporter_id,
                        subject=subject.kind,
                        text=subject.text,
                        player_id=subject.player_id,
                        game_id=subject.game_id,
                        circle_id=subject.circle_id,
                        reason=reason,
                        comment=comment,
                        at=at,
                    )
                )
            if not is_new:
                raise AlreadyReported("you have reported this already: an operator will look at it")
            return _count_open(connection)

    def by_player(self, reporter_id: str) -> list[Report]:
        """A player's own reports, the latest first."""
        with self._database.reading() as connection:
            found = read_reports(connection, reports.c.reporter_id == reporter_id, None)
        return sorted(found, key=lambda each: -each.at)

    def open_count(self) -> int:
        """Number of open reports."""
        with self._database.reading() as connection:
            return _count_open(connection)

    def open(self, most: int) -> list[Report]:
        """Open reports, the oldest first."""
        with self._database.reading() as connection:
            return read_reports(connection, reports.c.closed_at.is_(None), most)

    def open_groups(self, most: int) -> list[ReportGroup]:
        """At most ``most`` open reports, grouped by what they are about, by the oldest in each group."""
        groups: dict[tuple[Literal["player", "game", "circle"], str], list[Report]] = {}
        for report in self.open(most):
            groups.setdefault(report.about, []).append(report)
        return [ReportGroup(*about, tuple(found)) for about, found in groups.items()]

    def at_game(self, game_id: str, most: int) -> list[Report]:
        """Reports on a game, and on names and remarks seen there, open ones first."""
        with self._database.reading() as connection:
            return read_reports(connection, reports.c.game_id == game_id, most)

    def in_circle(self, circle_id: str, most: int) -> list[Report]:
        """Reports on a circle and on names seen there, open ones first."""
        with self._database.reading() as connection:
            return read_reports(connection, reports.c.circle_id == circle_id, most)

    def read(self, report_id: str) -> Report | None:
        """A report, if there is one."""
        with self._database.reading() as connection:
            return next(iter(read_reports(connection, reports.c.id == report_id, 1)), None)


def read_reports(connection: Connection, condition: ColumnElement[bool], most: int | None) -> list[Report]:
    """The reports for which a condition holds: first open ones by age, then closed ones, latest first."""
    columns = [players.c.nickname if name == "nickname" else reports.c[name] for name in Report.__slots__]
    query = (
        select(*columns)
        .outerjoin(players, players.c.id == reports.c.player_id)
        .where(condition)
        .order_by(reports.c.closed_at.is_not(None), reports.c.closed_at.desc(), reports.c.at, reports.c.id)
        .limit(most)
    )
    with_names: list[Any] = list(connection.execute(query))
    return [Report(*row) for row in with_names]


def clean_comment(comment: str | None) -> str | None:
    """A comment with single spaces and without control characters; None if nothing is left.

    Raises BadReport if it is too long.
    """
    seen = "".join(each for each in " ".join((comment or "").split()) if category(each) not in _UNSEEN)
    if len(seen) > LONGEST_COMMENT:
        raise BadReport(f"a comment may have {LONGEST_COMMENT} characters, not {len(seen)}", "comment")
    return seen or None


def close_reports(connection: Connection, condition: ColumnElement[bool], outcome: str, at: float) -> int:
    """Close the open reports for which a condition holds, and return their number."""
    closing = update(reports).where(reports.c.closed_at.is_(None), condition)
    return connection.execute(closing.values(closed_at=at, outcome=outcome)).rowcount


def forget_reports(database: Database, at: float) -> None:
    """Delete the reports closed more than KEPT seconds ago."""
    with database.writing() as connection:
        connection.execute(delete(reports).where(reports.c.closed_at < at - KEPT))


def _lock(
    connection: Connection, reporter_id: str, subjects: Sequence[Subject]
) -> tuple[set[str], Sequence[Subject]]:
    """Lock the players; return those who are not erased, and the subjects, which follow merges.

    After a merge the locks are released and taken again, in order, for the players of now.
    """
    row = players.c
    while True:
        about = {each.player_id for each in subjects if each.player_id is not None}
        locks = connection.begin_nested()
        there = lock_players(connection, reporter_id, *about)
        gone = select(row.id, row.merged_into).where(row.id.in_(about - there), row.merged_into.is_not(None))
        merged = {each.id: each.merged_into for each in connection.execute(gone)}
        if not merged:
            locks.commit()
            return there, subjects
        locks.rollback()
        subjects = [
            replace(each, player_id=merged.get(each.player_id or "", each.player_id)) for each in subjects
        ]


def _of_players(there: set[str], subjects: Sequence[Subject]) -> Iterator[Subject]:
    """The subjects as they are once only the players in ``there`` are not erased."""
    for subject in subjects:
        if subject.player_id is None or subject.player_id in there:
            yield subject
        elif subject.kind == "remark":
            yield replace(subject, player_id=None)


def _is_open(connection: Connection, reporter_id: str, subject: Subject) -> bool:
    """Whether the player has an open report on this; for a name, regardless of where it was seen."""
    row = reports.c
    same = [row.subject == subject.kind, row.player_id == subject.player_id]
    if subject.kind != "name":
        same += [row.game_id == subject.game_id, row.circle_id == subject.circle_id, row.text == subject.text]
    query = select(row.id).where(row.reporter_id == reporter_id, row.closed_at.is_(None), and_(*same))
    return connection.scalar(query.limit(1)) is not None


def _count_open(connection: Connection) -> int:
    return connection.scalar(select(func.count()).where(reports.c.closed_at.is_(None))) or 0
