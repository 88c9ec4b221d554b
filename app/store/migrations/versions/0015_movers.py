"""Whose turn it is, so that a player's turns can be counted without reading the games."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; games that have begun get its value with their next move."""
    op.add_column("snapshots", sa.Column("movers", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("snapshots", "movers")
