"""Stored lessons: games that teach the rules. They have no results and are removed after a day."""

import json
from dataclasses import replace
from typing import Final

from sqlalchemy import Exists, insert, select, update

from app.store.games import GameStore
from app.store.models import NotYourSeat, Table, UnknownGame
from app.store.schema import games, lessons, results, seats

MOST_SKIPS: Final = 100
"""Maximum number of steps skipped in a lesson, as each is stored."""


def is_lesson() -> Exists:
    """The condition that a row of ``games`` is a lesson."""
    return select(lessons.c.game_id).where(lessons.c.game_id == games.c.id).exists()


class Lessons:
    """Opens lessons, and records the steps that players skip."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    def keep(self, draft: Table) -> Table:
        """Store a draft as a lesson. Raises TooMuch."""
        with self._store.database.writing() as connection:
            table = self._store.keep_new(connection, replace(draft, skips=()))
            connection.execute(insert(lessons).values(game_id=table.id))
        return table

    def skip(self, table: Table, player_id: str | None) -> Table:
        """Skip the current step of a lesson, and return the table after that.

        Raises UnknownGame if the game is not a lesson, NotYourSeat.
        """
        if table.skips is None:
            raise UnknownGame("this game is not a lesson")
        if table.seat_of(player_id) is None:
            raise NotYourSeat("this is another player’s lesson: you can only watch it")
        skips = (*table.skips, table.state.ply)[:MOST_SKIPS]
        # Two concurrent requests may count as one: both saw the same step.
        with self._store.database.writing() as connection:
            changed = update(lessons).where(lessons.c.game_id == table.id)
            connection.execute(changed.values(skips=json.dumps(skips)))
        return replace(table, skips=skips)

    def played(self, player_id: str, kind: str) -> int:
        """Number of games of a kind that the player has begun or finished, without lessons; at most 2."""
        begun = (
            select(seats.c.game_id)
            .join(games, games.c.id == seats.c.game_id)
            .where(seats.c.player_id == player_id, games.c.kind == kind, ~is_lesson())
            .limit(2)
        )
        # The results outlive the games.
        over = select(results.c.game_id).where(results.c.player_id == player_id, results.c.kind == kind)
        with self._store.database.reading() as connection:
            found = {*connection.scalars(begun), *connection.scalars(over.limit(2))}
        return min(len(found), 2)
