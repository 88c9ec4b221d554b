"""Results and what is computed from them: statistics, rankings, ratings, levels."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
    false,
    text,
)

from app.store.schema.base import metadata

# A player's result in a finished game; outlives the game.
results = Table(
    "results",
    metadata,
    Column("game_id", String(32), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("mode", String(32), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("won", Boolean, nullable=False),  # outright
    Column("score", Integer, nullable=False),
    Column("words", Integer, nullable=False),
    Column("best_word", String(64), nullable=False),
    Column("best_points", Integer, nullable=False),
    Column("longest_word", String(64), nullable=False),
    Column("accuracy", Float(53)),  # set when the game is analysed
    Column("finished_at", Float(53), nullable=False),
    Column("ranked", Boolean, nullable=False, server_default=false()),  # counts in the rankings
    Column("stored_at", Float(53), nullable=False, server_default="0"),  # late if a clock ran out unnoticed
    Index(None, "player_id", "finished_at"),
    Index(None, "player_id", "stored_at"),
    Index(
        "ix_results_ranked",
        "player_id",
        "kind",
        "finished_at",
        sqlite_where=text("ranked = 1"),
        postgresql_where=text("ranked"),
    ),
)

# Sums and bests of a player's results in one mode: see app/store/statistics.py.
statistics = Table(
    "statistics",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("mode", String(32), primary_key=True),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),  # outright wins against others
    Column("against_others", Integer, nullable=False),
    Column("best_score", Integer, nullable=False),
    Column("score", BigInteger, nullable=False),  # sum over all games
    Column("words", BigInteger, nullable=False),
    Column("best_word", String(64), nullable=False),
    Column("best_points", Integer, nullable=False),
    Column("best_at", Float(53), nullable=False),
    Column("longest_word", String(64), nullable=False),
    Column("longest_at", Float(53), nullable=False),
    Column("accuracy", Float(53), nullable=False),  # sum over analysed games
    Column("analysed", Integer, nullable=False),
)

# Sums of a player's recent ranked results: see app/store/rankings.py.
rankings = Table(
    "rankings",
    metadata,
    Column("kind", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("won", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("won_at", Float(53)),  # end of the latest win
    Column("since", Float(53), nullable=False),  # end of the earliest counted game
    Index(None, "kind", "since"),
)
Index("ix_rankings_top", rankings.c.kind, rankings.c.won.desc(), rankings.c.games, rankings.c.won_at)

# A player's rating in a kind of game at a speed: see app/store/ratings.py.
ratings = Table(
    "ratings",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("speed", String(8), primary_key=True),
    Column("value", Float(53), nullable=False),
    Column("deviation", Float(53), nullable=False),  # at the latest game
    Column("volatility", Float(53), nullable=False),
    Column("games", Integer, nullable=False),
    Column("at", Float(53), nullable=False),  # end of the latest rated game
)
Index("ix_ratings_top", ratings.c.kind, ratings.c.speed, ratings.c.value.desc())

# Each seat of each rated game, in the order in which the games were committed; outlives the game.
rating_changes = Table(
    "rating_changes",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("game_id", String(32), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player_id", ForeignKey("players.id")),  # null for a bot and for an erased player
    Column("bot_level", Integer),
    Column("kind", String(32), nullable=False),
    Column("speed", String(8), nullable=False),
    Column("at", Float(53), nullable=False),
    Column("side", Integer, nullable=False, server_default="0"),  # the team; in games without teams, the seat
    Column("place", Integer, nullable=False),  # 1 for a winner; players with equal places drew
    Column("value", Float(53), nullable=False),  # before the game
    Column("deviation", Float(53), nullable=False),
    Column("new_value", Float(53)),  # null for a bot, whose rating is fixed
    Column("new_deviation", Float(53)),
    UniqueConstraint("game_id", "seat"),
    Index(None, "player_id", "kind", "speed", "number"),
)

# Levels that a player has won, with their best results; they outlive the games.
levels = Table(
    "levels",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("level", String(32), primary_key=True),
    Column("stars", Integer, nullable=False),
    Column("moves", Integer, nullable=False),  # the fewest in a win
    Column("won_at", Float(53), nullable=False),  # when stars or moves last improved
)
