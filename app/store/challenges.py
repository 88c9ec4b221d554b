"""Challenges: others play the deal of a finished game, and all who finish are ranked.

Each player has one game in a challenge; the challenger's is the original game.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from secrets import token_urlsafe
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from app.store.blocks import is_blocked
from app.store.dailies import Dailies
from app.store.database import NO_WRITES
from app.store.games import GameStore
from app.store.models import NotChallengeable, NotYourSeat, Seat, Table, UnknownChallenge
from app.store.sanctions import check_may_meet
from app.store.schema import challenge_entries, challenges, games, players, results
from app.store.shown_names import SHOWN_NAME

MOST_RANKED: Final = 100
"""Maximum number of players in a ranking, besides the challenger and the reader."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A finished game whose deal others may play."""

    id: str
    game_id: str
    """The original game, whose deal is played."""
    player_id: str
    """The challenger."""
    nickname: str | None
    """The challenger's nickname."""
    created_at: float


@dataclass(frozen=True, slots=True)
class ChallengeResult:
    """A player's finished game in a challenge."""

    rank: int
    """Players with the same result share a rank. A win over the bots ranks above any other result."""
    player_id: str
    nickname: str | None
    game_id: str
    won: bool
    score: int
    finished_at: float


@dataclass(frozen=True, slots=True)
class ListedChallenge:
    """A challenge in a player's list."""

    id: str
    kind: str
    mode: str
    by: str | None
    """The challenger's nickname."""
    yours: bool
    """Whether the player is the challenger."""
    players: int
    """Number of players who have finished, including the challenger."""
    new: int
    """Number of results that the challenger has not seen; 0 for other players."""
    created_at: float


