"""``wibble boggle generate`` and ``climb``: boards at the command line."""

import secrets
import time
from itertools import count as numbers
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress, TimeElapsedColumn
from rich.table import Table

from app.commands.boggle import picture, ready_lexicon, refuse
from app.games.boggle.board import Board
from app.games.boggle.climb import Climbed, climb, schedule
from app.games.boggle.order import NAMES, Order, Unmet, deliver, parse_size, prepare
from app.games.boggle.solver import Solver
from app.games.boggle.target import CannotHide
from app.words.library import DEFAULT_LEXICON

Size = Annotated[str, typer.Option(help="4 for a square, 4x5 for four rows of five.")]
Seed = Annotated[str, typer.Option(help="Settles the boards; made up if empty.")]
LexiconName = Annotated[str, typer.Option(help="The lexicon whose words count.")]
Qu = Annotated[bool, typer.Option("--qu", help="q is the face Qu, two letters in one cell.")]


def generate(
    size: Size = "4",
    algorithm: Annotated[str, typer.Option(help=f"One of {', '.join(NAMES)}.")] = "trip",
    count: Annotated[int, typer.Option(help="How many boards, up to 1000.")] = 1,
    seed: Seed = "",
    lexicon: LexiconName = DEFAULT_LEXICON,
    qu: Qu = False,  # noqa: FBT002 - Typer's way
    words: Annotated[int, typer.Option(help="How many words of each board to list.", min=0)] = 0,
    min_words: Annotated[int | None, typer.Option(help="The fewest words of a board.")] = None,
    max_words: Annotated[int | None, typer.Option(help="target: the most.")] = None,
    min_points: Annotated[int | None, typer.Option(help="target: the fewest points.")] = None,
    max_points: Annotated[int | None, typer.Option(help="target: the most points.")] = None,
    common: Annotated[int | None, typer.Option(help="target: the fewest common words.")] = None,
    word: Annotated[str | None, typer.Option(help="target: a word to hide.")] = None,
    family: Annotated[bool | None, typer.Option(help="target: nothing offensive.")] = None,
    vowels: Annotated[int | None, typer.Option(help="7freq: how many.")] = None,
    seeds: Annotated[int | None, typer.Option(help="adj: letters at random to begin with.")] = None,
    decay: Annotated[float | None, typer.Option(help="greedy-dcad, trip: for each use of a letter.")] = None,
    sharpness: Annotated[float | None, typer.Option(help="cad and on: the power of counts.")] = None,
    aim: Annotated[str | None, typer.Option(help="climb: points or words.")] = None,
    budget_ms: Annotated[int | None, typer.Option(help="Milliseconds to search at most.")] = None,
) -> None:
    """Make boards and tell what they hold."""
    given: dict[str, Any] = {
        "size": size,
        "algorithm": algorithm,
        "count": count,
        "min_words": min_words,
        "max_words": max_words,
        "min_points": min_points,
        "max_points": max_points,
        "common": common,
        "word": word,
        "family": family,
        "vowels": vowels,
        "seeds": seeds,
        "decay": decay,
        "sharpness": sharpness,
        "aim": aim,
        "budget_ms": budget_ms,
    }
    try:
        order = Order(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        option = "".join(f"--{part}" for part in first["loc"]).replace("_", "-")
        refuse(first["msg"].removeprefix("Value error, "), option or "the options")
    solver = Solver(ready_lexicon(lexicon), qu=qu)
    seed = seed or secrets.token_hex(4)
    prepare(order, solver)
    deadline = time.perf_counter() + order.budget_ms / 1000
    try:
        delivery = deliver(order, solver, seed, lambda: time.perf_counter() > deadline)
    except Unmet as error:
        refuse(str(error), "--budget-ms")
    except CannotHide as error:
        refuse(str(error), "--word")
    console = Console()
    for letters, found, points in zip(delivery.boards, delivery.words, delivery.points, strict=True):
        board = _board(letters.tobytes(), order.grid.columns)
        console.print(picture(board, qu=qu), highlight=False)
        console.print(f"{found:,} words, {points:,} points", style="dim", highlight=False)
        if words:
            listed = solver.solve(board).words[:words]
            console.print(" ".join(word.word for word in listed), highlight=False)
        console.print()
    console.print(f"{order.algorithm}, seed {seed}", style="dim", highlight=False)


def climb_boards(
    size: Size = "4",
    seconds: Annotated[float, typer.Option(help="How long to climb.", min=0.01)] = 10.0,
    aim: Annotated[str, typer.Option(help="points or words.")] = "points",
    top: Annotated[int, typer.Option(help="Boards to list.", min=1)] = 5,
    seed: Seed = "",
    lexicon: LexiconName = DEFAULT_LEXICON,
    qu: Qu = False,  # noqa: FBT002
) -> None:
    """Climb to the richest boards there are, run after run, and list the best of different ones."""
    if aim not in {"points", "words"}:
        refuse(f"{aim!r} is not understood: accepted are points and words", "--aim")
    try:
        shape = parse_size(size)
    except ValueError as error:
        refuse(str(error), "--size")
    solver = Solver(ready_lexicon(lexicon), qu=qu)
    seed = seed or secrets.token_hex(4)
    deadline = time.perf_counter() + seconds
    best: dict[bytes, Climbed] = {}
    with Progress(
        *Progress.get_default_columns()[:1], TimeElapsedColumn(), console=Console(stderr=True)
    ) as bar:
        task = bar.add_task("climbing")
        for run in numbers():
            found = climb(
                solver,
                shape.columns,
                shape.rows,
                f"{seed}/{run}",
                aim="words" if aim == "words" else "points",
                stop=lambda: time.perf_counter() > deadline,
            )
            best.setdefault(found.board.tobytes(), found)
            record = max(best.values(), key=lambda one: (getattr(one, aim), one.points))
            bar.update(task, description=f"run {run + 1}: {record.words:,} words, {record.points:,} points")
            if time.perf_counter() > deadline:
                break
    ranked = sorted(best.values(), key=lambda one: (getattr(one, aim), one.points), reverse=True)
    table = Table("Board", box=SIMPLE_HEAD)
    for heading in ("Words", "Points"):
        table.add_column(heading, justify="right")
    for found in ranked[:top]:
        board = _board(found.board.tobytes(), shape.columns)
        table.add_row(" ".join(board.rows), f"{found.words:,}", f"{found.points:,}")
    console = Console()
    console.print(picture(_board(ranked[0].board.tobytes(), shape.columns), qu=qu), highlight=False)
    console.print(table)
    console.print(
        f"{run + 1} runs of up to {schedule(shape.cells).evaluations:,} boards, seed {seed}",
        style="dim",
        highlight=False,
    )


def _board(letters: bytes, columns: int) -> Board:
    return Board.of("".join(chr(ord("a") + letter) for letter in letters), columns)
