"""The tuning experiments of ``wibble boggle study``: one algorithm with one option at several values."""

import re
from collections.abc import Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from app.games.boggle.published_study import Tally, Tuning
from app.grammar import format_rounded
from app.terminal.arguments import refuse

Tuned = Sequence[tuple[Tuning, Mapping[int, Tally]]]
"""Experiments, each with the measured tally of every value."""
_PART = re.compile(r"(\d{1,2})(?:-(\d{1,2}))?")

TITLES = {
    "vowels": "7FREQ with a constant number of vowels",
    "seeds": "ADJ with an initial seed of n letters",
}
"""Titles of the experiments by option, for tables and plots."""


def tunings(cells: int, **ranges: str) -> list[Tuning]:
    """Return the experiments selected by ``--vowels`` and ``--seeds``.

    Raises BadParameter for an invalid list of numbers and for numbers out of range.
    """
    return [
        Tuning(option, _values(text, option, least, cells))
        for option, least in (("vowels", 0), ("seeds", 1))
        if (text := ranges[option])
    ]


def _values(text: str, option: str, least: int, most: int) -> tuple[int, ...]:
    values = set[int]()
    for part in text.replace(" ", "").split(","):
        found = _PART.fullmatch(part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
        if first > last:
            refuse(f"{text!r} is invalid; accepted: numbers such as 7, 4-10 or 2,4,8", f"--{option}")
        values.update(range(first, last + 1))
    for value in sorted(values):
        if not least <= value <= most:
            refuse(f"{value} is out of range; accepted: {least} to {most}", f"--{option}")
    return tuple(sorted(values))


def best_value(tallies: Mapping[int, Tally], measure: str) -> int:
    """Return the value with the highest average of ``measure``; in a tie, the smallest."""
    return max(sorted(tallies), key=lambda value: tallies[value].means[measure])


def tuning_table(tuning: Tuning, tallies: Mapping[int, Tally]) -> Table:
    """Return a table with a row for each value and both ways of counting."""
    table = Table(box=SIMPLE_HEAD, title=TITLES[tuning.option])
    for heading in (tuning.option.capitalize(), "Boards", "Path words", "Path points", "Words", "Points"):
        table.add_column(heading, justify="right", no_wrap=True)
    for value, tally in tallies.items():
        measures = (
            f"{format_rounded(tally.means[measure], 1)} ± {tally.errors[measure]:.1f}"
            for measure in ("path_words", "path_points", "words", "points")
        )
        table.add_row(str(value), f"{tally.boards:,}", *measures)
    return table


def tuning_verdict(tuning: Tuning, tallies: Mapping[int, Tally]) -> str:
    """Return a sentence naming the best value by each way of counting."""
    by_paths, properly = (best_value(tallies, measure) for measure in ("path_points", "points"))
    return f"Most points with {tuning.option} = {by_paths} counting paths, {properly} as the game counts"
