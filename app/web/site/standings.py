"""Who leads in each room: games won against other people."""

from app.store.rankings import Winner
from app.web.rooms import ROOMS
from app.web.services import Services


def winners(services: Services, most: int) -> dict[str, list[Winner]]:
    """Who has won most games of each kind lately, by kind; no kind of which nobody has won any."""
    now = services.clock()
    lines = {kind: services.rankings.top(kind, now, most) for kind in ROOMS}
    return {kind: found for kind, found in lines.items() if found}
