"""The name of a player as others see it: bot accounts are marked wherever a name is shown."""

from typing import Final

from sqlalchemy import case

from app.store.schema import players

MARK: Final = " (bot)"
"""Suffix of a bot account's name."""
SHOWN_NAME: Final = case(
    (players.c.owner_id.is_(None), players.c.nickname),
    (players.c.nickname.is_(None), "A guest" + MARK),
    else_=players.c.nickname + MARK,
).label("nickname")
"""The SQL expression for the shown name; null for a person without a name."""
