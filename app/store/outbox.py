"""The outbox: messages created from due notices, until they are delivered.

Any number of processes may work on it at the same time. A message is created in the transaction that takes
its notices, and deleted when it is delivered. The sending process claims it for a while; if that process
dies, another one sends the message again with the same ID.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, func, insert, select, update

from app.store.channels import (
    GIVEN_UP_AFTER,
    Channel,
    ChannelKind,
    UnknownChannel,
    channels_of,
    kinds_of,
    times_of,
)
from app.store.database import Database
from app.store.message_content import Content, GameNotice, MessageKind, game_notices, moves_now, turns_of
from app.store.notices import BURST, next_stage
from app.store.schema import (
    channels,
    mail_addresses,
    messages,
    notice_choices,
    notice_times,
    notices,
    seats,
    snapshots,
)
from app.store.sending_places import SendingPlaces

Outcome: TypeAlias = Literal["delivered", "failed", "gone"]
"""Result of sending; ``gone``: the receiver no longer exists, and the channel is removed."""
CLAIMED_FOR: Final = 60.0
"""Seconds for which other processes do not send a claimed message."""
EXPIRES_AFTER: Final = 12 * 3600.0
"""Seconds after which an undelivered message is dropped."""
RETRIES: Final = (30.0, 120.0, 600.0, 1800.0, 3600.0)
"""Seconds until the next attempt, by the number of failures; then the last value."""
PAGE_OPEN_FOR: Final = 60.0
"""Seconds by which a notice is postponed while the game's page is open."""
_LOOK_AHEAD: Final = BURST / 2
"""How many seconds early a notice is postponed, so that any process with the page open can do it in time."""
_MOST: Final = 500
"""Maximum number of notices handled in one transaction."""

IsOpen: TypeAlias = Callable[[str, int], bool]
"""Whether a page of the game is open at that seat in this process."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message to be sent."""

    id: str
    channel: Channel
    mail_address: str | None
    """Address of a mail."""
    content: Content
    created_at: float
    """Seconds since the epoch."""
    attempts: int
    """Number of attempts, including this one."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Result of sending a message."""

    message: Message
    outcome: Outcome


