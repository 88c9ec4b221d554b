"""Puzzle rushes: a player solves as many puzzles as possible in three minutes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any, Final

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from app.store.database import Database
from app.store.players import lock_player
from app.store.puzzles import UnknownPuzzle
from app.store.schema import puzzle_rushes

RUSH_SECONDS: Final = 180.0
"""Duration of a rush in seconds."""
RUSH_PUZZLES: Final = 60
"""Maximum number of puzzles in a rush."""
RUSHES_KEPT: Final = 20
"""Number of a player's latest rushes that are stored."""


class RushOver(Exception):
    """The time of the rush is over."""


@dataclass(frozen=True, slots=True)
class Rush:
    """A rush of a player."""

    id: str
    kind: str
    started_at: float
    puzzles: tuple[str, ...]
    """The IDs of its puzzles, in order."""
    solved: int
    wrong: int

    @property
    def ends_at(self) -> float:
        """When its time is over."""
        return self.started_at + RUSH_SECONDS

    @property
    def current(self) -> str | None:
        """The next puzzle to answer; None when all have been answered."""
        done = self.solved + self.wrong
        return self.puzzles[done] if done < len(self.puzzles) else None

    def is_over(self, at: float) -> bool:
        """Whether answers no longer count."""
        return at >= self.ends_at or self.current is None


class PuzzleRushes:
    """The rushes of all players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, player_id: str, kind: str, puzzle_ids: Sequence[str], at: float) -> Rush:
        """Start a rush. Raises UnknownPlayer."""
        rush = Rush(token_urlsafe(9), kind, at, tuple(puzzle_ids[:RUSH_PUZZLES]), 0, 0)
        row = puzzle_rushes.c
        with self._database.writing() as connection:
            lock_player(connection, player_id)
            kept = (
                select(row.id)
                .where(row.player_id == player_id)
                .order_by(row.started_at.desc())
                .limit(RUSHES_KEPT - 1)
            )
            outdated = row.player_id == player_id, row.id.not_in(list(connection.scalars(kept)))
            connection.execute(delete(puzzle_rushes).where(*outdated))
            values = {
                "id": rush.id,
                "player_id": player_id,
                "kind": kind,
                "started_at": at,
                "puzzles": json.dumps(rush.puzzles),
                "solved": 0,
                "wrong": 0,
            }
            connection.execute(insert(puzzle_rushes).values(values))
        return rush

    def find(self, player_id: str | None, rush_id: str) -> Rush:
        """A rush of the player. Raises UnknownPuzzle."""
        with self._database.reading() as connection:
            return _read_rush(connection, player_id, rush_id)

    def of_player(self, player_id: str | None) -> list[Rush]:
        """The player's stored rushes, the latest first."""
        row = puzzle_rushes.c
        query = select(puzzle_rushes).where(row.player_id == player_id).order_by(row.started_at.desc())
        with self._database.reading() as connection:
            return [_rush(each) for each in connection.execute(query)]

    def best(self, player_id: str | None, kind: str) -> int:
        """The most puzzles that the player solved in a stored rush."""
        row = puzzle_rushes.c
        query = select(func.max(row.solved)).where(row.player_id == player_id, row.kind == kind)
        with self._database.reading() as connection:
            return connection.scalar(query) or 0

    def answer(self, player_id: str | None, rush_id: str, puzzle_id: str, at: float, *, solved: bool) -> Rush:
        """Count an answer to the current puzzle of a rush; an answer sent twice counts once.

        Raises UnknownPuzzle, RushOver.
        """
        row = puzzle_rushes.c
        with self._database.writing() as connection:
            rush = _read_rush(connection, player_id, rush_id, lock=True)
            if rush.current != puzzle_id:
                return rush
            if rush.is_over(at):
                raise RushOver("the three minutes are over")
            column = row.solved if solved else row.wrong
            connection.execute(
                update(puzzle_rushes).where(row.id == rush_id).values({column.name: column + 1})
            )
            return _read_rush(connection, player_id, rush_id)


def _read_rush(connection: Connection, player_id: str | None, rush_id: str, *, lock: bool = False) -> Rush:
    row = puzzle_rushes.c
    query = select(puzzle_rushes).where(row.id == rush_id, row.player_id == player_id)
    found = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if found is None:
        raise UnknownPuzzle(f"you have no rush {rush_id!r}")
    return _rush(found)


def _rush(row: Row[Any]) -> Rush:
    return Rush(row.id, row.kind, row.started_at, tuple(json.loads(row.puzzles)), row.solved, row.wrong)
