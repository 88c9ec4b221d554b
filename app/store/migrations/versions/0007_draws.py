"""A shared win no longer counts as a win: a game with several winners has no winner.

A draw with a bot cannot be recognized in the results, and stays as counted.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Remove the shared wins."""
    results = sa.table("results", sa.column("game_id", sa.String), sa.column("won", sa.Boolean))
    shared = (
        sa.select(results.c.game_id)
        .where(results.c.won)
        .group_by(results.c.game_id)
        .having(sa.func.count() > 1)
    )
    op.execute(sa.update(results).where(results.c.game_id.in_(shared)).values(won=False))


def downgrade() -> None:
    """Do nothing: it is not stored who shared a win."""
