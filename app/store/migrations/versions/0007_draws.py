"""A win that is shared is none: games with several winners are won by nobody.

A draw with a bot cannot be told from the results, and stays as it was counted.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Take the wins back."""
    results = sa.table("results", sa.column("game_id", sa.String), sa.column("won", sa.Boolean))
    shared = (
        sa.select(results.c.game_id)
        .where(results.c.won)
        .group_by(results.c.game_id)
        .having(sa.func.count() > 1)
    )
    op.execute(sa.update(results).where(results.c.game_id.in_(shared)).values(won=False))


def downgrade() -> None:
    """Who had shared a win is not known any more."""
