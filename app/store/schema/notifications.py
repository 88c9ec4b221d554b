"""Notifications: channels, times, and messages to be sent."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from app.store.schema.base import metadata

# Channels on which players are notified of their turns: see app/store/channels.py.
channels = Table(
    "channels",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("kind", String(8), nullable=False),  # push, mail or webhook
    Column("address", String(1000), nullable=False),  # empty for mail
    Column("secret", String(200), nullable=False),  # a browser's keys, or a webhook's signing key
    Column("name", String(64), nullable=False),
    Column("daily", Boolean, nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("failing_since", Float(53)),
    Index(None, "player_id"),
    Index(None, "kind", "address"),
)

# When players are notified: see app/store/quiet_hours.py.
notice_times = Table(
    "notice_times",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("zone", String(64), nullable=False),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("digest_at", Integer, nullable=False),
    Column("digest_due", Float(53)),  # null: no channel gets a daily message
    Index(None, "digest_due"),
)

# The kinds of channel that a player uses for a game, separated by spaces.
notice_choices = Table(
    "notice_choices",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("kinds", String(32), nullable=False),
    Index(None, "game_id"),
)

# Pending notifications of turns: see app/store/notices.py.
notices = Table(
    "notices",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("stage", String(8), nullable=False),
    Column("since", Float(53), nullable=False),  # when the turn began
    Column("turn_limit", Integer),
    Column("due_at", Float(53), nullable=False),
    Index(None, "due_at"),
    Index(None, "player_id"),
)

# Messages to be delivered: see app/store/outbox.py.
messages = Table(
    "messages",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("channel_id", ForeignKey("channels.id", ondelete="CASCADE"), nullable=False),
    Column("content", Text, nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("next_at", Float(53), nullable=False),  # when it may be sent: later while it is claimed
    Column("attempts", Integer, nullable=False),
    Index(None, "next_at"),
    Index(None, "channel_id"),
)
