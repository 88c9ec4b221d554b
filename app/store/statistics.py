"""Player statistics: sums and bests, updated in the transaction that stores a result."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Float, and_, case, cast, func, insert, or_, select, update

from app.games.game import Summary
from app.store.database import upsert
from app.store.schema import results, statistics


@dataclass(frozen=True, slots=True)
class ModeStatistics:
    """A player's statistics in one mode of one game."""

    kind: str
    mode: str
    games: int
    won: int
    """Outright wins against others; a draw or shared win does not count."""
    against_others: int
    best_score: int
    average_score: float
    words: int
    best_word: str
    best_word_points: int
    longest_word: str
    average_accuracy: float | None
    """0 to 100, over the analysed games; Blitz games have no accuracy."""


def statistics_of(connection: Connection, player_id: str) -> list[ModeStatistics]:
    """A player's statistics per game and mode, most played first.

    Among equally good or long words, the latest is given.
    """
    row = statistics.c
    analysed = case((row.analysed > 0, row.accuracy / row.analysed))
    query = select(
        row.kind,
        row.mode,
        row.games,
        row.won,
        row.against_others,
        row.best_score,
        (cast(row.score, Float) / row.games).label("average_score"),
        row.words,
        row.best_word,
        row.best_points.label("best_word_points"),
        row.longest_word,
        analysed.label("average_accuracy"),
    ).where(row.player_id == player_id)
    lines = (ModeStatistics(**line) for line in connection.execute(query).mappings())
    return sorted(lines, key=lambda line: (-line.games, line.kind, line.mode))


def count_game(
    connection: Connection, player_id: str, kind: str, summary: Summary, *, alone: bool, won: bool, at: float
) -> None:
    """Add a finished game to a player's statistics."""
    adding = upsert(connection, statistics).values(
        player_id=player_id,
        kind=kind,
        mode=summary.mode,
        games=1,
        won=int(won and not alone),
        against_others=int(not alone),
        best_score=summary.score,
        score=summary.score,
        words=summary.words,
        best_word=summary.best_word,
        best_points=summary.best_points,
        best_at=at,
        longest_word=summary.longest_word,
        longest_at=at,
        accuracy=0.0,
        analysed=0,
    )
    row, new = statistics.c, adding.excluded
    best = _is_better(new.best_points, row.best_points, new.best_at, row.best_at)
    longest = _is_better(
        func.length(new.longest_word), func.length(row.longest_word), new.longest_at, row.longest_at
    )
    added = ("games", "won", "against_others", "score", "words")
    changed = {name: row[name] + new[name] for name in added}
    changed["best_score"] = case((new.best_score > row.best_score, new.best_score), else_=row.best_score)
    changed |= {name: _if(best, new[name], row[name]) for name in ("best_word", "best_points", "best_at")}
    changed |= {name: _if(longest, new[name], row[name]) for name in ("longest_word", "longest_at")}
    connection.execute(
        adding.on_conflict_do_update(index_elements=[row.player_id, row.kind, row.mode], set_=changed)
    )


def recount_statistics(connection: Connection, player_id: str) -> None:
    """Recount all results of a player. The caller has deleted the rows."""
    modes: dict[tuple[str, str], dict[str, Any]] = {}
    query = select(results).where(results.c.player_id == player_id).order_by(results.c.finished_at)
    for result in connection.execute(query):
        line = modes.setdefault(
            (result.kind, result.mode),
            dict.fromkeys(("games", "won", "against_others", "score", "words", "accuracy", "analysed"), 0)
            | {"best_score": result.score, "best_points": -1, "best_word": "", "longest_word": ""},
        )
        others = result.seats > 1
        line["games"] += 1
        line["won"] += int(result.won and others)
        line["against_others"] += int(others)
        line["best_score"] = max(line["best_score"], result.score)
        line["score"] += result.score
        line["words"] += result.words
        line["accuracy"] += result.accuracy or 0.0
        line["analysed"] += int(result.accuracy is not None)
        if result.best_points >= line["best_points"]:
            line["best_points"], line["best_word"] = result.best_points, result.best_word
            line["best_at"] = result.finished_at
        if len(result.longest_word) >= len(line["longest_word"]):
            line["longest_word"], line["longest_at"] = result.longest_word, result.finished_at
    for (kind, mode), line in sorted(modes.items()):
        connection.execute(insert(statistics).values(player_id=player_id, kind=kind, mode=mode, **line))


def count_accuracy(connection: Connection, game_id: str, seat: int, accuracy: float | None) -> None:
    """Set the accuracy of a result, and update the player's statistics with it."""
    key = (results.c.game_id == game_id, results.c.seat == seat)
    query = select(results.c.player_id, results.c.kind, results.c.mode, results.c.accuracy)
    found = connection.execute(query.where(*key).with_for_update()).one_or_none()
    if found is None:
        return
    connection.execute(update(results).where(*key).values(accuracy=accuracy))
    row = statistics.c
    connection.execute(
        update(statistics)
        .where(row.player_id == found.player_id, row.kind == found.kind, row.mode == found.mode)
        .values(
            accuracy=row.accuracy + (accuracy or 0.0) - (found.accuracy or 0.0),
            analysed=row.analysed + int(accuracy is not None) - int(found.accuracy is not None),
        )
    )


def _is_better(new: Any, old: Any, new_at: Any, old_at: Any) -> ColumnElement[bool]:
    """Whether a new word replaces the old one: if it is better, or as good and not earlier."""
    return or_(new > old, and_(new == old, new_at >= old_at))


def _if(condition: ColumnElement[bool], then: Any, otherwise: Any) -> ColumnElement[Any]:
    return case((condition, then), else_=otherwise)