class Challenges:
    """The stored challenges."""

    def __init__(self, store: GameStore, dailies: Dailies) -> None:
        self._store = store
        self._dailies = dailies

    def open(self, table: Table, player_id: str | None, at: float) -> str:
        """The ID of the challenge on the deal of a player's finished game; created by the first call.

        If the game was played in a challenge, returns that one. Raises NotYourSeat, NotChallengeable,
        Sanctioned.
        """
        if player_id is None or table.seat_of(player_id) is None:
            raise NotYourSeat("only the player of a game can make a challenge of it")
        if reason := self._refusal(table, at):
            raise NotChallengeable(reason)
        challenge_id = token_urlsafe(9)
        # A concurrent request may create it first.
        with suppress(IntegrityError), self._store.database.writing() as connection:
            if (found := _of_game(connection, table.id)) is not None:
                return found
            check_may_meet(connection, player_id, at)
            connection.execute(
                insert(challenges).values(
                    id=challenge_id, game_id=table.id, player_id=player_id, created_at=at, seen_at=at
                )
            )
            _enter(connection, challenge_id, player_id, table.id)
        return self.of_game(table.id) or challenge_id

    def may_open(self, table: Table, player_id: str | None, at: float) -> bool:
        """Whether ``open`` would return a challenge."""
        seated = table.seat_of(player_id) is not None
        return seated and table.finished_at is not None and not self._refusal(table, at)

    def of_game(self, game_id: str) -> str | None:
        """The ID of the challenge that a game belongs to, if any."""
        with self._store.database.reading() as connection:
            return _of_game(connection, game_id)

    def read(self, challenge_id: str, player_id: str | None = None) -> Challenge:
        """A challenge. Raises UnknownChallenge, also if its game was deleted.

        Raises it, too, if a block separates the player from the challenger and they have not taken it yet.
        """
        query = (
            select(challenges, SHOWN_NAME)
            .join(players, players.c.id == challenges.c.player_id)
            .where(challenges.c.id == challenge_id)
        )
        with self._store.database.reading() as connection:
            row = connection.execute(query).one_or_none()
            if row is not None and _keeps_out(connection, row, player_id):
                row = None
        if row is None:
            raise UnknownChallenge(
                f"there is no challenge {challenge_id!r}: broken link, or its game was deleted"
            )
        return Challenge(row.id, row.game_id, row.player_id, row.nickname, row.created_at)

    def entry(self, challenge: Challenge, player_id: str | None) -> str | None:
        """The ID of the player's game in the challenge, finished or not."""
        if player_id is None:
            return None
        with self._store.database.reading() as connection:
            return _entry(connection, challenge.id, player_id)

    def draft(self, challenge: Challenge, at: float) -> Table:
        """A new game on the challenge's deal, not stored, with the player's seat free; see ``enter``.

        Raises UnknownGame, also if the word list is missing.
        """
        table = self._store.read(challenge.game_id)
        taken = [Seat(bot_level=seat.bot_level) for seat in table.seats]
        settings = replace(table.settings, listed=False)
        return self._store.deal(table.kind, table.state.options, taken, at, table.seed, settings)

    def enter(self, challenge: Challenge, draft: Table, player_id: str) -> str:
        """Store the player's game and return its ID, or the ID of an earlier game if there is one.

        Raises TooMuch, Sanctioned.
        """
        taken = tuple(Seat(player_id) if seat.is_free else seat for seat in draft.seats)
        # A concurrent request may store one first.
        with suppress(IntegrityError), self._store.database.writing() as connection:
            if (found := _entry(connection, challenge.id, player_id)) is not None:
                return found
            check_may_meet(connection, player_id, draft.created_at)
            self._store.keep_new(connection, replace(draft, seats=taken))
            _enter(connection, challenge.id, player_id, draft.id)
        return self.entry(challenge, player_id) or draft.id

    def standings(self, challenge: Challenge, player_id: str | None = None) -> list[ChallengeResult]:
        """The results by rank: the best MOST_RANKED, plus the challenger's and the player's own."""
        ranked = _results(challenge.id).subquery()
        shown = or_(
            ranked.c.place <= MOST_RANKED, ranked.c.player_id.in_([challenge.player_id, player_id or ""])
        )
        query = select(ranked).where(shown).order_by(ranked.c.place)
        with self._store.database.reading() as connection:
            return [_result(row) for row in connection.execute(query)]

    def count(self, challenge: Challenge) -> int:
        """Number of players who have finished, including the challenger."""
        with self._store.database.reading() as connection:
            query = select(func.count()).select_from(_results(challenge.id).subquery())
            return connection.scalar(query) or 0

    def result_of(self, challenge: Challenge, game_id: str) -> ChallengeResult | None:
        """The result of one finished game in the challenge."""
        ranked = _results(challenge.id).subquery()
        with self._store.database.reading() as connection:
            row = connection.execute(select(ranked).where(ranked.c.game_id == game_id)).one_or_none()
        return None if row is None else _result(row)

    def is_secret(self, game_id: str, player_id: str | None) -> bool:
        """Whether a game belongs to another player in a challenge that this player has not finished."""
        mine, other = challenge_entries.alias(), challenge_entries.alias()
        query = (
            select(mine.c.game_id)
            .join(other, other.c.challenge_id == mine.c.challenge_id)
            .join(games, games.c.id == mine.c.game_id)
            .where(
                mine.c.player_id == player_id,
                other.c.game_id == game_id,
                other.c.player_id != player_id,
                games.c.status == "open",
            )
        )
        with self._store.database.reading() as connection:
            return connection.execute(query).first() is not None

    def see(self, challenge: Challenge, player_id: str | None, at: float) -> None:
        """Remember that the challenger has seen the standings."""
        if player_id != challenge.player_id:
            return
        with suppress(*NO_WRITES), self._store.database.writing() as connection:
            connection.execute(update(challenges).where(challenges.c.id == challenge.id).values(seen_at=at))

    def news(self, player_id: str) -> list[str]:
        """The IDs of this player's challenges with new results, one entry per result."""
        query = (
            select(challenges.c.id)
            .join(challenge_entries, challenge_entries.c.challenge_id == challenges.c.id)
            .join(results, _played())
            .where(challenges.c.player_id == player_id, _is_answer(), _is_new())
            .order_by(results.c.finished_at)
        )
        with self._store.database.reading() as connection:
            return list(connection.scalars(query))

    def of_player(self, player_id: str, most: int | None = None) -> list[ListedChallenge]:
        """The challenges that a player made or finished: those with new results first, then the latest."""
        answers = (
            select(func.count())
            .select_from(challenge_entries.join(results, _played()))
            .where(challenge_entries.c.challenge_id == challenges.c.id, _is_answer())
            .correlate(challenges)
        )
        new = answers.where(_is_new(), challenges.c.player_id == player_id).scalar_subquery()
        mine = challenge_entries.alias()
        query = (
            select(
                challenges.c.id,
                results.c.kind,
                results.c.mode,
                SHOWN_NAME.label("by"),
                challenges.c.player_id,
                answers.scalar_subquery().label("answers"),
                new.label("new"),
                challenges.c.created_at,
            )
            .select_from(mine)
            .join(challenges, challenges.c.id == mine.c.challenge_id)
            .join(players, players.c.id == challenges.c.player_id)
            .join(results, and_(results.c.game_id == mine.c.game_id, results.c.player_id == player_id))
            .where(mine.c.player_id == player_id)
            .order_by(new.desc(), challenges.c.created_at.desc())
            .limit(most)
        )
        with self._store.database.reading() as connection:
            return [
                ListedChallenge(
                    id=row.id,
                    kind=row.kind,
                    mode=row.mode,
                    by=row.by,
                    yours=row.player_id == player_id,
                    players=row.answers + 1,
                    new=row.new,
                    created_at=row.created_at,
                )
                for row in connection.execute(query)
            ]

    def _refusal(self, table: Table, at: float) -> str | None:
        """Why the game's deal cannot be a challenge; None if it can."""
        if table.finished_at is None:
            return "the game is still in progress: you can make a challenge of it when it is over"
        if not table.has_one_person:
            return "a challenge needs a game that you played alone or against bots"
        if table.game.has_levels(table.state.options):
            return "a level cannot be a challenge: everyone can play it from the list of levels"
        if table.is_lesson:
            return "a lesson cannot be a challenge: play a game of your own first"
        if self._dailies.is_running(table.seed, at):
            return (
                "today’s daily is the same for everyone already: it can be a challenge when its day is over"
            )
        return None


