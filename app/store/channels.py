"""Notification channels of players, and the times at which they are used.

A channel is a browser (web push), the confirmed mail address, or a webhook. By default a player has none.
"""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from secrets import token_urlsafe
from typing import Any, Final, Literal, TypeAlias, get_args

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from app.store.database import Database, upsert
from app.store.models import BadField, NotYourSeat, TooMuch, UnknownPlayer
from app.store.players import lock_player
from app.store.quiet_hours import Times
from app.store.schema import channels, mail_addresses, notice_choices, notice_times, notices, seats

ChannelKind: TypeAlias = Literal["push", "mail", "webhook"]
KINDS: Final[tuple[ChannelKind, ...]] = get_args(ChannelKind)
MOST_CHANNELS: Final = 10
GIVEN_UP_AFTER: Final = 7 * 86_400.0
"""A channel is removed after all deliveries have failed for this many seconds."""


class UnknownChannel(LookupError):
    """The player has no such channel."""


class BadChannel(BadField):
    """The channel cannot be added; the message says why."""


@dataclass(frozen=True, slots=True)
class Channel:
    """One way to reach a player."""

    id: str
    player_id: str
    kind: ChannelKind
    address: str
    """URL of the push service or webhook; empty for mail, which is sent to the player's confirmed address."""
    secret: str
    """A browser's public key and secret, separated by a space; for a webhook, the signing key."""
    name: str
    daily: bool
    """Whether it gets one message a day instead of one per turn."""
    created_at: float
    failing_since: float | None
    """Since when all deliveries have failed; None if the latest succeeded."""


class Channels:
    """The channels of all players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        player_id: str,
        kind: ChannelKind,
        address: str,
        secret: str,
        name: str,
        at: float,
        *,
        daily: bool = False,
    ) -> str:
        """Add a channel, and return its ID. A channel with the same address is replaced.

        A browser can be the channel of only one player. Raises BadChannel, TooMuch, UnknownPlayer.
        """
        row, channel_id = channels.c, token_urlsafe(9)
        with self._database.writing() as connection:
            _lock_profile(connection, player_id)
            if kind == "mail":
                own = select(mail_addresses.c.player_id).where(mail_addresses.c.player_id == player_id)
                if connection.scalar(own) is None:
                    raise BadChannel("confirm a mail address first, on your profile page", "channel", "kind")
            same = [row.kind == kind, row.address == address]
            connection.execute(
                delete(channels).where(*same, *(() if kind == "push" else (row.player_id == player_id,)))
            )
            count = select(func.count()).where(row.player_id == player_id)
            if (connection.scalar(count) or 0) >= MOST_CHANNELS:
                raise TooMuch(f"you have {MOST_CHANNELS} channels, the most allowed: remove one first")
            values = {"address": address, "secret": secret, "name": name, "daily": daily, "created_at": at}
            connection.execute(
                insert(channels).values(id=channel_id, player_id=player_id, kind=kind, **values)
            )
            _schedule(connection, player_id, at)
        return channel_id

    def of_player(self, player_id: str | None) -> list[Channel]:
        """The player's channels, the oldest first."""
        with self._database.reading() as connection:
            return channels_of(connection, channels.c.player_id == player_id) if player_id else []

    def read(self, player_id: str | None, channel_id: str) -> Channel:
        """One of the player's channels. Raises UnknownChannel."""
        for channel in self.of_player(player_id):
            if channel.id == channel_id:
                return channel
        raise UnknownChannel("you have no such channel: it may have been removed")

    def change(self, player_id: str | None, channel_id: str, at: float, *, daily: bool) -> None:
        """Choose between one message a day and one per turn. Raises UnknownChannel."""
        with self._database.writing() as connection:
            own = update(channels).where(channels.c.id == channel_id, channels.c.player_id == player_id)
            if player_id is None or not connection.execute(own.values(daily=daily)).rowcount:
                raise UnknownChannel("you have no such channel: it may have been removed")
            _schedule(connection, player_id, at)

    def remove(self, player_id: str | None, channel_id: str) -> None:
        """Remove a channel and its unsent messages. Raises UnknownChannel."""
        with self._database.writing() as connection:
            own = channels.c.id == channel_id, channels.c.player_id == player_id
            if not connection.execute(delete(channels).where(*own)).rowcount:
                raise UnknownChannel("you have no such channel: it may have been removed")

    def unsubscribe(self, channel_id: str) -> None:
        """Remove a channel by its ID alone; no effect if it does not exist."""
        with self._database.writing() as connection:
            connection.execute(delete(channels).where(channels.c.id == channel_id))

    def times(self, player_id: str | None) -> Times:
        """The player's time zone, quiet hours and time of the daily message."""
        with self._database.reading() as connection:
            return times_of(connection, player_id)

    def set_times(self, player_id: str, times: Times, at: float) -> None:
        """Set the player's times. Raises BadTimes, UnknownPlayer."""
        times.check()
        with self._database.writing() as connection:
            _lock_profile(connection, player_id)
            values = asdict(times)
            statement = upsert(connection, notice_times).values(player_id=player_id, **values)
            connection.execute(statement.on_conflict_do_update(index_elements=["player_id"], set_=values))
            _schedule(connection, player_id, at)

    def choices(self, player_id: str | None) -> dict[str, frozenset[ChannelKind]]:
        """The kinds of channel chosen for each game; games without a choice are left out."""
        query = select(notice_choices.c.game_id, notice_choices.c.kinds)
        with self._database.reading() as connection:
            rows = connection.execute(query.where(notice_choices.c.player_id == player_id)).all()
        return {game_id: kinds_of(kinds) for game_id, kinds in rows}

    def choose(self, player_id: str | None, game_id: str, kinds: Collection[ChannelKind] | None) -> None:
        """Choose the kinds of channel to use for one game; None for all, the default. Raises NotYourSeat."""
        row = notice_choices.c
        with self._database.writing() as connection:
            seat = select(seats.c.seat).where(seats.c.game_id == game_id, seats.c.player_id == player_id)
            if player_id is None or connection.scalar(seat) is None:
                raise NotYourSeat("this is another player’s game: you get no notifications of its turns")
            own = row.player_id == player_id, row.game_id == game_id
            connection.execute(delete(notice_choices).where(*own))
            if kinds is not None:
                text = " ".join(kind for kind in KINDS if kind in kinds)
                connection.execute(
                    insert(notice_choices).values(player_id=player_id, game_id=game_id, kinds=text)
                )


