"""Who leads in each room: today's dailies, and games won against other people."""

from typing import Final

from app.store.results import Winner
from app.web.rooms import ROOMS
from app.web.services import Services

WINNING_DAYS: Final = 30
"""Days back from now that a game counts among those won."""


def winners(house: Services, most: int) -> dict[str, list[Winner]]:
    """Who has won most games of each kind lately, by kind; no kind of which nobody has won any."""
    since = house.clock() - WINNING_DAYS * 86_400
    lines = {kind: house.results.winners(kind, since, most) for kind in ROOMS}
    return {kind: found for kind, found in lines.items() if found}
