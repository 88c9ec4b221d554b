"""Players, how they sign in, and the programs that act for them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Table,
    false,
)

from app.store.schema.base import metadata

players = Table(
    "players",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created_at", Float(53), nullable=False),
    Column("nickname", String(32)),
    Column("erased_at", Float(53)),  # when the player erased themselves
    Column("preferences", String(512)),  # as in the cookie; null if everything is at its default
    Column("listed_from", Float(53)),  # cookies since then name a device; null: older cookies are valid
    Column("rating_hidden", Boolean, nullable=False, server_default=false()),  # from other players
    Column("owner_id", String(32)),  # of a bot account: the player it belongs to; null for people
    Column("merged_into", String(32)),  # the player into whom this one was merged, if any
    Index(None, "owner_id"),
    Index(None, "merged_into"),
)

# Browsers in which players are signed in.
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

# Tokens with which programs act as a player. Only the digest is stored.
tokens = Table(
    "tokens",
    metadata,
    Column("id", String(32), primary_key=True),  # identifies the token to its owner
    Column("digest", String(64), nullable=False, unique=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("name", String(64), nullable=False),
    Column("scopes", String(32), nullable=False),  # separated by spaces
    Column("created_at", Float(53), nullable=False),
    Column("expires_at", Float(53), nullable=False),
    Column("used_at", Float(53)),
    Index(None, "player_id"),
    Index(None, "expires_at"),
)

# Passkeys for signing in, kept by a browser or a phone. Only the public key is stored.
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

# One-time challenges for passkeys. Without a player: for signing in.
passkey_challenges = Table(
    "passkey_challenges",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id")),
    Column("expires_at", Float(53), nullable=False),
)

# Players' mail addresses, to which sign-in links are sent.
mail_addresses = Table(
    "mail_addresses",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("address", String(254), nullable=False, unique=True),
    Column("confirmed_at", Float(53), nullable=False),
)

# Mail addresses to be confirmed by a link. Only the token's digest is stored.
mail_confirmations = Table(
    "mail_confirmations",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("address", String(254), nullable=False),
    Column("expires_at", Float(53), nullable=False),
)

# Players' recovery phrases. Only the digest is stored.
phrases = Table(
    "phrases",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("made_at", Float(53), nullable=False),
)

# One-time links that sign another device in as a player. Only the token's digest is stored.
recoveries = Table(
    "recoveries",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False),
    Column("expires_at", Float(53), nullable=False),
    Column("used_at", Float(53)),  # null: not yet
)

# What players have been shown and need not see again: offers of lessons, and hints at a table.
shown = Table(
    "shown",
    metadata,
    Column("player_id", ForeignKey("players.id"), primary_key=True),
    Column("name", String(64), primary_key=True),
)
