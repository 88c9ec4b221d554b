"""Ratings: the strength of each player in each kind of game at each speed. See docs/operations.md."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, get_args

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Connection, Row, select, true, update

from app.games.glicko import PROVISIONAL_DEVIATION, Rating
from app.grammar import round_half_up
from app.resources import resource
from app.store.database import Database
from app.store.models import Table, TableSettings
from app.store.sanctions import sanctioned_players
from app.store.schema import games, players, rating_changes, ratings
from app.store.shown_names import SHOWN_NAME

Speed = Literal["blitz", "rapid", "days"]
"""Time that players have: less than BLITZ_SECONDS each, days per turn, or anything else (``rapid``)."""
BLITZ_SECONDS: Final = 300
"""A game in which each player has less total time than this is blitz."""
INCREMENTS: Final = 15
"""Number of turns for which a clock's increment is added to a player's total time."""
ACTIVE_DAYS: Final = 90
"""Days without a rated game after which a player is left out of the rating leaderboards."""
_DAY: Final = 86_400


def speed_of(options: Any, settings: TableSettings) -> Speed:
    """The speed of a table with these game options, as in a setup or pinned."""
    clock = getattr(options, "clock_seconds", None)
    turn = getattr(options, "turn_seconds", None)
    round_seconds = getattr(options, "seconds", None)
    # A table's own limit does not apply while a clock of the game runs.
    unclocked = clock is None and turn is None and round_seconds is None
    longest = settings.turn_limit if unclocked else clock if clock is not None else turn
    if longest is not None and longest >= _DAY:
        return "days"
    whole = round_seconds if clock is None else clock + INCREMENTS * getattr(options, "increment_seconds", 0)
    return "blitz" if whole is not None and whole < BLITZ_SECONDS else "rapid"


@cache
def _bot_ratings() -> dict[str, tuple[tuple[float, float], ...]]:
    table = tomllib.loads((resource("data") / "ratings.toml").read_text(encoding="utf-8"))
    return TypeAdapter(dict[str, tuple[tuple[float, float], ...]]).validate_python(table["bots"])


def bot_rating(kind: str, level: int) -> Rating:
    """The fixed rating of a bot at any speed; a new player's rating in kinds without rated bots."""
    measured = _bot_ratings().get(kind, ())
    return Rating(*measured[level - 1]) if level <= len(measured) else Rating()


def rating_of(connection: Connection, player_id: str, kind: str, speed: Speed, at: float) -> Rating:
    """See ``Ratings.of``."""
    row = ratings.c
    query = select(ratings).where(row.player_id == player_id, row.kind == kind, row.speed == speed)
    return _rating_at(connection.execute(query).one_or_none(), at)


def _rating_at(row: Row[Any] | None, at: float) -> Rating:
    """The rating in a row of ``ratings`` as of ``at``; without a row, a new player's rating."""
    return Rating() if row is None else Rating(row.value, row.deviation, row.volatility).later(at - row.at)


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating in one kind of game at one speed."""

    kind: str
    speed: Speed
    rating: Rating
    games: int
    at: float
    """End of the latest rated game."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """Another seat of a rated game."""

    nickname: str | None
    bot_level: int | None
    value: float | None
    """Rating before the game; None if they hide theirs."""
    place: int


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A rated game and its effect on a player's rating."""

    number: int
    """Ascending number in the order of the games."""
    game_id: str
    kept: bool
    """Whether the game is still stored."""
    at: float
    place: int
    """1 for a winner; players with equal places drew."""
    before: float
    after: float
    deviation: float
    """After the game."""
    opponents: tuple[Opponent, ...]


@dataclass(frozen=True, slots=True)
class Leader:
    """A row of a leaderboard by rating."""

    rank: int
    player_id: str
    nickname: str
    value: float
    deviation: float
    games: int


