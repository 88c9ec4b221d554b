"""Rated games: which games may be rated, and how their results change the ratings.

The rules are in docs/operations.md, "Ratings". A row of ``rating_changes`` per seat records what a game has
changed, in the order in which games were committed, so that all ratings can be recomputed.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, or_, select, update

from app.games.game import Outcome
from app.games.glicko import Rating
from app.store.database import Database, upsert
from app.store.models import BadTable, Seat, Table, TableSettings
from app.store.ratings import Speed, bot_rating, speed_of
from app.store.schema import moves, rating_changes, ratings

_NO_PLAY: Final = ("resign", "forfeit", "finish", "time_up", "timeup", "hand_in", "start")
"""Types of moves that do not count as playing."""
_BATCH: Final = 1000
"""Rows read at a time."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """A seat of a rated game that has ended."""

    seat: int
    player_id: str | None
    bot_level: int | None
    side: int
    """The team; in games without teams, the seat."""
    place: int
    rating: Rating
    """Before the game; for a player, as of their latest rated game."""
    idle: float = 0.0
    """Seconds between that game and this one."""
    games: int = 0
    """Rated games so far."""

    @property
    def at_the_game(self) -> Rating:
        return self.rating if self.player_id is None else self.rating.later(self.idle)

    def after(self, others: Sequence["_Standing"]) -> Rating:
        """The rating after this game against the other sides."""
        results = [
            (other.at_the_game, 0.5 + 0.5 * ((self.place < other.place) - (self.place > other.place)))
            for other in others
            if other.side != self.side
        ]
        return self.rating.after(results, self.idle)


def check_may_be_rated(table: Table) -> None:
    """Raise BadTable if a game cannot be rated."""
    people = [seat for seat in table.seats if seat.bot_level is None]
    if len(table.seats) == 1:
        raise BadTable("a solo game cannot be rated; add a player or a bot, or play a casual game", "rated")
    if not people:
        raise BadTable("a game between bots cannot be rated", "rated")
    if table.game.without_deal(table.state.options) != table.state.options:
        raise BadTable("a game on a chosen board cannot be rated", "rated")


def check_rated_apart(settings: TableSettings, are_bots: Iterable[bool], *location: str) -> None:
    """Raise BadTable, with the request's field, if people and bot accounts would meet in a rated game."""
    if settings.rated and len(set(are_bots)) > 1:
        raise BadTable("people and bot accounts are rated separately; open a casual game", *location)


def rate(connection: Connection, table: Table, seated: Sequence[Seat], outcome: Outcome) -> None:
    """Update the ratings after a rated game. The caller has locked its players' rows.

    A game in which a player has not played at all is not rated, nor one between people and bot accounts.
    """
    if len({taken.is_bot for taken in seated if taken.player_id is not None}) > 1:
        return
    if not table.settings.rated or table.finished_at is None or not all_have_played(connection, table):
        return
    speed, at = speed_of(table.state.options, table.settings), table.finished_at
    places = _places(outcome)
    standings = [
        _standing(connection, seat, taken, table.kind, speed, at, _side(outcome, seat), places[seat])
        for seat, taken in enumerate(seated)
    ]
    rows = []
    for standing in standings:
        new = None if standing.player_id is None else standing.after(standings)
        if new is not None and standing.player_id is not None:
            _keep(connection, standing.player_id, table.kind, speed, new, standing.games + 1, at)
        before = standing.at_the_game
        rows.append(
            {
                "game_id": table.id,
                "seat": standing.seat,
                "player_id": standing.player_id,
                "bot_level": standing.bot_level,
                "kind": table.kind,
                "speed": speed,
                "at": at,
                "side": standing.side,
                "place": standing.place,
                "value": before.value,
                "deviation": before.deviation,
                "new_value": None if new is None else new.value,
                "new_deviation": None if new is None else new.deviation,
            }
        )
    connection.execute(insert(rating_changes), rows)


