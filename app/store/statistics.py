"""A player's statistics, counted from their finished games."""

from dataclasses import dataclass

from sqlalchemy import Connection, Float, Integer, cast, func, select

from app.store.schema import results


@dataclass(frozen=True, slots=True)
class ModeStatistics:
    """What one player has done in one mode of one game."""

    kind: str
    mode: str
    games: int
    won: int
    """Of the games against others, those won alone: a draw, or a win that is shared, is not won."""
    against_others: int
    best_score: int
    average_score: float
    words: int
    best_word: str
    best_word_points: int
    longest_word: str
    average_accuracy: float | None
    """0 to 100, over the games that have one: none of Blitz has."""


def statistics_of(connection: Connection, player_id: str) -> list[ModeStatistics]:
    """One line for each mode the player has finished a game of, the most played first.

    Of several best or longest words it is the latest.
    """
    mode, latest = (results.c.kind, results.c.mode), results.c.finished_at.desc()
    best = func.row_number().over(partition_by=mode, order_by=(results.c.best_points.desc(), latest))
    longest = func.row_number().over(
        partition_by=mode, order_by=(func.length(results.c.longest_word).desc(), latest)
    )
    game = (
        select(results, best.label("best"), longest.label("longest"))
        .where(results.c.player_id == player_id)
        .subquery()
        .c
    )
    against_others = game.seats > 1
    lines = connection.execute(
        select(
            game.kind,
            game.mode,
            func.count(),
            func.count().filter(game.won, against_others),
            func.count().filter(against_others),
            func.max(game.score),
            cast(func.avg(game.score), Float),
            cast(func.sum(game.words), Integer),
            func.max(game.best_word).filter(game.best == 1),
            func.max(game.best_points),
            func.max(game.longest_word).filter(game.longest == 1),
            func.avg(game.accuracy),
        ).group_by(game.kind, game.mode)
    )
    return sorted(
        (ModeStatistics(*line) for line in lines), key=lambda line: (-line.games, line.kind, line.mode)
    )
