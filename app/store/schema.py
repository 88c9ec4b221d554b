"""Database schema. Times are in seconds since the epoch; options, moves and states are JSON."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
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
    Column("erased_at", Float(53)),  # when the player erased themselves
    Column("preferences", String(512)),  # as in the cookie; null if everything is at its default
    Column("listed_from", Float(53)),  # cookies since then name a device; null: older ones are valid
)

# The browsers in which a player is signed in.
devices = Table(
    "devices",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("name", String(64), nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("used_at", Float(53), nullable=False),
    Index(None, "player_id"),
)

# Passkeys: what a browser or a phone keeps for signing in. Only the public key is stored.
passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(64), primary_key=True),  # the digest of the credential ID
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("credential_id", LargeBinary, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("name", String(64), nullable=False),
    Column("created_at", Float(53), nullable=False),
    Column("used_at", Float(53)),
    Index(None, "player_id"),
)

# Challenges that passkeys have to answer, each once. Without player: for signing in.
passkey_challenges = Table(
    "passkey_challenges",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id")),
    Column("expires_at", Float(53), nullable=False),
)

# A player's mail address, to which links for signing in are sent.
mail_addresses = Table(
    "mail_addresses",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("address", String(254), nullable=False, unique=True),
    Column("confirmed_at", Float(53), nullable=False),
)

# Mail addresses that a link is to confirm. Only the token's digest is stored.
mail_confirmations = Table(
    "mail_confirmations",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("address", String(254), nullable=False),
    Column("expires_at", Float(53), nullable=False),
)

# Private groups of players.
circles = Table(
    "circles",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("invitation", String(32), nullable=False),  # the token in the link by which others join
    Column("created_at", Float(53), nullable=False),
)

members = Table(
    "members",
    metadata,
    Column("circle_id", ForeignKey("circles.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # names a member to the others
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("is_owner", Boolean, nullable=False),
    Column("joined_at", Float(53), nullable=False),
    UniqueConstraint("circle_id", "player_id"),
    Index(None, "player_id"),
)

# A player's recovery phrase. Only its digest is stored.
phrases = Table(
    "phrases",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("made_at", Float(53), nullable=False),
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
    Column("turn_limit", Integer),  # seconds after which the game may be claimed from an idle seat
    Column("listed", Boolean, nullable=False, server_default=false()),  # in the lobby
    Column("remarks", Text, nullable=False, server_default="[]"),  # JSON list of (seat, line, at)
    Column("rematch_id", String(32)),  # the latest rematch, which may have been removed
    Column("asked", Integer, nullable=False, server_default="0"),  # counts changes of the rematch
    Column("origin", String(32)),  # keyed digest of the address that listed or imported it, for limits
    Index(None, "status", "listed"),
    Index(None, "rematch_id"),
    Index(None, "origin"),
)

# A seat without player and bot is free.
seats = Table(
    "seats",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", ForeignKey("players.id")),
    Column("bot_level", Integer),
    Index(None, "player_id"),
)

# Append-only. The primary key keeps two writers from both making ply n.
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

# A player's one ranked attempt at a daily. The score is set when it is finished, and outlives the game.
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

# One-time links that sign another device in as a player. Only the token's digest is stored.
recoveries = Table(
    "recoveries",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("expires_at", Float(53), nullable=False),
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

# Sums and bests of a player's results in one mode: see app/store/statistics.py.
statistics = Table(
    "statistics",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("mode", String(32), primary_key=True),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),  # outright, of those against others
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

# Games that teach: no results, and removed after a day.
lessons = Table(
    "lessons",
    metadata,
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("skips", Text, nullable=False, server_default="[]"),  # JSON list of plies: see app/web/lesson.py
)

# What a player need not be shown again: offers of lessons, and hints at a table.
shown = Table(
    "shown",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("name", String(64), primary_key=True),
)

# What a player thinks of a word: whether it should be in a list.
word_votes = Table(
    "word_votes",
    metadata,
    Column("lexicon", String(32), primary_key=True),
    Column("word", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("valid", Boolean, nullable=False),
    Column("at", Float(53), nullable=False),
    Index(None, "player_id"),
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

# A player's one game in a challenge; the challenger's is the challenged game.
challenge_entries = Table(
    "challenge_entries",
    metadata,
    Column("challenge_id", ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("game_id", ForeignKey("games.id", ondelete="CASCADE"), nullable=False, unique=True),
    Index(None, "player_id"),
)

# Levels that a player has won, with their best result; they outlive the games.
levels = Table(
    "levels",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("level", String(32), primary_key=True),
    Column("stars", Integer, nullable=False),
    Column("moves", Integer, nullable=False),  # the fewest
    Column("won_at", Float(53), nullable=False),  # the best result
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
