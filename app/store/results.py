"""What is kept of finished games: analyses, and the results that a player's statistics are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Integer, Update, cast, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.store.database import Database
from app.store.days import open_since
from app.store.schema import analyses, attempts, games, players, recoveries, results, seats
from app.store.statistics import ModeStatistics, statistics_of
from app.store.tables import Table


def keep_results(connection: Connection, table: Table) -> None:
    """Record what each player's seat made of the game that just ended; who is erased leaves it."""
    outcome = table.game.outcome(table.state)
    if outcome is None or table.finished_at is None:
        raise ValueError("only a finished game has results")
    erased = _erased(connection, table)
    if erased:
        connection.execute(_nobodys(seats.c.game_id == table.id, seats.c.player_id.in_(erased)))
    for seat, taken in enumerate(table.seats):
        if taken.player_id is None or taken.player_id in erased:
            continue
        summary = table.game.summary(table.state, seat)
        connection.execute(
            insert(results).values(
                game_id=table.id,
                seat=seat,
                player_id=taken.player_id,
                kind=table.kind,
                seats=len(table.seats),
                won=outcome.winners == (seat,),
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


def _erased(connection: Connection, table: Table) -> set[str]:
    """The players at the table who have erased themselves, or are about to: it waits for those."""
    seated = players.c.id.in_([taken.player_id for taken in table.seats if taken.player_id])
    query = select(players.c.id, players.c.erased_at).where(seated).with_for_update(read=True)
    return {row.id for row in connection.execute(query) if row.erased_at is not None}


def _nobodys(*which: ColumnElement[bool]) -> Update:
    """Let these seats be nobody's, as those of a game that was imported."""
    return update(seats).where(*which).values(player_id=None)


@dataclass(frozen=True, slots=True)
class Result:
    """One finished game of one player."""

    game_id: str
    kind: str
    mode: str
    seats: int
    won: bool
    """Alone: a draw, or a win that is shared, is not won."""
    score: int
    words: int
    best_word: str
    best_points: int
    longest_word: str
    accuracy: float | None
    """0 to 100, as the game's Analysis defines it; None until the game is analysed, and in Blitz."""
    finished_at: float
    kept: bool
    """Whether the game is still in the store: it may be pruned, its result stays."""


@dataclass(frozen=True, slots=True)
class Winner:
    """What a player has won of one game against other people."""

    rank: int
    player_id: str
    nickname: str | None
    won: int
    """Alone: a draw, or a win that is shared, is not won."""
    games: int


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

    def of_player(self, player_id: str, most: int | None = None) -> list[Result]:
        """A player's finished games, the latest first: all of them, or ``most``."""
        columns = [results.c[name] for name in Result.__slots__ if name != "kept"]
        query = (
            select(*columns, games.c.id.is_not(None).label("kept"))
            .outerjoin(games, games.c.id == results.c.game_id)
            .where(results.c.player_id == player_id)
            .order_by(results.c.finished_at.desc())
            .limit(most)
        )
        with self._database.reading() as connection:
            return [Result(**row) for row in connection.execute(query).mappings()]

    def statistics(self, player_id: str) -> list[ModeStatistics]:
        """What a player has done, one line for each mode of a game, the most played first."""
        with self._database.reading() as connection:
            return statistics_of(connection, player_id)

    def winners(self, kind: str, since: float, most: int) -> list[Winner]:
        """Who has won most games against other people since then; of equals, who needed fewer comes first."""
        among_people = (
            select(results.c.game_id)
            .where(results.c.kind == kind, results.c.finished_at >= since, results.c.seats > 1)
            .group_by(results.c.game_id)
            .having(func.count(results.c.player_id.distinct()) > 1)
        )
        won, games = func.sum(cast(results.c.won, Integer)), func.count()
        query = (
            select(results.c.player_id, players.c.nickname, won, games)
            .join(players, players.c.id == results.c.player_id)
            .where(results.c.game_id.in_(among_people))
            .group_by(results.c.player_id, players.c.nickname)
            .having(won > 0)
            .order_by(won.desc(), games, func.min(results.c.finished_at))
            .limit(most)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        winners: list[Winner] = []
        for place, row in enumerate(rows, start=1):
            ties = winners and (winners[-1].won, winners[-1].games) == (row[2], row[3])
            winners.append(Winner(winners[-1].rank if ties else place, *row))
        return winners

    def erase(self, player_id: str, at: float) -> None:
        """Forget a player's results, daily attempts, nickname and links to other devices, for good.

        Their seats in finished games are nobody's from now on, those in open games when these end.
        """
        mine: Any
        over = select(games.c.id).where(games.c.status == "finished")
        with self._database.writing() as connection:
            # First of all: a game that ends just now has kept its results by then, or waits and keeps none.
            erased = update(players).where(players.c.id == player_id)
            connection.execute(erased.values(nickname=None, erased_at=at))
            for table in (results, attempts, recoveries):
                mine = table.c.player_id == player_id
                connection.execute(delete(table).where(mine))
            connection.execute(_nobodys(seats.c.player_id == player_id, seats.c.game_id.in_(over)))
