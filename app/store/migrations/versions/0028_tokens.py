"""Tokens with which programs act as a player."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("scopes", sa.String(32), nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("expires_at", sa.Float(53), nullable=False),
        sa.Column("used_at", sa.Float(53)),
    )
    op.create_index("ix_tokens_player_id", "tokens", ["player_id"])
    op.create_index("ix_tokens_expires_at", "tokens", ["expires_at"])


def downgrade() -> None:
    """Drop it. Programs need new tokens after another upgrade."""
    op.drop_index("ix_tokens_expires_at", "tokens")
    op.drop_index("ix_tokens_player_id", "tokens")
    op.drop_table("tokens")
