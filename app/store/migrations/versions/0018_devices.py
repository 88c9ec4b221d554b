"""Devices on which players are signed in, and recovery phrases."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, and the time from which cookies name a device."""
    op.create_table(
        "devices",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("used_at", sa.Float(53), nullable=False),
    )
    op.create_index("ix_devices_player_id", "devices", ["player_id"])
    op.create_table(
        "phrases",
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("made_at", sa.Float(53), nullable=False),
    )
    op.add_column("players", sa.Column("listed_from", sa.Float(53)))


def downgrade() -> None:
    """Drop them. Recovery phrases are lost, and cookies that name a device stop working."""
    op.drop_column("players", "listed_from")
    op.drop_table("phrases")
    op.drop_index("ix_devices_player_id", "devices")
    op.drop_table("devices")
