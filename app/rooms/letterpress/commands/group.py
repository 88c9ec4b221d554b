"""``wibble letterpress``: solve a position, and play engine matches."""

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from app.games.letterpress.bot import engines
from app.games.letterpress.lines import WIN
from app.games.letterpress.match import Score, match
from app.games.letterpress.move_order import ORDERS, sort_choices
from app.games.letterpress.placements import TooManyPlacements
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.solver import Advice, MoveConstraints, Position, Solution
from app.games.letterpress.territory import (
    CELLS,
    EVERY,
    SIDE,
    Territory,
    cells_of,
    mask_of,
    protected,
    vulnerability,
)
from app.grammar import format_count, plural, round_half_up
from app.rooms.letterpress.tile_text import parse_tiles
from app.terminal import output
from app.terminal.arguments import engine_lexicon, refuse
from app.terminal.interrupts import INTERRUPTED, stopped_by_ctrl_c
from app.terminal.output import Json
from app.words.letters import ALPHABET
from app.words.library import DEFAULT_LEXICON
from app.words.vocabulary import LEVELS, Level, allowed_words

_ACCEPTED: Final = (
    f"cells:0,1,5 with cells 0 to {CELLS - 1}, mask:35 with a bit mask up to {EVERY}, "
    f"or {CELLS} characters of . o t"
)

app = typer.Typer(no_args_is_help=True)


@app.command("solve")
def solve(
    board: Annotated[list[str], typer.Argument(help="25 letters row by row, in one or more arguments.")],
    *,
    ours: Annotated[
        str, typer.Option(help="Our tiles: cells:0,1,5, mask:35 (a bit mask), or 25 characters of . o t.")
    ] = "",
    theirs: Annotated[str, typer.Option(help="Their tiles, in the same formats.")] = "",
    played: Annotated[str, typer.Option(help="Words already played, separated by commas.")] = "",
    passed: Annotated[
        bool, typer.Option("--passed", help="The opponent has just passed, so that our pass ends the game.")
    ] = False,
    limit: Annotated[int, typer.Option(help="Number of moves to list.", min=1, max=100)] = 10,
    sort: Annotated[str, typer.Option(help=f"Sort order: {', '.join(ORDERS)}.")] = "value",
    group: Annotated[bool, typer.Option(help="List each word once, with its best placement.")] = True,
    plies: Annotated[int, typer.Option(help="Search depth in plies.", min=1, max=3)] = 2,
    budget_ms: Annotated[int, typer.Option(help="Time limit in milliseconds.", min=1)] = 150,
    vocabulary: Annotated[
        str, typer.Option(help=f"Vocabulary of our words: {', '.join(LEVELS)}.")
    ] = "everything",
    opponent_vocabulary: Annotated[
        str, typer.Option(help="Vocabulary of the opponent's words; same levels.")
    ] = "everything",
    family: Annotated[bool, typer.Option("--family", help="Leave out profanity.")] = False,
    must_use: Annotated[
        str, typer.Option(help="Cells (separated by commas) or letters that our word must use.")
    ] = "",
    min_length: Annotated[int, typer.Option(help="Minimum length of our word.", min=0, max=CELLS)] = 0,
    lexicon: Annotated[str, typer.Option(help="Word list (see: wibble words list).")] = DEFAULT_LEXICON,
    as_json: Json = False,
) -> None:
    """List the best moves of a position, each with the resulting tiles and the expected reply.

    The value is tiles plus three times protected tiles, ours minus theirs, at the end of the expected line.
    Vulnerability is the number of open sides of our tiles. "Ways" is the number of placements of a word.
    """
    letters = _board(" ".join(board))
    own, other = _owned(ours, "o", "--ours"), _owned(theirs, "t", "--theirs")
    if own & other:
        shared = cells_of(own & other)
        refuse(
            f"{plural(len(shared), 'cell')} {', '.join(map(str, shared))} {plural(len(shared), 'is', 'are')} "
            "in --ours as well; a tile has one owner",
            "--theirs",
        )
    if own | other == EVERY:
        refuse("together with --ours, every tile is owned: the game is over", "--theirs")
    own_level = _level(vocabulary, "--vocabulary")
    their_level = _level(opponent_vocabulary, "--opponent-vocabulary")
    order = next((order for order in ORDERS if order == sort), None)
    if order is None:
        refuse(f"{sort!r} is invalid; accepted: {', '.join(ORDERS)}", "--sort")
    constraints = _constraints(must_use, min_length)
    words = tuple(played.lower().replace(",", " ").split())
    for word in words:
        if any(word.count(letter) > letters.count(letter) for letter in word):
            refuse(f"{word!r} cannot be made from the board", "--played")
    territory = Territory(ours=own, theirs=other)
    position = Position(board=letters, territory=territory, played=words, passed=passed)
    game = Letterpress(engine_lexicon(lexicon))
    game.prepare()  # slow, and not part of the time limit
    began = time.perf_counter()
    deadline = began + budget_ms / 1000
    try:
        found = game.solver.solve(
            position,
            top=limit,
            plies=plies,
            allowed=allowed_words(game.lexicon, own_level, family_only=family),
            their_allowed=allowed_words(game.lexicon, their_level, family_only=False),
            constraints=constraints,
            grouped=group,
            stop=lambda _: time.perf_counter() > deadline,
            proof_stop=lambda: lambda _: time.perf_counter() > deadline,
        )
    except TooManyPlacements as error:
        refuse(error, "BOARD")
    found = replace(found, choices=sort_choices(found.choices, order))
    if as_json:
        from app.rooms.letterpress.api import solve_answer  # noqa: PLC0415 - only JSON needs the web framework

        output.print_json(solve_answer(found, position, plies, 1000 * (time.perf_counter() - began)))
        return
    _show(found, position, plies)


