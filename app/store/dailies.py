"""Daily games: one seed per kind of game and UTC day, one ranked attempt per player."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from sqlalchemy import ColumnElement, insert, select
from sqlalchemy.exc import IntegrityError

from app.games.rulebook import Rulebook
from app.store.bot_accounts import check_is_person
from app.store.daily_scores import rank_of
from app.store.database import Database
from app.store.days import day_of, open_since
from app.store.games import GameStore
from app.store.models import Seat, Table
from app.store.schema import attempts, dailies, games, players, results
from app.store.shown_names import SHOWN_NAME


@dataclass(frozen=True, slots=True)
class Attempt:
    """A player's ranked attempt at a daily."""

    day: date
    game_id: str
    score: int | None
    """None until the game is finished."""
    kept: bool
    """Whether the game is still stored; the score outlives it."""


def streak_of(days: AbstractSet[date], today: date) -> int:
    """The number of consecutive days up to today, or up to yesterday if today is not among them."""
    day = today if today in days else today - timedelta(days=1)
    length = 0
    while day in days:
        length += 1
        day -= timedelta(days=1)
    return length


def daily_streak(days: AbstractSet[date], at: float) -> int:
    """The streak of a player who has finished the dailies of these days.

    A missing day ends it only when its daily can no longer be finished, an hour after midnight.
    """
    return max(streak_of(days, day) for day in (day_of(at), open_since(at)))


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a daily leaderboard."""

    rank: int
    player_id: str
    nickname: str | None
    score: int
    accuracy: float | None
    game_id: str | None
    """None if the game has been pruned."""


class UnknownDay(LookupError):
    """There is no daily on that day."""


def check_begun(day: date, at: float) -> None:
    """Raise UnknownDay if ``day`` is in the future."""
    if day > day_of(at):
        raise UnknownDay(f"{day.isoformat()} is in the future")


class Dailies:
    """The dailies of all games."""

    def __init__(self, database: Database, rulebook: Rulebook, games: GameStore) -> None:
        self._database = database
        self._rulebook = rulebook
        self._games = games

    def for_kind(self, kind: str) -> "DailyStore":
        """The dailies of this name: a kind of game, or one of the game's ``more_dailies``."""
        return DailyStore(self._database, self._rulebook, self._games, kind)

    def of_player(self, player_id: str) -> dict[str, dict[date, Attempt]]:
        """All ranked attempts of a player by kind of game and day, latest first."""
        query = (
            select(attempts, games.c.id.is_not(None).label("kept"))
            .outerjoin(games, games.c.id == attempts.c.game_id)
            .where(attempts.c.player_id == player_id)
            .order_by(attempts.c.day.desc())
        )
        found: dict[str, dict[date, Attempt]] = {}
        with self._database.reading() as connection:
            for row in connection.execute(query):
                day = date.fromisoformat(row.day)
                found.setdefault(row.kind, {})[day] = Attempt(day, row.game_id, row.score, bool(row.kept))
        return found

    def is_running(self, seed: str, at: float) -> bool:
        """Whether a daily that can still be played uses this seed, which is then secret."""
        query = select(dailies.c.day).where(
            dailies.c.seed == seed, dailies.c.day >= open_since(at).isoformat()
        )
        with self._database.reading() as connection:
            return connection.scalar(query) is not None


