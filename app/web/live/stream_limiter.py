"""Limits on open event streams per player and per address."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from app.grammar import format_count
from app.store.models import TooMuch
from app.web.guard.rates import Caller


class StreamLimiter:
    """Counts open streams. Not thread-safe: use it on the event loop only."""

    def __init__(self, most_of_player: int, most_of_address: int) -> None:
        self._most = {"player": most_of_player, "address": most_of_address}
        self._open: Counter[tuple[str, str]] = Counter()

    def check(self, caller: Caller) -> None:
        """Raise TooMuch if the player or address has reached its limit."""
        for key in _keys(caller):
            most = self._most[key[0]]
            if self._open[key] >= most:
                raise TooMuch(
                    f"this {key[0]} already has {format_count(most, 'event stream')} open: close some"
                )

    @contextmanager
    def one_more(self, caller: Caller) -> Iterator[None]:
        """Count a stream within the block."""
        self._open.update(_keys(caller))
        try:
            yield
        finally:
            for key in _keys(caller):
                self._open[key] -= 1
                if not self._open[key]:
                    del self._open[key]


def _keys(caller: Caller) -> list[tuple[str, str]]:
    return [
        ("address", caller.address),
        *([("player", caller.account)] if caller.account is not None else []),
    ]
