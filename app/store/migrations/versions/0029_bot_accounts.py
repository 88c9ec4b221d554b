"""Bot accounts: players that belong to another player."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("players", sa.Column("owner_id", sa.String(32)))
    op.create_index("ix_players_owner_id", "players", ["owner_id"])


def downgrade() -> None:
    """Drop it. Bot accounts stay as players, but they have no owner and can no longer be used."""
    op.drop_index("ix_players_owner_id", "players")
    op.drop_column("players", "owner_id")
