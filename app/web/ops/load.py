"""Whether the server keeps up: how long a page waits for a thread, and how late the event loop is."""

import asyncio
import time
from collections import deque
from typing import Final, NamedTuple

from anyio import CapacityLimiter, to_thread

LONGEST_WAIT: Final = 5.0
"""Seconds that a page may wait for a thread."""
LARGEST_LAG: Final = 1.0
"""Seconds that the event loop may be late."""
_LATE_IN_A_ROW: Final = 3
"""Looks: a loop that was held up once has caught up by the time anybody can be told."""
_LOOK_EVERY: Final = 1.0


class PageThreads(NamedTuple):
    """The threads that pages are made in."""

    total: int
    busy: int
    waiting: int
    """Pages that wait for a thread."""


class LoadMonitor:
    """Waits for a thread as a page does, and for the event loop, once a second."""

    def __init__(self) -> None:
        self.lag = 0.0
        """Seconds that the event loop was late at the latest look."""
        self._lags: deque[float] = deque(maxlen=_LATE_IN_A_ROW)
        self._waiting_since: float | None = None
        self._limiter: CapacityLimiter | None = None

    @property
    def page_threads(self) -> PageThreads:
        """How the threads of pages stand."""
        if self._limiter is None:
            return PageThreads(0, 0, 0)
        now = self._limiter.statistics()
        return PageThreads(int(now.total_tokens), now.borrowed_tokens, now.tasks_waiting)

    @property
    def page_wait(self) -> float:
        """Seconds that a page which came at the latest look has been waiting for a thread."""
        return 0.0 if self._waiting_since is None else time.monotonic() - self._waiting_since

    @property
    def complaint(self) -> str | None:
        """What keeps pages from being answered in time; None where they are."""
        if (waited := self.page_wait) > LONGEST_WAIT:
            threads = self.page_threads
            return (
                f"{threads.busy} of {threads.total} threads of pages are busy, for {waited:.0f} seconds now"
            )
        if len(self._lags) == _LATE_IN_A_ROW and min(self._lags) > LARGEST_LAG:
            return f"the event loop is {self.lag:.1f} seconds late, again and again"
        return None

    async def keep_looking(self) -> None:
        """Look again and again; on the event loop whose threads and lag it is."""
        self._limiter = to_thread.current_default_thread_limiter()
        while True:
            due = time.monotonic() + _LOOK_EVERY
            await asyncio.sleep(_LOOK_EVERY)
            self.note_lag(time.monotonic() - due)
            self._waiting_since = time.monotonic()
            async with self._limiter:
                self._waiting_since = None

    def note_lag(self, seconds: float) -> None:
        """The event loop was so late."""
        self.lag = max(0.0, seconds)
        self._lags.append(self.lag)
