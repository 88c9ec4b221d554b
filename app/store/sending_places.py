"""Limits on a process's concurrent deliveries, so that a slow host or player cannot take all of them."""

from collections import Counter
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, and_, func, not_, or_

from app.store.channels import Channel
from app.store.schema import channels

MOST_PER_HOST: Final = 32
"""Maximum number of messages that a process sends at the same time to one webhook host."""
MOST_PER_PLAYER: Final = 8
"""Maximum number of messages that a process sends at the same time to one player."""


class SendingPlaces:
    """Counts a process's concurrent deliveries by webhook host and by player."""

    def __init__(self, running: Iterable[Channel]) -> None:
        self._hosts: Counter[str] = Counter()
        self._players: Counter[str] = Counter()
        for channel in running:
            self.take(channel.player_id, channel.kind, channel.address)

    def free(self) -> list[ColumnElement[bool]]:
        """Conditions for channels below the limits."""
        address = func.lower(channels.c.address)
        return [
            channels.c.player_id.not_in([who for who, n in self._players.items() if n >= MOST_PER_PLAYER]),
            *(
                not_(
                    and_(
                        channels.c.kind == "webhook",
                        or_(
                            address.endswith(f"//{host}", autoescape=True),
                            address.contains(f"//{host}/", autoescape=True),
                            address.contains(f"//{host}?", autoescape=True),
                        ),
                    )
                )
                for host, n in self._hosts.items()
                if n >= MOST_PER_HOST
            ),
        ]

    def take(self, player_id: str, kind: str, address: str) -> bool:
        """Count a delivery and return True, or return False if the host or the player has reached its limit.

        Push services and mail have no limit per host, as all players share them.
        """
        host = urlsplit(address.lower()).netloc if kind == "webhook" else ""
        if self._hosts[host] >= MOST_PER_HOST or self._players[player_id] >= MOST_PER_PLAYER:
            return False
        if host:
            self._hosts[host] += 1
        self._players[player_id] += 1
        return True
