"""The highest number that a member of a circle has had, so that none is used again."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Of the members who have left a circle so far, the numbers are not known."""
    op.add_column("circles", sa.Column("last_number", sa.Integer, nullable=False, server_default="1"))
    op.execute(
        "UPDATE circles SET last_number = coalesce("
        "(SELECT max(number) FROM members WHERE members.circle_id = circles.id), 1)"
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_column("circles", "last_number")
