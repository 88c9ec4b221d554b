"""When the end of a game was stored, later than the end if a clock ran out unnoticed."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Earlier games get the time of their end."""
    op.add_column("results", sa.Column("stored_at", sa.Float(53), nullable=False, server_default="0"))
    op.execute("UPDATE results SET stored_at = finished_at")
    op.create_index("ix_results_player_id_stored_at", "results", ["player_id", "stored_at"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_results_player_id_stored_at", "results")
    op.drop_column("results", "stored_at")
