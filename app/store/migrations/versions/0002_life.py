"""Bots and invitations at a table, nicknames, dailies, stored analyses and results."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and tables."""
    op.add_column("players", sa.Column("nickname", sa.String(32)))
    op.add_column("games", sa.Column("invitation", sa.String(32)))
    with op.batch_alter_table("seats") as seats:
        seats.alter_column("player_id", existing_type=sa.String(32), nullable=True)
        seats.add_column(sa.Column("bot_level", sa.Integer))
    op.create_table(
        "dailies",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("day", "kind", name="pk_dailies"),
    )
    op.create_table(
        "attempts",
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("finished_at", sa.Float(53)),
        sa.ForeignKeyConstraint(
            ["day", "kind"], ["dailies.day", "dailies.kind"], name="fk_attempts_day_kind_dailies"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_attempts_player_id_players"),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name="fk_attempts_game_id_games", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("day", "kind", "player_id", name="pk_attempts"),
    )
    op.create_index("ix_attempts_game_id", "attempts", ["game_id"])
    op.create_index("ix_attempts_player_id", "attempts", ["player_id"])
    op.create_index("ix_attempts_day_kind_score", "attempts", ["day", "kind", "score"])
    op.create_table(
        "analyses",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("analysis", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name="fk_analyses_game_id_games", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", name="pk_analyses"),
    )
    op.create_table(
        "results",
        sa.Column("game_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("mode", sa.String(32), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("words", sa.Integer, nullable=False),
        sa.Column("best_word", sa.String(64), nullable=False),
        sa.Column("best_points", sa.Integer, nullable=False),
        sa.Column("longest_word", sa.String(64), nullable=False),
        sa.Column("accuracy", sa.Float(53)),
        sa.Column("finished_at", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name="fk_results_game_id_games", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_results_player_id_players"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_results"),
    )
    op.create_index("ix_results_player_id", "results", ["player_id"])


def downgrade() -> None:
    """Drop what was added, and games with a bot or a free seat: the older tables cannot hold them."""
    op.execute("DELETE FROM games WHERE id IN (SELECT game_id FROM seats WHERE player_id IS NULL)")
    for table in ("results", "analyses", "attempts", "dailies"):
        op.drop_table(table)
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("bot_level")
        seats.alter_column("player_id", existing_type=sa.String(32), nullable=False)
    op.drop_column("games", "invitation")
    op.drop_column("players", "nickname")
