"""Rankings by games won against other people in the last RANKING_DAYS days.

A row of ``rankings`` sums a player's ranked results in one kind of game. It is updated in the transaction
that stores a result, and recounted when its earliest game is older than RANKING_SECONDS.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Integer,
    Select,
    bindparam,
    case,
    cast,
    delete,
    func,
    insert,
    select,
    update,
)

from app.store.database import NO_WRITES, Database, upsert
from app.store.days import begins_at, day_of
from app.store.schema import players, rankings, results
from app.store.shown_names import SHOWN_NAME

RANKING_DAYS: Final = 30
"""Number of days for which a game counts in the rankings."""
RANKING_SECONDS: Final = RANKING_DAYS * 86_400.0
RANKED_WORDS: Final = 3
"""Minimum number of words that each player must have played: Wibble's Versus has only five rounds."""
_BATCH: Final = 200
"""Maximum number of rows recounted in one transaction."""


@dataclass(frozen=True, slots=True)
class Winner:
    """A row of the rankings: a player's games of one kind against other people."""

    rank: int
    player_id: str
    nickname: str | None
    won: int
    """Outright wins; a draw or shared win does not count."""
    games: int


def ranked_players(connection: Connection, kind: str, words: Mapping[str, int], at: float) -> set[str]:
    """The players for whom a game that ended at ``at`` is ranked; ``words`` is the number each played.

    A game is ranked for a player if they and an opponent played RANKED_WORDS words each, and it is their
    first ranked game of this kind against that opponent on that day (UTC). The caller has locked the players.
    """
    playing = {player for player, played in words.items() if played >= RANKED_WORDS}
    met = {player: _met(connection, kind, player, at) for player in playing}
    return {player for player in playing if playing - {player} - met[player]}


def _met(connection: Connection, kind: str, player_id: str, at: float) -> set[str]:
    """The opponents against whom the player has a ranked game of this kind on the day of ``at``."""
    begin = begins_at(day_of(at))
    own, theirs = results.alias(), results.alias()
    query = (
        select(theirs.c.player_id)
        .join(own, own.c.game_id == theirs.c.game_id)
        .where(
            own.c.player_id == player_id,
            own.c.kind == kind,
            own.c.finished_at >= begin,
            own.c.finished_at < begin + 86_400,
            own.c.ranked,
            theirs.c.ranked,
            theirs.c.player_id != player_id,
        )
    )
    return set(connection.scalars(query))


def count_result(connection: Connection, kind: str, player_id: str, at: float, *, won: bool) -> None:
    """Add a ranked result to the player's row."""
    adding = upsert(connection, rankings).values(
        kind=kind, player_id=player_id, won=int(won), games=1, won_at=at if won else None, since=at
    )
    row, new = rankings.c, adding.excluded
    connection.execute(
        adding.on_conflict_do_update(
            index_elements=[row.kind, row.player_id],
            set_={
                "won": row.won + new.won,
                "games": row.games + 1,
                "won_at": _greatest(row.won_at, new.won_at),
                "since": case((new.since < row.since, new.since), else_=row.since),
            },
        )
    )


def _greatest(first: Any, second: Any) -> Any:
    """The later of two nullable times; SQLite's and PostgreSQL's own functions treat null differently."""
    return case((first.is_(None), second), (second.is_(None), first), (second > first, second), else_=first)


def recount(database: Database, kind: str, at: float, most: int = _BATCH) -> int:
    """Recount up to ``most`` rows that include games older than RANKING_DAYS; return how many."""
    oldest = at - RANKING_SECONDS
    outdated = (
        select(rankings.c.player_id)
        .where(rankings.c.kind == kind, rankings.c.since < oldest)
        .order_by(rankings.c.since)
        .limit(most)
    )
    with database.reading() as connection:
        if connection.scalar(outdated.limit(1)) is None:
            return 0
    with database.writing() as connection:
        ids = list(connection.scalars(outdated.with_for_update(skip_locked=True)))
        counted = [
            {
                "of": row.player_id,
                "won": row.won,
                "games": row.games,
                "won_at": row.won_at,
                "since": row.since,
            }
            for row in connection.execute(_counts(kind, ids, oldest))
        ]
        row = rankings.c
        if counted:  # updated, not replaced: an erasure that waits for the row must still find it
            change = update(rankings).where(row.kind == kind, row.player_id == bindparam("of"))
            names = ("won", "games", "won_at", "since")
            connection.execute(change.values({name: bindparam(name) for name in names}), counted)
        gone = set(ids) - {line["of"] for line in counted}
        connection.execute(delete(rankings).where(row.kind == kind, row.player_id.in_(gone)))
    return len(ids)


def recount_player(connection: Connection, player_id: str, at: float) -> None:
    """Count a player's recent ranked results of all kinds. The caller has deleted the rows."""
    kinds = select(results.c.kind).where(results.c.player_id == player_id, results.c.ranked).distinct()
    for kind in sorted(connection.scalars(kinds)):
        for row in connection.execute(_counts(kind, [player_id], at - RANKING_SECONDS)).mappings().all():
            connection.execute(insert(rankings).values(kind=kind, **row))


def recount_all(database: Database, at: float) -> None:
    """Recount all rows that include games older than RANKING_DAYS."""
    with database.reading() as connection:
        kinds = list(connection.scalars(select(rankings.c.kind).distinct()))
    for kind in kinds:
        while recount(database, kind, at) == _BATCH:
            pass


class Rankings:
    """The rankings of all kinds of game."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def winners(self, kinds: Iterable[str], at: float, most: int) -> dict[str, list[Winner]]:
        """The ``top`` of each kind of game; kinds without wins are left out."""
        lines = {kind: self.top(kind, at, most) for kind in kinds}
        return {kind: found for kind, found in lines.items() if found}

    def top(self, kind: str, at: float, most: int) -> list[Winner]:
        """The ``most`` players with the most wins; among equals, fewer games come first.

        Recounts one batch of outdated rows first; the rest is left to the hourly sweep.
        """
        with suppress(*NO_WRITES):
            recount(self._database, kind, at)
        row = rankings.c
        query = (
            select(row.player_id, SHOWN_NAME, row.won, row.games)
            .join(players, players.c.id == row.player_id)
            .where(row.kind == kind, row.won > 0)
            .order_by(row.won.desc(), row.games, row.won_at)
            .limit(most)
        )
        with self._database.reading() as connection:
            lines = connection.execute(query).all()
        winners: list[Winner] = []
        for place, line in enumerate(lines, start=1):
            ties = winners and (winners[-1].won, winners[-1].games) == (line.won, line.games)
            winners.append(Winner(winners[-1].rank if ties else place, *line))
        return winners


def _counts(kind: str, ids: Iterable[str], oldest: float) -> Select[Any]:
    """Sums of the players' ranked results since ``oldest``."""
    result = results.c
    return (
        select(
            result.player_id,
            func.sum(cast(result.won, Integer)).label("won"),
            func.count().label("games"),
            func.max(case((result.won, result.finished_at))).label("won_at"),
            func.min(result.finished_at).label("since"),
        )
        .where(
            result.kind == kind,
            result.player_id.in_(ids),
            result.ranked,
            result.finished_at >= oldest,
        )
        .group_by(result.player_id)
    )