def _of_game(connection: Connection, game_id: str) -> str | None:
    query = select(challenge_entries.c.challenge_id).where(challenge_entries.c.game_id == game_id)
    found: str | None = connection.scalar(query)
    return found


def _keeps_out(connection: Connection, challenge: Row[Any], player_id: str | None) -> bool:
    """Whether a block bars a player from a challenge that they have not taken."""
    if player_id is None or not is_blocked(connection, challenge.player_id, player_id):
        return False
    return _entry(connection, challenge.id, player_id) is None


def _entry(connection: Connection, challenge_id: str, player_id: str) -> str | None:
    mine = challenge_entries.c.challenge_id == challenge_id, challenge_entries.c.player_id == player_id
    found: str | None = connection.scalar(select(challenge_entries.c.game_id).where(*mine))
    return found


def _enter(connection: Connection, challenge_id: str, player_id: str, game_id: str) -> None:
    values = {"challenge_id": challenge_id, "player_id": player_id, "game_id": game_id}
    connection.execute(insert(challenge_entries).values(values))


def _played() -> ColumnElement[bool]:
    """The condition that joins an entry to its result."""
    return and_(
        results.c.game_id == challenge_entries.c.game_id, results.c.player_id == challenge_entries.c.player_id
    )


def _results(challenge_id: str) -> Select[Any]:
    """All results of a challenge with their ranks; ``place`` also orders equal ranks."""
    best = results.c.won.desc(), results.c.score.desc()
    return (
        select(
            func.rank().over(order_by=best).label("rank"),
            func.row_number().over(order_by=(*best, results.c.finished_at)).label("place"),
            results.c.player_id,
            SHOWN_NAME,
            results.c.game_id,
            results.c.won,
            results.c.score,
            results.c.finished_at,
        )
        .join(challenge_entries, _played())
        .join(players, players.c.id == results.c.player_id)
        .where(challenge_entries.c.challenge_id == challenge_id)
    )


def _result(row: Row[Any]) -> ChallengeResult:
    return ChallengeResult(
        row.rank, row.player_id, row.nickname, row.game_id, row.won, row.score, row.finished_at
    )


def _is_answer() -> ColumnElement[bool]:
    """The condition that an entry is not the challenger's."""
    return challenge_entries.c.player_id != challenges.c.player_id


def _is_new() -> ColumnElement[bool]:
    """The condition that the challenger has not seen a result."""
    return results.c.finished_at > challenges.c.seen_at
