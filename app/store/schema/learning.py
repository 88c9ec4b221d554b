"""Word learning: votes on words, cards, and puzzles."""

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
    Text,
    UniqueConstraint,
)

from app.store.schema.base import metadata

# A player's vote on whether a word should be in a list.
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

# Questions about words that players want to learn, and when to ask them: see app/store/cards.py.
cards = Table(
    "cards",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("lexicon", String(64), primary_key=True),
    Column("word", String(32), primary_key=True),
    Column("ask", String(16), primary_key=True),  # anagram, hooks, validity or definition
    Column("state", String(16), nullable=False),  # learning, review or relearning
    Column("step", Integer),
    Column("stability", Float(53)),  # days
    Column("difficulty", Float(53)),
    Column("due", Float(53), nullable=False),
    Column("last_review", Float(53)),
    Column("reps", Integer, nullable=False),  # answers
    Column("lapses", Integer, nullable=False),  # times forgotten
    Column("created_at", Float(53), nullable=False),
    Column("game_id", String(32)),  # where the word was missed; the game may have been removed
    Index(None, "player_id", "due"),
)

# The latest answers to cards, with the schedule before each, to undo them and for statistics.
card_reviews = Table(
    "card_reviews",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("lexicon", String(64), nullable=False),
    Column("word", String(32), nullable=False),
    Column("ask", String(16), nullable=False),
    Column("at", Float(53), nullable=False),
    Column("grade", String(8), nullable=False),
    Column("answer", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("step", Integer),
    Column("stability", Float(53)),
    Column("difficulty", Float(53)),
    Column("due", Float(53), nullable=False),
    Column("last_review", Float(53)),
    Index(None, "player_id", "at"),
    Index(None, "at"),
)

# A player's first answer to each puzzle of data/puzzles, and the latest to each of own_puzzles.
puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("puzzle_id", String(48), primary_key=True),
    Column("kind", String(32), nullable=False),
    Column("at", Float(53), nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("answer", String(64), nullable=False),  # empty if the player asked for the solution
    Column("value", Float(53)),
    Column("rating", Float(53)),  # the player's rating after it; null if it was not rated
    Column("change", Float(53)),
    Column("day", String(10)),  # the date if it was the puzzle of the day
    Index(None, "player_id", "kind"),
)

# The players' ratings in puzzles of a game.
puzzle_players = Table(
    "puzzle_players",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("value", Float(53), nullable=False),
    Column("deviation", Float(53), nullable=False),
    Column("volatility", Float(53), nullable=False),
    Column("attempts", Integer, nullable=False),  # rated ones
    Column("solved", Integer, nullable=False),
    Column("rated_at", Float(53), nullable=False),
)

# The ratings of puzzles that have been answered.
puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle_id", String(48), primary_key=True),
    Column("value", Float(53), nullable=False),
    Column("deviation", Float(53), nullable=False),
    Column("volatility", Float(53), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("rated_at", Float(53), nullable=False),
)

# Rushes: as many puzzles as possible in three minutes.
puzzle_rushes = Table(
    "puzzle_rushes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("started_at", Float(53), nullable=False),
    Column("puzzles", Text, nullable=False),  # JSON list of IDs, in order
    Column("solved", Integer, nullable=False),
    Column("wrong", Integer, nullable=False),
    Index(None, "player_id"),
)

# Puzzles from the mistakes in a player's games, for that player alone.
own_puzzles = Table(
    "own_puzzles",
    metadata,
    Column("id", String(48), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("game_id", String(32), nullable=False),  # it may have been removed
    Column("ply", Integer, nullable=False),
    Column("puzzle", Text, nullable=False),  # JSON
    Column("made_at", Float(53), nullable=False),
    Column("solved", Boolean),  # by the latest answer; null before the first
    UniqueConstraint("player_id", "game_id", "ply"),
)
