"""``wibble boggle study``: compares generators by the words and points of their boards.

Repeats the experiment of the published study and adds better generators.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from app.games.boggle.board import parse_size
from app.games.boggle.catalogue import AVERAGES_FILE, NOT_PUBLISHED, Published, catalogue, has_published
from app.games.boggle.generators import Options
from app.games.boggle.published_study import (
    MEASURES,
    STUDIED,
    TUNED,
    Chunk,
    Tally,
    Tuning,
    added_up,
    chunks,
    tuning_chunks,
)
from app.games.grid import Grid
from app.grammar import format_count, format_rounded
from app.rooms.boggle.commands.measure import measure_chunks
from app.rooms.boggle.commands.tuning import Tuned, tuning_table, tuning_verdict, tunings
from app.terminal import output
from app.terminal.arguments import check_writable, engine_lexicon, refuse, write_out
from app.terminal.interrupts import INTERRUPTED
from app.terminal.output import Json
from app.terminal.process_pool import Workers
from app.words.lexicon import Lexicon
from app.words.library import DEFAULT_LEXICON

Results = dict[str, Tally]
"""The tally of each algorithm, in the order given on the command line."""

_ALL: Final = ",".join(STUDIED)


class _Measured(NamedTuple):
    """The averages that are shown and written to files."""

    lexicon: Lexicon
    results: Results
    tuned: Tuned
    published: Mapping[str, Published]
    """By algorithm; empty if there are no published figures for the word list and size."""


def study(
    boards: Annotated[
        int, typer.Option(help="Boards per algorithm; the published study has 100000.", min=1)
    ] = 100_000,
    lexicon: Annotated[str, typer.Option(help="Word list (see: wibble words list).")] = DEFAULT_LEXICON,
    algorithms: Annotated[
        str,
        typer.Option(help="Algorithms, separated by commas [default: all; none with --vowels or --seeds]."),
    ] = "",
    vowels: Annotated[str, typer.Option(help="Tune 7FREQ: numbers of vowels to try, such as 4-10.")] = "",
    seeds: Annotated[
        str, typer.Option(help="Tune ADJ: numbers of initial random letters to try, such as 1-16.")
    ] = "",
    size: Annotated[str, typer.Option(help="Rows x columns, such as 4x5; 4 means 4x4.")] = "4",
    seed: Annotated[str, typer.Option(help="Random seed.")] = "study",
    workers: Workers = 0,
    scheduler: Annotated[
        str, typer.Option(help="Address of a Dask scheduler to run on instead of local processes.")
    ] = "",
    to_csv: Annotated[Path | None, typer.Option("--csv", help="Write the table to this CSV file.")] = None,
    plots: Annotated[Path | None, typer.Option(help="Write plots (SVG) to this folder.")] = None,
    averages: Annotated[
        Path | None,
        typer.Option(help=f"Write the averages as TOML, in the format of data/boggle/{AVERAGES_FILE}."),
    ] = None,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Compare generators by the average words and points of their boards.

    Published figures are shown where they apply: for 4x4 boards and dwyl's words_alpha. They count every path
    of a word of two letters or more; the game counts distinct words of three letters or more. ± is the
    standard error. climb is measured on a hundredth of the boards. --vowels 4-10 and --seeds 1-16 repeat the
    two experiments by which the published study chose 7 vowels for 7FREQ and one first letter for ADJ.

    Ctrl+C prints the averages so far. Run the same command again to resume from there.
    """
    try:
        shape = parse_size(size)
    except ValueError as error:
        refuse(error, "--size")
    experiments = tunings(shape.cells, vowels=vowels, seeds=seeds)
    names = [] if experiments and not algorithms else _named(algorithms or _ALL)
    if averages is not None and not names:
        refuse("averages need algorithms; name them with --algorithms", "--averages")
    _check_files({"--csv": to_csv, "--averages": averages, "--plots": plots})
    _require("matplotlib", "--plots", wanted=plots is not None)
    _require("distributed", "--scheduler", wanted=bool(scheduler))

    loaded = engine_lexicon(lexicon)  # also caches the compiled kernels for other processes
    work = _work(names, experiments, boards, shape, seed)
    tallies, interrupted = measure_chunks(work, loaded, workers, scheduler)
    variants = _by_variant(work, tallies)
    measured = _Measured(
        loaded,
        {name: variants[name, Options()] for name in names if (name, Options()) in variants},
        _tuned(experiments, variants),
        _published() if has_published(loaded.sha256, shape.rows, shape.columns) else {},
    )
    if as_json:
        about = {"lexicon": loaded.name, "words": len(loaded), "rows": shape.rows, "columns": shape.columns}
        output.print_json(about | {"seed": seed, "complete": not interrupted} | _document(measured))
    else:
        console = output.console()
        for table in _tables(measured):
            console.print(table, highlight=False)
        console.print(
            f"{loaded.name}, {format_count(len(loaded), 'word')}, "
            f"boards of {shape.rows}x{shape.columns}; ± standard error",
            style="dim",
            highlight=False,
        )
    if interrupted:
        boards_done = sum(tally.boards for tally in tallies.values())
        boards_total = sum(chunk.boards for chunk in work)
        typer.echo(
            f"Stopped after {boards_done:,} of {format_count(boards_total, 'board')}; no file was written. "
            "Run the same command again to continue.",
            err=True,
        )
        raise typer.Exit(INTERRUPTED)
    if to_csv is not None:
        write_out(to_csv, _csv(measured).encode(), "--csv")
    if averages is not None:
        write_out(averages, _toml(measured).encode(), "--averages")
    if plots is not None:
        from app.rooms.boggle.commands.plots import draw_plots  # noqa: PLC0415 - Matplotlib is optional

        draw_plots(plots, measured.results, measured.tuned, loaded, measured.published)


