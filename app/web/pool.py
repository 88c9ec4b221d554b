"""Bounded thread pool for CPU-bound work. If it is full, requests are refused at once.

Fair to callers: each address and each player may use only a share of the places, no caller uses all threads,
and callers are served round robin. If the pool is full, a caller with few jobs may take the place of the
latest waiting job of the caller with the most.

Long jobs, such as searches with a time budget and analyses, wait for short ones, which take milliseconds or
are moves of bots. Short ones have a thread that long ones leave free, so that players need not wait for them.
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

_NICENESS: Final = 10
"""Added to the nice value of engine threads, so that page threads get a core first."""
_CLOSE_TIMEOUT: Final = 1.0
"""Seconds for which closing the pool waits for computations that cannot be stopped."""
_ADDRESS_SHARE: Final = 2
"""Divisor that gives the places one address may take."""
_PLAYER_SHARE: Final = 3
"""Divisor that gives the places one player may take."""
_BEFORE_A_LONG_JOB: Final = 8
"""Other jobs that start before a long job that waits, so that they never hold it up for ever."""


class PoolFull(Exception):
    """Every thread is busy and the queue is full; the caller may try again in ``retry_after`` seconds."""

    retry_after = 1

    def __init__(self, message: str = "the engines are all busy: try again in a moment") -> None:
        super().__init__(message)


class EnginesCompiling(PoolFull):
    """The request is too large while the engines are being compiled; the message says what is accepted."""

    retry_after = 5


class ShareTaken(PoolFull):
    """The caller's share of the pool is used up."""

    def __init__(self, share: int) -> None:
        jobs = format_count(share, "computation")
        super().__init__(f"you have {jobs} running or waiting: try again when one is done")


@dataclass(eq=False, slots=True)
class _Job:
    caller: Caller
    turn: int
    compute: Callable[[], Any]
    is_long: bool
    result: Future[Any] = field(default_factory=Future)
    running: bool = False

    def is_from(self, caller: Caller) -> bool:
        """Whether the job is from the same address or player."""
        same_player = caller.account is not None and self.caller.account == caller.account
        return same_player or self.caller.address == caller.address


