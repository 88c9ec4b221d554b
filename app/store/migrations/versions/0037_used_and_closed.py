"""That a device link was used, and how a direct challenge ended."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. How earlier challenges ended is not known; used links were deleted."""
    op.add_column("recoveries", sa.Column("used_at", sa.Float(53)))
    op.add_column("direct_challenges", sa.Column("ending", sa.String(16)))
    op.add_column("direct_challenges", sa.Column("game_id", sa.String(32)))


def downgrade() -> None:
    """Drop them, and the used links, which would be valid again."""
    op.execute("DELETE FROM recoveries WHERE used_at IS NOT NULL")
    op.drop_column("direct_challenges", "game_id")
    op.drop_column("direct_challenges", "ending")
    op.drop_column("recoveries", "used_at")
