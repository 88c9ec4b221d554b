"""``wibble boggle study``: the seed's experiment again, and better generators beside it."""

import csv
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from app.commands.boggle import ready_lexicon, refuse
from app.games.boggle.catalogue import AVERAGES_FILE, catalogue
from app.games.boggle.order import parse_size
from app.games.boggle.study import MEASURES, STUDIED, Chunk, Laboratory, Tally, added_up, chunks
from app.games.kernel import warm_up
from app.settings import Settings
from app.words.lexicon import Lexicon
from app.words.library import DEFAULT_LEXICON

Results = dict[str, Tally]
"""What each algorithm came to, in the order asked for."""

_ALL: Final = ",".join(STUDIED)
SCHEDULER_SECONDS: Final = 10
"""How long a scheduler may take to answer."""


def study(
    boards: Annotated[int, typer.Option(help="Of each algorithm; the seed has 100000.", min=1)] = 100_000,
    lexicon: Annotated[str, typer.Option(help="The lexicon to study.")] = DEFAULT_LEXICON,
    algorithms: Annotated[str, typer.Option(help="Which ones, with commas.")] = _ALL,
    size: Annotated[str, typer.Option(help="4 for a square, 4x5 for four rows of five.")] = "4",
    seed: Annotated[str, typer.Option(help="Settles the boards.")] = "study",
    workers: Annotated[int, typer.Option(help="Processes here; 0: one for each core.", min=0)] = 0,
    scheduler: Annotated[str, typer.Option(help="Address of a Dask scheduler to run on instead.")] = "",
    to_csv: Annotated[Path | None, typer.Option("--csv", help="Write the table to this file.")] = None,
    plots: Annotated[Path | None, typer.Option(help="Write pictures (SVG) to this folder.")] = None,
    averages: Annotated[
        Path | None, typer.Option(help=f"Write the averages as TOML, as data/{AVERAGES_FILE} has them.")
    ] = None,
) -> None:
    """Average what the boards of each algorithm hold, beside the figures that the seed published.

    Its figures are for boards of 4x4 and dwyl's words_alpha, and count every path that spells a word of two
    letters or more. The game's own count is of different words of three letters or more. ± is the standard
    error. A climb is studied on a hundredth of the boards.
    """
    names = _named(algorithms)
    try:
        shape = parse_size(size)
    except ValueError as error:
        refuse(str(error), "--size")
    for file, option in ((to_csv, "--csv"), (averages, "--averages"), (plots, "--plots")):
        if file is not None and not file.parent.is_dir():
            refuse(f"there is no folder {file.parent} to write to", option)
    _require("matplotlib", "--plots", wanted=plots is not None)
    _require("distributed", "--scheduler", wanted=bool(scheduler))

    loaded = ready_lexicon(lexicon)  # which leaves the compiled kernels where other processes find them
    work = list(chunks(names, boards, shape.columns, shape.rows, seed))
    if scheduler:
        done = _on_cluster(work, loaded, scheduler)
    elif workers == 1:
        done = ((chunk, _laboratory(loaded).measure(chunk)) for chunk in work)
    else:
        done = _on_cores(work, loaded, workers or os.cpu_count() or 1)
    results = _collected(work, done)

    console = Console()
    console.print(_seeds_way(results))
    console.print(_properly(results))
    console.print(
        f"{loaded.name}, {len(loaded):,} words, boards of {shape.rows}x{shape.columns}; ± standard error",
        style="dim",
        highlight=False,
    )
    if to_csv is not None:
        _write_csv(to_csv, results)
    if averages is not None:
        averages.write_text(_toml(results, loaded), encoding="utf-8")
    if plots is not None:
        from app.commands.boggle_plots import draw_plots  # noqa: PLC0415 - Matplotlib is optional

        draw_plots(plots, results, loaded)


def _named(algorithms: str) -> list[str]:
    names = list(dict.fromkeys(algorithms.lower().replace(",", " ").split()))
    for name in names:
        if name not in STUDIED:
            refuse(f"{name!r} is no algorithm to study; there are {', '.join(STUDIED)}", "--algorithms")
    if not names:
        refuse(f"name at least one of {', '.join(STUDIED)}", "--algorithms")
    return names


