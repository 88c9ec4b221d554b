"""The tables. Times are seconds since the epoch; options, moves and states are JSON texts."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

players = Table(
    "players",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created_at", Float(53), nullable=False),
    Column("nickname", String(32)),
    Column("erased_at", Float(53)),  # nothing is kept of who erased themselves from then on
)

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("kind", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("status", String(16), nullable=False),  # open or finished
    Column("created_at", Float(53), nullable=False),
    Column("finished_at", Float(53)),
    Column("invitation", String(32)),  # the token in the link that lets others take a seat
    Column("turn_limit", Integer),  # seconds after which an idle seat may be claimed
    Column("listed", Boolean, nullable=False, server_default=false()),  # whether anybody may take a free seat
    Column(
        "remarks", Text, nullable=False, server_default="[]"
    ),  # what was said at the table, the last of it
    Column("rematch_id", String(32)),  # the table of the latest rematch, which may be gone
    Column(
        "asked", Integer, nullable=False, server_default="0"
    ),  # changes with all that is told of rematches
    Column("origin", String(32)),  # a keyed digest of the address that listed or imported it, for quotas
    Index(None, "status", "listed"),
    Index(None, "rematch_id"),
    Index(None, "origin"),
)

# A seat is free while it has neither a player nor a bot.
seats = Table(
    "seats",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", ForeignKey("players.id")),
    Column("bot_level", Integer),
    Index(None, "player_id"),
)

# Append-only. The primary key is what keeps two writers from both making ply n.
moves = Table(
    "moves",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("move", Text, nullable=False),
    Column("at", Float(53), nullable=False),
)

# The latest state of each game: a convenience that can be rebuilt from the moves.
snapshots = Table(
    "snapshots",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("saved_at", Float(53), nullable=False),
)

# The one game that everybody may play ranked on a UTC day (YYYY-MM-DD).
dailies = Table(
    "dailies",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("seed", String(64), nullable=False),
    Column("options", Text, nullable=False),
)

# A player's one ranked attempt at a daily; the score is there when it is finished, and outlives the game.
attempts = Table(
    "attempts",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("game_id", String(32), nullable=False),
    Column("score", Integer),
    Column("finished_at", Float(53)),
    ForeignKeyConstraint(["day", "kind"], ["dailies.day", "dailies.kind"]),
    Index(None, "game_id"),
    Index(None, "player_id"),
)
Index(
    "ix_attempts_standings", attempts.c.day, attempts.c.kind, attempts.c.score.desc(), attempts.c.finished_at
)

# How many players have a score on a day: a rank is a sum over the scores above it.
daily_scores = Table(
    "daily_scores",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("score", Integer, primary_key=True),
    Column("players", Integer, nullable=False),
)

# Links that move a player to another device: only the token's digest is kept.
recoveries = Table(
    "recoveries",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("expires_at", Float(53), nullable=False),
)

# Computed once for each finished game.
analyses = Table(
    "analyses",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("analysis", Text, nullable=False),
)

# The text of a finished game, written once somebody has asked for it.
records = Table(
    "records",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("record", Text, nullable=False),
)

# One finished game of one player: what statistics are made of. It outlives the game.
results = Table(
    "results",
    metadata,
    Column("game_id", String(32), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("mode", String(32), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("won", Boolean, nullable=False),  # alone
    Column("score", Integer, nullable=False),
    Column("words", Integer, nullable=False),
    Column("best_word", String(64), nullable=False),
    Column("best_points", Integer, nullable=False),
    Column("longest_word", String(64), nullable=False),
    Column("accuracy", Float(53)),  # there once the game is analysed
    Column("finished_at", Float(53), nullable=False),
    Column("ranked", Boolean, nullable=False, server_default=false()),  # counts in the rankings
    Index(None, "player_id", "finished_at"),
    Index(
        "ix_results_ranked",
        "player_id",
        "kind",
        "finished_at",
        sqlite_where=text("ranked = 1"),
        postgresql_where=text("ranked"),
    ),
)

# What a player's results in one mode add up to: see app/store/statistics.py.
statistics = Table(
    "statistics",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("mode", String(32), primary_key=True),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),  # alone, of those against others
    Column("against_others", Integer, nullable=False),
    Column("best_score", Integer, nullable=False),
    Column("score", BigInteger, nullable=False),  # of all games
    Column("words", BigInteger, nullable=False),
    Column("best_word", String(64), nullable=False),
    Column("best_points", Integer, nullable=False),
    Column("best_at", Float(53), nullable=False),
    Column("longest_word", String(64), nullable=False),
    Column("longest_at", Float(53), nullable=False),
    Column("accuracy", Float(53), nullable=False),  # of all games that have one
    Column("analysed", Integer, nullable=False),
)

# What a player's ranked results of the last days add up to: see app/store/rankings.py.
rankings = Table(
    "rankings",
    metadata,
    Column("kind", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("won", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("won_at", Float(53)),  # when the latest game was won
    Column("since", Float(53), nullable=False),  # when the earliest game that is counted ended
    Index(None, "kind", "since"),
)
Index("ix_rankings_top", rankings.c.kind, rankings.c.won.desc(), rankings.c.games, rankings.c.won_at)

# Games that were brought back from a record, until they go or for as long as a player keeps them.
imports = Table(
    "imports",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("imported_at", Float(53), nullable=False),
    Column("kept_by", ForeignKey("players.id")),
    Index(None, "kept_by", "imported_at"),
)
