"""The name of a player as others see it: bot accounts are marked wherever a name is shown."""

from typing import Final

from sqlalchemy import case

from app.store.schema import players

MARK: Final = " (bot)"
"""What follows the name of a bot account."""
SHOWN_NAME: Final = case(
    (players.c.owner_id.is_(None), players.c.nickname),
    (players.c.nickname.is_(None), "A guest" + MARK),
    else_=players.c.nickname + MARK,
).label("nickname")
"""The SQL expression of the name, or null for a person without one."""
