"""Number of players per score and day, updated with the attempts, so that a rank is a sum over few rows."""

from sqlalchemy import Connection, func, select, update

from app.store.database import upsert
from app.store.schema import attempts, daily_scores


def count_score(connection: Connection, day: str, kind: str, score: int) -> None:
    """Count one more player with this score."""
    insert = upsert(connection, daily_scores).values(day=day, kind=kind, score=score, players=1)
    column = daily_scores.c
    connection.execute(
        insert.on_conflict_do_update(
            index_elements=[column.day, column.kind, column.score], set_={"players": column.players + 1}
        )
    )


def discount_scores(connection: Connection, player_id: str) -> None:
    """Remove a player's scores from the counts of all days, before their attempts are deleted."""
    query = select(attempts.c.day, attempts.c.kind, attempts.c.score).where(
        attempts.c.player_id == player_id, attempts.c.score.is_not(None)
    )
    # Sorted, so that two concurrent erasures cannot deadlock.
    for day, kind, score in sorted(tuple(row) for row in connection.execute(query)):
        discount_score(connection, day, kind, score)


def discount_score(connection: Connection, day: str, kind: str, score: int) -> None:
    """Count one player fewer with this score."""
    column = daily_scores.c
    key = (column.day == day, column.kind == kind, column.score == score)
    connection.execute(update(daily_scores).where(*key).values(players=column.players - 1))


def rank_of(connection: Connection, day: str, kind: str, score: int) -> tuple[int, int]:
    """The rank of a score on a day, and the number of players who finished."""
    column = daily_scores.c
    better = func.coalesce(func.sum(column.players).filter(column.score > score), 0)
    query = select(better, func.coalesce(func.sum(column.players), 0)).where(
        column.day == day, column.kind == kind
    )
    ahead, finished = connection.execute(query).one()
    return int(ahead) + 1, int(finished)
