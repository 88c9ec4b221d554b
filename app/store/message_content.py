"""Content of a message: the games in which it is the player's turn, the opponents, and the time left."""

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, TypedDict

from sqlalchemy import Connection, bindparam, select

from app.store.notices import Stage
from app.store.schema import games, players, seats, snapshots
from app.store.shown_names import SHOWN_NAME

MessageKind: TypeAlias = Literal["turns", "daily", "test"]


class GameNotice(TypedDict):
    """A game in a message."""

    game_id: str
    kind: str
    """Kind of game."""
    stage: Stage
    against: list[str | None]
    """The other players' names; None for a player without a name."""
    left: int | None
    """Seconds left for the move; None if there is no turn limit."""


class Content(TypedDict):
    """Content of a message."""

    kind: MessageKind
    games: list[GameNotice]
    turns: int
    """Number of games in which it is the player's turn."""


def game_notices(connection: Connection, player_id: str, rows: Iterable[Any], at: float) -> list[GameNotice]:
    """The games in a message, for ``rows`` with game_id, stage, since and turn_limit."""
    wanted = {row.game_id: row for row in rows}
    query = (
        select(seats.c.game_id, games.c.kind, seats.c.player_id, SHOWN_NAME)
        .join(games, games.c.id == seats.c.game_id)
        .join(players, players.c.id == seats.c.player_id)
        .where(seats.c.game_id.in_(wanted))
        .order_by(seats.c.game_id, seats.c.seat)
    )
    found: dict[str, GameNotice] = {}
    for game_id, kind, other, nickname in connection.execute(query):
        row = wanted[game_id]
        left = None if row.turn_limit is None else max(0, round(row.since + row.turn_limit - at))
        notice = found.setdefault(
            game_id, {"game_id": game_id, "kind": kind, "stage": row.stage, "against": [], "left": left}
        )
        if other != player_id:
            notice["against"].append(nickname)
    return [found[game_id] for game_id in wanted if game_id in found]


def turns_of(connection: Connection, player_id: str) -> list[Any]:
    """The games with other people in which it is the player's turn, as rows for ``game_notices``."""
    other = seats.alias()
    other_people = select(other.c.seat).where(
        other.c.game_id == seats.c.game_id,
        other.c.player_id.is_not(None),
        other.c.seat != seats.c.seat,
    )
    query = (
        select(
            games.c.id.label("game_id"),
            bindparam("stage", "turn").label("stage"),
            snapshots.c.saved_at.label("since"),
            games.c.turn_limit,
        )
        .select_from(seats)
        .join(games, games.c.id == seats.c.game_id)
        .join(snapshots, snapshots.c.game_id == games.c.id)
        .where(seats.c.player_id == player_id, games.c.status == "open", moves_now(), other_people.exists())
        .order_by(snapshots.c.saved_at)
    )
    return list(connection.execute(query))


def moves_now() -> Any:
    """Whether it is the turn of a seat, as a condition for queries of ``seats`` and ``snapshots``."""
    return snapshots.c.movers.bitwise_rshift(seats.c.seat).bitwise_and(1) == 1
