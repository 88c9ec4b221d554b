"""``wibble wibble solve``: the best words of a board, and a plan."""

from collections.abc import Sequence
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.box import SIMPLE_HEAD
from rich.table import Table

from app.games.wibble.rules import Wibble
from app.games.wibble.views import tile_views
from app.grammar import format_count, round_half_up
from app.rooms.wibble import drawing
from app.rooms.wibble.api import (
    CLASSIC,
    SolveAnswer,
    SolveRequest,
    SwapAnswer,
    WordAnswer,
    read_board,
    solved,
)
from app.terminal import output
from app.terminal.arguments import engine_lexicon, refuse
from app.terminal.cells import cell_name, cell_number, path
from app.terminal.output import Json
from app.web.guard.fields import errors_by_field
from app.words.library import DEFAULT_LEXICON

app = typer.Typer(no_args_is_help=True)


@app.callback()
def wibble() -> None:
    """Wibble: solve boards from anywhere. ``wibble play`` plays it."""


@app.command("solve")
def solve(
    board: Annotated[list[str], typer.Argument(help="16, 25, 36 or 49 letters, by rows.", metavar="BOARD")],
    dl: Annotated[str, typer.Option("--dl", help="The tile whose letter counts double, such as c2.")] = "",
    tl: Annotated[str, typer.Option("--tl", help="The tile whose letter counts triple.")] = "",
    x2: Annotated[str, typer.Option("--x2", help="The tile that doubles the points of a word.")] = "",
    gems: Annotated[str, typer.Option(help="Tiles with a gem, such as a1,b3.")] = "",
    swaps: Annotated[int, typer.Option(help="Letters that may be changed.", min=0, max=3)] = 3,
    held: Annotated[int | None, typer.Option(help="Gems you hold, for the plan.")] = None,
    turn: Annotated[
        int | None, typer.Option("--round", help="Round of Classic, to plan the rest of the game.")
    ] = None,
    limit: Annotated[int, typer.Option(help="Number of words to list.", min=1, max=5000)] = 10,
    lexicon: Annotated[str, typer.Option(help="Word list (see: wibble words list).")] = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002 - Typer style
) -> None:
    """List the best words of a board, and the best with one to three letters swapped.

    Tiles are named by column and row: a1 is in the upper left. With --round and --held there is also a plan
    for the rest of a game of Classic.
    """
    try:
        letters = read_board(" ".join(board))
    except ValueError as error:
        refuse(error, "BOARD")
    side = int(len(letters) ** 0.5)
    if held is not None and turn is None:
        refuse("used only with --round: add it", "--held")
    if dl and tl:
        refuse("a board has one letter bonus: give --dl or --tl", "--tl")
    bonuses = [(text, option, factor) for text, option, factor in ((dl, "--dl", 2), (tl, "--tl", 3)) if text]
    marked = [{"cell": _cell(text, side, option), "factor": factor} for text, option, factor in bonuses]
    fields = {
        "board": letters,
        "letter_bonus": marked[0] if marked else None,
        "word_bonus": {"cell": _cell(x2, side, "--x2"), "factor": 2} if x2 else None,
        "gems": [_cell(name, side, "--gems") for name in gems.replace(",", " ").split()],
        "swaps": swaps,
        "round": turn,
        "gems_held": held or 0,
        "limit": limit,
        "lexicon": lexicon,
    }
    try:
        request = SolveRequest.model_validate(fields)
    except ValidationError as error:
        field, reason = next(iter(errors_by_field(error.errors(), fields).items()))
        refuse(reason, "--held" if field == "gems_held" else f"--{field}")
    answer = solved(request, Wibble(engine_lexicon(lexicon)))
    if as_json:
        output.print_json(answer.model_dump(exclude={"top"}))  # not the old name
        return
    _show(request, answer, side)


def _cell(name: str, side: int, option: str) -> int:
    try:
        return cell_number(name.lower(), side, side)
    except ValueError as error:
        refuse(error, option)


def _show(request: SolveRequest, answer: SolveAnswer, side: int) -> None:
    console = output.console()
    best = answer.best_by_swaps[-1].cells if answer.best_by_swaps else ()
    console.print(drawing.board(tile_views(request.to_board(), request.scoring()), side, best))
    table = Table("Word", box=SIMPLE_HEAD)
    for heading in ("Points", "Gems"):
        table.add_column(heading, justify="right")
    for heading in ("Tiles", "Swaps"):
        table.add_column(heading)
    for word in (*reversed(answer.best_by_swaps[1:]), *answer.words):
        table.add_row(*_row(word, side))
    console.print(table)
    if answer.plan:
        if answer.plan.shuffle or not answer.plan.word:
            what = "shuffle"
        else:
            word = answer.plan.word
            what = f"play {word.word}{_swapped(word.swaps, side, ', with ')}"
        console.print(
            f"Plan: {what}. About {format_count(round_half_up(answer.plan.expected), 'point')} "
            f"to the end of a game of {CLASSIC.title}.",
            highlight=False,
        )
    console.print(f"{format_count(answer.word_count, 'word')} without a swap", style="dim", highlight=False)


def _row(word: WordAnswer, side: int) -> Sequence[str]:
    gems = str(word.gems) if word.gems else ""
    return word.word, str(word.points), gems, path(word.cells, side), _swapped(word.swaps, side)


def _swapped(swaps: Sequence[SwapAnswer], side: int, before: str = "") -> str:
    named = [f"{cell_name(swap.cell, side)}={swap.letter}" for swap in swaps]
    return before + " ".join(named) if named else ""
