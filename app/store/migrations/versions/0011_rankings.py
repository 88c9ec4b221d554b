"""Rankings, ranks of dailies and statistics are stored as counts; imported games are marked.

Earlier results count in the rankings by the earlier rule: all games of two or more people.
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_WINDOW = 30 * 86_400.0
"""Seconds that the rankings cover."""


def upgrade() -> None:
    """Add the counts and fill them from the stored results."""
    _rank_results()
    _count_wins()
    _count_daily_scores()
    _count_games()
    op.add_column("games", sa.Column("origin", sa.String(32)))
    op.create_index("ix_games_origin", "games", ["origin"])
    _find_imports()


def downgrade() -> None:
    """Drop the counts: earlier versions count the results on every request."""
    op.drop_table("imports")
    op.drop_index("ix_games_origin", "games")
    op.drop_column("games", "origin")
    op.drop_table("statistics")
    op.drop_table("daily_scores")
    op.drop_index("ix_attempts_standings", "attempts")
    op.create_index("ix_attempts_day_kind_score", "attempts", ["day", "kind", "score"])
    op.drop_table("rankings")
    op.drop_index("ix_results_ranked", "results")
    op.drop_index("ix_results_player_id_finished_at", "results")
    op.drop_column("results", "ranked")
    op.create_index("ix_results_player_id", "results", ["player_id"])
    op.create_index("ix_results_kind_finished_at", "results", ["kind", "finished_at"])


def _rank_results() -> None:
    op.add_column("results", sa.Column("ranked", sa.Boolean, nullable=False, server_default=sa.false()))
    results = sa.table(
        "results", sa.column("game_id"), sa.column("player_id"), sa.column("ranked", sa.Boolean)
    )
    among_people = (
        sa.select(results.c.game_id)
        .group_by(results.c.game_id)
        .having(sa.func.count(results.c.player_id.distinct()) > 1)
    )
    op.execute(sa.update(results).where(results.c.game_id.in_(among_people)).values(ranked=sa.true()))
    op.drop_index("ix_results_player_id", "results")
    op.drop_index("ix_results_kind_finished_at", "results")
    op.create_index("ix_results_player_id_finished_at", "results", ["player_id", "finished_at"])
    op.create_index(
        "ix_results_ranked",
        "results",
        ["player_id", "kind", "finished_at"],
        sqlite_where=sa.text("ranked = 1"),
        postgresql_where=sa.text("ranked"),
    )


def _count_wins() -> None:
    op.create_table(
        "rankings",
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("won_at", sa.Float(53)),
        sa.Column("since", sa.Float(53), nullable=False),
    )
    op.execute(
        sa.text(
            "INSERT INTO rankings (kind, player_id, won, games, won_at, since) "
            "SELECT kind, player_id, sum(CASE WHEN won THEN 1 ELSE 0 END), count(*), "
            "max(CASE WHEN won THEN finished_at END), min(finished_at) "
            "FROM results WHERE ranked AND finished_at >= :since GROUP BY kind, player_id"
        ).bindparams(since=time.time() - _WINDOW)
    )
    op.create_index("ix_rankings_top", "rankings", ["kind", sa.text("won DESC"), "games", "won_at"])
    op.create_index("ix_rankings_kind_since", "rankings", ["kind", "since"])


def _count_daily_scores() -> None:
    op.create_table(
        "daily_scores",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("score", sa.Integer, primary_key=True),
        sa.Column("players", sa.Integer, nullable=False),
    )
    op.execute(
        "INSERT INTO daily_scores (day, kind, score, players) "
        "SELECT day, kind, score, count(*) FROM attempts WHERE score IS NOT NULL GROUP BY day, kind, score"
    )
    op.drop_index("ix_attempts_day_kind_score", "attempts")
    op.create_index(
        "ix_attempts_standings", "attempts", ["day", "kind", sa.text("score DESC"), "finished_at"]
    )


def _count_games() -> None:
    op.create_table(
        "statistics",
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("mode", sa.String(32), primary_key=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("against_others", sa.Integer, nullable=False),
        sa.Column("best_score", sa.Integer, nullable=False),
        sa.Column("score", sa.BigInteger, nullable=False),
        sa.Column("words", sa.BigInteger, nullable=False),
        sa.Column("best_word", sa.String(64), nullable=False),
        sa.Column("best_points", sa.Integer, nullable=False),
        sa.Column("best_at", sa.Float(53), nullable=False),
        sa.Column("longest_word", sa.String(64), nullable=False),
        sa.Column("longest_at", sa.Float(53), nullable=False),
        sa.Column("accuracy", sa.Float(53), nullable=False),
        sa.Column("analysed", sa.Integer, nullable=False),
    )
    op.execute(
        "INSERT INTO statistics (player_id, kind, mode, games, won, against_others, best_score, score, "
        "words, best_word, best_points, best_at, longest_word, longest_at, accuracy, analysed) "
        "SELECT player_id, kind, mode, count(*), sum(CASE WHEN won AND seats > 1 THEN 1 ELSE 0 END), "
        "sum(CASE WHEN seats > 1 THEN 1 ELSE 0 END), max(score), sum(score), sum(words), "
        "max(CASE WHEN best = 1 THEN best_word END), max(best_points), "
        "max(CASE WHEN best = 1 THEN finished_at END), max(CASE WHEN longest = 1 THEN longest_word END), "
        "max(CASE WHEN longest = 1 THEN finished_at END), coalesce(sum(accuracy), 0), count(accuracy) "
        "FROM (SELECT results.*, row_number() OVER (PARTITION BY player_id, kind, mode "
        "ORDER BY best_points DESC, finished_at DESC) AS best, row_number() OVER (PARTITION BY player_id, "
        "kind, mode ORDER BY length(longest_word) DESC, finished_at DESC) AS longest FROM results) AS sorted "
        "GROUP BY player_id, kind, mode"
    )


def _find_imports() -> None:
    """Imported games were over when stored and have empty seats; their expiry counts from the upgrade."""
    op.create_table(
        "imports",
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("imported_at", sa.Float(53), nullable=False),
        sa.Column("kept_by", sa.String(32), sa.ForeignKey("players.id")),
    )
    op.execute(
        sa.text(
            "INSERT INTO imports (game_id, imported_at) SELECT id, :now FROM games "
            "WHERE finished_at = created_at AND NOT EXISTS (SELECT 1 FROM seats WHERE game_id = games.id "
            "AND (player_id IS NOT NULL OR bot_level IS NOT NULL))"
        ).bindparams(now=time.time())
    )
    op.create_index("ix_imports_kept_by_imported_at", "imports", ["kept_by", "imported_at"])
