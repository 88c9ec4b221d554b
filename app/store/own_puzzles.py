"""Puzzles from the mistakes in a player's own games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any, Final

from sqlalchemy import Row, delete, insert, select, update

from app.games.puzzles import Puzzle
from app.store.database import Database
from app.store.players import lock_player
from app.store.puzzles import PuzzleAttempt, UnknownPuzzle, delete_own_puzzles, insert_attempt
from app.store.schema import own_puzzles, puzzle_attempts

MOST_OWN: Final = 500
"""Maximum number of puzzles from a player's own games; the oldest are removed."""
OWN: Final = "own"
"""Prefix of the ID of a puzzle from a player's own game."""


@dataclass(frozen=True, slots=True)
class OwnPuzzle:
    """A puzzle from a player's own game."""

    id: str
    kind: str
    game_id: str
    ply: int
    puzzle: Puzzle
    solved: bool | None
    """Whether the player solved it; None before the first answer."""


class OwnPuzzles:
    """The puzzles from own games of all players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, player_id: str, game_id: str, made: Mapping[int, Puzzle], at: float) -> int:
        """Store puzzles from a player's game by ply; return how many are new. Raises UnknownPlayer."""
        row = own_puzzles.c
        with self._database.writing() as connection:
            lock_player(connection, player_id)
            mine = row.player_id == player_id
            known = set(connection.scalars(select(row.ply).where(mine, row.game_id == game_id)))
            new = [
                {
                    "id": f"{OWN}-{token_urlsafe(9)}",
                    "player_id": player_id,
                    "kind": puzzle.kind,
                    "game_id": game_id,
                    "ply": ply,
                    "puzzle": puzzle.model_dump_json(),
                    "made_at": at,
                }
                for ply, puzzle in made.items()
                if ply not in known
            ]
            if new:
                connection.execute(insert(own_puzzles), new)
            latest = select(row.id).where(mine).order_by(row.made_at.desc(), row.id)
            delete_own_puzzles(connection, player_id, connection.scalars(latest).all()[MOST_OWN:])
        return len(new)

    def of_player(self, player_id: str | None) -> list[OwnPuzzle]:
        """The player's puzzles from own games: unanswered ones first, then the latest."""
        row = own_puzzles.c
        query = select(own_puzzles).where(row.player_id == player_id)
        query = query.order_by(row.solved.is_not(None), row.made_at.desc(), row.game_id, row.ply)
        with self._database.reading() as connection:
            return [_own(each) for each in connection.execute(query)]

    def find(self, player_id: str | None, own_id: str) -> OwnPuzzle:
        """A puzzle from one of the player's own games. Raises UnknownPuzzle."""
        row = own_puzzles.c
        query = select(own_puzzles).where(row.player_id == player_id, row.id == own_id)
        with self._database.reading() as connection:
            found = connection.execute(query).one_or_none()
        if found is None:
            raise UnknownPuzzle(f"you have no puzzle {own_id}")
        return _own(found)

    def answer(self, player_id: str, attempt: PuzzleAttempt) -> None:
        """Store an answer to a puzzle from an own game: the latest counts. Raises UnknownPlayer."""
        row, own_id = own_puzzles.c, attempt.puzzle_id
        mine = row.player_id == player_id, row.id == own_id
        with self._database.writing() as connection:
            lock_player(connection, player_id)
            if connection.execute(update(own_puzzles).where(*mine).values(solved=attempt.solved)).rowcount:
                answers = puzzle_attempts.c
                earlier = answers.player_id == player_id, answers.puzzle_id == own_id
                connection.execute(delete(puzzle_attempts).where(*earlier))
                insert_attempt(connection, player_id, attempt)

    def games_with_puzzles(self, player_id: str, game_ids: Sequence[str]) -> set[str]:
        """The games in ``game_ids`` from which the player has puzzles."""
        row = own_puzzles.c
        query = select(row.game_id).where(row.player_id == player_id, row.game_id.in_(list(game_ids)))
        with self._database.reading() as connection:
            return set(connection.scalars(query))


def _own(row: Row[Any]) -> OwnPuzzle:
    puzzle = Puzzle.model_validate_json(row.puzzle)
    return OwnPuzzle(row.id, row.kind, row.game_id, row.ply, puzzle, row.solved)
