"""Notices: pending notifications of turns, written in the transaction of the move.

There is one row for each turn of a player who has a channel. It holds the next notification: first that it
is their turn, then, if the turn limit is long, two reminders. It is deleted when the turn is over.
"""

from collections.abc import Collection
from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection, String, bindparam, delete, exists, insert, literal, select

from app.store.models import Table
from app.store.schema import channels, notices, seats

Stage: TypeAlias = Literal["turn", "half", "tenth"]
"""The next notification: it is the player's turn, or half or a tenth of the time is left."""
BURST: Final = 20.0
"""Seconds by which a notice is delayed, so that several in quick succession are sent in one message."""
LONG: Final = 4 * 3600
"""Shortest turn limit, in seconds, with reminders."""
_LEFT: Final[dict[Stage, float]] = {"half": 0.5, "tenth": 0.1}
"""Share of the turn limit left when a reminder is due."""

_OF_SEAT: Final = select(literal(True)).where(channels.c.player_id == seats.c.player_id)  # noqa: FBT003 - SQL
HAS_CHANNEL: Final = _OF_SEAT.limit(1).scalar_subquery().label("has_channel")
"""Whether the player of a seat has a channel; read with the seats, to save a query for those without one.

With EXISTS, PostgreSQL might read all channels for the two seats of a game.
"""

_BEGIN = insert(notices).from_select(
    ["game_id", "player_id", "seat", "stage", "since", "turn_limit", "due_at"],
    select(
        bindparam("game", type_=String),
        bindparam("player", type_=String),
        bindparam("at_seat", type_=notices.c.seat.type),
        literal("turn"),
        bindparam("moved_at", type_=notices.c.since.type),
        bindparam("limit", type_=notices.c.turn_limit.type),
        bindparam("due", type_=notices.c.due_at.type),
    ).where(exists().where(channels.c.player_id == bindparam("player", type_=String))),
)
_OF_GAME = notices.c.game_id == bindparam("game")
_END = delete(notices).where(_OF_GAME, notices.c.player_id == bindparam("player"))
_END_ALL = delete(notices).where(_OF_GAME)


def note_turns(connection: Connection, table: Table, movers_before: Collection[int], at: float) -> None:
    """Update the notices of a game of several people for the turns that have begun and ended."""
    people = [seat for seat in table.seats if seat.player_id is not None]
    if len(people) < 2 or all(seat.has_channel is False for seat in people):
        return
    now = table.movers
    over = [table.seats[seat].player_id for seat in movers_before if seat not in now]
    ended = [{"game": table.id, "player": player} for player in over if player is not None]
    if ended and now:
        connection.execute(_END, ended)
    elif ended:
        connection.execute(_END_ALL, {"game": table.id})
    begun = [
        {
            "game": table.id,
            "player": table.seats[seat].player_id,
            "at_seat": seat,
            "moved_at": table.moved_at,
            "limit": table.settings.turn_limit,
            "due": at + BURST,
        }
        for seat in now
        if seat not in movers_before and table.seats[seat].player_id is not None
    ]
    if begun:
        connection.execute(_BEGIN, begun)


def next_stage(stage: Stage, since: float, turn_limit: int | None, at: float) -> tuple[Stage, float] | None:
    """The stage of a turn that follows ``stage``, and when it is due; None if there is none.

    ``since`` is when the turn began. Reminders whose time has passed are skipped.
    """
    if turn_limit is None or turn_limit < LONG:
        return None
    later: list[Stage] = ["half", "tenth"]
    for each in later[0 if stage == "turn" else later.index(stage) + 1 :]:
        due = since + turn_limit * (1 - _LEFT[each])
        if due > at:
            return each, due
    return None
