"""Which waiting players are paired. Pure functions: the time is an argument.

A player accepts opponents within a window of rating points, which widens while they wait. The longest waiting
are paired first, each with the player nearest in rating such that each is in the other's window.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

FIRST_WINDOW: Final = 100.0
"""Difference in rating that is accepted at once if both ratings are certain."""
DEVIATION_SHARE: Final = 0.5
"""The window widens by this share of the rating's deviation, which is large after few games."""
POINTS_PER_SECOND: Final = 20.0
"""Rating points by which the window widens."""
ANYBODY_AFTER: Final = 40.0
"""Seconds after which every opponent is accepted."""


@dataclass(frozen=True, slots=True)
class Waiter:
    """A player who waits for a game."""

    player_id: str
    value: float
    """Their rating."""
    deviation: float
    since: float
    """When they began to wait, in seconds since the epoch."""
    met_twice: str | None = None
    """The opponent in both of their latest two games; None if they were different."""

    def window(self, at: float) -> float:
        """The largest difference in rating that they accept at ``at``; infinite after ANYBODY_AFTER."""
        waited = max(0.0, at - self.since)
        if waited >= ANYBODY_AFTER:
            return math.inf
        return FIRST_WINDOW + DEVIATION_SHARE * self.deviation + POINTS_PER_SECOND * waited


def pair_up(
    waiting: Collection[Waiter], blocked: Collection[tuple[str, str]], at: float
) -> list[tuple[Waiter, Waiter]]:
    """Pair players until no two remaining players accept each other.

    ``blocked`` are pairs of player IDs, in any order, that are never paired. Two players whose latest two
    games were against each other are paired only if the one who has waited longer has no other opponent. The
    one who has waited longer comes first in the pair. Takes O((n + blocked) log n).
    """
    apart = {frozenset(pair) for pair in blocked}
    order = sorted(waiting, key=lambda waiter: (waiter.value, waiter.player_id))
    windows = [waiter.window(at) for waiter in order]
    left = _Reach([waiter.value + window for waiter, window in zip(order, windows, strict=True)])
    right = _Reach([window - waiter.value for waiter, window in zip(order, windows, strict=True)])
    place = {waiter.player_id: index for index, waiter in enumerate(order)}
    paired: set[str] = set()
    pairs: list[tuple[Waiter, Waiter]] = []
    for waiter in sorted(waiting, key=lambda waiter: (waiter.since, waiter.player_id)):
        if waiter.player_id in paired:
            continue
        index = place[waiter.player_id]
        nearest = _nearest(order, left, right, index, windows[index])
        opponent = _opponent(waiter, (order[other] for other in nearest), apart)
        if opponent is None:
            continue
        pairs.append((waiter, opponent))
        for each in (waiter, opponent):
            paired.add(each.player_id)
            left.remove(place[each.player_id])
            right.remove(place[each.player_id])
    return pairs


def _opponent(
    waiter: Waiter, candidates: Iterable[Waiter], apart: Collection[frozenset[str]]
) -> Waiter | None:
    """The first candidate not kept apart from the waiter; one met twice only if there is no other."""
    met_twice = None
    for candidate in candidates:
        if frozenset((waiter.player_id, candidate.player_id)) in apart:
            continue
        if waiter.met_twice != candidate.player_id and candidate.met_twice != waiter.player_id:
            return candidate
        met_twice = met_twice or candidate
    return met_twice


def _nearest(
    order: Sequence[Waiter], left: "_Reach", right: "_Reach", index: int, window: float
) -> Iterator[int]:
    """The indices in ``order`` of possible opponents of the waiter at ``index``, nearest in rating first.

    ``left`` finds lower indices whose value plus window reaches up to the waiter's value, ``right`` higher
    indices whose value minus window reaches down to it.
    """
    value = order[index].value
    below, above = left.last_before(index, value), right.first_after(index, -value)
    while below is not None or above is not None:
        under = math.inf if below is None else value - order[below].value
        over = math.inf if above is None else order[above].value - value
        if min(under, over) > window:
            return
        if below is not None and under <= over:
            yield below
            below = left.last_before(below, value)
        elif above is not None:
            yield above
            above = right.first_after(above, -value)


class _Reach:
    """A tree of maxima over numbers, which finds the next number that is large enough in O(log n)."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self._size = 1 << max(0, len(numbers) - 1).bit_length()
        gone = [-math.inf] * (self._size - len(numbers))
        self._most = [-math.inf] * self._size + list(numbers) + gone
        for node in range(self._size - 1, 0, -1):
            self._most[node] = max(self._most[2 * node], self._most[2 * node + 1])

    def remove(self, index: int) -> None:
        """Remove a number."""
        node = index + self._size
        self._most[node] = -math.inf
        while node > 1:
            node //= 2
            self._most[node] = max(self._most[2 * node], self._most[2 * node + 1])

    def last_before(self, index: int, least: float) -> int | None:
        """The largest index below ``index`` whose number is at least ``least``."""
        return self._next(index, least, side=1)

    def first_after(self, index: int, least: float) -> int | None:
        """The smallest index above ``index`` whose number is at least ``least``."""
        return self._next(index, least, side=0)

    def _next(self, index: int, least: float, side: int) -> int | None:
        """Climb to the first subtree beside the path with such a number, then descend on its near side."""
        node = index + self._size
        while node > 1 and not (node & 1 == side and self._most[node ^ 1] >= least):
            node //= 2
        if node <= 1:
            return None
        node ^= 1
        while node < self._size:
            near = 2 * node + side
            node = near if self._most[near] >= least else near ^ 1
        return node - self._size