class Ratings:
    """The ratings of players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, player_id: str, kind: str, speed: Speed, at: float) -> Rating:
        """The rating of a player at ``at``; without a rated game, a new player's rating."""
        with self._database.reading() as connection:
            return rating_of(connection, player_id, kind, speed, at)

    def of_player(self, player_id: str | None, at: float) -> list[Rated]:
        """All ratings of a player at ``at``, most played first."""
        row = ratings.c
        query = select(ratings).where(row.player_id == player_id)
        with self._database.reading() as connection:
            found = connection.execute(query.order_by(row.games.desc(), row.kind, row.speed)).all()
        return [Rated(each.kind, each.speed, _rating_at(each, at), each.games, each.at) for each in found]

    def shown_at(self, table: Table, player_id: str | None, at: float) -> dict[int, Rating]:
        """The ratings at a rated table, by seat: of bots, and of players who do not hide theirs.

        Always includes the rating of ``player_id``.
        """
        if not table.settings.rated:
            return {}
        speed = speed_of(table.state.options, table.settings)
        people = [seat.player_id for seat in table.seats if seat.player_id is not None]
        row = ratings.c
        shown = select(players.c.id).where(
            players.c.id.in_(people), ~players.c.rating_hidden | (players.c.id == player_id)
        )
        query = select(ratings).where(row.player_id.in_(people), row.kind == table.kind, row.speed == speed)
        with self._database.reading() as connection:
            visible = set(connection.scalars(shown))
            known = {each.player_id: each for each in connection.execute(query)}
        found = {}
        for seat, taken in enumerate(table.seats):
            if taken.bot_level is not None:
                found[seat] = bot_rating(table.kind, taken.bot_level)
            elif taken.player_id in visible:
                found[seat] = _rating_at(known.get(taken.player_id), at)
        return found

    def change_at(self, game_id: str, player_id: str | None) -> RatedGame | None:
        """The effect of a game on a player's rating; None if it was not rated or they did not play."""
        return next(iter(self._changes(player_id, 1, rating_changes.c.game_id == game_id)), None)

    def history(
        self, player_id: str | None, kind: str, speed: Speed, most: int, before: int | None = None
    ) -> list[RatedGame]:
        """A player's latest rated games of one kind and speed, or those before a number; latest first."""
        row = rating_changes.c
        earlier = true() if before is None else row.number < before
        return self._changes(player_id, most, row.kind == kind, row.speed == speed, earlier)

    def top(self, kind: str, speed: Speed, at: float, most: int, *, bots: bool = False) -> list[Leader]:
        """The people, or the bot accounts, with the highest ratings; equal ratings share a rank.

        Only those with a name who played in the last ACTIVE_DAYS, whose rating is not provisional, who do not
        hide it, and who are not suspended, nor their owner.
        """
        row = ratings.c
        suspended = sanctioned_players("suspend", at)
        query = (
            select(ratings, SHOWN_NAME)
            .join(players, players.c.id == row.player_id)
            .where(row.kind == kind, row.speed == speed, row.at >= at - ACTIVE_DAYS * _DAY)
            .where(players.c.nickname.is_not(None), ~players.c.rating_hidden)
            .where(players.c.owner_id.is_not(None) if bots else players.c.owner_id.is_(None))
            .where(row.deviation <= PROVISIONAL_DEVIATION, row.player_id.not_in(suspended))
            .order_by(row.value.desc(), row.games.desc(), row.player_id)
        )
        leaders: list[Leader] = []
        with self._database.reading() as connection:
            for each in connection.execute(query):
                now = _rating_at(each, at)
                if now.is_provisional:
                    continue
                ties = leaders and round_half_up(leaders[-1].value) == round_half_up(each.value)
                rank = leaders[-1].rank if ties else len(leaders) + 1
                leaders.append(
                    Leader(rank, each.player_id, each.nickname, each.value, now.deviation, each.games)
                )
                if len(leaders) == most:
                    break
        return leaders

    def leaders(
        self, kinds: Iterable[str], at: float, most: int, *, bots: bool = False
    ) -> dict[str, dict[Speed, list[Leader]]]:
        """The ``top`` of each kind and speed; empty ones are left out."""
        tops = {
            kind: {speed: self.top(kind, speed, at, most, bots=bots) for speed in get_args(Speed)}
            for kind in kinds
        }
        filled = {
            kind: {speed: top for speed, top in by_speed.items() if top} for kind, by_speed in tops.items()
        }
        return {kind: by_speed for kind, by_speed in filled.items() if by_speed}

    def is_hidden(self, player_id: str | None) -> bool:
        """Whether a player hides their ratings from others."""
        with self._database.reading() as connection:
            query = select(players.c.rating_hidden).where(players.c.id == player_id)
            return bool(connection.scalar(query))

    def hide(self, player_id: str | None, *, hidden: bool) -> None:
        """Hide a player's ratings from others, or show them again. Their games are still rated."""
        with self._database.writing() as connection:
            own = update(players).where(players.c.id == player_id, players.c.erased_at.is_(None))
            connection.execute(own.values(rating_hidden=hidden))

    def _changes(self, player_id: str | None, most: int, *conditions: ColumnElement[bool]) -> list[RatedGame]:
        if player_id is None:  # null in the rows means a bot or an erased player
            return []
        row = rating_changes.c
        query = (
            select(rating_changes, games.c.id.label("stored"))
            .outerjoin(games, games.c.id == row.game_id)
            .where(row.player_id == player_id, *conditions)
            .order_by(row.number.desc())
            .limit(most)
        )
        with self._database.reading() as connection:
            own = connection.execute(query).all()
            seated = connection.execute(
                select(rating_changes, SHOWN_NAME, players.c.rating_hidden)
                .outerjoin(players, players.c.id == row.player_id)
                .where(row.game_id.in_([each.game_id for each in own]))
                .order_by(row.seat)
            ).all()
        at_game: dict[str, list[Row[Any]]] = {}
        for each in seated:
            at_game.setdefault(each.game_id, []).append(each)
        return [
            RatedGame(
                each.number,
                each.game_id,
                each.stored is not None,
                each.at,
                each.place,
                each.value,
                each.new_value,
                each.new_deviation,
                tuple(
                    Opponent(
                        other.nickname,
                        other.bot_level,
                        None if other.rating_hidden else other.value,
                        other.place,
                    )
                    for other in at_game[each.game_id]
                    if other.side != each.side
                ),
            )
            for each in own
        ]
