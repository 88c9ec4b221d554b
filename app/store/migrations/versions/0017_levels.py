"""Levels that players have won."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "levels",
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("level", sa.String(32), primary_key=True),
        sa.Column("stars", sa.Integer, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("won_at", sa.Float(53), nullable=False),
    )


def downgrade() -> None:
    """Drop it. The progress is lost."""
    op.drop_table("levels")