class DailyStore:
    """The dailies of one name: a kind of game, or one of the game's ``more_dailies``."""

    def __init__(self, database: Database, rulebook: Rulebook, games: GameStore, kind: str) -> None:
        self._database = database
        self._rulebook = rulebook
        self._games = games
        self._kind = kind

    def attempt(self, day: date, player_id: str, at: float) -> Table:
        """The player's ranked game of ``day``, which must be today. The first call opens it.

        Raises PeopleOnly for a bot account.
        """
        known = self.attempt_of(day, player_id)
        if known is None:
            try:
                return self._open(day, player_id, at, ranked=True)
            except IntegrityError:
                known = self.attempt_of(day, player_id)  # opened in another tab meanwhile
                if known is None:
                    raise
        return self._games.load(known.game_id, at)

    def rehearse(self, day: date, player_id: str, at: float) -> Table:
        """Open an unranked game of a past day. Raises UnknownDay, as ``check_past`` does."""
        self.check_past(day, at)
        return self._open(day, player_id, at, ranked=False)

    def check_past(self, day: date, at: float) -> None:
        """Raise UnknownDay if there was no daily on ``day``, or if its ranked games can still be finished."""
        check_begun(day, at)
        if day >= open_since(at):
            raise UnknownDay(f"{day.isoformat()} is not over yet: ranked games are still being played")
        if not self.exists(day):
            raise UnknownDay(f"there was no daily on {day.isoformat()}")

    def attempt_of(self, day: date, player_id: str) -> Attempt | None:
        """The player's ranked attempt at ``day``, if there is one."""
        query = (
            select(attempts.c.game_id, attempts.c.score, games.c.id.is_not(None).label("kept"))
            .outerjoin(games, games.c.id == attempts.c.game_id)
            .where(*self._of(day), attempts.c.player_id == player_id)
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else Attempt(day, row.game_id, row.score, bool(row.kept))

    def leaderboard(self, day: date, most: int) -> list[Standing]:
        """The best ``most`` results of a day. Equal scores share a rank, ordered by when they finished."""
        query = (
            select(
                attempts.c.player_id,
                SHOWN_NAME,
                attempts.c.score,
                results.c.accuracy,
                games.c.id,
            )
            .join(players, players.c.id == attempts.c.player_id)
            .outerjoin(games, games.c.id == attempts.c.game_id)
            .outerjoin(
                results,
                (results.c.game_id == attempts.c.game_id) & (results.c.player_id == attempts.c.player_id),
            )
            .where(*self._of(day), attempts.c.score.is_not(None))
            .order_by(attempts.c.score.desc(), attempts.c.finished_at)
            .limit(most)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        standings: list[Standing] = []
        for place, row in enumerate(rows, start=1):
            ties = standings and standings[-1].score == row.score
            standings.append(Standing(standings[-1].rank if ties else place, *row))
        return standings

    def rank(self, day: date, score: int) -> tuple[int, int]:
        """The rank of a score on a day, and the number of players who finished."""
        with self._database.reading() as connection:
            return rank_of(connection, day.isoformat(), self._kind, score)

    def streak(self, player_id: str, at: float) -> int:
        """The player's current streak of finished days; see ``daily_streak``."""
        return daily_streak(set(self._finished_days(player_id)), at)

    def longest_streak(self, player_id: str) -> int:
        """The player's longest streak of finished days."""
        days = set(self._finished_days(player_id))
        longest = 0
        for day in days:
            if day - timedelta(days=1) not in days:
                length = 1
                while day + timedelta(days=length) in days:
                    length += 1
                longest = max(longest, length)
        return longest

    def archive(self, player_id: str | None, today: date, most: int) -> list[tuple[date, Attempt | None]]:
        """The days before today, latest first, each with the player's ranked attempt."""
        query = (
            select(dailies.c.day, attempts.c.game_id, attempts.c.score, games.c.id.is_not(None).label("kept"))
            .outerjoin(
                attempts,
                (attempts.c.day == dailies.c.day)
                & (attempts.c.kind == dailies.c.kind)
                & (attempts.c.player_id == (player_id or "")),
            )
            .outerjoin(games, games.c.id == attempts.c.game_id)
            .where(dailies.c.kind == self._kind, dailies.c.day < today.isoformat())
            .order_by(dailies.c.day.desc())
            .limit(most)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [
            (day, Attempt(day, row.game_id, row.score, bool(row.kept)) if row.game_id else None)
            for row in rows
            for day in (date.fromisoformat(row.day),)
        ]

    def _open(self, day: date, player_id: str, at: float, *, ranked: bool) -> Table:
        seed, options = self._daily(day)
        kind = self._rulebook.kind_of_daily(self._kind)
        dealt = self._games.deal(kind, options, [Seat(player_id=player_id)], at, seed)
        with self._database.writing() as connection:
            if ranked:
                check_is_person(connection, player_id, "play past days")
            table = self._games.keep_new(connection, dealt)
            if ranked:
                row = {"day": day.isoformat(), "kind": self._kind, "player_id": player_id}
                connection.execute(insert(attempts).values(game_id=table.id, **row))
                table = replace(table, day=day)
        return table

    def _daily(self, day: date) -> tuple[str, Any]:
        """The seed and options of a day, chosen and stored by the first call for the day."""
        key = {"day": day.isoformat(), "kind": self._kind}
        query = select(dailies.c.seed, dailies.c.options).filter_by(**key)
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            options, seed = self._rulebook.daily(self._kind, iter(self._games.seeds, None))
            try:
                with self._database.writing() as connection:
                    connection.execute(
                        insert(dailies).values(seed=seed, options=options.model_dump_json(), **key)
                    )
            except IntegrityError:
                return self._daily(day)  # another worker stored it first
            return seed, options
        kind = self._rulebook.kind_of_daily(self._kind)
        return row.seed, self._rulebook.games[kind].options_type.model_validate_json(row.options)

    def exists(self, day: date) -> bool:
        """Whether there is a daily for that day: it is created when the first player opens it."""
        query = select(dailies.c.day).where(dailies.c.day == day.isoformat(), dailies.c.kind == self._kind)
        with self._database.reading() as connection:
            return connection.scalar(query) is not None

    def _finished_days(self, player_id: str) -> Iterator[date]:
        query = select(attempts.c.day).where(
            attempts.c.kind == self._kind,
            attempts.c.player_id == player_id,
            attempts.c.score.is_not(None),
        )
        with self._database.reading() as connection:
            days = list(connection.scalars(query))
        return map(date.fromisoformat, days)

    def _of(self, day: date) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        return attempts.c.day == day.isoformat(), attempts.c.kind == self._kind