class Outbox:
    """The messages of all players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collect(self, at: float, is_open: IsOpen = lambda _game, _seat: False) -> int:
        """Create the messages for due notices and due daily messages, and return their number.

        Notices of games whose page is open are postponed.
        """
        if not self._anything_due(at):
            return 0
        with self._database.writing() as connection:
            rows = _due_notices(connection, at)
            shown = [row for row in rows if is_open(row.game_id, row.seat)]
            _put_off(connection, shown, at + PAGE_OPEN_FOR)
            waiting = defaultdict(list)
            for row in rows:
                if row not in shown:
                    waiting[row.player_id].append(row)
            made: list[dict[str, Any]] = []
            for player_id, due in waiting.items():
                if any(row.due_at <= at for row in due):
                    made += _of_notices(connection, player_id, due, at)
            for player_id in _due_digests(connection, at):
                made += _of_day(connection, player_id, at)
            if made:
                connection.execute(insert(messages), made)
        return len(made)

    def test(self, player_id: str | None, channel_id: str, at: float) -> None:
        """Create a test message for a channel. Raises UnknownChannel."""
        with self._database.writing() as connection:
            this = and_(channels.c.id == channel_id, channels.c.player_id == player_id)
            found = channels_of(connection, this)
            if not found:
                raise UnknownChannel("you have no such channel: it may have been removed")
            content: Content = {
                "kind": "test",
                "games": [],
                "turns": len(turns_of(connection, found[0].player_id)),
            }
            connection.execute(insert(messages), [_message(found[0], content, at)])

    def claim(self, most: int, at: float, running: Iterable[Channel] = ()) -> list[Message]:
        """Claim messages to send, the longest waiting first; see ``record``.

        ``running`` are the channels to which the caller is sending: see ``SendingPlaces``. Outdated messages
        are dropped: those of turns that are over, and those undelivered for too long.
        """
        row, places = messages.c, SendingPlaces(running)
        ready = (
            select(row.id, channels.c.player_id, channels.c.kind, channels.c.address)
            .join(channels, channels.c.id == row.channel_id)
            .where(row.next_at <= at, *places.free())
        )
        with self._database.reading() as connection:
            if connection.execute(ready.limit(1)).first() is None:
                return []
        with self._database.writing(durable=False) as connection:
            first = ready.order_by(row.next_at).limit(most)
            found = connection.execute(first.with_for_update(of=messages, skip_locked=True))
            ids = [each.id for each in found if places.take(each.player_id, each.kind, each.address)]
            claimed = update(messages).where(row.id.in_(ids))
            connection.execute(claimed.values(next_at=at + CLAIMED_FOR, attempts=row.attempts + 1))
            read = _read(connection, row.id.in_(ids))
            current = _current(connection, [one for one in read if one.created_at >= at - EXPIRES_AFTER])
            dropped = set(ids).difference(one.id for one in current)
            if dropped:
                connection.execute(delete(messages).where(row.id.in_(dropped)))
        return current

    def record(self, deliveries: Iterable[Delivery], at: float) -> None:
        """Delete delivered messages, schedule retries of failed ones, and remove channels that are gone.

        Neither this nor ``claim`` waits for the disk: at worst, a crash of the database repeats a message.
        """
        ended = list(deliveries)
        of = {
            outcome: [each.message for each in ended if each.outcome == outcome]
            for outcome in ("delivered", "failed", "gone")
        }
        with self._database.writing(durable=False) as connection:
            if of["delivered"]:
                ids = [one.id for one in of["delivered"]]
                connection.execute(delete(messages).where(messages.c.id.in_(ids)))
                well = [one.channel.id for one in of["delivered"] if one.channel.failing_since is not None]
                if well:
                    works = update(channels).where(channels.c.id.in_(well))
                    connection.execute(works.values(failing_since=None))
            for one in of["failed"]:
                again = at + RETRIES[min(one.attempts, len(RETRIES)) - 1]
                allowed = times_of(connection, one.channel.player_id).allowed_from(again)
                # Quiet hours do not count towards EXPIRES_AFTER.
                values = {"next_at": allowed, "created_at": one.created_at + allowed - again}
                connection.execute(update(messages).where(messages.c.id == one.id).values(values))
            failing = [one.channel.id for one in of["failed"]]
            if failing:
                row = channels.c
                begin = update(channels).where(row.id.in_(failing), row.failing_since.is_(None))
                connection.execute(begin.values(failing_since=at))
                over = row.failing_since < at - GIVEN_UP_AFTER
                connection.execute(delete(channels).where(row.id.in_(failing), over))
            if of["gone"]:
                gone = [one.channel.id for one in of["gone"]]
                connection.execute(delete(channels).where(channels.c.id.in_(gone)))

    def waiting(self) -> int:
        """Number of messages not delivered yet."""
        with self._database.reading() as connection:
            return connection.scalar(select(func.count()).select_from(messages)) or 0

    def _anything_due(self, at: float) -> bool:
        soon = select(notices.c.game_id).where(notices.c.due_at <= at + _LOOK_AHEAD).limit(1)
        daily = select(notice_times.c.player_id).where(notice_times.c.digest_due <= at).limit(1)
        with self._database.reading() as connection:
            return connection.scalar(soon) is not None or connection.scalar(daily) is not None


def _due_notices(connection: Connection, at: float) -> list[Any]:
    """The notices that are due, and those of the same burst."""
    query = select(notices).where(notices.c.due_at <= at + _LOOK_AHEAD)
    locked = query.order_by(notices.c.due_at).limit(_MOST).with_for_update(skip_locked=True)
    return list(connection.execute(locked))


def _put_off(connection: Connection, rows: Iterable[Any], until: float) -> None:
    values = [{"of_game": row.game_id, "of_player": row.player_id, "until": until} for row in rows]
    if values:
        this = notices.c.game_id == bindparam("of_game"), notices.c.player_id == bindparam("of_player")
        connection.execute(update(notices).where(*this).values(due_at=bindparam("until")), values)


def _of_notices(connection: Connection, player_id: str, due: list[Any], at: float) -> list[dict[str, Any]]:
    """The messages of a player's due notices, which advance to their next stage."""
    allowed = times_of(connection, player_id).allowed_from(at)
    if allowed > at:
        _put_off(connection, due, allowed)
        return []
    found = game_notices(connection, player_id, due, at)
    for row in due:
        this = notices.c.game_id == row.game_id, notices.c.player_id == player_id
        following = next_stage(row.stage, row.since, row.turn_limit, at)
        if following is None:
            connection.execute(delete(notices).where(*this))
        else:
            stage, due_at = following
            connection.execute(update(notices).where(*this).values(stage=stage, due_at=due_at))
    return _messages(connection, player_id, "turns", found, at, daily=False)


