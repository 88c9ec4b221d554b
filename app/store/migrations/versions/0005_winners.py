"""An index of results by kind and end of the game, for the leaderboards."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_results_kind_finished_at", "results", ["kind", "finished_at"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_results_kind_finished_at", "results")
