"""Finished games refer to the table of their rematch."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("games", sa.Column("rematch_id", sa.String(32)))
    op.add_column("games", sa.Column("asked", sa.Integer, nullable=False, server_default="0"))
    op.create_index("ix_games_rematch_id", "games", ["rematch_id"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_games_rematch_id", "games")
    # One by one: a batch rebuilds the table on SQLite, which would delete the seats and moves.
    for column in ("asked", "rematch_id"):
        op.drop_column("games", column)
