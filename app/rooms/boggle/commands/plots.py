"""Plots of a Boggle study, drawn with Matplotlib."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib import colormaps, rcParams
from matplotlib.figure import Figure

from app.games.boggle.catalogue import Published
from app.games.boggle.letter_statistics import statistics_of
from app.games.boggle.published_study import BIN, Tally, Tuning
from app.rooms.boggle.commands.tuning import TITLES, Tuned, best_value
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon


def draw_plots(
    folder: Path,
    results: Mapping[str, Tally],
    tuned: Tuned,
    lexicon: Lexicon,
    published: Mapping[str, Published],
) -> None:
    """Write the plots as SVG files, with the ``published`` figures marked; create the folder if needed.

    The files are ``averages``, ``distribution`` and ``adjacency`` for the algorithms, and ``vowels`` and
    ``seeds`` for the tuning experiments.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rcParams["svg.hashsalt"] = "wibble"  # makes the files reproducible
    rcParams["svg.fonttype"] = "none"  # text instead of outlines: a third of the size
    rcParams["font.sans-serif"] = ["DejaVu Sans", "Arial"]
    figures = {tuning.option: _tuning(tuning, tallies) for tuning, tallies in tuned}
    if results:
        figures |= {
            "averages": _bars(results, published),
            "distribution": _distribution(results),
            "adjacency": _adjacency(lexicon),
        }
    for name, figure in figures.items():
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})


def _bars(results: Mapping[str, Tally], published: Mapping[str, Published]) -> Figure:
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    places = np.arange(len(results))
    for axes, ours, title in zip(
        figure.subplots(1, 2),
        ("path_points", "points"),
        ("Points, every path counted", "Points, each word of 3 letters or more once"),
        strict=True,
    ):
        means = [tally.means[ours] for tally in results.values()]
        errors = [tally.errors[ours] for tally in results.values()]
        axes.barh(places, means, xerr=errors, color="#4f7cac")
        if ours == "path_points" and published:
            marks = [
                (place, published[name].points) for place, name in enumerate(results) if name in published
            ]
            axes.plot(
                [points for _, points in marks], [place for place, _ in marks], "k|", ms=12, label="published"
            )
            axes.legend(loc="upper right", frameon=False)
        axes.set_yticks(places, list(results) if ours == "path_points" else [])
        axes.invert_yaxis()
        axes.set_title(title, fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def _tuning(tuning: Tuning, tallies: Mapping[int, Tally]) -> Figure:
    figure = Figure(figsize=(8, 3.5), layout="constrained")
    values = list(tallies)
    for axes, measure, title in zip(
        figure.subplots(1, 2),
        ("path_points", "points"),
        ("Points, every path counted", "Points, each word of 3 letters or more once"),
        strict=True,
    ):
        means = np.array([tally.means[measure] for tally in tallies.values()])
        errors = np.array([tally.errors[measure] for tally in tallies.values()])
        axes.plot(values, means, color="#4f7cac", marker="o", ms=4)
        axes.fill_between(values, means - errors, means + errors, color="#4f7cac", alpha=0.3, lw=0)
        best = best_value(tallies, measure)
        axes.plot(
            best, means[values.index(best)], "o", ms=10, mfc="none", color="black", label=f"best: {best}"
        )
        axes.legend(loc="lower center", frameon=False)
        axes.set_xlabel(tuning.option)
        axes.set_xticks(values)
        axes.set_title(title, fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(TITLES[tuning.option], fontsize=11)
    return figure


def _distribution(results: Mapping[str, Tally]) -> Figure:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    colours = colormaps["tab20"](np.arange(20))
    distinct = np.concatenate([colours[::2], colours[1::2]])  # saturated colours first
    for colour, (name, tally) in zip(distinct, results.items(), strict=False):
        last = int(np.flatnonzero(tally.distribution)[-1]) + 1
        share = tally.distribution[:last] / tally.boards
        axes.plot(BIN * (np.arange(last) + 0.5), share, label=name, color=colour, lw=1)
    axes.set_xlabel("points of a board, each word of 3 letters or more once")
    axes.set_ylabel(f"share of boards per {BIN} points")
    axes.set_yscale("log")
    axes.set_ylim(1e-4, 1)
    figure.legend(loc="outside right center", frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _adjacency(lexicon: Lexicon) -> Figure:
    figure = Figure(figsize=(5, 4.5), layout="constrained")
    axes = figure.subplots()
    picture = axes.imshow(np.log10(statistics_of(lexicon).adjacency + 1), cmap="magma", interpolation="none")
    axes.set_xticks(range(26), list(ALPHABET), fontsize=8)
    axes.set_yticks(range(26), list(ALPHABET), fontsize=8)
    axes.set_title("How often two letters stand side by side", fontsize=10)
    figure.colorbar(picture, label="pairs, powers of ten")
    return figure