@app.command("match")
def match_engines(
    first: Annotated[str, typer.Argument(metavar="A", help=f"One of {', '.join(engines())}.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another, or the same.")],
    games: Annotated[int, typer.Option(help="Number of games; seats alternate.", min=1)] = 20,
    seed: Annotated[str, typer.Option(help="Random seed for the boards.")] = "match",
    lexicon: Annotated[str, typer.Option(help="Word list (see: wibble words list).")] = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Play two engines against each other on random boards, each from both seats."""
    for name, parameter in ((first, "A"), (second, "B")):
        if name.lower() not in engines():
            refuse(f"unknown engine {name!r}; accepted: {', '.join(engines())}", parameter)
    game = Letterpress(engine_lexicon(lexicon))
    score = Score()
    columns = Progress.get_default_columns()
    with (
        stopped_by_ctrl_c() as interruption,
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
    ):
        task = progress.add_task(f"{first} against {second}", total=games)
        for score in match(game, engines()[first.lower()], engines()[second.lower()], games, seed):
            progress.update(task, advance=1, description=f"{first} {score.share:.0%} against {second}")
    if score.games and as_json:
        counts = {"games": score.games, **score._asdict(), "share": score.share, "error": score.error}
        output.print_json({"first": first, "second": second, "seed": seed, **counts})
    elif score.games:
        table = Table("Engine", "Opponent", box=SIMPLE_HEAD)
        for heading in ("Games", "Wins", "Draws", "Losses", "Score", "95%"):
            table.add_column(heading, justify="right")
        numbers = (str(number) for number in (score.games, score.wins, score.draws, score.losses))
        table.add_row(first, second, *numbers, f"{round_half_up(score.share, 3):.1%}", f"± {score.error:.1%}")
        output.console().print(table)
    if interruption.interrupted:
        typer.echo(f"Stopped after {score.games:,} of {format_count(games, 'game')}.", err=True)
        raise typer.Exit(INTERRUPTED)


def _show(found: Solution, position: Position, plies: int) -> None:
    """Print a solution as tables."""
    console = output.console()
    console.print(_picture(position))
    console.print(_moves_table(found, position.board))
    if found.ending:
        ends = format_count(found.ending.plies, "ply", "plies")
        console.print(f"Proven: a {found.ending.outcome} in {ends} with best play.", highlight=False)
    reached = format_count(found.depth, "ply", "plies")
    depth = f"exact to {reached}" if found.depth == plies else f"time limit reached; exact to {reached}"
    console.print(
        f"{format_count(found.words, 'word')}, {format_count(found.placements, 'placement')}, "
        f"{format_count(found.positions, 'position')}; {depth}",
        style="dim",
        highlight=False,
    )


def _board(text: str) -> str:
    letters = "".join(text.lower().split())
    for place, letter in enumerate(letters):
        if letter not in ALPHABET:
            refuse(f"letter {place} is {letter!r}; accepted: a to z", "BOARD")
    if len(letters) != CELLS:
        counted = format_count(len(letters), "letter")
        refuse(f"{text!r} has {counted}; a board has {CELLS} letters a to z", "BOARD")
    return letters


def _level(text: str, parameter: str) -> Level:
    level = next((level for level in LEVELS if level == text), None)
    if level is None:
        refuse(f"unknown vocabulary {text!r}; accepted: {', '.join(LEVELS)}", parameter)
    return level


def _constraints(must_use: str, min_length: int) -> MoveConstraints:
    wanted = must_use.lower().replace(",", " ").split()
    if wanted and all(re.fullmatch(r"\d{1,2}", each) and int(each) < CELLS for each in wanted):
        return MoveConstraints(cells=mask_of(map(int, wanted)), min_length=min_length)
    letters = "".join(wanted)
    if letters.strip(ALPHABET):
        accepted = f"cells 0 to {CELLS - 1} separated by commas, or letters a to z"
        refuse(f"{must_use!r} is invalid; accepted: {accepted}", "--must-use")
    return MoveConstraints(letters=letters, min_length=min_length)


def _owned(text: str, side: str, parameter: str) -> int:
    board = "".join(text.lower().split())
    if not board or re.fullmatch(f"[.ot]{{{CELLS}}}", board):
        return mask_of(cell for cell, owner in enumerate(board) if owner == side)
    try:
        tiles = parse_tiles(text)
    except ValueError as error:
        refuse(error, parameter)
    if isinstance(tiles, list) and all(0 <= cell < CELLS for cell in tiles):
        return mask_of(tiles)
    if not isinstance(tiles, int) or not 0 <= tiles <= EVERY:
        refuse(f"{text!r} is invalid; accepted: {_ACCEPTED}", parameter)
    return tiles


def _picture(position: Position) -> Text:
    """Render the board: our tiles blue, theirs red, protected ones in reverse and upper case."""
    ours, theirs = position.territory.ours, position.territory.theirs
    safe = protected(ours) | protected(theirs)
    picture = Text()
    for cell, letter in enumerate(position.board):
        bit = 1 << cell
        colour = "blue" if ours & bit else "red" if theirs & bit else "dim"
        style = f"{colour} reverse" if safe & bit else colour
        picture.append(f" {letter.upper() if safe & bit else letter} ", style)
        picture.append("\n" if cell % SIDE == SIDE - 1 else "")
    return picture


def _moves_table(found: Solution, board: str) -> Table:
    table = Table("Word", "Cells", box=SIMPLE_HEAD)
    for heading in ("Tiles", "Protected", "Vulnerability", "Value", "Plies", *["Ways"] * found.grouped):
        table.add_column(heading, justify="right")
    table.add_column("Reply")
    for choice in found.choices:
        ways = [f"{choice.ways:,}"] * found.grouped
        reply = choice.best.reply
        table.add_row(*_row(choice.best, board), *ways, reply.word if reply else "")
    return table


def _row(move: Advice, board: str) -> Sequence[str]:
    territory = move.territory
    ends_in = WIN - abs(move.value)
    decided = f"win in {ends_in}" if move.wins else f"loss in {ends_in}" if move.loses else str(move.value)
    return (
        move.word or "(pass)",
        " ".join(map(str, move.cells(board))),
        f"{territory.ours.bit_count()}-{territory.theirs.bit_count()}",
        f"{protected(territory.ours).bit_count()}-{protected(territory.theirs).bit_count()}",
        str(vulnerability(territory.ours)),
        decided,
        str(move.depth),
    )
