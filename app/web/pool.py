"""A bounded pool for work that keeps a core busy: full means a clear answer at once, never a frozen page."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class PoolFull(Exception):
    """Every thread is busy and the queue is full; the caller may try again in ``retry_after`` seconds."""

    retry_after = 1

    def __init__(self) -> None:
        super().__init__("the engines are all busy: try again in a moment")


class EnginePool:
    """``threads`` computations at once, ``queue`` more waiting."""

    def __init__(self, threads: int, queue: int) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="engine")
        self._places = BoundedSemaphore(threads + queue)

    def start(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """The function's result to come. Raises PoolFull."""
        if not self._places.acquire(blocking=False):
            raise PoolFull
        future = self._executor.submit(function, *args, **kwargs)
        future.add_done_callback(lambda _: self._places.release())
        return future

    def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result, computed in the pool while the calling thread waits.

        Raises PoolFull, and whatever the function raises.
        """
        return self.start(function, *args, **kwargs).result()

    def close(self) -> None:
        """Finish what runs and take no more."""
        self._executor.shutdown(wait=True, cancel_futures=True)
