"""Turn limits, listed tables, remarks, and links for moving to another device."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the table."""
    op.add_column("games", sa.Column("turn_limit", sa.Integer))
    op.add_column("games", sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("games", sa.Column("remarks", sa.Text, nullable=False, server_default="[]"))
    op.create_index("ix_games_status_listed", "games", ["status", "listed"])
    op.create_table(
        "recoveries",
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("expires_at", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_recoveries_player_id_players"),
        sa.PrimaryKeyConstraint("token", name="pk_recoveries"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("recoveries")
    op.drop_index("ix_games_status_listed", "games")
    # One by one: a batch rebuilds the table on SQLite, which would delete the seats and moves.
    for column in ("remarks", "listed", "turn_limit"):
        op.drop_column("games", column)