def _of_day(connection: Connection, player_id: str, at: float) -> list[dict[str, Any]]:
    """The daily messages of a player; plans the next ones. Quiet hours postpone them instead."""
    times = times_of(connection, player_id)
    allowed = times.allowed_from(at)
    due = allowed if allowed > at else times.next_digest(at)
    planned = update(notice_times).where(notice_times.c.player_id == player_id)
    connection.execute(planned.values(digest_due=due))
    if allowed > at:
        return []
    found = game_notices(connection, player_id, turns_of(connection, player_id), at)
    return _messages(connection, player_id, "daily", found, at, daily=True)


def _due_digests(connection: Connection, at: float) -> list[str]:
    row = notice_times.c
    query = select(row.player_id).where(row.digest_due <= at).limit(_MOST)
    return list(connection.scalars(query.with_for_update(skip_locked=True)))


def _messages(
    connection: Connection,
    player_id: str,
    kind: MessageKind,
    about: list[GameNotice],
    at: float,
    *,
    daily: bool,
) -> list[dict[str, Any]]:
    """One message for each channel that is used for one of the games."""
    row = notice_choices.c
    chosen = select(row.game_id, row.kinds).where(row.player_id == player_id)
    kinds: dict[str, frozenset[ChannelKind]] = {
        game_id: kinds_of(text) for game_id, text in connection.execute(chosen)
    }
    turns = len(turns_of(connection, player_id))
    made = []
    own = and_(channels.c.player_id == player_id, channels.c.daily == daily)
    for channel in channels_of(connection, own):
        wanted = [each for each in about if channel.kind in kinds.get(each["game_id"], {channel.kind})]
        if wanted:
            made.append(_message(channel, {"kind": kind, "games": wanted, "turns": turns}, at))
    return made


def _message(channel: Channel, content: Content, at: float) -> dict[str, Any]:
    return {
        "id": token_urlsafe(12),
        "channel_id": channel.id,
        "content": json.dumps(content),
        "created_at": at,
        "next_at": at,
        "attempts": 0,
    }


def _read(connection: Connection, which: ColumnElement[bool]) -> list[Message]:
    row = messages.c
    query = (
        select(
            row.id,
            row.content,
            row.created_at,
            row.attempts,
            mail_addresses.c.address.label("mail"),
            *(channels.c[name].label(f"channel_{name}") for name in Channel.__slots__),
        )
        .join(channels, channels.c.id == row.channel_id)
        .outerjoin(mail_addresses, mail_addresses.c.player_id == channels.c.player_id)
        .where(which)
    )
    return [
        Message(
            each.id,
            Channel(**{name: getattr(each, f"channel_{name}") for name in Channel.__slots__}),
            each.mail,
            json.loads(each.content),
            each.created_at,
            each.attempts,
        )
        for each in connection.execute(query)
    ]


def _current(connection: Connection, found: list[Message]) -> list[Message]:
    """The test messages, and those with a game in which it is the player's turn."""
    wanted = {(each["game_id"], one.channel.player_id) for one in found for each in one.content["games"]}
    query = (
        select(seats.c.game_id, seats.c.player_id)
        .join(snapshots, snapshots.c.game_id == seats.c.game_id)
        .where(seats.c.game_id.in_({game for game, _ in wanted}), moves_now())
    )
    turns = {tuple(row) for row in connection.execute(query)} if wanted else set()
    return [
        one
        for one in found
        if one.content["kind"] == "test"
        or any((each["game_id"], one.channel.player_id) in turns for each in one.content["games"])
    ]