def _work(
    names: Sequence[str], experiments: Iterable[Tuning], boards: int, shape: Grid, seed: str
) -> list[Chunk]:
    """All chunks to be measured, each once: plain ADJ equals ADJ with one random letter."""
    work = list(chunks(names, boards, shape.columns, shape.rows, seed))
    for experiment in experiments:
        work += tuning_chunks(experiment, boards, shape.columns, shape.rows, seed)
    return list(dict.fromkeys(work))


def _tuned(experiments: Iterable[Tuning], variants: Mapping[tuple[str, Options], Tally]) -> Tuned:
    """The experiments of which something was measured."""
    tuned = []
    for experiment in experiments:
        named = ((value, (experiment.algorithm, options)) for value, options in experiment.options())
        if tallies := {value: variants[variant] for value, variant in named if variant in variants}:
            tuned.append((experiment, tallies))
    return tuned


def _check_files(written: Mapping[str, Path | None]) -> None:
    for option, file in written.items():
        if file is not None and not file.parent.is_dir():
            refuse(f"the folder {file.parent} does not exist", option)
        if option != "--plots":
            check_writable(file, option=option)
        elif file is not None and file.exists() and not file.is_dir():
            refuse(f"{file} is not a folder", option)


def _named(algorithms: str) -> list[str]:
    names = list(dict.fromkeys(algorithms.lower().replace(",", " ").split()))
    for name in names:
        if name not in STUDIED:
            refuse(f"unknown algorithm {name!r}; accepted: {', '.join(STUDIED)}", "--algorithms")
    if not names:
        refuse(f"name at least one of {', '.join(STUDIED)}", "--algorithms")
    return names


def _by_variant(work: Sequence[Chunk], tallies: Mapping[Chunk, Tally]) -> dict[tuple[str, Options], Tally]:
    """Add up the measured chunks of each algorithm with its options."""
    variants: dict[tuple[str, Options], list[Tally]] = {}
    for chunk in work:
        if chunk in tallies:
            variants.setdefault((chunk.algorithm, chunk.options), []).append(tallies[chunk])
    return {variant: added_up(parts) for variant, parts in variants.items()}


