"""A process pool that Ctrl+C stops at once, keeping the finished results.

with process_pool() as pool:
    for job, result in pool.run(work, jobs):
        total += result
print(total)
pool.exit_if_interrupted("To continue: --seed 12")
"""

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context, resource_tracker
from os import cpu_count
from typing import Annotated, Any, Final, TypeVar

import typer
from rich.console import Console

from app.terminal.arguments import refuse
from app.terminal.interrupts import INTERRUPTED, deferred_ctrl_c, handled

Workers = Annotated[int, typer.Option(help="Local processes; 0 for one per core.", min=0, max=256)]
_JOBS_AHEAD: Final = 4
"""Jobs queued per process, so that none is idle."""
_REMOTE_JOBS_AHEAD: Final = 1000
"""Jobs queued on a cluster of unknown size."""

Job = TypeVar("Job")
Result = TypeVar("Result")


class Pool:
    """Runs jobs on an executor. Ctrl+C ends its ``with`` block; the code after the block runs."""

    def __init__(self, executor: Executor, ahead: int) -> None:
        """Submit at most ``ahead`` jobs at a time, so that few have to be cancelled."""
        self.interrupted = False
        """Whether Ctrl+C stopped the work."""
        self._executor: Final = executor
        self._ahead: Final = ahead
        self._running: dict[Future[Any], Any] = {}

    def run(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[tuple[Job, Result]]:
        """Yield jobs with results as they finish. Raises what ``work`` raises, and BrokenProcessPool."""
        waiting = iter(jobs)
        while True:
            for job in islice(waiting, self._ahead - len(self._running)):
                with _new_processes_ignore_ctrl_c():
                    self._running[self._executor.submit(work, job)] = job
            if not self._running:
                return
            for done in wait(self._running, return_when=FIRST_COMPLETED).done:
                yield self._running.pop(done), done.result()

    def cancel(self) -> None:
        """Cancel the jobs that have not started."""
        for future in self._running:
            future.cancel()

    def exit_if_interrupted(self, hint: str = "") -> None:
        """Exit with status 130 after Ctrl+C, printing ``hint`` on standard error."""
        if self.interrupted:
            if hint:
                Console(stderr=True).print(hint, highlight=False, markup=False, soft_wrap=True)
            raise typer.Exit(INTERRUPTED)


@contextmanager
def process_pool(workers: int | None = None) -> Iterator[Pool]:
    """Start ``workers`` processes, by default one per core. ``work`` and jobs are pickled."""
    others, count = set(active_children()), workers or cpu_count() or 1
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as executor:
        pool = Pool(executor, ahead=_JOBS_AHEAD * count)
        try:
            yield pool
        except BaseException as error:
            for process in set(active_children()) - others:
                process.kill()  # the executor would wait for their jobs to finish
            _stop_writing(executor)
            if not isinstance(error, KeyboardInterrupt):
                raise
            handled()
            pool.interrupted = True


def _stop_writing(executor: ProcessPoolExecutor) -> None:
    """Let a large job that is being sent to killed processes fail, as Python does since 3.11.5.

    Earlier versions wait for it forever (https://github.com/python/cpython/issues/94777).
    """
    if sys.version_info < (3, 11, 5):
        executor._call_queue._reader.close()  # type: ignore[attr-defined]


@contextmanager
def remote_pool(executor: Executor) -> Iterator[Pool]:
    """Use the processes of a remote executor, such as a cluster's. It is not shut down."""
    pool = Pool(executor, ahead=_REMOTE_JOBS_AHEAD)
    try:
        yield pool
    except KeyboardInterrupt:
        handled()
        pool.cancel()
        pool.interrupted = True


@contextmanager
def scheduled_pool(scheduler: str | None, workers: int | None = None) -> Iterator[Pool]:
    """Start a local pool, or use the Dask cluster whose scheduler has this address. Raises BadParameter."""
    if not scheduler:
        with process_pool(workers) as pool:
            yield pool
        return
    try:
        from distributed import Client  # noqa: PLC0415 - an optional dependency
    except ImportError:
        refuse("requires Dask, which is not installed: pip install 'wibble[cluster]'", "--scheduler")
    try:
        client = Client(scheduler, timeout="10s")
    except (OSError, ValueError) as error:
        refuse(f"no Dask scheduler at {scheduler}: {error}", "--scheduler")
    with client, remote_pool(client.get_executor()) as pool:
        yield pool


def run_in_pool(
    work: Callable[[Job], Result], jobs: Iterable[Job], workers: int, scheduler: str = ""
) -> Iterator[tuple[Job, Result]]:
    """Yield jobs with results as a ``scheduled_pool`` finishes them. Raises KeyboardInterrupt on Ctrl+C."""
    with scheduled_pool(scheduler, workers or None) as pool:
        yield from pool.run(work, jobs)
    if pool.interrupted:
        raise KeyboardInterrupt


@contextmanager
def _new_processes_ignore_ctrl_c() -> Iterator[None]:
    """Make processes started in the block inherit a blocked SIGINT; defer one that arrives meanwhile.

    A terminal sends Ctrl+C to all processes, and those still importing would each print a traceback.
    """
    resource_tracker.ensure_running()  # otherwise starting it later would unblock SIGINT
    with deferred_ctrl_c():
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