class EnginePool:
    """Runs ``threads`` long jobs at once, others on one more thread, and queues up to ``queue`` of both."""

    def __init__(
        self,
        threads: int,
        queue: int,
        computed: Callable[[str, float], None] = lambda _engine, _seconds: None,
    ) -> None:
        """``computed`` is called with the engine's name and the seconds that a computation took."""
        self.threads = threads
        self.places = threads + queue
        self.refused = 0
        self._threads_each = max(1, threads - 1)
        self._computed = computed
        self._executor = ThreadPoolExecutor(threads + 1, "engine", initializer=_lower_priority)
        self._lock = Lock()
        self._stopping = False
        self._jobs: list[_Job] = []
        """Running and waiting jobs, in order of arrival."""
        self._turns = dict.fromkeys((False, True), 0)
        """The turns of the last jobs that started, one short and one long."""
        self._since_a_long_job = 0
        """Other jobs started since then."""

    @property
    def running(self) -> int:
        """Number of running computations."""
        return sum(job.running for job in list(self._jobs))

    @property
    def taken(self) -> int:
        """Number of running and waiting computations."""
        return len(self._jobs)

    def start(
        self, caller: Caller, engine: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> Future[R]:
        """Submit a function for ``caller`` and return its future; ``engine`` labels the metrics.

        The future is cancelled if the pool stops, or if the job has to give way to another one.
        Raises PoolFull, or its subclass ShareTaken if only this caller has reached its limit.
        """
        return self._add(caller, engine, partial(function, *args, **kwargs), is_long=False)

    def start_long(
        self, caller: Caller, engine: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> Future[R]:
        """Submit a function that may take seconds; otherwise like ``start``."""
        return self._add(caller, engine, partial(function, *args, **kwargs), is_long=True)

    def run(
        self, caller: Caller, engine: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run a function in the pool and wait for its result.

        Raises PoolFull, and whatever the function raises. A refusal while the pool stops is PoolFull, too: a
        search that ended early may not have found what was asked for.
        """
        return self._result(self.start(caller, engine, function, *args, **kwargs))

    def run_long(
        self, caller: Caller, engine: str, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run a function that may take seconds; otherwise like ``run``."""
        return self._result(self.start_long(caller, engine, function, *args, **kwargs))

    def deadline(self, milliseconds: float) -> Callable[[], bool]:
        """A stop condition for searches: true after this time, or once the pool is stopping."""
        end = time.perf_counter() + milliseconds / 1000
        return lambda: self._stopping or time.perf_counter() > end

    def computing_limit(self, milliseconds: float) -> Callable[[], bool]:
        """A stop condition for the calling thread, whose answer should not depend on how busy the machine is.

        It is true after this much of the thread's CPU time, or once the pool is stopping.
        """
        end = time.thread_time() + milliseconds / 1000
        return lambda: self._stopping or time.thread_time() > end

    @property
    def stopping(self) -> bool:
        """Whether the process stops, so that searches end early."""
        return self._stopping

    def stop(self) -> None:
        """Refuse new jobs, cancel waiting ones, and let running searches end with what they have found."""
        with self._lock:
            self._stopping = True
            waiting = [job for job in self._jobs if not job.running]
            self._jobs = [job for job in self._jobs if job.running]
        for job in waiting:
            job.result.cancel()
        self._executor.shutdown(wait=False)

    def close(self) -> None:
        """Stop, and wait a moment for running jobs; those that cannot be stopped end with the process."""
        self.stop()
        end = time.monotonic() + _CLOSE_TIMEOUT
        while self.taken and time.monotonic() < end:
            time.sleep(0.01)

    def _result(self, started: Future[R]) -> R:
        try:
            leave_slot()
            return started.result()
        except CancelledError:
            raise PoolFull from None
        except ValueError:
            if self._stopping:
                raise PoolFull from None
            raise

    def _add(self, caller: Caller, engine: str, function: Callable[[], R], *, is_long: bool) -> Future[R]:
        with self._lock:
            gives_way = self._check_room(caller, is_long=is_long)
            if gives_way is not None:
                self._jobs.remove(gives_way)
            # Fair queueing: a caller's first job joins the turn being served, the second the next turn, ...
            own = (job for job in self._jobs if job.is_long == is_long and job.is_from(caller))
            turn = max((self._turns[is_long], *(job.turn + 1 for job in own)))
            job = _Job(caller, turn, partial(self._timed, engine, function), is_long)
            self._jobs.append(job)
            self._start_waiting()
        if gives_way is not None:
            gives_way.result.cancel()
        return job.result

    def _check_room(self, caller: Caller, *, is_long: bool) -> _Job | None:
        """Return the job that has to give way to the caller's, if any. Raises PoolFull, ShareTaken."""
        address_share = max(1, self.places // _ADDRESS_SHARE)
        player_share = max(1, self.places // _PLAYER_SHARE)
        try:
            if self._stopping:
                raise PoolFull
            if sum(job.caller.address == caller.address for job in self._jobs) >= address_share:
                raise ShareTaken(address_share)
            if (
                caller.account
                and sum(job.caller.account == caller.account for job in self._jobs) >= player_share
            ):
                raise ShareTaken(player_share)
            if len(self._jobs) < self.places:
                return None
            found = self._giving_way(caller, is_long=is_long)
        except PoolFull:
            self.refused += 1
            raise
        self.refused += 1
        return found

    def _giving_way(self, caller: Caller, *, is_long: bool) -> _Job:
        """Return the latest waiting job of the caller with the most jobs, if this one would still have fewer.

        A long job gives way to a short one already if its caller has at least as many jobs; one of the same
        caller only if there is no other. Raises PoolFull if no job gives way.
        """

        def jobs_of(one: Caller) -> int:
            return sum(job.is_from(one) for job in self._jobs)

        def is_behind(job: _Job) -> bool:
            return job.is_long and not is_long

        own = jobs_of(caller)
        giving_way = [
            job
            for job in reversed(self._jobs)
            if not job.running and jobs_of(job.caller) >= own + (0 if is_behind(job) else 2)
        ]
        if not giving_way:
            raise PoolFull
        return max(giving_way, key=lambda job: (not job.is_from(caller), is_behind(job), jobs_of(job.caller)))

    def _start_waiting(self) -> None:
        """Start jobs as long as one may run. Call it with the lock."""
        self._jobs = [job for job in self._jobs if not job.result.cancelled()]
        while (job := self._next()) is not None:
            if not job.result.set_running_or_notify_cancel():
                self._jobs.remove(job)
                continue
            job.running = True
            self._turns[job.is_long] = job.turn
            self._since_a_long_job = 0 if job.is_long else self._since_a_long_job + 1
            self._executor.submit(self._compute, job)

    def _next(self) -> _Job | None:
        running = [job for job in self._jobs if job.running]
        ready = [job for job in self._jobs if not job.running and self._may_run(job, running)]
        long_first = self._since_a_long_job >= _BEFORE_A_LONG_JOB
        return min(ready, key=lambda job: (job.is_long != long_first, job.turn), default=None)

    def _may_run(self, job: _Job, running: list[_Job]) -> bool:
        """Whether a thread is left for the job, and after it one that others may use.

        With a single thread for long jobs, a caller who has it may use the other for a short job.
        """
        if len(running) > self.threads:
            return False
        of_caller = [other.is_long for other in running if other.is_from(job.caller)]
        if len(of_caller) >= max(self.threads, 1 + sum(of_caller)):
            return False
        long = sum(other.is_long for other in running)
        return not job.is_long or (long < self.threads and sum(of_caller) < self._threads_each)

    def _compute(self, job: _Job) -> None:
        try:
            result = job.compute()
        except BaseException as error:
            self._remove(job)
            job.result.set_exception(error)
        else:
            self._remove(job)
            job.result.set_result(result)

    def _remove(self, job: _Job) -> None:
        with self._lock:
            self._jobs.remove(job)
            self._start_waiting()

    def _timed(self, engine: str, compute: Callable[[], R]) -> R:
        began = time.perf_counter()
        try:
            return compute()
        finally:
            self._computed(engine, time.perf_counter() - began)


def _lower_priority() -> None:
    """Lower the priority of the current thread; only Linux has per-thread priorities."""
    if sys.platform == "linux":
        thread = get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _NICENESS)
