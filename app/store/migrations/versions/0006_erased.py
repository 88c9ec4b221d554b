"""Erased players are marked, so that nothing more is stored about them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("players", sa.Column("erased_at", sa.Float(53)))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("players", "erased_at")
