"""Lessons, and what players need not be shown again."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "lessons",
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("skips", sa.Text, nullable=False, server_default="[]"),
    )
    op.create_table(
        "shown",
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("name", sa.String(64), primary_key=True),
    )


def downgrade() -> None:
    """Drop them. Lessons become ordinary games."""
    op.drop_table("shown")
    op.drop_table("lessons")
