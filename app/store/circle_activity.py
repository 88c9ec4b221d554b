"""Activity in a circle: the members' records against each other, dailies, games and challenges.

Records count what two members finished after both had joined. A member gets a point for beating another:
in a daily by score, in a game that both played by winning it, else by score. A tie gives no point.
"""

from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, not_, or_, select

from app.store.blocks import blocking
from app.store.circles import Circle, Member
from app.store.database import Database
from app.store.schema import attempts, challenge_entries, challenges, games, members, results


@dataclass(frozen=True, slots=True)
class Record:
    """A member's record against the other members."""

    beaten: dict[int, int]
    """How often they beat each other member, by member number; zeros are left out."""

    @property
    def points(self) -> int:
        """Total number of wins over other members."""
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
    """Whether the game is still stored; its result outlives it."""


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A member's challenge that the reader has not taken."""

    id: str
    number: int
    kind: str
    mode: str
    created_at: float


class CircleActivity:
    """Reads the activity in circles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def records(
        self, circle: Circle, reader: Member, *, since: float = 0.0, running: date
    ) -> dict[int, Record]:
        """Every member's record since ``since``, by member number.

        Dailies from the day ``running`` on count only if the reader has finished them.
        """
        one, other, own = attempts.alias(), attempts.alias(), attempts.alias()
        same_daily = and_(one.c.day == other.c.day, one.c.kind == other.c.kind)
        daily = _pairs(circle, one, other, same_daily, one.c.score > other.c.score, since)
        done = own.c.player_id == reader.player_id, own.c.score.is_not(None)
        known = select(own.c.game_id).where(*done, own.c.day == one.c.day, own.c.kind == one.c.kind).exists()
        daily = daily.where(or_(one.c.day < running.isoformat(), known))
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
        """All scores of members in the dailies of a day, by kind of game, the best first."""
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

    def feed(self, circle: Circle, running: date, most: int) -> list[FeedLine]:
        """Games that members finished after joining, latest first, without dailies from ``running`` on."""
        still_played = select(attempts.c.game_id).where(attempts.c.day >= running.isoformat())
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
                results.c.game_id.not_in(still_played),
            )
            .order_by(results.c.finished_at.desc(), members.c.number)
            .limit(most)
        )
        with self._database.reading() as connection:
            return [FeedLine(*row) for row in connection.execute(query)]

    def open_challenges(self, circle: Circle, player_id: str, most: int) -> list[OpenChallenge]:
        """Other members' challenges that the player has not taken, latest first, without blocked players'."""
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
                ~blocking(challenges.c.player_id, player_id),
            )
            .order_by(challenges.c.created_at.desc())
            .limit(most)
        )
        with self._database.reading() as connection:
            return [OpenChallenge(*row) for row in connection.execute(query)]


def _pairs(
    circle: Circle, one: Any, other: Any, same: ColumnElement[bool], better: ColumnElement[bool], since: float
) -> Any:
    """Each ordered pair of members who both finished the ``same``, and how often the first was better."""
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
