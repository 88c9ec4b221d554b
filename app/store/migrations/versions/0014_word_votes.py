"""Votes on whether a list should have a word."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "word_votes",
        sa.Column("lexicon", sa.String(32), primary_key=True),
        sa.Column("word", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("valid", sa.Boolean, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Index("ix_word_votes_player_id", "player_id"),
    )


def downgrade() -> None:
    """Drop it. The votes are lost."""
    op.drop_table("word_votes")
