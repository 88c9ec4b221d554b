"""Ratings, and rated games."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the tables. Games so far are casual."""
    op.add_column("games", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "ratings",
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("speed", sa.String(8), primary_key=True),
        sa.Column("value", sa.Float(53), nullable=False),
        sa.Column("deviation", sa.Float(53), nullable=False),
        sa.Column("volatility", sa.Float(53), nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
    )
    op.create_index("ix_ratings_top", "ratings", ["kind", "speed", sa.text("value DESC")])
    op.create_table(
        "rating_changes",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            primary_key=True,
            autoincrement=True,
        ),
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id")),
        sa.Column("bot_level", sa.Integer),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("speed", sa.String(8), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("value", sa.Float(53), nullable=False),
        sa.Column("deviation", sa.Float(53), nullable=False),
        sa.Column("new_value", sa.Float(53)),
        sa.Column("new_deviation", sa.Float(53)),
        sa.UniqueConstraint("game_id", "seat"),
    )
    op.create_index(
        "ix_rating_changes_player_id_kind_speed_number",
        "rating_changes",
        ["player_id", "kind", "speed", "number"],
    )


def downgrade() -> None:
    """Drop them. The ratings are lost."""
    op.drop_table("rating_changes")
    op.drop_table("ratings")
    op.drop_column("games", "rated")
