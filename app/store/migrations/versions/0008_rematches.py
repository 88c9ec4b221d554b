"""A finished game knows the table where those who sat at it play again."""

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
    """Forget it."""
    op.drop_index("ix_games_rematch_id", "games")
    # One by one: rebuilding the table, as a batch does on SQLite, would take the seats and moves along.
    for column in ("asked", "rematch_id"):
        op.drop_column("games", column)
