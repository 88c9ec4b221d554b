"""``wibble boggle climb``: repeated climbs, for seconds or a night, on one core, all cores or a cluster."""

import secrets
import time
from collections.abc import Callable, Generator
from contextlib import closing
from itertools import count, takewhile
from typing import Annotated, Final, NamedTuple

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from app.games.boggle.board import Board, parse_size
from app.games.boggle.climb import Aim, Climbed, climb, schedule
from app.games.boggle.solver import Solver, solver_of
from app.games.kernel import warm_up
from app.grammar import format_count
from app.rooms.boggle.commands.generate import LexiconName, Made, Qu, Seed, Size, board_of
from app.rooms.boggle.commands.solve import picture
from app.terminal import interrupts, output
from app.terminal.arguments import engine_lexicon, pinned_lexicon, refuse
from app.terminal.checkpoint import Checkpoint
from app.terminal.interrupts import noticed_ctrl_c, stopped_by_ctrl_c
from app.terminal.output import Json
from app.terminal.process_pool import Workers, run_in_pool
from app.words.library import DEFAULT_LEXICON

SAVE_SECONDS: Final = 10
"""Seconds between two checkpoints of a search with ``--minutes``."""
MOST_KEPT: Final = 1000
"""Maximum number of boards in a checkpoint."""


class Search(NamedTuple):
    """The parameters of a search; with the number of a run, they determine its board."""

    lexicon: str
    sha256: str
    rows: int
    columns: int
    qu: bool
    aim: Aim
    seed: str

    def climb(self, solver: Solver, run: int, stop: Callable[[], bool]) -> Climbed:
        """Return the best board of a run."""
        return climb(solver, self.columns, self.rows, f"{self.seed}/{run}", aim=self.aim, stop=stop)


class Progression:
    """The distinct boards found, the number of runs, and when the best board was found."""

    def __init__(self, search: Search, checkpoint: Checkpoint) -> None:
        before = checkpoint.load() or {"boards": [], "runs": 0, "seconds": 0.0, "best_after": 0.0}
        loaded = [
            Made(Board(tuple(board["rows"])), board["count"], board["points"]) for board in before["boards"]
        ]
        self.boards: Final = {made.board.rows: made for made in loaded}
        self.runs: int = before["runs"]
        self.best_after: float = before["best_after"]
        """Seconds of search before the best board was found, over all parts of the search."""
        self._search = search
        self._checkpoint = checkpoint
        self._before: float = before["seconds"]
        self._start = self._saved = time.perf_counter()

    def value(self, made: Made) -> tuple[int, int]:
        """Rank a board by what the search maximises."""
        return (made.words if self._search.aim == "words" else made.points), made.points

    @property
    def best(self) -> int:
        """The words or points of the best board; -1 if there is none."""
        return max((self.value(made)[0] for made in self.boards.values()), default=-1)

    @property
    def ranked(self) -> list[Made]:
        """The boards, best first."""
        return sorted(self.boards.values(), key=self.value, reverse=True)

    def add(self, run: int, found: Climbed) -> Made:
        """Add the board of a run and return it."""
        made = Made(board_of(found.board.tobytes(), self._search.columns), found.words, found.points)
        if self.value(made)[0] > self.best:
            self.best_after = self._seconds
        self.boards.setdefault(made.board.rows, made)
        self.runs = max(self.runs, run + 1)
        return made

    def save(self, every: float = 0) -> None:
        """Write the checkpoint, unless the last one is less than ``every`` seconds old."""
        if time.perf_counter() - self._saved >= every:
            boards = [made.document() for made in self.ranked[:MOST_KEPT]]
            state = {"runs": self.runs, "seconds": self._seconds, "best_after": self.best_after}
            self._checkpoint.save(state | {"boards": boards})
            self._saved = time.perf_counter()

    @property
    def _seconds(self) -> float:
        return self._before + time.perf_counter() - self._start


