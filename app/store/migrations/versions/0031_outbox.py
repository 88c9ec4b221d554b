"""Channels, notices of turns, and messages to be delivered."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "channels",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("address", sa.String(1000), nullable=False),
        sa.Column("secret", sa.String(200), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("daily", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("failing_since", sa.Float(53)),
    )
    op.create_index("ix_channels_player_id", "channels", ["player_id"])
    op.create_index("ix_channels_kind_address", "channels", ["kind", "address"])
    op.create_table(
        "notice_times",
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("quiet_from", sa.Integer()),
        sa.Column("quiet_until", sa.Integer()),
        sa.Column("digest_at", sa.Integer(), nullable=False),
        sa.Column("digest_due", sa.Float(53)),
    )
    op.create_index("ix_notice_times_digest_due", "notice_times", ["digest_due"])
    op.create_table(
        "notice_choices",
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kinds", sa.String(32), nullable=False),
    )
    op.create_index("ix_notice_choices_game_id", "notice_choices", ["game_id"])
    op.create_table(
        "notices",
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(8), nullable=False),
        sa.Column("since", sa.Float(53), nullable=False),
        sa.Column("turn_limit", sa.Integer()),
        sa.Column("due_at", sa.Float(53), nullable=False),
    )
    op.create_index("ix_notices_due_at", "notices", ["due_at"])
    op.create_index("ix_notices_player_id", "notices", ["player_id"])
    op.create_table(
        "messages",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column(
            "channel_id", sa.String(32), sa.ForeignKey("channels.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("next_at", sa.Float(53), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
    )
    op.create_index("ix_messages_next_at", "messages", ["next_at"])
    op.create_index("ix_messages_channel_id", "messages", ["channel_id"])


def downgrade() -> None:
    """Drop them. Players have to choose their notification channels again."""
    for table in ("messages", "notices", "notice_choices", "notice_times", "channels"):
        op.drop_table(table)
