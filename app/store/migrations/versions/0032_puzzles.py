"""Answers to puzzles, ratings in puzzles, rushes, and puzzles from own games."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

_PLAYER = "player_id", sa.String(32)


def _rating() -> tuple[sa.Column[float], ...]:
    return tuple(
        sa.Column(name, sa.Float(53), nullable=False) for name in ("value", "deviation", "volatility")
    )


def _counts() -> tuple[sa.Column[int] | sa.Column[float], ...]:
    return (
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("rated_at", sa.Float(53), nullable=False),
    )


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "puzzle_attempts",
        sa.Column(*_PLAYER, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("puzzle_id", sa.String(48), primary_key=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("answer", sa.String(64), nullable=False),
        sa.Column("value", sa.Float(53)),
        sa.Column("rating", sa.Float(53)),
        sa.Column("change", sa.Float(53)),
        sa.Column("day", sa.String(10)),
    )
    op.create_index("ix_puzzle_attempts_player_id_kind", "puzzle_attempts", ["player_id", "kind"])
    op.create_table(
        "puzzle_players",
        sa.Column(*_PLAYER, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("kind", sa.String(32), primary_key=True),
        *_rating(),
        *_counts(),
    )
    op.create_table(
        "puzzle_ratings", sa.Column("puzzle_id", sa.String(48), primary_key=True), *_rating(), *_counts()
    )
    op.create_table(
        "puzzle_rushes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column(*_PLAYER, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("started_at", sa.Float(53), nullable=False),
        sa.Column("puzzles", sa.Text(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.Integer(), nullable=False),
    )
    op.create_index("ix_puzzle_rushes_player_id", "puzzle_rushes", ["player_id"])
    op.create_table(
        "own_puzzles",
        sa.Column("id", sa.String(48), primary_key=True),
        sa.Column(*_PLAYER, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Float(53), nullable=False),
        sa.Column("solved", sa.Boolean()),
        sa.UniqueConstraint("player_id", "game_id", "ply"),
    )


def downgrade() -> None:
    """Drop them, with what players answered."""
    op.drop_table("own_puzzles")
    op.drop_index("ix_puzzle_rushes_player_id", "puzzle_rushes")
    op.drop_table("puzzle_rushes")
    op.drop_table("puzzle_ratings")
    op.drop_table("puzzle_players")
    op.drop_index("ix_puzzle_attempts_player_id_kind", "puzzle_attempts")
    op.drop_table("puzzle_attempts")
