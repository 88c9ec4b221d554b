"""Players who wait for an opponent."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "waiting",
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("speed", sa.String(8), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("value", sa.Float(53), nullable=False),
        sa.Column("deviation", sa.Float(53), nullable=False),
        sa.Column("since", sa.Float(53), nullable=False),
        sa.Column("seen_at", sa.Float(53), nullable=False),
        sa.Column("met_twice", sa.String(32)),
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE")),
    )
    op.create_index("ix_waiting_kind_speed_rated_seen_at", "waiting", ["kind", "speed", "rated", "seen_at"])
    op.create_index("ix_waiting_game_id", "waiting", ["game_id"])


def downgrade() -> None:
    """Drop it. Waiting players have to start again."""
    op.drop_index("ix_waiting_game_id", "waiting")
    op.drop_index("ix_waiting_kind_speed_rated_seen_at", "waiting")
    op.drop_table("waiting")