def channels_of(connection: Connection, condition: ColumnElement[bool]) -> list[Channel]:
    """The channels for which a condition holds, the oldest first."""
    columns = [channels.c[name] for name in Channel.__slots__]
    query = select(*columns).where(condition).order_by(channels.c.created_at, channels.c.id)
    rows: list[Any] = list(connection.execute(query))
    return [Channel(*row) for row in rows]


def times_of(connection: Connection, player_id: str | None) -> Times:
    """See ``Channels.times``."""
    columns = [notice_times.c[name] for name in Times.__slots__]
    row: Any = connection.execute(select(*columns).where(notice_times.c.player_id == player_id)).one_or_none()
    return Times() if row is None else Times(*row)


def kinds_of(text: str) -> frozenset[ChannelKind]:
    """The kinds of channel in the column ``kinds``."""
    return frozenset(kind for kind in KINDS if kind in text.split())


def forget_channels(connection: Connection, player_id: str) -> None:
    """Delete a player's channels, times, choices and notices."""
    for table in (channels, notice_times, notice_choices, notices):
        connection.execute(delete(table).where(table.c.player_id == player_id))


def merge_channels(connection: Connection, kept: str, gone: str) -> None:
    """Move a player's channels, choices and notices to another, up to MOST_CHANNELS channels.

    The mail channel of ``gone`` is deleted. The times of ``kept`` stay, if there are any.
    """
    own = [(each.kind, each.address) for each in channels_of(connection, channels.c.player_id == kept)]
    for each in channels_of(connection, channels.c.player_id == gone):
        this = channels.c.id == each.id
        if (each.kind, each.address) in own or len(own) >= MOST_CHANNELS or each.kind == "mail":
            connection.execute(delete(channels).where(this))
        else:
            connection.execute(update(channels).where(this).values(player_id=kept))
            own.append((each.kind, each.address))
    if connection.scalar(select(notice_times.c.player_id).where(notice_times.c.player_id == kept)):
        connection.execute(delete(notice_times).where(notice_times.c.player_id == gone))
    else:
        theirs = update(notice_times).where(notice_times.c.player_id == gone)
        connection.execute(theirs.values(player_id=kept))
    for table in (notice_choices, notices):
        had = select(table.c.game_id).where(table.c.player_id == kept).scalar_subquery()
        moved = update(table).where(table.c.player_id == gone, table.c.game_id.not_in(had))
        connection.execute(moved.values(player_id=kept))
        connection.execute(delete(table).where(table.c.player_id == gone))


def _lock_profile(connection: Connection, player_id: str) -> None:
    try:
        lock_player(connection, player_id)
    except UnknownPlayer:
        reason = "play a game or choose a name first, so that you have a profile"
        raise UnknownPlayer(reason) from None


def _schedule(connection: Connection, player_id: str, at: float) -> None:
    """Set when the next daily message is due: never if no channel gets one."""
    wants = select(channels.c.id).where(channels.c.player_id == player_id, channels.c.daily).limit(1)
    times = times_of(connection, player_id)
    due = times.next_digest(at) if connection.scalar(wants) is not None else None
    values = asdict(times) | {"digest_due": due}
    statement = upsert(connection, notice_times).values(player_id=player_id, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=["player_id"], set_=values))
