"""How many players have which score on a day: kept with the attempts, so that a rank is a short sum."""

from sqlalchemy import Connection, func, select, update

from app.store.database import upsert
from app.store.schema import attempts, daily_scores


def count_score(connection: Connection, day: str, kind: str, score: int) -> None:
    """Add a player who has finished the day with this score."""
    insert = upsert(connection, daily_scores).values(day=day, kind=kind, score=score, players=1)
    column = daily_scores.c
    connection.execute(
        insert.on_conflict_do_update(
            index_elements=[column.day, column.kind, column.score], set_={"players": column.players + 1}
        )
    )


def discount_scores(connection: Connection, player_id: str) -> None:
    """Take a player's scores off all days: their attempts are about to go."""
    query = select(attempts.c.day, attempts.c.kind, attempts.c.score).where(
        attempts.c.player_id == player_id, attempts.c.score.is_not(None)
    )
    column = daily_scores.c
    # In order: of two who are erased at once neither waits for a row while holding one that the other needs.
    for day, kind, score in sorted(tuple(row) for row in connection.execute(query)):
        place = (column.day == day, column.kind == kind, column.score == score)
        connection.execute(update(daily_scores).where(*place).values(players=column.players - 1))


def rank_of(connection: Connection, day: str, kind: str, score: int) -> tuple[int, int]:
    """The rank of a score on a day, and how many players finished it."""
    column = daily_scores.c
    better = func.coalesce(func.sum(column.players).filter(column.score > score), 0)
    query = select(better, func.coalesce(func.sum(column.players), 0)).where(
        column.day == day, column.kind == kind
    )
    ahead, finished = connection.execute(query).one()
    return int(ahead) + 1, int(finished)
