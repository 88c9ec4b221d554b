"""Rankings: who has won most games against other people lately, as counts that are kept with the results.

A row of ``rankings`` adds up a player's ranked results of one kind of game. It grows in the transaction that
keeps a result. When the earliest game in it is older than RANKING_SECONDS, the row is counted again.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Integer, Select, bindparam, case, cast, delete, func, select, update

from app.store.database import NO_WRITES, Database, upsert
from app.store.days import begins_at, day_of
from app.store.schema import players, rankings, results

RANKING_DAYS: Final = 30
"""Days back from now that a game counts in the rankings."""
RANKING_SECONDS: Final = RANKING_DAYS * 86_400.0
RANKED_WORDS: Final = 3
"""Words that each must have played: Wibble's Versus has five rounds, the other games have more."""
_AT_ONCE: Final = 200
"""Rows counted again in one transaction."""


@dataclass(frozen=True, slots=True)
class Winner:
    """What a player has won of one game against other people."""

    rank: int
    player_id: str
    nickname: str | None
    won: int
    """Alone: a draw, or a win that is shared, is not won."""
    games: int


def ranked_players(connection: Connection, kind: str, words: Mapping[str, int], at: float) -> set[str]:
    """The players for whom a game that ended at ``at`` counts, by the words that each has played.

    It counts for those who played RANKED_WORDS words with another who did, if it is the first ranked game of
    this kind and day (UTC) that they have with one of these. The caller has locked the players.
    """
    playing = {player for player, played in words.items() if played >= RANKED_WORDS}
    met = {player: _met(connection, kind, player, at) for player in playing}
    return {player for player in playing if playing - {player} - met[player]}


def _met(connection: Connection, kind: str, player_id: str, at: float) -> set[str]:
    """The opponents with whom the player has a ranked game of this kind and day."""
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
    """Add a ranked result to its player's row."""
    insert = upsert(connection, rankings).values(
        kind=kind, player_id=player_id, won=int(won), games=1, won_at=at if won else None, since=at
    )
    row, new = rankings.c, insert.excluded
    connection.execute(
        insert.on_conflict_do_update(
            index_elements=[row.kind, row.player_id],
            set_={
                "won": row.won + new.won,
                "games": row.games + 1,
                "won_at": _greatest(row.won_at, new.won_at),
                "since": case((new.since < row.since, new.since), else_=row.since),
            },
        )
    )


def _greatest(one: Any, other: Any) -> Any:
    """The later of two times that may be null, which the databases' own functions treat differently."""
    return case((one.is_(None), other), (other.is_(None), one), (other > one, other), else_=one)


def recount(database: Database, kind: str, at: float, most: int = _AT_ONCE) -> int:
    """Count up to ``most`` rows again that hold games from before the ranking days; how many these were."""
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
        if counted:  # changed and not replaced: an erasure that waits for the row still finds it
            change = update(rankings).where(row.kind == kind, row.player_id == bindparam("of"))
            names = ("won", "games", "won_at", "since")
            connection.execute(change.values({name: bindparam(name) for name in names}), counted)
        gone = set(ids) - {line["of"] for line in counted}
        connection.execute(delete(rankings).where(row.kind == kind, row.player_id.in_(gone)))
    return len(ids)


def recount_all(database: Database, at: float) -> None:
    """Count all rows again that hold games from before the ranking days."""
    with database.reading() as connection:
        kinds = list(connection.scalars(select(rankings.c.kind).distinct()))
    for kind in kinds:
        while recount(database, kind, at) == _AT_ONCE:
            pass


class Rankings:
    """The rankings of all kinds of game."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def top(self, kind: str, at: float, most: int) -> list[Winner]:
        """Who has won most games against other people in the last days; of equals, who needed fewer is first.

        A few rows that are out of date are counted again before; many are left to the hourly sweep.
        """
        with suppress(*NO_WRITES):
            recount(self._database, kind, at)
        row = rankings.c
        query = (
            select(row.player_id, players.c.nickname, row.won, row.games)
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
    """What the ranked results of players add up to, of the games that ended at ``oldest`` or later."""
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
