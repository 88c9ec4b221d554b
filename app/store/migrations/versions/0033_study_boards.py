"""Study boards."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "study_boards",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("tree", sa.Text(), nullable=False),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("changed_at", sa.Float(53), nullable=False),
    )
    op.create_index("ix_study_boards_player_id_changed_at", "study_boards", ["player_id", "changed_at"])
    op.create_index("ix_study_boards_kept_changed_at", "study_boards", ["kept", "changed_at"])


def downgrade() -> None:
    """Drop it, with all boards."""
    op.drop_index("ix_study_boards_kept_changed_at", "study_boards")
    op.drop_index("ix_study_boards_player_id_changed_at", "study_boards")
    op.drop_table("study_boards")
