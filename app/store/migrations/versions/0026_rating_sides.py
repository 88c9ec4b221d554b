"""The side of a seat in a rated game, and players who hide their rating."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. No game has been rated so far."""
    op.add_column("rating_changes", sa.Column("side", sa.Integer, nullable=False, server_default="0"))
    op.add_column(
        "players", sa.Column("rating_hidden", sa.Boolean, nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_column("players", "rating_hidden")
    op.drop_column("rating_changes", "side")
