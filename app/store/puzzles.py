"""Players' answers to puzzles, and the ratings of players and puzzles.

A player's first answer to a shipped puzzle counts: unless it was given in a rush, it changes the puzzle's
rating and the player's rating in puzzles of that game, by Glicko-2. The shipped puzzles themselves are data;
see ``app.games.puzzles``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, delete, insert, select, update

from app.games.glicko import Rating
from app.games.puzzles import Puzzle
from app.store.dailies import streak_of
from app.store.database import Database, upsert
from app.store.players import lock_player
from app.store.schema import (
    own_puzzles,
    puzzle_attempts,
    puzzle_players,
    puzzle_ratings,
    puzzle_rushes,
)

_LONGEST_ANSWER: Final = 64


class UnknownPuzzle(LookupError):
    """There is no such puzzle or rush, or it is not the player's."""


@dataclass(frozen=True, slots=True)
class PuzzleStanding:
    """A player's rating and numbers of rated and solved puzzles in one game."""

    rating: Rating
    attempts: int
    solved: int


@dataclass(frozen=True, slots=True)
class PuzzleAttempt:
    """A player's first answer to a puzzle, or the latest to one from an own game."""

    puzzle_id: str
    kind: str
    at: float
    solved: bool
    answer: str
    """The word; empty if the player asked for the solution."""
    value: float | None
    """Value of the answer; None without one."""
    rating: float | None
    """The player's rating after the answer; None if it was not rated."""
    change: float | None
    """How much the rating changed."""
    day: str | None
    """The date if it was the puzzle of the day, in ISO format."""


class Given(NamedTuple):
    """A checked answer."""

    solved: bool
    word: str = ""
    value: float | None = None


class PuzzleStore:
    """Answers and ratings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def attempt(self, player_id: str | None, puzzle_id: str) -> PuzzleAttempt | None:
        """The player's answer to a puzzle that counts; None if there is none."""
        row = puzzle_attempts.c
        query = select(puzzle_attempts).where(row.player_id == player_id, row.puzzle_id == puzzle_id)
        with self._database.reading() as connection:
            found = connection.execute(query).one_or_none()
        return None if found is None else _attempt(found)

    def attempts(self, player_id: str | None, kind: str | None = None) -> list[PuzzleAttempt]:
        """The player's answers that count, the latest first."""
        query = select(puzzle_attempts).where(puzzle_attempts.c.player_id == player_id)
        if kind is not None:
            query = query.where(puzzle_attempts.c.kind == kind)
        with self._database.reading() as connection:
            found = connection.execute(query.order_by(puzzle_attempts.c.at.desc()))
            return [_attempt(row) for row in found]

    def answer(
        self,
        player_id: str,
        puzzle: Puzzle,
        given: Given,
        at: float,
        *,
        day: date | None = None,
        rated: bool = True,
    ) -> PuzzleAttempt:
        """Store a first answer and change the ratings; an earlier answer stays as it is.

        Returns the answer that counts. Raises UnknownPlayer.
        """
        with self._database.writing() as connection:
            lock_player(connection, player_id)
            row = puzzle_attempts.c
            mine = select(puzzle_attempts).where(row.player_id == player_id, row.puzzle_id == puzzle.id)
            known = connection.execute(mine).one_or_none()
            if known is not None:
                return _attempt(known)
            after = change = None
            if rated:
                after, change = _rate(connection, player_id, puzzle, at, solved=given.solved)
            today = None if day is None else day.isoformat()
            attempt = PuzzleAttempt(puzzle.id, puzzle.kind, at, *given, after, change, today)
            return insert_attempt(connection, player_id, attempt)

    def standings(self, player_id: str | None) -> dict[str, PuzzleStanding]:
        """The player's rating and numbers by kind of game."""
        query = select(puzzle_players).where(puzzle_players.c.player_id == player_id)
        with self._database.reading() as connection:
            found = connection.execute(query).all()
        return {row.kind: PuzzleStanding(_rating(row), row.attempts, row.solved) for row in sorted(found)}

    def puzzle_ratings(self, puzzle_ids: Iterable[str]) -> dict[str, Rating]:
        """The ratings of these puzzles; without those never answered."""
        row = puzzle_ratings.c
        query = select(puzzle_ratings).where(row.puzzle_id.in_(list(puzzle_ids)))
        with self._database.reading() as connection:
            return {each.puzzle_id: _rating(each) for each in connection.execute(query)}

    def streaks(self, player_id: str | None, today: date) -> dict[str, int]:
        """The player's current streak of solved puzzles of the day, by kind of game."""
        row = puzzle_attempts.c
        query = select(row.kind, row.day).where(row.player_id == player_id, row.day.is_not(None), row.solved)
        days: dict[str, set[date]] = {}
        with self._database.reading() as connection:
            for kind, day in connection.execute(query):
                days.setdefault(kind, set()).add(date.fromisoformat(day))
        return {kind: streak_of(solved, today) for kind, solved in days.items()}