def _collected(work: Sequence[Chunk], done: Iterator[tuple[Chunk, Tally]]) -> Results:
    """The sums of each algorithm; chunks come as they are ready, and are added up in order."""
    tallies: dict[Chunk, Tally] = {}
    columns = (
        TextColumn("{task.description:12}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("boards"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("study", total=sum(chunk.boards for chunk in work))
        for chunk, tally in done:
            tallies[chunk] = tally
            progress.update(task, advance=chunk.boards, description=chunk.algorithm)
    names = dict.fromkeys(chunk.algorithm for chunk in work)
    return {name: added_up([tallies[chunk] for chunk in work if chunk.algorithm == name]) for name in names}


@lru_cache(maxsize=2)
def _laboratory(lexicon: Lexicon) -> Laboratory:
    return Laboratory(lexicon, time.perf_counter)


def _on_cores(work: Sequence[Chunk], lexicon: Lexicon, workers: int) -> Iterator[tuple[Chunk, Tally]]:
    with ProcessPoolExecutor(min(workers, len(work)), mp_context=get_context("spawn")) as pool:
        running = {pool.submit(_measured_here, lexicon.name, lexicon.sha256, chunk): chunk for chunk in work}
        for future in as_completed(running):
            yield running[future], future.result()


def _measured_here(name: str, sha256: str, chunk: Chunk) -> Tally:
    """In a process of this machine, which maps the same lexicon from the cache."""
    warm_up()
    return _laboratory(_own_lexicon(name, sha256)).measure(chunk)


@lru_cache(maxsize=2)
def _own_lexicon(name: str, sha256: str) -> Lexicon:
    return Settings().library().load(name, sha256)


def _on_cluster(work: Sequence[Chunk], lexicon: Lexicon, address: str) -> Iterator[tuple[Chunk, Tally]]:
    from distributed import Client  # noqa: PLC0415 - optional, and slow to load
    from distributed import as_completed as as_computed  # noqa: PLC0415

    try:
        client = Client(address, timeout=SCHEDULER_SECONDS)
    except OSError as error:
        refuse(f"no Dask scheduler answers at {address}: {error}", "--scheduler")
    with client:
        text = client.scatter(lexicon.text.tobytes(), broadcast=True)
        running = {
            client.submit(measured_far, lexicon.name, text, chunk, pure=False): chunk for chunk in work
        }
        for future in as_computed(list(running)):
            yield running[future], future.result()


def measured_far(name: str, text: bytes, chunk: Chunk) -> Tally:
    """On a worker of a cluster, which needs Wibble installed but no lexicon: it comes along as text."""
    warm_up()
    return _laboratory(_far_lexicon(name, text)).measure(chunk)


@lru_cache(maxsize=2)
def _far_lexicon(name: str, text: bytes) -> Lexicon:
    return Lexicon.from_words(text.decode("ascii").split(), name)


def _seeds_way(results: Results) -> Table:
    table = Table(
        "Algorithm", box=SIMPLE_HEAD, title="Every path of a word of 2 letters or more, as published"
    )
    for heading in ("Words", "Published", "Points", "Published", "Apart"):
        table.add_column(heading, justify="right", no_wrap=True)
    known = {entry.name: entry.published for entry in catalogue()}
    for name, tally in results.items():
        words, points = (_with_error(tally, measure) for measure in ("path_words", "path_points"))
        published = known[name]
        if published is None:
            table.add_row(name, words, "", points, "", "")
            continue
        apart = tally.means["path_points"] / published.points - 1
        table.add_row(
            name, words, f"{published.words:.2f}", points, f"{published.points:.2f}", f"{apart:+.1%}"
        )
    return table


def _properly(results: Results) -> Table:
    table = Table(
        "Algorithm", box=SIMPLE_HEAD, title="Different words of 3 letters or more, as the game counts"
    )
    for heading in ("Boards", "Words", "Points", "µs a board"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, tally in results.items():
        words, points = (_with_error(tally, measure) for measure in ("words", "points"))
        table.add_row(name, f"{tally.boards:,}", words, points, f"{tally.microseconds:.2f}")
    return table


def _with_error(tally: Tally, measure: str) -> str:
    return f"{tally.means[measure]:.2f} ± {tally.errors[measure]:.2f}"


def _write_csv(file: Path, results: Results) -> None:
    known = {entry.name: entry for entry in catalogue()}
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.writer(opened)
        writer.writerow(
            ["algorithm", "boards", "microseconds"]
            + [f"{measure}{suffix}" for measure in MEASURES for suffix in ("", "_error")]
            + ["published_path_words", "published_path_points"]
        )
        for name, tally in results.items():
            published = known[name].published
            writer.writerow(
                [name, tally.boards, f"{tally.microseconds:.3f}"]
                + [f"{value[measure]:.4f}" for measure in MEASURES for value in (tally.means, tally.errors)]
                + ([published.words, published.points] if published else ["", ""])
            )


def _toml(results: Results, lexicon: Lexicon) -> str:
    lines = [f"# Averages on boards, written by `wibble boggle study`. The list: {len(lexicon):,} words."]
    for name, tally in results.items():
        lines += ["", f"[{name}]", f'lexicon = "{lexicon.name}"', f"boards = {tally.boards}"]
        for measure in MEASURES:
            lines += [
                f"{measure} = {tally.means[measure]:.2f}",
                f"{measure}_error = {tally.errors[measure]:.2f}",
            ]
        lines.append(f"microseconds = {tally.microseconds:.2f}")
    return "\n".join(lines) + "\n"


def _require(module: str, option: str, *, wanted: bool) -> None:
    if wanted and find_spec(module) is None:
        refuse(f"that needs {module}, which is not installed: pip install 'wibble[study]'", option)
