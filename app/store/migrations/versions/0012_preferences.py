"""Players have preferences."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; without a value everything is at its default."""
    op.add_column("players", sa.Column("preferences", sa.String(512)))


def downgrade() -> None:
    """Drop the column: browsers keep their preferences in a cookie."""
    op.drop_column("players", "preferences")
