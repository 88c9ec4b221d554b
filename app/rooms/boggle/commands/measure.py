"""Measurements of ``wibble boggle study``: local or on a Dask cluster, interruptible and resumable."""

import os
import time
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any, Final

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from app.games.boggle.published_study import Chunk, StudyRunner, Tally
from app.games.kernel import warm_up
from app.terminal.arguments import pinned_lexicon, refuse
from app.terminal.checkpoint import Checkpoint
from app.terminal.interrupts import stopped_by_ctrl_c
from app.terminal.process_pool import run_in_pool
from app.words.lexicon import Lexicon

SCHEDULER_SECONDS: Final = 10
"""Timeout for connecting to the scheduler."""


def measure_chunks(
    work: Sequence[Chunk], lexicon: Lexicon, workers: int, scheduler: str
) -> tuple[dict[Chunk, Tally], bool]:
    """Measure the chunks. Returns the tallies and whether Ctrl+C stopped the run.

    Resumes from the checkpoint of an earlier, interrupted run of the same work.
    """
    checkpoint = Checkpoint("boggle-study", lexicon=lexicon.sha256, work=list(map(repr, work)))
    tallies = _restored(checkpoint.load(), work)
    missing = [chunk for chunk in work if chunk not in tallies]
    if scheduler:
        done = _on_cluster(missing, lexicon, scheduler)
    elif workers == 1 or len(missing) <= 1:
        done = _measure_locally(missing, lexicon)
    else:
        done = _on_cores(missing, lexicon, workers or os.cpu_count() or 1)
    columns = (
        TextColumn("{task.description:12}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("boards"),
        TimeRemainingColumn(),
    )
    with (
        stopped_by_ctrl_c() as interruption,
        closing(done),
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task("study", total=sum(chunk.boards for chunk in work))
        progress.advance(task, sum(chunk.boards for chunk in tallies))
        for chunk, tally in done:
            tallies[chunk] = tally
            progress.update(task, advance=chunk.boards, description=chunk.algorithm)
    if interruption.interrupted:
        checkpoint.save({str(work.index(chunk)): tally._asdict() for chunk, tally in tallies.items()})
    else:
        checkpoint.remove()
    return tallies, interruption.interrupted


def _restored(saved: Any, work: Sequence[Chunk]) -> dict[Chunk, Tally]:
    return {
        work[int(number)]: Tally(
            boards=tally["boards"],
            sums=np.array(tally["sums"], np.float64),
            squares=np.array(tally["squares"], np.float64),
            distribution=np.array(tally["distribution"], np.int64),
            seconds=tally["seconds"],
        )
        for number, tally in (saved or {}).items()
    }


@lru_cache(maxsize=2)
def _study_runner(lexicon: Lexicon) -> StudyRunner:
    return StudyRunner(lexicon, time.perf_counter)


def _measure_locally(work: Sequence[Chunk], lexicon: Lexicon) -> Generator[tuple[Chunk, Tally]]:
    for chunk in work:
        yield chunk, _study_runner(lexicon).measure(chunk)


def _on_cores(work: Sequence[Chunk], lexicon: Lexicon, workers: int) -> Generator[tuple[Chunk, Tally]]:
    jobs = [(lexicon.name, lexicon.sha256, chunk) for chunk in work]
    for (*_, chunk), tally in run_in_pool(_measure_in_worker, jobs, min(workers, len(work))):
        yield chunk, tally


def _measure_in_worker(job: tuple[str, str, Chunk]) -> Tally:
    """Measure a chunk in a local worker process, with the lexicon mapped from the cache."""
    name, sha256, chunk = job
    warm_up()
    return _study_runner(pinned_lexicon(name, sha256)).measure(chunk)


def _on_cluster(work: Sequence[Chunk], lexicon: Lexicon, address: str) -> Generator[tuple[Chunk, Tally]]:
    from distributed import Client, as_completed  # noqa: PLC0415 - optional, and slow to load

    try:
        client = Client(address, timeout=SCHEDULER_SECONDS)
    except (OSError, ValueError) as error:
        refuse(f"no Dask scheduler at {address}: {error}", "--scheduler")
    with client:
        text = client.scatter(lexicon.text.tobytes(), broadcast=True)
        running = {
            client.submit(measure_on_cluster, lexicon.name, text, chunk, pure=False): chunk for chunk in work
        }
        try:
            for future in as_completed(list(running)):
                yield running[future], future.result()
        finally:
            client.cancel(list(running))


def measure_on_cluster(name: str, text: bytes, chunk: Chunk) -> Tally:
    """Measure a chunk on a Dask worker. The lexicon is sent as text; only Wibble must be installed there."""
    warm_up()
    return _study_runner(_parsed_lexicon(name, text)).measure(chunk)


@lru_cache(maxsize=2)
def _parsed_lexicon(name: str, text: bytes) -> Lexicon:
    return Lexicon.from_words(text.decode("ascii").split(), name)
