"""Finished games played again, kept in memory as long as somebody steps through them."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Final

_AT_ONCE: Final = 16
"""Games that are played again at the same time, at most."""


class Replays:
    """All states of the games that were looked at last, so that a step costs no whole game."""

    def __init__(self, states: Callable[[str], Sequence[Any]], most: int) -> None:
        """``states`` plays a game again, by its id; ``most`` states are kept, of about 2 KB each."""
        self._states: Final = states
        self._most: Final = most
        self._known: OrderedDict[str, Sequence[Any]] = OrderedDict()
        self._changing = Lock()
        self._playing = tuple(Lock() for _ in range(_AT_ONCE))

    def of(self, game_id: str) -> Sequence[Any]:
        """Every state of a finished game from the first; who asks for what is being played again waits."""
        with self._playing[hash(game_id) % _AT_ONCE]:
            with self._changing:
                known = self._known.get(game_id)
            states = self._states(game_id) if known is None else known
            self._keep(game_id, states)
        return states

    def _keep(self, game_id: str, states: Sequence[Any]) -> None:
        with self._changing:
            self._known[game_id] = states
            self._known.move_to_end(game_id)
            while len(self._known) > 1 and sum(map(len, self._known.values())) > self._most:
                self._known.popitem(last=False)
