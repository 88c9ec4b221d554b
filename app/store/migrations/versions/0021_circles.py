"""Circles and their members."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "circles",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("invitation", sa.String(32), nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
    )
    op.create_table(
        "members",
        sa.Column("circle_id", sa.String(32), sa.ForeignKey("circles.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("is_owner", sa.Boolean, nullable=False),
        sa.Column("joined_at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("circle_id", "player_id"),
    )
    op.create_index("ix_members_player_id", "members", ["player_id"])


def downgrade() -> None:
    """Drop them. The circles are lost."""
    op.drop_index("ix_members_player_id", "members")
    op.drop_table("members")
    op.drop_table("circles")
