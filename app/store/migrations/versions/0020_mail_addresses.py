"""Mail addresses for signing in, and those to be confirmed."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "mail_addresses",
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("address", sa.String(254), nullable=False, unique=True),
        sa.Column("confirmed_at", sa.Float(53), nullable=False),
    )
    op.create_table(
        "mail_confirmations",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("address", sa.String(254), nullable=False),
        sa.Column("expires_at", sa.Float(53), nullable=False),
    )


def downgrade() -> None:
    """Drop them. The addresses are lost."""
    op.drop_table("mail_confirmations")
    op.drop_table("mail_addresses")
