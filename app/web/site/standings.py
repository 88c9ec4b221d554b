"""Leaderboards of games won against other people."""

from app.store.rankings import Winner
from app.web.services import Services


def winners(services: Services, most: int) -> dict[str, list[Winner]]:
    """The ``most`` top winners per kind of game, without kinds that have no wins."""
    now = services.clock()
    lines = {kind: services.rankings.top(kind, now, most) for kind in services.rooms}
    return {kind: found for kind, found in lines.items() if found}
