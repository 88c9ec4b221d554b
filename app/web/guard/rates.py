"""Rate limits per player and per address, counted in this process or in Redis for all workers."""

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
"""Most counters in memory: beyond that the oldest are dropped."""
_REDIS_TIMEOUT: Final = 1.0
"""Seconds to wait for Redis."""
_REDIS_RETRY: Final = 5.0
"""Seconds before trying Redis again after it did not answer."""

log = logging.getLogger("uvicorn.error.wibble")


class TooOften(Exception):
    """A rate limit is exceeded; the caller may try again in ``retry_after`` seconds."""

    def __init__(self, rate: RateLimitItem, retry_after: int) -> None:
        limit = f"{rate.amount} in {format_duration(rate.get_expiry())}"
        super().__init__(f"too many requests: at most {limit}, try again in {format_duration(retry_after)}")
        self.retry_after = retry_after


class Caller(NamedTuple):
    """The address and player that a request is counted for."""

    address: str
    player: str | None
    owner: str | None = None
    """The player who owns a bot account."""

    @property
    def account(self) -> str | None:
        """The player the request counts for: the owner of a bot account."""
        return self.owner or self.player


SERVER: Final = Caller("the server itself", None)
"""The caller of computations that the server itself starts."""


class Rates:
    """Counts requests and refuses those above the limits.

    Uses fixed windows: a window begins with the first request, and a refusal says when it ends. If Redis
    does not answer, requests are let through.
    """

    def __init__(
        self,
        rates: Mapping[RateKind, str],
        address_share: int,
        counts: Storage,
        clock: Callable[[], float],
    ) -> None:
        """``rates`` are per player, such as ``60/minute``; an address has ``address_share`` times as many.

        Kinds that are not in ``rates`` are not limited. ``clock`` must be the clock of ``counts``.
        """
        self.refused: dict[RateKind, int] = dict.fromkeys(rates, 0)
        self.unchecked = 0
        """Requests let through because Redis did not answer."""
        self._of_player = {kind: parse(rate) for kind, rate in rates.items()}
        self._of_address = {
            kind: type(rate)(rate.amount * address_share, rate.multiples)
            for kind, rate in self._of_player.items()
        }
        self._limiter = FixedWindowRateLimiter(counts)
        self._clock = clock
        self._away_until = 0.0

    async def count(self, kind: RateKind, caller: Caller, cost: int = 1) -> None:
        """Count one request, or ``cost`` requests. Raises TooOften."""
        if kind not in self._of_player:
            return
        if time.monotonic() < self._away_until:
            self.unchecked += 1
            return
        try:
            async with asyncio.timeout(_REDIS_TIMEOUT):
                if caller.account is not None:
                    await self._take(kind, self._of_player[kind], "player", caller.account, cost)
                await self._take(kind, self._of_address[kind], "address", caller.address, cost)
        except (StorageError, OSError) as error:  # a TimeoutError is an OSError
            self.unchecked += 1
            self._away_until = time.monotonic() + _REDIS_RETRY
            log.warning(
                "Rate limits are off while Redis does not answer: %s", str(error) or type(error).__name__
            )

    async def _take(self, kind: RateKind, rate: RateLimitItem, scope: str, key: str, cost: int) -> None:
        # What is refused does not count; a hit of several would, and use up what is left.
        fits = cost == 1 or await self._limiter.test(rate, kind, scope, key, cost=cost)
        if fits and await self._limiter.hit(rate, kind, scope, key, cost=cost):
            return
        ends = await self._limiter.storage.get_expiry(rate.key_for(kind, scope, key))
        self.refused[kind] += 1
        raise TooOften(rate, max(1, math.ceil(ends - self._clock())))


class MemoryCounts(Storage):
    """In-memory counters for a single process. Not thread-safe: use it on the event loop only.

    The in-memory storage of ``limits`` 5.8 scans all its keys at intervals and has no limit on their number:
    with 60,000 a hit takes 5.8 ms of CPU. Here it takes 5 µs, and there are at most ``_MOST_COUNTED``.
    """

    STORAGE_SCHEME = None

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._windows: OrderedDict[str, tuple[float, int]] = OrderedDict()
        """(End of the window, count) by key, in the order in which the windows began."""

    @property
    def base_exceptions(self) -> type[Exception]:
        """Required by the base class; nothing here raises."""
        return ValueError

    async def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to the count of ``key`` and return it; a window lasts ``expiry`` seconds."""
        now = self._clock()
        ends, count = self._windows.get(key, (now, 0))
        if not now < ends <= now + expiry:  # expired, or begun before the clock was set back
            self._windows.pop(key, None)
            self._make_room(now)
            ends, count = now + expiry, 0
        self._windows[key] = ends, count + amount
        return count + amount

    async def get(self, key: str) -> int:
        """The current count of ``key``."""
        ends, count = self._windows.get(key, (0.0, 0))
        return count if ends > self._clock() else 0

    async def get_expiry(self, key: str) -> float:
        """When the window of ``key`` ends."""
        return self._windows.get(key, (self._clock(), 0))[0]

    async def check(self) -> bool:
        """Always available."""
        return True

    async def reset(self) -> int:
        """Delete all counts and return how many there were."""
        count = len(self._windows)
        self._windows.clear()
        return count

    async def clear(self, key: str) -> None:
        """Delete the count of ``key``."""
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
    """Rate limits counted in Redis if there is one, else in this process."""
    if redis_url is None:
        return Rates(rates, address_share, MemoryCounts(clock), clock)
    from app.web.guard.redis_counts import counts_at  # noqa: PLC0415 - Redis is an optional dependency

    return Rates(rates, address_share, counts_at(redis_url), time.time)
