"""Moderation: sanctions, reports, operators, and the audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "sanctions",
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("since", sa.Float(53), nullable=False),
        sa.Column("until", sa.Float(53)),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("nickname", sa.String(32)),
    )
    op.create_index("ix_sanctions_kind", "sanctions", ["kind"])
    op.create_table(
        "reports",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("reporter_id", sa.String(32), sa.ForeignKey("players.id")),
        sa.Column("subject", sa.String(16), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id")),
        sa.Column("game_id", sa.String(32)),
        sa.Column("circle_id", sa.String(32)),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("comment", sa.String(300)),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("closed_at", sa.Float(53)),
        sa.Column("outcome", sa.String(16)),
    )
    op.create_index("ix_reports_closed_at_at", "reports", ["closed_at", "at"])
    op.create_index("ix_reports_player_id", "reports", ["player_id"])
    op.create_index("ix_reports_reporter_id", "reports", ["reporter_id"])
    op.create_table(
        "operators",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), unique=True),
        sa.Column("token", sa.String(64), unique=True),
        sa.Column("expires_at", sa.Float(53)),
        sa.Column("added_at", sa.Float(53), nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("operator", sa.String(48), nullable=False),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("player_id", sa.String(32)),
        sa.Column("game_id", sa.String(32)),
        sa.Column("circle_id", sa.String(32)),
        sa.Column("detail", sa.String(64), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
    )
    op.create_index("ix_audit_player_id", "audit", ["player_id"])


def downgrade() -> None:
    """Drop them. Sanctions end, and the log is lost."""
    for table in ("audit", "operators", "reports", "sanctions"):
        op.drop_table(table)