def forget_ratings(connection: Connection, player_id: str) -> None:
    """Delete a player's ratings. Their rows in rated games become anonymous, for their opponents' sake."""
    connection.execute(delete(ratings).where(ratings.c.player_id == player_id))
    gone = update(rating_changes).where(rating_changes.c.player_id == player_id)
    connection.execute(gone.values(player_id=None, new_value=None, new_deviation=None))


def merge_ratings(connection: Connection, kept: str, gone: str) -> None:
    """Move ratings to another player; for each kind and speed, the one with more games stays."""
    row = ratings.c
    query = select(row.player_id, row.kind, row.speed, row.games).where(row.player_id.in_([kept, gone]))
    found: dict[tuple[str, str], dict[str, int]] = {}
    for player, kind, speed, games in connection.execute(query.order_by(row.kind, row.speed)):
        found.setdefault((kind, speed), {})[player] = games
    changed = rating_changes.c
    for (kind, speed), games_of in found.items():
        stays = max((kept, gone), key=lambda player: games_of.get(player, -1))
        dropped = gone if stays == kept else kept
        this = row.kind == kind, row.speed == speed
        connection.execute(delete(ratings).where(*this, row.player_id == dropped))
        connection.execute(update(ratings).where(*this, row.player_id == stays).values(player_id=kept))
        history = changed.kind == kind, changed.speed == speed
        connection.execute(
            update(rating_changes)
            .where(*history, changed.player_id == dropped)
            .values(player_id=None, new_value=None, new_deviation=None)
        )
        connection.execute(
            update(rating_changes).where(*history, changed.player_id == stays).values(player_id=kept)
        )


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """Result of recomputing all ratings."""

    games: int
    ratings: int
    changed: int
    """Number of ratings that differ from those stored."""


def rebuild(database: Database, *, dry_run: bool = False) -> Rebuilt:
    """Recompute all ratings from the rows of the rated games, and store them unless ``dry_run``.

    If the store is consistent, the result is the same to the last digit. Games that end meanwhile wait for up
    to five seconds; if it takes longer, the last move is answered with 503 and can be sent again.
    """
    with database.writing(patient=True) as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("LOCK TABLE ratings, rating_changes IN SHARE ROW EXCLUSIVE MODE")
        current: dict[_Key, dict[str, Any]] = {}
        games, corrections = 0, []
        for game in _games(connection):
            games += 1
            corrections += _replay(game, current)
        stored = {
            (row.player_id, row.kind, row.speed): {name: getattr(row, name) for name in _STORED}
            for row in connection.execute(select(ratings))
        }
        changed = sum(stored.get(key) != current.get(key) for key in stored.keys() | current.keys())
        if not dry_run:
            _correct(connection, corrections, current if changed else {})
        return Rebuilt(games, len(current), changed)


_Key: TypeAlias = tuple[str, str, str]
"""Player, kind and speed."""
_STORED: Final = ("value", "deviation", "volatility", "games", "at")


def _games(connection: Connection) -> Iterator[list[Any]]:
    """The rows of each rated game, in the order of the games.

    Rows of concurrently committed games may be interleaved; such games have no player in common.
    """
    first = func.min(rating_changes.c.number).over(partition_by=rating_changes.c.game_id).label("first")
    ordered = select(rating_changes, first).subquery()
    query = select(ordered).order_by(ordered.c.first, ordered.c.seat)
    rows = connection.execute(query, execution_options={"yield_per": _BATCH})
    for _, game in groupby(rows, key=attrgetter("game_id")):
        yield list(game)


