"""Study boards."""

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, Text

from app.store.schema.base import metadata

# Trees of moves; those not marked as kept are removed some days after the last change.
study_boards = Table(
    "study_boards",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("title", String(80), nullable=False),
    Column("tree", Text, nullable=False),  # JSON
    Column("kept", Boolean, nullable=False),
    Column("revision", Integer, nullable=False),  # increases with every change
    Column("created_at", Float(53), nullable=False),
    Column("changed_at", Float(53), nullable=False),
    Index(None, "player_id", "changed_at"),
    Index(None, "kept", "changed_at"),
)
