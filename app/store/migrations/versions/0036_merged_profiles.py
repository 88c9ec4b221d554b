"""The profile into which another one was merged, so that operators see the actions on both."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. It is not known for earlier merges."""
    op.add_column("players", sa.Column("merged_into", sa.String(32)))
    op.create_index("ix_players_merged_into", "players", ["merged_into"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_players_merged_into", "players")
    op.drop_column("players", "merged_into")