def insert_attempt(connection: Connection, player_id: str, attempt: PuzzleAttempt) -> PuzzleAttempt:
    """Store an answer; return it as stored."""
    stored = replace(attempt, answer=attempt.answer[:_LONGEST_ANSWER])
    connection.execute(insert(puzzle_attempts).values(player_id=player_id, **asdict(stored)))
    return stored


def merge_puzzles(connection: Connection, kept: str, gone: str) -> None:
    """Move a player's puzzles to another. If both answered a puzzle, the earlier answer stays.

    For each game, the rating of the player with more rated answers stays.
    """
    own, theirs = puzzle_attempts.alias(), puzzle_attempts.alias()
    twice = (
        select(own.c.puzzle_id, (theirs.c.at < own.c.at).label("replaced"))
        .join(theirs, theirs.c.puzzle_id == own.c.puzzle_id)
        .where(own.c.player_id == kept, theirs.c.player_id == gone)
    )
    row = puzzle_attempts.c
    for each in connection.execute(twice.order_by(own.c.puzzle_id)).all():
        dropped = kept if each.replaced else gone
        connection.execute(
            delete(puzzle_attempts).where(row.puzzle_id == each.puzzle_id, row.player_id == dropped)
        )
    standing = puzzle_players.c
    for each in connection.execute(select(puzzle_players).where(standing.player_id == gone)).all():
        mine = standing.player_id == kept, standing.kind == each.kind
        held = connection.execute(select(puzzle_players).where(*mine)).one_or_none()
        if held is not None:
            fewer = kept if each.attempts > held.attempts else gone
            connection.execute(
                delete(puzzle_players).where(standing.player_id == fewer, standing.kind == each.kind)
            )
    for table in (puzzle_attempts, puzzle_players, puzzle_rushes):
        connection.execute(update(table).where(table.c.player_id == gone).values(player_id=kept))
    games = select(own_puzzles.c.game_id).where(own_puzzles.c.player_id == kept)
    shared = select(own_puzzles.c.id).where(own_puzzles.c.player_id == gone, own_puzzles.c.game_id.in_(games))
    delete_own_puzzles(connection, kept, connection.scalars(shared).all())
    connection.execute(update(own_puzzles).where(own_puzzles.c.player_id == gone).values(player_id=kept))


def delete_own_puzzles(connection: Connection, player_id: str, puzzle_ids: Sequence[str]) -> None:
    """Delete puzzles from own games, and the player's answers to them."""
    if puzzle_ids:
        row = puzzle_attempts.c
        answers = row.player_id == player_id, row.puzzle_id.in_(puzzle_ids)
        connection.execute(delete(puzzle_attempts).where(*answers))
        connection.execute(delete(own_puzzles).where(own_puzzles.c.id.in_(puzzle_ids)))


def _rate(
    connection: Connection, player_id: str, puzzle: Puzzle, at: float, *, solved: bool
) -> tuple[float, float]:
    """Rate a player against a puzzle; return the player's rating and its change."""
    own, theirs = puzzle_players.c, puzzle_ratings.c
    _make_puzzle_row(connection, puzzle, at)
    locked = select(puzzle_ratings).where(theirs.puzzle_id == puzzle.id).with_for_update()
    against = connection.execute(locked).one()
    held = connection.execute(
        select(puzzle_players).where(own.player_id == player_id, own.kind == puzzle.kind)
    ).one_or_none()
    before = Rating() if held is None else _rating(held).later(at - held.rated_at)
    score = float(solved)
    after = before.after([(_rating(against), score)])
    changed = _rating(against).after([(before, 1.0 - score)])
    values = {
        **_values(after),
        "attempts": (held.attempts if held else 0) + 1,
        "solved": (held.solved if held else 0) + int(solved),
        "rated_at": at,
    }
    kept = upsert(connection, puzzle_players).values(player_id=player_id, kind=puzzle.kind, **values)
    connection.execute(kept.on_conflict_do_update(index_elements=[own.player_id, own.kind], set_=values))
    connection.execute(
        update(puzzle_ratings)
        .where(theirs.puzzle_id == puzzle.id)
        .values(
            **_values(changed),
            attempts=against.attempts + 1,
            solved=against.solved + int(solved),
            rated_at=at,
        )
    )
    return after.value, after.value - before.value


def _make_puzzle_row(connection: Connection, puzzle: Puzzle, at: float) -> None:
    first = upsert(connection, puzzle_ratings).values(
        puzzle_id=puzzle.id, **_values(puzzle.first_rating), attempts=0, solved=0, rated_at=at
    )
    connection.execute(first.on_conflict_do_nothing(index_elements=[puzzle_ratings.c.puzzle_id]))


def _values(rating: Rating) -> dict[str, float]:
    return {"value": rating.value, "deviation": rating.deviation, "volatility": rating.volatility}


def _rating(row: Row[Any]) -> Rating:
    return Rating(row.value, row.deviation, row.volatility)


def _attempt(row: Row[Any]) -> PuzzleAttempt:
    return PuzzleAttempt(*(getattr(row, name) for name in PuzzleAttempt.__slots__))
