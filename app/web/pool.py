"""A bounded pool for work that keeps a core busy: full means a clear answer at once, never a frozen page.

Nobody gets the whole of it. An address has a share of the places, and so has a player; one thread is always
left to others; and what waits is taken in turn, so that who asks once is served before the second question
of somebody who asks for much.
"""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Lock, get_native_id
from typing import Any, Final, ParamSpec, TypeVar

from app.grammar import format_count
from app.web.guard.concurrency import leave_slot
from app.web.guard.rates import Caller

P = ParamSpec("P")
R = TypeVar("R")

_BEHIND: Final = 10
"""Steps of priority by which engines stand behind pages, which want a core for a moment only."""
_PATIENCE: Final = 1.0
"""Seconds that closing waits for computations which cannot be told to end."""
_ADDRESS_SHARE: Final = 2
"""An address has the places divided by this."""
_PLAYER_SHARE: Final = 3
"""A player has the places divided by this."""


class PoolFull(Exception):
    """Every thread is busy and the queue is full; the caller may try again in ``retry_after`` seconds."""

    retry_after = 1

    def __init__(self, told: str = "the engines are all busy: try again in a moment") -> None:
        super().__init__(told)


class ShareTaken(PoolFull):
    """The caller's own share of the pool is taken, whatever is left for others."""

    def __init__(self, share: int) -> None:
        at_work = format_count(share, "computation")
        super().__init__(f"you have {at_work} running or waiting here: try again when one is done")


@dataclass(eq=False, slots=True)
class _Job:
    caller: Caller
    turn: int
    compute: Callable[[], Any]
    result: Future[Any] = field(default_factory=Future)
    running: bool = False

    def is_of(self, caller: Caller) -> bool:
        """Whether it was asked for by the same player or from the same address."""
        return self.caller.address == caller.address or self._is_of_player(caller)

    def _is_of_player(self, caller: Caller) -> bool:
        return caller.player is not None and self.caller.player == caller.player


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
        self.refused = 0
        self._threads_each = max(1, threads - 1)
        self._computed = computed
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="engine", initializer=_stand_behind)
        self._lock = Lock()
        self._stopping = False
        self._jobs: list[_Job] = []
        """All that run or wait, the first to come first."""
        self._turn = 0
        """That of the latest job to run."""

    @property
    def running(self) -> int:
        """Computations that have a thread."""
        return sum(job.running for job in list(self._jobs))

    @property
    def taken(self) -> int:
        """Computations running or waiting."""
        return len(self._jobs)

    def start(
        self, caller: Caller, engine: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> Future[R]:
        """The function's result to come, for ``caller``; ``engine`` says whose time it is.

        Raises PoolFull, and of those ShareTaken where only this caller has to wait.
        """
        compute = partial(self._timed, engine, partial(function, *args, **kwargs))
        with self._lock:
            self._check_room(caller)
            # Fair queueing: everybody's first question stands in the turn that is being served, the second
            # in the next one, and so on, however many somebody asks at once.
            turns = (job.turn + 1 for job in self._jobs if job.is_of(caller))
            job = _Job(caller, max((self._turn, *turns)), compute)
            self._jobs.append(job)
            self._executor.submit(self._work)
        return job.result

    def run(
        self, caller: Caller, engine: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """The function's result, computed in the pool while the calling thread waits.

        Raises PoolFull, and whatever the function raises.
        """
        try:
            result = self.start(caller, engine, function, *args, **kwargs)
            leave_slot()
            return result.result()
        except CancelledError:
            raise PoolFull from None

    def deadline(self, milliseconds: float) -> Callable[[], bool]:
        """A function that says whether a search has to end: its time from now is over, or the pool stops."""
        end = time.perf_counter() + milliseconds / 1000
        return lambda: self._stopping or time.perf_counter() > end

    def stop(self) -> None:
        """Take no more, cancel what waits, and let searches end with what they have found."""
        with self._lock:
            self._stopping = True
            waiting = [job for job in self._jobs if not job.running]
            self._jobs = [job for job in self._jobs if job.running]
        for job in waiting:
            job.result.cancel()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Stop, and wait a moment for what runs; what cannot be stopped ends with the process."""
        self.stop()
        end = time.monotonic() + _PATIENCE
        while self.taken and time.monotonic() < end:
            time.sleep(0.01)

    def _check_room(self, caller: Caller) -> None:
        at_address = max(1, self.places // _ADDRESS_SHARE)
        of_player = max(1, self.places // _PLAYER_SHARE)
        try:
            if self._stopping or len(self._jobs) >= self.places:
                raise PoolFull
            if sum(job.caller.address == caller.address for job in self._jobs) >= at_address:
                raise ShareTaken(at_address)
            if caller.player and sum(job.caller.player == caller.player for job in self._jobs) >= of_player:
                raise ShareTaken(of_player)
        except PoolFull:
            self.refused += 1
            raise

    def _work(self) -> None:
        # There is one call for each job, but it takes what is next by then. A job that is held back until
        # another of its address is done is taken by the thread that did the other one.
        while (job := self._next()) is not None:
            try:
                found = job.compute()
            except BaseException as error:
                self._leave(job)
                job.result.set_exception(error)
            else:
                self._leave(job)
                job.result.set_result(found)

    def _next(self) -> _Job | None:
        with self._lock:
            self._jobs = [job for job in self._jobs if not job.result.cancelled()]
            running = [job for job in self._jobs if job.running]
            ready = [
                job
                for job in self._jobs
                if not job.running and sum(one.is_of(job.caller) for one in running) < self._threads_each
            ]
            for job in sorted(ready, key=lambda job: job.turn):
                if job.result.set_running_or_notify_cancel():
                    job.running = True
                    self._turn = job.turn
                    return job
        return None

    def _leave(self, job: _Job) -> None:
        with self._lock:
            self._jobs.remove(job)

    def _timed(self, engine: str, compute: Callable[[], R]) -> R:
        began = time.perf_counter()
        try:
            return compute()
        finally:
            self._computed(engine, time.perf_counter() - began)


def _stand_behind() -> None:
    """Lower the priority of this thread: Linux alone has one for each thread."""
    if sys.platform == "linux":
        thread = get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _BEHIND)
