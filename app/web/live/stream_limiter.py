"""How many event streams are open in this process, and whose: each costs memory for as long as it lasts."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from app.grammar import format_count
from app.store.models import TooMuch
from app.web.guard.rates import Caller


class StreamLimiter:
    """Counts streams by player and by address. Everything happens on the event loop."""

    def __init__(self, most_of_player: int, most_of_address: int) -> None:
        self._most = {"player": most_of_player, "address": most_of_address}
        self._open: Counter[tuple[str, str]] = Counter()

    def check(self, caller: Caller) -> None:
        """Raise TooMuch where there is no room for one stream more."""
        for whose in _keys(caller):
            most = self._most[whose[0]]
            if self._open[whose] >= most:
                raise TooMuch(
                    f"this {whose[0]} has {format_count(most, 'event stream')} open already: close some"
                )

    @contextmanager
    def one_more(self, caller: Caller) -> Iterator[None]:
        """Count a stream for as long as the block runs."""
        self._open.update(_keys(caller))
        try:
            yield
        finally:
            for whose in _keys(caller):
                self._open[whose] -= 1
                if not self._open[whose]:
                    del self._open[whose]


def _keys(caller: Caller) -> list[tuple[str, str]]:
    return [(name, who) for name, who in caller._asdict().items() if who is not None]
