"""Games, their seats and moves, dailies, challenges, and players waiting for a game."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from app.store.schema.base import metadata

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
    Column("turn_limit", Integer),  # seconds after which the game may be claimed from an idle seat
    Column("listed", Boolean, nullable=False, server_default=false()),  # in the lobby
    Column("rated", Boolean, nullable=False, server_default=false()),  # else casual
    Column("remarks", Text, nullable=False, server_default="[]"),  # JSON list of (seat, line, at)
    Column("rematch_id", String(32)),  # the latest rematch, which may have been removed
    Column("asked", Integer, nullable=False, server_default="0"),  # Table.other_changes
    Column("origin", String(32)),  # keyed digest of the address that listed or imported it, for limits
    Index(None, "status", "listed"),
    Index(None, "rematch_id"),
    Index(None, "origin"),
)

# A seat without a player or bot is free.
seats = Table(
    "seats",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", ForeignKey("players.id")),
    Column("bot_level", Integer),
    Index(None, "player_id"),
)

# Append-only. The primary key prevents two writers from both making ply n.
moves = Table(
    "moves",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("move", Text, nullable=False),
    Column("at", Float(53), nullable=False),
)

# The latest state of each game: a cache that can be rebuilt from the moves.
snapshots = Table(
    "snapshots",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("saved_at", Float(53), nullable=False),
    Column("movers", Integer, nullable=False, server_default="0"),  # bit n: seat n may move, others take part
)

# The daily of each kind of game and UTC day (YYYY-MM-DD).
dailies = Table(
    "dailies",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("seed", String(64), nullable=False),
    Column("options", Text, nullable=False),
)

# A player's single ranked attempt at a daily. The score is set when it is finished, and outlives the game.
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

# Number of players per score and daily: a rank is a sum over the scores above it.
daily_scores = Table(
    "daily_scores",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("score", Integer, primary_key=True),
    Column("players", Integer, nullable=False),
)

# The analysis of a finished game, as JSON; computed once.
analyses = Table(
    "analyses",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("analysis", Text, nullable=False),
)

# The record of a finished game; written on the first request.
records = Table(
    "records",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("record", Text, nullable=False),
)

# Games that are lessons: without results, removed after a day.
lessons = Table(
    "lessons",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("skips", Text, nullable=False, server_default="[]"),  # JSON list of plies: see app/web/lesson.py
)

# A finished game whose deal others may play.
challenges = Table(
    "challenges",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("seen_at", Float(53), nullable=False),  # when the challenger last saw who had finished
    Index(None, "player_id"),
)

# A player's single game in a challenge; the challenger's is the original game.
challenge_entries = Table(
    "challenge_entries",
    metadata,
    Column("challenge_id", ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False, unique=True),
    Index(None, "player_id"),
)

# Challenges from one player to another: see app/store/direct_challenges.py.
direct_challenges = Table(
    "direct_challenges",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("opponent_id", ForeignKey("players.id"), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("options", Text, nullable=False),  # options of the game, not pinned
    Column("turn_limit", Integer),
    Column("rated", Boolean, nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("expires_at", Float(53), nullable=False),
    Column("ending", String(16)),  # accepted, declined or withdrawn; null: open or expired
    Column("game_id", String(32)),  # of an accepted challenge; it may have been deleted
    UniqueConstraint("player_id", "opponent_id"),
    Index(None, "opponent_id"),
    Index(None, "expires_at"),
)

# Games imported from a record.
imports = Table(
    "imports",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("imported_at", Float(53), nullable=False),
    Column("kept_by", ForeignKey("players.id")),
    Index(None, "kept_by", "imported_at"),
)

# Players who wait for an opponent or have been paired: see app/store/pairing.py.
waiting = Table(
    "waiting",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("kind", String(32), nullable=False),
    Column("speed", String(8), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("value", Float(53), nullable=False),  # rating when they began to wait; next, its deviation
    Column("deviation", Float(53), nullable=False),
    Column("since", Float(53), nullable=False),
    Column("seen_at", Float(53), nullable=False),  # when they last made a request or were paired
    Column("met_twice", String(32)),  # the opponent in both of their latest two games
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE")),  # null until paired
    Index(None, "kind", "speed", "rated", "seen_at"),
    Index(None, "game_id"),
)
