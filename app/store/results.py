"""What is kept of finished games: analyses, and the results that a player's statistics are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.store.database import Database
from app.store.days import open_since
from app.store.schema import analyses, attempts, players, recoveries, results
from app.store.tables import Table


def keep_results(connection: Connection, table: Table) -> None:
    """Record what each player's seat made of the game that just ended."""
    outcome = table.game.outcome(table.state)
    if outcome is None or table.finished_at is None:
        raise ValueError("only a finished game has results")
    for seat, taken in enumerate(table.seats):
        if taken.player_id is None:
            continue
        summary = table.game.summary(table.state, seat)
        connection.execute(
            insert(results).values(
                game_id=table.id,
                seat=seat,
                player_id=taken.player_id,
                kind=table.kind,
                seats=len(table.seats),
                won=seat in outcome.winners,
                finished_at=table.finished_at,
                **summary.model_dump(),
            )
        )
        connection.execute(
            update(attempts)
            .where(
                attempts.c.game_id == table.id,
                attempts.c.player_id == taken.player_id,
                attempts.c.day >= open_since(table.finished_at).isoformat(),
            )
            .values(score=summary.score, finished_at=table.finished_at)
        )


@dataclass(frozen=True, slots=True)
class Result:
    """One finished game of one player."""

    game_id: str
    kind: str
    mode: str
    seats: int
    won: bool
    score: int
    words: int
    best_word: str
    best_points: int
    longest_word: str
    accuracy: float | None
    """0 to 100; None until the game is analysed, and where every word was hinted."""
    finished_at: float


class ResultStore:
    """Analyses and results."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def analysis(self, game_id: str) -> str | None:
        """The kept analysis of a game as JSON, if it is there yet."""
        with self._database.reading() as connection:
            query = select(analyses.c.analysis).where(analyses.c.game_id == game_id)
            found: str | None = connection.scalar(query)
        return found

    def keep_analysis(self, game_id: str, analysis: str, accuracies: Sequence[float | None]) -> None:
        """Keep an analysis as JSON, and the accuracy of each seat with its result; the first one stays."""
        try:
            with self._database.writing() as connection:
                connection.execute(insert(analyses).values(game_id=game_id, analysis=analysis))
                for seat, accuracy in enumerate(accuracies):
                    connection.execute(
                        update(results)
                        .where(results.c.game_id == game_id, results.c.seat == seat)
                        .values(accuracy=accuracy)
                    )
        except IntegrityError:
            return  # somebody else kept the same

    def of_player(self, player_id: str) -> list[Result]:
        """A player's finished games, the latest first."""
        columns = [results.c[name] for name in Result.__slots__]
        query = (
            select(*columns).where(results.c.player_id == player_id).order_by(results.c.finished_at.desc())
        )
        with self._database.reading() as connection:
            return [Result(*row) for row in connection.execute(query)]

    def erase(self, player_id: str) -> None:
        """Forget a player's results, daily attempts, nickname and links to other devices."""
        mine: Any
        with self._database.writing() as connection:
            for table in (results, attempts, recoveries):
                mine = table.c.player_id == player_id
                connection.execute(delete(table).where(mine))
            connection.execute(update(players).where(players.c.id == player_id).values(nickname=None))