def _replay(game: Sequence[Any], current: dict[_Key, dict[str, Any]]) -> list[dict[str, Any]]:
    """Apply a game to the ratings computed so far; return the corrections of its rows."""
    standings = []
    for row in game:
        known = None if row.player_id is None else current.get((row.player_id, row.kind, row.speed))
        rating = Rating(row.value, row.deviation) if row.player_id is None else Rating()
        idle, games = 0.0, 0
        if known is not None:
            rating = Rating(known["value"], known["deviation"], known["volatility"])
            idle, games = row.at - known["at"], known["games"]
        standings.append(
            _Standing(row.seat, row.player_id, row.bot_level, row.side, row.place, rating, idle, games)
        )
    corrections = []
    for row, standing in zip(game, standings, strict=True):
        if standing.player_id is None:
            continue
        before, new = standing.at_the_game, standing.after(standings)
        current[standing.player_id, row.kind, row.speed] = {
            "value": new.value,
            "deviation": new.deviation,
            "volatility": new.volatility,
            "games": standing.games + 1,
            "at": row.at,
        }
        right = (before.value, before.deviation, new.value, new.deviation)
        if (row.value, row.deviation, row.new_value, row.new_deviation) != right:
            corrections.append({"of": row.number, **dict(zip(_CHANGED, right, strict=True))})
    return corrections


_CHANGED: Final = ("value", "deviation", "new_value", "new_deviation")


def _correct(
    connection: Connection, corrections: list[dict[str, Any]], current: dict[_Key, dict[str, Any]]
) -> None:
    """Store corrected rows of games and, unless ``current`` is empty, all ratings."""
    if corrections:
        this = update(rating_changes).where(rating_changes.c.number == bindparam("of"))
        connection.execute(this.values({name: bindparam(name) for name in _CHANGED}), corrections)
    if current:
        connection.execute(delete(ratings))
        connection.execute(
            insert(ratings),
            [
                {"player_id": player, "kind": kind, "speed": speed, **values}
                for (player, kind, speed), values in current.items()
            ],
        )


def _standing(
    connection: Connection, seat: int, taken: Seat, kind: str, speed: Speed, at: float, side: int, place: int
) -> _Standing:
    if taken.player_id is None:
        rating = Rating() if taken.bot_level is None else bot_rating(kind, taken.bot_level)
        return _Standing(seat, None, taken.bot_level, side, place, rating)
    row = ratings.c
    query = select(row.value, row.deviation, row.volatility, row.at, row.games).where(
        row.player_id == taken.player_id, row.kind == kind, row.speed == speed
    )
    found = connection.execute(query).one_or_none()
    if found is None:
        return _Standing(seat, taken.player_id, None, side, place, Rating())
    value, deviation, volatility, since, games = found
    rating = Rating(value, deviation, volatility)
    return _Standing(seat, taken.player_id, None, side, place, rating, at - since, games)


def _keep(
    connection: Connection, player_id: str, kind: str, speed: Speed, new: Rating, games: int, at: float
) -> None:
    values = {
        "value": new.value,
        "deviation": new.deviation,
        "volatility": new.volatility,
        "games": games,
        "at": at,
    }
    key = {"player_id": player_id, "kind": kind, "speed": speed}
    keeping = upsert(connection, ratings).values(**key, **values)
    connection.execute(keeping.on_conflict_do_update(index_elements=list(key), set_=values))


def has_played(connection: Connection, game_id: str, seat: int) -> bool:
    """Whether a seat has made a move that counts as playing."""
    idle = or_(*(moves.c.move.contains(f'"type":"{name}"') for name in _NO_PLAY))
    made = exists().where(moves.c.game_id == game_id, moves.c.seat == seat, ~idle)
    return bool(connection.scalar(select(made)))


def all_have_played(connection: Connection, table: Table) -> bool:
    """Whether every player at the table has made a move that counts as playing."""
    return all(
        taken.bot_level is not None or has_played(connection, table.id, seat)
        for seat, taken in enumerate(table.seats)
    )


def _side(outcome: Outcome, seat: int) -> int:
    return next((number for number, team in enumerate(outcome.teams) if seat in team), seat)


def _places(outcome: Outcome) -> list[int]:
    """The place of each seat: 1 for the winners, then by score; in teams 2 for all others."""
    others = sorted(
        {score for seat, score in enumerate(outcome.scores) if seat not in outcome.winners}, reverse=True
    )
    return [
        1 if seat in outcome.winners else 2 if outcome.teams else 2 + others.index(score)
        for seat, score in enumerate(outcome.scores)
    ]
