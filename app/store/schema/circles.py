"""Circles, blocks, and moderation."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
)

from app.store.schema.base import metadata

# Private groups of players.
circles = Table(
    "circles",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("invitation", String(32), nullable=False),  # the token in the link with which others join
    Column("created_at", Float(53), nullable=False),
    Column("last_number", Integer, nullable=False, server_default="1"),  # the highest member number so far
)

members = Table(
    "members",
    metadata,
    Column("circle_id", ForeignKey("circles.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # identifies a member to the others
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("is_owner", Boolean, nullable=False),
    Column("joined_at", Float(53), nullable=False),
    UniqueConstraint("circle_id", "player_id"),
    Index(None, "player_id"),
)

# Players blocked by a player. The ID identifies a block to that player.
blocks = Table(
    "blocks",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("blocked_id", ForeignKey("players.id"), nullable=False),
    Column("created_at", Float(53), nullable=False),
    UniqueConstraint("player_id", "blocked_id"),
    Index(None, "blocked_id"),
)

# What operators have forbidden players: see app/store/sanctions.py.
sanctions = Table(
    "sanctions",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("since", Float(53), nullable=False),
    Column("until", Float(53)),  # null: for good
    Column("reason", String(200), nullable=False),
    Column("nickname", String(32)),  # the removed name, to be given back
    Index(None, "kind"),
)

# What players have reported, as it was when reported.
reports = Table(
    "reports",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("reporter_id", ForeignKey("players.id")),  # null when the reporter is erased
    Column("subject", String(16), nullable=False),  # name, remark, game or circle
    Column("text", String(200), nullable=False),
    Column(
        "player_id", ForeignKey("players.id")
    ),  # the reported player; null for a game or the name of a circle
    Column("game_id", String(32)),  # where it was seen; the game may have been removed
    Column("circle_id", String(32)),
    Column("reason", String(16), nullable=False),
    Column("comment", String(300)),
    Column("at", Float(53), nullable=False),
    Column("closed_at", Float(53)),
    Column("outcome", String(16)),  # the action that closed it
    Index(None, "closed_at", "at"),
    Index(None, "player_id"),
    Index(None, "reporter_id"),
)

# Operators, and links that make a player an operator. Only the token's digest is stored.
operators = Table(
    "operators",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), unique=True),  # null until the link is used
    Column("token", String(64), unique=True),
    Column("expires_at", Float(53)),
    Column("added_at", Float(53), nullable=False),
)

# Actions of operators. Append-only; refers to players, games and circles by ID, and outlives them.
audit = Table(
    "audit",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("at", Float(53), nullable=False),
    Column("operator", String(48), nullable=False),
    Column("action", String(16), nullable=False),
    Column("player_id", String(32)),
    Column("game_id", String(32)),
    Column("circle_id", String(32)),
    Column("detail", String(64), nullable=False),
    Column("reason", String(200), nullable=False),
    Index(None, "player_id"),
)