def climb_boards(
    size: Size = "4",
    seconds: Annotated[float, typer.Option(help="Time to climb; Ctrl+C stops earlier.", min=0.01)] = 10.0,
    minutes: Annotated[
        float | None,
        typer.Option(help="Time to climb instead of --seconds, in a search that can be resumed.", min=0.01),
    ] = None,
    aim: Annotated[str, typer.Option(help="Maximise points or words.")] = "points",
    until: Annotated[
        int | None, typer.Option(help="Stop at a board with this many points (or words).", min=1)
    ] = None,
    workers: Workers = 1,
    scheduler: Annotated[
        str, typer.Option(help="Address of a Dask scheduler to run on instead of local processes.")
    ] = "",
    limit: Annotated[int, typer.Option(help="Number of boards to list.", min=1)] = 5,
    seed: Seed = "",
    lexicon: LexiconName = DEFAULT_LEXICON,
    qu: Qu = False,  # noqa: FBT002
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Search for the richest boards by simulated annealing and list the best.

    Ctrl+C lists the best boards so far. Run the same command with the same seed to resume from there; a
    search with --minutes can also be resumed after its time is up or after it was killed.
    """
    if aim not in {"points", "words"}:
        refuse(f"{aim!r} is invalid; accepted: points, words", "--aim")
    try:
        shape = parse_size(size)
    except ValueError as error:
        refuse(error, "--size")
    loaded = engine_lexicon(lexicon)
    search = Search(
        loaded.name,
        loaded.sha256,
        shape.rows,
        shape.columns,
        qu,
        "words" if aim == "words" else "points",
        seed or secrets.token_hex(4),
    )
    checkpoint = Checkpoint("boggle-climb", **search._asdict())
    progression = Progression(search, checkpoint)
    deadline = time.time() + (seconds if minutes is None else 60 * minutes)
    if scheduler or workers != 1:
        found = _climb_in_pool(search, progression.runs, deadline, workers, scheduler)
    else:
        found = _climb_locally(search, progression.runs, deadline, solver_of(loaded, qu=qu))
    interrupted = _follow(progression, found, until)
    if interrupted or minutes is not None:
        progression.save()
    else:
        checkpoint.remove()
    _print(progression, search, limit, as_json=as_json, complete=not interrupted)
    if interrupted:
        typer.echo(f"Stopped. To continue, run the same command with --seed {search.seed}.", err=True)
        raise typer.Exit(interrupts.INTERRUPTED)


def _follow(progression: Progression, found: Generator[tuple[int, Climbed]], until: int | None) -> bool:
    """Add the boards of the runs, showing the progress; return whether Ctrl+C ended them."""
    columns = (TextColumn("{task.description}"), TimeElapsedColumn())
    with (
        stopped_by_ctrl_c() as interruption,
        closing(found),
        Progress(*columns, console=Console(stderr=True), transient=True) as bar,
    ):
        task = bar.add_task("climbing")
        for run, climbed in found:
            progression.add(run, climbed)
            progression.save(SAVE_SECONDS)
            best = progression.ranked[0]
            runs = format_count(progression.runs, "run")
            bar.update(task, description=f"{runs}; best {' '.join(best.board.rows)}: {best.summary}")
            if until is not None and progression.best >= until:
                break
    return interruption.interrupted


def _climb_locally(
    search: Search, first: int, deadline: float, solver: Solver
) -> Generator[tuple[int, Climbed]]:
    with noticed_ctrl_c() as interruption:

        def stop() -> bool:
            return interruption.interrupted or time.time() > deadline

        for run in count(first):
            yield run, search.climb(solver, run, stop)
            if interruption.interrupted:
                raise KeyboardInterrupt
            if stop():
                return


def _climb_in_pool(
    search: Search, first: int, deadline: float, workers: int, scheduler: str
) -> Generator[tuple[int, Climbed]]:
    jobs = ((search, run, deadline) for run in takewhile(lambda _: time.time() < deadline, count(first)))
    for (_, run, _), climbed in run_in_pool(climb_in_worker, jobs, workers, scheduler):
        yield run, climbed


def climb_in_worker(job: tuple[Search, int, float]) -> Climbed:
    """Make a run in a worker process, which must have the word lists, too."""
    search, run, deadline = job
    warm_up()
    solver = solver_of(pinned_lexicon(search.lexicon, search.sha256), qu=search.qu)
    return search.climb(solver, run, lambda: time.time() > deadline)


def _print(progression: Progression, search: Search, limit: int, *, as_json: bool, complete: bool) -> None:
    boards = progression.ranked[:limit]
    if as_json:
        document = {
            "boards": [made.answer() for made in boards],
            "aim": search.aim,
            "runs": progression.runs,
            "best_after_seconds": round(progression.best_after, 2),
        }
        output.print_json(document | {"seed": search.seed, "qu": search.qu, "complete": complete})
        return
    table = Table("Board", box=SIMPLE_HEAD)
    for heading in ("Words", "Points"):
        table.add_column(heading, justify="right")
    for made in boards:
        table.add_row(" ".join(made.board.rows), f"{made.words:,}", f"{made.points:,}")
    console = output.console()
    console.print(picture(boards[0].board, qu=search.qu) if boards else "no board yet", highlight=False)
    console.print(table)
    console.print(
        f"{format_count(progression.runs, 'run')} of up to "
        f"{schedule(search.rows * search.columns).evaluations:,} steps, seed {search.seed}; "
        f"the best after {progression.best_after:,.1f} s",
        style="dim",
        highlight=False,
    )
