"""The highest number of any past or present member of a circle, so that numbers are not reused."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. The numbers of members who have left a circle so far are not known."""
    op.add_column("circles", sa.Column("last_number", sa.Integer, nullable=False, server_default="1"))
    op.execute(
        "UPDATE circles SET last_number = coalesce("
        "(SELECT max(number) FROM members WHERE members.circle_id = circles.id), 1)"
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_column("circles", "last_number")
