"""How often each may ask: counts per player and per address, in this process or through Redis for all."""

import asyncio
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from limits import RateLimitItem, parse
from limits.aio.storage import Storage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError

from app.grammar import format_duration
from app.settings import RateKind

_MOST_COUNTED: Final = 100_000
"""Counts that a process keeps: a flood of addresses makes it forget some, not grow."""
_PATIENCE: Final = 1.0
"""Seconds to wait for Redis."""
_GIVEN_UP: Final = 5.0
"""Seconds for which nobody waits again for a Redis that did not answer."""

log = logging.getLogger("uvicorn.error.wibble")


class TooOften(Exception):
    """Somebody has asked too often; they may ask again in ``retry_after`` seconds."""

    def __init__(self, rate: RateLimitItem, retry_after: int) -> None:
        what = f"{rate.amount} in {format_duration(rate.get_expiry())}"
        super().__init__(
            f"that was a lot at once: {what} are accepted, try again in {format_duration(retry_after)}"
        )
        self.retry_after = retry_after


class Caller(NamedTuple):
    """Whom a request is counted for."""

    address: str
    player: str | None


SERVER: Final = Caller("the server itself", None)
"""Stands for a caller where the server itself computes something."""


class Rates:
    """Counts what is asked, and refuses what is too much.

    Windows are fixed: a count begins with the first request and ends with its time, which is told to who is
    refused. Where Redis is away everybody is let through: it guards against floods, not against the dark.
    """

    def __init__(
        self,
        rates: Mapping[RateKind, str],
        address_share: int,
        counts: Storage,
        clock: Callable[[], float],
    ) -> None:
        """``rates`` of a player, such as ``60/minute``; an address has ``address_share`` times as much.

        What is not in ``rates`` is not limited. ``clock`` is that of ``counts``.
        """
        self.refused: dict[RateKind, int] = dict.fromkeys(rates, 0)
        self.unchecked = 0
        """Requests that were let through because Redis did not answer."""
        self._of_player = {kind: parse(rate) for kind, rate in rates.items()}
        self._of_address = {
            kind: type(rate)(rate.amount * address_share, rate.multiples)
            for kind, rate in self._of_player.items()
        }
        self._limiter = FixedWindowRateLimiter(counts)
        self._clock = clock
        self._away_until = 0.0

    async def count(self, kind: RateKind, caller: Caller, cost: int = 1) -> None:
        """Count a request, or ``cost`` of them. Raises TooOften."""
        if kind not in self._of_player:
            return
        if time.monotonic() < self._away_until:
            self.unchecked += 1
            return
        try:
            async with asyncio.timeout(_PATIENCE):
                if caller.player is not None:
                    await self._take(kind, self._of_player[kind], "player", caller.player, cost)
                await self._take(kind, self._of_address[kind], "address", caller.address, cost)
        except (StorageError, OSError) as error:  # a TimeoutError is an OSError
            self.unchecked += 1
            self._away_until = time.monotonic() + _GIVEN_UP
            log.warning(
                "Nobody's rate is limited while Redis is away: %s", str(error) or type(error).__name__
            )

    async def _take(self, kind: RateKind, rate: RateLimitItem, whose: str, who: str, cost: int) -> None:
        if await self._limiter.hit(rate, kind, whose, who, cost=cost):
            return
        ends = await self._limiter.storage.get_expiry(rate.key_for(kind, whose, who))
        self.refused[kind] += 1
        raise TooOften(rate, max(1, math.ceil(ends - self._clock())))


class OwnCounts(Storage):
    """The counts of a process that serves alone.

    The library's own storage starts a thread with every count, which goes through all keys each time: 0.25 ms
    for one of few, 2 ms for one of 60,000. This one takes microseconds and has an upper bound. Everything
    happens on the event loop.
    """

    STORAGE_SCHEME = None

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._windows: OrderedDict[str, tuple[float, int]] = OrderedDict()
        """When each count ends, and the count; in the order in which they began."""

    @property
    def base_exceptions(self) -> type[Exception]:
        """Nothing fails here."""
        return ValueError

    async def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """The count of ``key`` with so many more; it begins anew ``expiry`` seconds after its beginning."""
        now = self._clock()
        ends, count = self._windows.get(key, (now, 0))
        if not now < ends <= now + expiry:  # over, or begun before the clock was put back
            self._windows.pop(key, None)
            self._make_room(now)
            ends, count = now + expiry, 0
        self._windows[key] = ends, count + amount
        return count + amount

    async def get(self, key: str) -> int:
        """The count of ``key``."""
        ends, count = self._windows.get(key, (0.0, 0))
        return count if ends > self._clock() else 0

    async def get_expiry(self, key: str) -> float:
        """When the count of ``key`` ends."""
        return self._windows.get(key, (self._clock(), 0))[0]

    async def check(self) -> bool:
        """It is always there."""
        return True

    async def reset(self) -> int:
        """Forget everything; how much that was."""
        count = len(self._windows)
        self._windows.clear()
        return count

    async def clear(self, key: str) -> None:
        """Forget the count of ``key``."""
        self._windows.pop(key, None)

    def _make_room(self, now: float) -> None:
        while self._windows:
            oldest = next(iter(self._windows))
            if self._windows[oldest][0] > now and len(self._windows) < _MOST_COUNTED:
                return
            del self._windows[oldest]


def counting(
    rates: Mapping[RateKind, str], address_share: int, redis_url: str | None, clock: Callable[[], float]
) -> Rates:
    """Rates counted here, or where there is a Redis, in it for all processes."""
    if redis_url is None:
        return Rates(rates, address_share, OwnCounts(clock), clock)
    from limits.aio.storage import RedisStorage  # noqa: PLC0415 - Redis is an optional dependency

    counts = RedisStorage(redis_url, wrap_exceptions=True, implementation="redispy", key_prefix="wibble:rate")
    return Rates(rates, address_share, counts, time.time)
