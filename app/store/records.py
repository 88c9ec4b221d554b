"""Game records: export a game as text, and import one as a finished game."""

import time
from contextlib import suppress
from secrets import token_urlsafe
from typing import Any, NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from app.games.record import BrokenRecord, Record, positions, write
from app.store.database import NO_WRITES
from app.store.games import GameStore
from app.store.imports import ImportLimits, check_import, note_import
from app.store.models import Seat, Table
from app.store.rows import insert_game, keep_snapshot
from app.store.schema import moves, records


class Replayed(NamedTuple):
    """A verified record, ready to be stored."""

    table: Table
    options: Any
    moves: list[dict[str, Any]]
    """Rows for the ``moves`` table."""


class Records:
    """Imports and exports game records."""

    def __init__(self, games: GameStore, limits: ImportLimits | None = None) -> None:
        self._games = games
        self._limits = limits or ImportLimits()

    def keep(self, record: Record, at: float, origin: str | None = None) -> Table:
        """Store a recorded game as a finished game without players.

        ``origin`` is the digest of the importing address. Raises UnknownLexicon, TooMuch, and BrokenRecord
        if a move is illegal or the game does not end.
        """
        return self.insert(self.replay(record, at, origin), origin)

    def replay(self, record: Record, at: float, origin: str | None = None) -> "Replayed":
        """Verify a record by replaying it, the slow part of ``keep``. Raises the same errors."""
        with self._games.database.reading() as connection:
            check_import(connection, origin, self._limits)
        game = self._games.rulebook.game(record.kind, record.options.lexicon)
        for latest in positions(record, game):  # noqa: B007 - the last one stays
            time.sleep(0)  # yields the GIL to the threads that answer pages
        if game.outcome(latest) is None:
            raise BrokenRecord(
                f"the game is not finished after its last ply, {len(record.moves) - 1}", "moves"
            )
        table = Table(
            id=token_urlsafe(9),
            kind=record.kind,
            seed=record.seed,
            created_at=at,
            finished_at=at,
            seats=(Seat(),) * record.seats,
            invitation=None,
            game=game,
            state=latest,
            moved_at=at,
        )
        rows = [
            {
                "game_id": table.id,
                "ply": ply,
                "seat": line.seat,
                "move": line.move.model_dump_json(),
                "at": line.at,
            }
            for ply, line in enumerate(record.moves)
        ]
        return Replayed(table, record.options, rows)

    def insert(self, replayed: "Replayed", origin: str | None = None) -> Table:
        """Store a verified record. Raises TooMuch."""
        table = replayed.table
        with self._games.database.writing() as connection:
            check_import(connection, origin, self._limits)
            insert_game(connection, table, replayed.options, origin)
            note_import(connection, table.id, table.created_at)
            connection.execute(insert(moves), replayed.moves)
            keep_snapshot(connection, table)
        return table

    def kept(self, game_id: str) -> str | None:
        """The stored record of a finished game, if there is one."""
        with self._games.database.reading() as connection:
            found: str | None = connection.scalar(
                select(records.c.record).where(records.c.game_id == game_id)
            )
        return found

    def remember(self, game_id: str, record: str) -> None:
        """Store the record of a finished game; do nothing if the database cannot be written to."""
        with suppress(IntegrityError, *NO_WRITES), self._games.database.writing() as connection:
            connection.execute(insert(records).values(game_id=game_id, record=record))

    def of(self, game_id: str) -> str:
        """The record of a game, as text. Raises UnknownGame."""
        table = self._games.read(game_id)
        log = [(line.seat, line.move, line.at) for line in self._games.log(game_id)]
        return write(table.game, self._games.positions(game_id), table.seed, log)
