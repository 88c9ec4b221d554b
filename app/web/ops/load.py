"""Load monitor: how long requests wait for a thread, and the event loop's lag."""

import asyncio
import time
from collections import deque
from typing import Final, NamedTuple

from anyio import CapacityLimiter, to_thread

LONGEST_WAIT: Final = 5.0
"""Seconds that a page may wait for a thread."""
LARGEST_LAG: Final = 1.0
"""Seconds of event loop lag that are acceptable."""
_LATE_IN_A_ROW: Final = 3
"""Samples above LARGEST_LAG that count as overload; a single delay is over by the time it is reported."""
_INTERVAL: Final = 1.0
"""Seconds between two samples."""


class PageThreads(NamedTuple):
    """The threads that render pages."""

    total: int
    busy: int
    waiting: int
    """Requests waiting for a thread."""


class LoadMonitor:
    """Once a second, measures the event loop's lag and waits for a page thread."""

    def __init__(self) -> None:
        self.lag = 0.0
        """Latest event loop lag, in seconds."""
        self._lags: deque[float] = deque(maxlen=_LATE_IN_A_ROW)
        self._waiting_since: float | None = None
        self._limiter: CapacityLimiter | None = None

    @property
    def page_threads(self) -> PageThreads:
        """Current use of the page threads."""
        if self._limiter is None:
            return PageThreads(0, 0, 0)
        statistics = self._limiter.statistics()
        return PageThreads(int(statistics.total_tokens), statistics.borrowed_tokens, statistics.tasks_waiting)

    @property
    def page_wait(self) -> float:
        """Seconds that the monitor has been waiting for a page thread; 0 if it is not waiting."""
        return 0.0 if self._waiting_since is None else time.monotonic() - self._waiting_since

    @property
    def complaint(self) -> str | None:
        """Why pages are not answered in time; None if they are."""
        if (waited := self.page_wait) > LONGEST_WAIT:
            threads = self.page_threads
            return f"{threads.busy} of {threads.total} page threads are busy, for {waited:.0f} seconds now"
        if len(self._lags) == _LATE_IN_A_ROW and min(self._lags) > LARGEST_LAG:
            return f"the event loop is repeatedly {self.lag:.1f} seconds late"
        return None

    async def run(self) -> None:
        """Sample once a second until cancelled. Call it on the event loop to monitor."""
        self._limiter = to_thread.current_default_thread_limiter()
        while True:
            due = time.monotonic() + _INTERVAL
            await asyncio.sleep(_INTERVAL)
            self.note_lag(time.monotonic() - due)
            self._waiting_since = time.monotonic()
            async with self._limiter:
                self._waiting_since = None

    def note_lag(self, seconds: float) -> None:
        """Record a lag sample."""
        self.lag = max(0.0, seconds)
        self._lags.append(self.lag)