def _tables(measured: _Measured) -> Iterator[Table | str]:
    if measured.results:
        if measured.published:
            yield _path_table_with_published(measured)
        else:
            yield _path_table(measured.results)
            yield f"{NOT_PUBLISHED}\n"
        yield _word_table(measured.results)
    for experiment, tallies in measured.tuned:
        yield tuning_table(experiment, tallies)
        yield tuning_verdict(experiment, tallies)


def _document(measured: _Measured) -> dict[str, Any]:
    algorithms = [
        {"algorithm": name, **_measures(tally), "published": measured.published.get(name)}
        for name, tally in measured.results.items()
    ]
    tunings = [
        {
            "algorithm": experiment.algorithm,
            "option": experiment.option,
            "values": [{"value": value, **_measures(tally)} for value, tally in tallies.items()],
        }
        for experiment, tallies in measured.tuned
    ]
    return {"algorithms": algorithms, "tunings": tunings}


def _measures(tally: Tally) -> dict[str, float]:
    errors = {f"{measure}_error": error for measure, error in tally.errors.items()}
    return {"boards": tally.boards, "microseconds": tally.microseconds, **tally.means, **errors}


def _published() -> dict[str, Published]:
    return {entry.name: entry.published for entry in catalogue() if entry.published}


def _path_table(results: Results) -> Table:
    table = Table("Algorithm", box=SIMPLE_HEAD, title="Every path of a word of 2 letters or more")
    for heading in ("Words", "Points"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, tally in results.items():
        table.add_row(name, _with_error(tally, "path_words"), _with_error(tally, "path_points"))
    return table


def _path_table_with_published(measured: _Measured) -> Table:
    table = Table(
        "Algorithm", box=SIMPLE_HEAD, title="Every path of a word of 2 letters or more, as published"
    )
    for heading in ("Words", "Published", "Points", "Published", "Difference"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, tally in measured.results.items():
        words, points = (_with_error(tally, measure) for measure in ("path_words", "path_points"))
        published = measured.published.get(name)
        if published is None:
            table.add_row(name, words, "", points, "", "")
            continue
        difference = tally.means["path_points"] / published.points - 1
        table.add_row(
            name, words, f"{published.words:.2f}", points, f"{published.points:.2f}", f"{difference:+.1%}"
        )
    return table


def _word_table(results: Results) -> Table:
    table = Table(
        "Algorithm", box=SIMPLE_HEAD, title="Distinct words of 3 letters or more, as the game counts"
    )
    for heading in ("Boards", "Words", "Points", "µs/board"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, tally in results.items():
        words, points = (_with_error(tally, measure) for measure in ("words", "points"))
        table.add_row(name, f"{tally.boards:,}", words, points, f"{tally.microseconds:.2f}")
    return table


def _with_error(tally: Tally, measure: str) -> str:
    return f"{format_rounded(tally.means[measure], 2)} ± {tally.errors[measure]:.2f}"


def _csv(measured: _Measured) -> str:
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(
        ["algorithm", "boards", "microseconds"]
        + [f"{measure}{suffix}" for measure in MEASURES for suffix in ("", "_error")]
        + ["published_path_words", "published_path_points", *TUNED]
    )
    for name, tally in measured.results.items():
        figures = measured.published.get(name)
        writer.writerow(
            [name, *_figures(tally)]
            + ([figures.words, figures.points] if figures else ["", ""])
            + [""] * len(TUNED)
        )
    for experiment, tallies in measured.tuned:
        for value, tally in tallies.items():
            chosen = [str(value) if option == experiment.option else "" for option in TUNED]
            writer.writerow([experiment.algorithm, *_figures(tally), "", "", *chosen])
    return text.getvalue()


def _figures(tally: Tally) -> list[str]:
    return [
        str(tally.boards),
        f"{tally.microseconds:.3f}",
        *(f"{value[measure]:.4f}" for measure in MEASURES for value in (tally.means, tally.errors)),
    ]


def _toml(measured: _Measured) -> str:
    lexicon = measured.lexicon
    lines = [f"# Averages of boards, written by `wibble boggle study`. Word list: {len(lexicon):,} words."]
    for name, tally in measured.results.items():
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
        refuse(f"requires {module}, which is not installed: pip install 'wibble[study]'", option)
