"""``wibble puzzles``: make puzzles from self-play or from games of this server, and verify them."""

import lzma
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from functools import cache
from itertools import count as numbers
from itertools import islice
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from app.commands.open_store import open_store
from app.games import record
from app.games.game import AnyGame
from app.games.kernel import warm_up
from app.games.puzzles import (
    Puzzle,
    PuzzleRules,
    WrongPuzzle,
    compare,
    make,
    position_in,
    puzzle_of,
    read_puzzles,
)
from app.games.record import BrokenRecord
from app.grammar import format_count
from app.rooms import ROOMS
from app.rooms.registry import Registry
from app.settings import Settings
from app.store.finished_games import finished_games
from app.store.games import GameStore
from app.store.records import Records
from app.terminal import output
from app.terminal.arguments import check_writable, engine_lexicon, fail, refuse, write_out
from app.terminal.checkpoint import Checkpoint
from app.terminal.interrupts import INTERRUPTED, stopped_by_ctrl_c
from app.terminal.output import Json
from app.terminal.process_pool import Workers, run_in_pool
from app.words.library import DamagedLexicon, UnknownLexicon

puzzles_app = typer.Typer(no_args_is_help=True, help="Make puzzles from games, and verify them.")

MOST_JOBS: Final = 200
"""Maximum number of games searched for one puzzle."""


class Job(NamedTuple):
    """A game to be searched for puzzles."""

    kind: str
    lexicon: str
    sha256: str
    seed: str = ""
    """Seed of a game for bots to play."""
    record: str = ""
    """Record of a finished game, instead of a seed."""


