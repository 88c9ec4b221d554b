"""Reading stored games: a game, its moves and its positions."""

import json
import time
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Row, select

from app.games.game import AnyGame
from app.games.rulebook import Rulebook
from app.store.database import Database
from app.store.models import LoggedMove, Table, TableSettings, Unplayable
from app.store.rows import game_row, log_of, remarks_of
from app.validation import message_of
from app.words.library import DamagedLexicon, UnknownLexicon


def fold(game: AnyGame, state: Any, log: Iterable[LoggedMove]) -> Iterator[Any]:
    """The state after each move of ``log``, starting from ``state``."""
    for line in log:
        time.sleep(0)  # yields the GIL to the threads that answer pages
        state = game.apply(state, line.seat, line.move, line.at)
        yield state


class GameReader:
    """Reads stored games without changing them."""

    def __init__(self, database: Database, rulebook: Rulebook) -> None:
        """Read from this database, with the rules in the rulebook."""
        self.database = database
        self.rulebook = rulebook

    def read(self, game_id: str) -> Table:
        """The game as last stored, without applying timeouts and bot moves; see ``GameStore.load``.

        Raises UnknownGame, and its subclass Unplayable if the game's word list or preset is missing.
        """
        with self.database.reading() as connection:
            row, taken = game_row(connection, game_id)
        _, game = self._rules(row)
        if row.state is None:
            state, moved_at = self._rebuilt(game_id, row.created_at)
        else:
            state, moved_at = (
                self.rulebook.games[row.kind].state_type.model_validate_json(row.state),
                row.saved_at,
            )
        return Table(
            id=game_id,
            kind=row.kind,
            seed=row.seed,
            created_at=row.created_at,
            finished_at=row.finished_at,
            seats=taken,
            invitation=row.invitation,
            game=game,
            state=state,
            moved_at=moved_at,
            day=None if row.day is None else date.fromisoformat(row.day),
            settings=TableSettings(row.turn_limit, row.listed, row.rated),
            remarks=remarks_of(row.remarks),
            other_changes=row.asked,
            skips=None if row.skips is None else tuple(json.loads(row.skips)),
        )

    def log(self, game_id: str, first: int = 0, end: int | None = None) -> list[LoggedMove]:
        """The moves of a game in order, from ply ``first`` up to but excluding ``end``; all by default.

        Raises UnknownGame.
        """
        with self.database.reading() as connection:
            row, _ = game_row(connection, game_id)
            return list(log_of(connection, game_id, self.rulebook.games[row.kind].move_adapter, first, end))

    def states(self, game_id: str) -> tuple[Any, ...]:
        """All states of a game from the first, folded from its log. Raises UnknownGame."""
        return tuple(self.positions(game_id))

    def positions(self, game_id: str) -> Iterator[Any]:
        """Iterate over the states of a game from the first. Raises UnknownGame."""
        with self.database.reading() as connection:
            row, taken = game_row(connection, game_id)
            logged = list(log_of(connection, game_id, self.rulebook.games[row.kind].move_adapter))
        options, game = self._rules(row)
        first = game.start(options, len(taken), row.seed)
        yield first
        yield from fold(game, first, logged)

    def ping(self) -> None:
        """Check that the database answers. Raises SQLAlchemy's OperationalError if not."""
        with self.database.reading() as connection:
            connection.execute(select(1))

    def _rules(self, row: Row[Any]) -> tuple[Any, AnyGame]:
        """A game's options and the rules for them. Raises Unplayable."""
        try:
            options = self.rulebook.games[row.kind].options_type.model_validate_json(row.options)
            return options, self.rulebook.game(row.kind, options.lexicon)
        except ValidationError as invalid:  # the options were valid when stored: a preset was removed
            reason = "; ".join(message_of(error) for error in invalid.errors())
        except (UnknownLexicon, DamagedLexicon) as missing:
            reason = str(missing)
        raise Unplayable(f"this game can no longer be shown: {reason}")

    def _rebuilt(self, game_id: str, created_at: float) -> tuple[Any, float]:
        [latest] = deque(self.positions(game_id), maxlen=1)
        log = self.log(game_id, first=latest.ply - 1)
        return latest, log[-1].at if log else created_at
