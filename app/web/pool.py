"""A bounded pool for work that keeps a core busy: full means a clear answer at once, never a frozen page."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from threading import Lock, get_native_id
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_BEHIND: Final = 10
"""Steps of priority by which engines stand behind pages, which want a core for a moment only."""
_PATIENCE: Final = 1.0
"""Seconds that closing waits for computations which cannot be told to end."""


class PoolFull(Exception):
    """Every thread is busy and the queue is full; the caller may try again in ``retry_after`` seconds."""

    retry_after = 1

    def __init__(self) -> None:
        super().__init__("the engines are all busy: try again in a moment")


class EnginePool:
    """``threads`` computations at once, ``queue`` more waiting."""

    def __init__(
        self,
        threads: int,
        queue: int,
        computed: Callable[[str, float], None] = lambda _engine, _seconds: None,
    ) -> None:
        """``computed`` is told how many seconds a computation kept its thread."""
        self.threads = threads
        self.places = threads + queue
        self.taken = 0
        """Computations running or waiting."""
        self.refused = 0
        self._computed = computed
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="engine", initializer=_stand_behind)
        self._counting = Lock()
        self._stopping = False

    def start(self, engine: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """The function's result to come; ``engine`` says whose time it is. Raises PoolFull."""
        with self._counting:
            if self._stopping or self.taken >= self.places:
                self.refused += 1
                raise PoolFull
            self.taken += 1

        def timed() -> R:
            began = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self._computed(engine, time.perf_counter() - began)

        future = self._executor.submit(timed)
        future.add_done_callback(self._leave)
        return future

    def run(self, engine: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result, computed in the pool while the calling thread waits.

        Raises PoolFull, and whatever the function raises.
        """
        try:
            return self.start(engine, function, *args, **kwargs).result()
        except CancelledError:
            raise PoolFull from None

    def deadline(self, milliseconds: float) -> Callable[[], bool]:
        """A function that says whether a search has to end: its time from now is over, or the pool stops."""
        end = time.perf_counter() + milliseconds / 1000
        return lambda: self._stopping or time.perf_counter() > end

    def stop(self) -> None:
        """Take no more, cancel what waits, and let searches end with what they have found."""
        with self._counting:
            self._stopping = True
        self._executor.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Stop, and wait a moment for what runs; what cannot be stopped ends with the process."""
        self.stop()
        end = time.monotonic() + _PATIENCE
        while self.taken and time.monotonic() < end:
            time.sleep(0.01)

    def _leave(self, _done: Future[R]) -> None:
        with self._counting:
            self.taken -= 1


def _stand_behind() -> None:
    """Lower the priority of this thread: Linux alone has one for each thread."""
    if sys.platform == "linux":
        thread = get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _BEHIND)