@puzzles_app.command("make")
def make_puzzles(
    context: typer.Context,
    kind: Annotated[str, typer.Option(help="The game: wibble, letterpress, boggle, fribble or scrabblet.")],
    count: Annotated[int, typer.Option(help="Number of puzzles.", min=1, max=1_000_000)] = 100,
    seed: Annotated[str, typer.Option(help="Random seed; the same seed makes the same puzzles.")] = "puzzles",
    from_games: Annotated[  # noqa: FBT002
        bool, typer.Option("--from-games", help="Use the finished games of this server, not games of bots.")
    ] = False,
    lexicon: Annotated[str | None, typer.Option(help="Word list [default: the game's].")] = None,
    workers: Workers = 0,
    scheduler: Annotated[
        str, typer.Option(help="Address of a Dask scheduler to run on instead of local processes.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="Write to this file instead of standard output.", dir_okay=False)
    ] = None,
) -> None:
    """Make verified puzzles, one JSON document per line.

    Every puzzle has one clearly best answer, and only family-friendly words. Positions come from games of
    bots or, with --from-games, from the finished games of this server, without their players.

    Ctrl+C writes the puzzles made so far. Run the same command again to continue from there, even if they
    could not be written.
    """
    rooms: Registry = context.obj
    rules = _rules(rooms, kind)
    check_writable(out)
    name = lexicon or rules.lexicon(rooms.games[kind])
    loaded = engine_lexicon(name)
    _game(kind, loaded.name, loaded.sha256)  # fills the caches for the worker processes
    jobs = (
        _played_here(rooms, kind)
        if from_games
        else (Job(kind, loaded.name, loaded.sha256, seed=f"{seed}/{number}") for number in numbers())
    )
    source = "games" if from_games else seed
    checkpoint = Checkpoint("puzzles", room=kind, lexicon=loaded.sha256, source=source)
    made, interrupted = _collect(islice(jobs, MOST_JOBS * count), count, workers, scheduler, checkpoint)
    if out is not None:
        write_out(out, _lines(made))
    else:
        sys.stdout.write(_lines(made).decode())
        sys.stdout.flush()
    if not interrupted:
        checkpoint.remove()
    puzzles_made = f"{format_count(len(made), 'puzzle')} of {kind}"
    if interrupted:
        typer.echo(f"Stopped after {puzzles_made}. Run the same command again to continue.", err=True)
        raise typer.Exit(INTERRUPTED)
    typer.echo(
        puzzles_made if len(made) == count else f"Only {puzzles_made}: there are no more games.", err=True
    )


@puzzles_app.command("verify")
def verify_puzzles(
    context: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            help="A file written by wibble puzzles make, or a shipped one (.jsonl.xz).",
            exists=True,
            dir_okay=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write the recomputed puzzles, without those that no longer have a clearly best answer,"
            " to this file (.jsonl.xz).",
            dir_okay=False,
        ),
    ] = None,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Recompute every puzzle of a file: solution, values and themes.

    The exit status is 1 if one is wrong. After a change to the engine, --out keeps the valid ones.
    """
    check_writable(out, ".xz")
    rooms: Registry = context.obj
    puzzles = _puzzles_in(file)
    with Console(stderr=True).status("Loading the engine"):
        _warm_up(rooms, *{puzzle.kind for puzzle in puzzles})
    wrong: list[str] = []
    now: list[Puzzle] = []
    columns = (TextColumn("verify"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        for puzzle in progress.track(puzzles):
            rules = rooms[puzzle.kind].puzzles if puzzle.kind in rooms else None
            if rules is None:
                refuse(f"{puzzle.id}: kind: {puzzle.kind!r} has no puzzles", "FILE")
            try:
                game = _game(puzzle.kind, puzzle.lexicon.name, puzzle.lexicon.sha256)
                again = puzzle_of(rules, game, position_in(rules, puzzle))
                now += [again] if again is not None and rules.is_common(again) else []
                compare(rules, game, puzzle, again)
            except (UnknownLexicon, DamagedLexicon) as error:
                refuse(f"{puzzle.id}: lexicon: {error}", "FILE")
            except WrongPuzzle as error:
                wrong.append(str(error))
    if out is not None:
        write_out(out, lzma.compress(_lines(now)))
    if as_json:
        output.print_json({"puzzles": len(puzzles), "verified": len(puzzles) - len(wrong), "wrong": wrong})
    else:
        for reason in wrong:
            typer.echo(reason)
        typer.echo(f"{len(puzzles) - len(wrong)} of {format_count(len(puzzles), 'puzzle')} verified")
    if wrong:
        raise typer.Exit(1)


def _puzzles_in(file: Path) -> list[Puzzle]:
    try:
        packed = file.read_bytes()
        text = lzma.decompress(packed) if file.suffix == ".xz" else packed
        puzzles = list(read_puzzles(text.decode("utf-8")))
    except UnicodeDecodeError:
        refuse(f"{file}: not a UTF-8 text file", "FILE")
    except (WrongPuzzle, OSError, lzma.LZMAError) as error:
        refuse(error, "FILE")
    if not puzzles:
        refuse(f"{file} has no puzzles", "FILE")
    return puzzles


def _lines(puzzles: Iterable[Puzzle]) -> bytes:
    return "".join(f"{puzzle.model_dump_json(exclude_defaults=True)}\n" for puzzle in puzzles).encode()


def _rules(rooms: Registry, kind: str) -> PuzzleRules:
    with_puzzles = {kind: found.puzzles for kind, found in rooms.items() if found.puzzles is not None}
    if kind not in with_puzzles:
        refuse(f"{kind!r} has no puzzles; accepted: {', '.join(with_puzzles)}", "--kind")
    return with_puzzles[kind]


def _played_here(rooms: Registry, kind: str) -> Iterator[Job]:
    """Yield a job per finished game of this server."""
    settings = Settings()
    output.warn(rooms.load_custom(settings.data_dir))
    database = open_store(settings)
    records = Records(GameStore(database, rooms.rulebook(settings.library())))
    found = finished_games(database, kind)
    if not found:
        fail(f"this server has no finished games of {kind}")
    for game_id in found:
        text = records.of(game_id)
        pinned = record.read(text, rooms.games).options.lexicon
        yield Job(kind, pinned.name, pinned.sha256, record=text)


def _collect(
    jobs: Iterable[Job], count: int, workers: int, scheduler: str, checkpoint: Checkpoint
) -> tuple[list[Puzzle], bool]:
    """Return the first ``count`` puzzles in the order of the jobs, and whether Ctrl+C stopped the work.

    No word is the solution of two puzzles. The checkpoint holds the progress until the puzzles are written.
    """
    done, restored = _restored(checkpoint)
    made = {puzzle.solution.word: puzzle for puzzle in restored}
    left = islice(jobs, done, None)
    results = (
        _find_locally(left) if workers == 1 and not scheduler else _find_in_pool(left, workers, scheduler)
    )
    columns = (
        TextColumn("puzzles"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with (
        stopped_by_ctrl_c() as interruption,
        closing(results),
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task("puzzles", total=count, completed=len(made))
        for found in _in_order(results):
            for puzzle in found:
                made.setdefault(puzzle.solution.word, puzzle)
            done += 1
            progress.update(task, completed=min(len(made), count))
            if len(made) >= count:
                break
    puzzles = [puzzle.model_dump(mode="json") for puzzle in made.values()]
    checkpoint.save({"jobs": done, "puzzles": puzzles})
    return list(made.values())[:count], interruption.interrupted


def _restored(checkpoint: Checkpoint) -> tuple[int, list[Puzzle]]:
    """Return the number of jobs done and their puzzles; (0, []) if saved by another version of Wibble."""
    saved = checkpoint.load() or {"jobs": 0, "puzzles": []}
    with suppress(ValidationError):
        return saved["jobs"], [Puzzle.model_validate(each) for each in saved["puzzles"]]
    return 0, []


def _in_order(results: Iterable[tuple[int, list[Puzzle]]]) -> Iterator[list[Puzzle]]:
    """Yield the results in the order of their numbers, regardless of the order in which they arrive."""
    waiting: dict[int, list[Puzzle]] = {}
    awaited = 0
    for number, found in results:
        waiting[number] = found
        while awaited in waiting:
            yield waiting.pop(awaited)
            awaited += 1


def _find_locally(jobs: Iterable[Job]) -> Generator[tuple[int, list[Puzzle]]]:
    for number, job in enumerate(jobs):
        yield number, find_puzzles(job)


def _find_in_pool(jobs: Iterable[Job], workers: int, scheduler: str) -> Generator[tuple[int, list[Puzzle]]]:
    for (number, _), found in run_in_pool(_find_in_worker, enumerate(jobs), workers, scheduler):
        yield number, [Puzzle.model_validate_json(text) for text in found]


def _find_in_worker(numbered: tuple[int, Job]) -> list[str]:
    """Find the puzzles of a job in a worker process, which must have the word lists, too."""
    job = numbered[1]
    _warm_up(ROOMS, job.kind)
    return [puzzle.model_dump_json() for puzzle in find_puzzles(job)]


def _warm_up(rooms: Registry, *kinds: str) -> None:
    """Import and compile the engines of these kinds of game."""
    for kind in kinds:
        if kind in rooms:
            _ = rooms[kind].game
    warm_up()


def find_puzzles(job: Job) -> list[Puzzle]:
    """Return the puzzles in the positions of one game."""
    rules = ROOMS[job.kind].puzzles
    if rules is None:
        raise ValueError(f"{job.kind} has no puzzles")
    game = _game(job.kind, job.lexicon, job.sha256)
    if not job.record:
        return list(make(rules, game, rules.states(game, job.seed)))
    try:
        states = record.replay(record.read(job.record, ROOMS.games), game)
    except BrokenRecord:
        return []
    return list(make(rules, game, states))


@cache
def _game(kind: str, lexicon: str, sha256: str) -> AnyGame:
    game = ROOMS.games[kind](Settings().library().load(lexicon, sha256))
    game.prepare()
    return game
