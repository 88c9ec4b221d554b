"""The record of a finished game is stored on the first request."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "records",
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("record", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop it: records can be written again from the moves."""
    op.drop_table("records")
