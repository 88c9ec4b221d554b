"""Challenges that a player sends to another."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "direct_challenges",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("opponent_id", sa.String(32), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("turn_limit", sa.Integer()),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("expires_at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("player_id", "opponent_id"),
    )
    op.create_index("ix_direct_challenges_opponent_id", "direct_challenges", ["opponent_id"])
    op.create_index("ix_direct_challenges_expires_at", "direct_challenges", ["expires_at"])


def downgrade() -> None:
    """Drop it. Open challenges are void."""
    op.drop_index("ix_direct_challenges_expires_at", "direct_challenges")
    op.drop_index("ix_direct_challenges_opponent_id", "direct_challenges")
    op.drop_table("direct_challenges")
