"""Blitz no longer has an accuracy: its measure is the score."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Delete the accuracies, and the analyses that contain them: those are computed again on request."""
    results = sa.table(
        "results",
        sa.column("game_id", sa.String),
        sa.column("kind", sa.String),
        sa.column("mode", sa.String),
        sa.column("accuracy", sa.Float),
    )
    analyses = sa.table("analyses", sa.column("game_id", sa.String))
    blitz = (results.c.kind == "wibble", results.c.mode == "blitz")
    op.execute(sa.delete(analyses).where(analyses.c.game_id.in_(sa.select(results.c.game_id).where(*blitz))))
    op.execute(sa.update(results).where(*blitz).values(accuracy=None))


def downgrade() -> None:
    """Accuracies are computed again when a game's analysis is requested."""
