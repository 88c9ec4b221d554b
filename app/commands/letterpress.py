"""``wibble letterpress``: the best moves of a position, and engines against each other."""

import re
import time
from collections.abc import Sequence
from typing import Annotated, Final, NoReturn

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from app.games.kernel import warm_up
from app.games.letterpress.bot import engines
from app.games.letterpress.match import Score, match
from app.games.letterpress.placements import TooManyPlacements
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.solver import Advice, Position
from app.games.letterpress.territory import CELLS, EVERY, SIDE, Territory, cells_of, mask_of, protected
from app.settings import Settings
from app.words.library import DEFAULT_LEXICON, DamagedLexicon, UnknownLexicon
from app.words.vocabulary import LEVELS, allowed_words

_ACCEPTED: Final = (
    f"0 to {EVERY} as a mask, cells 0 to {CELLS - 1} with commas, or {CELLS} characters of . o t"
)

letterpress_app = typer.Typer(no_args_is_help=True, help="Letterpress: solve a position, match engines.")


@letterpress_app.command("solve")
def solve(
    board: Annotated[str, typer.Argument(help="25 letters row by row; spaces are fine.")],
    ours: Annotated[str, typer.Option(help="Our tiles: a mask, cells, or 25 characters of . o t.")] = "0",
    theirs: Annotated[str, typer.Option(help="Their tiles, in the same forms.")] = "0",
    played: Annotated[str, typer.Option(help="Words played before, with commas.")] = "",
    top: Annotated[int, typer.Option(help="Moves to list.", min=1, max=100)] = 10,
    plies: Annotated[int, typer.Option(help="Moves to look ahead.", min=1, max=3)] = 2,
    budget_ms: Annotated[int, typer.Option(help="Milliseconds to search at most.", min=1)] = 1000,
    vocabulary: Annotated[str, typer.Option(help=f"Of ours: {', '.join(LEVELS)}.")] = "everything",
    lexicon: Annotated[str, typer.Option(help="The lexicon to play with.")] = DEFAULT_LEXICON,
) -> None:
    """List the best moves of a position, with what they leave and what the opponent will answer.

    The value is tiles plus three times protected tiles, ours less theirs, after the last move looked at.
    """
    letters = "".join(board.lower().split())
    if not re.fullmatch(f"[a-z]{{{CELLS}}}", letters):
        _refuse(f"{board!r} is no board: a board has {CELLS} letters a to z, not {len(letters)}", "BOARD")
    own, other = _owned(ours, "o", "--ours"), _owned(theirs, "t", "--theirs")
    if own & other:
        shared = ", ".join(map(str, cells_of(own & other)))
        _refuse(f"cells {shared} are in --ours as well: a tile has one owner", "--theirs")
    if own | other == EVERY:
        _refuse("with --ours, every tile has an owner: the game is over", "--theirs")
    if vocabulary not in LEVELS:
        _refuse(f"{vocabulary!r} is no vocabulary; there are {', '.join(LEVELS)}", "--vocabulary")
    words = tuple(played.lower().replace(",", " ").split())
    for word in words:
        if any(word.count(letter) > letters.count(letter) for letter in word):
            _refuse(f"the board cannot make {word!r}", "--played")
    position = Position(board=letters, territory=Territory(ours=own, theirs=other), played=words)
    game = _game(lexicon)
    deadline = time.perf_counter() + budget_ms / 1000
    try:
        found = game.solver.solve(
            position,
            top=top,
            plies=plies,
            allowed=allowed_words(game.lexicon, vocabulary, family_only=False),
            stop=lambda _: time.perf_counter() > deadline,
        )
    except TooManyPlacements as error:
        _refuse(str(error), "BOARD")
    console = Console()
    console.print(_picture(position))
    table = Table("Word", "Cells", box=SIMPLE_HEAD)
    for heading in ("Tiles", "Protected", "Value"):
        table.add_column(heading, justify="right")
    table.add_column("Answer")
    for move in found.moves:
        table.add_row(*_row(move, letters))
    console.print(table)
    depth = (
        f"exact to {found.depth} plies" if found.depth == plies else f"out of time: exact to {found.depth}"
    )
    console.print(
        f"{found.words:,} words, {found.placements:,} placements, {found.positions:,} positions; {depth}",
        style="dim",
        highlight=False,
    )


@letterpress_app.command("match")
def match_engines(
    first: Annotated[str, typer.Argument(metavar="A", help=f"One of {', '.join(engines())}.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another, or the same.")],
    games: Annotated[int, typer.Option(help="Games to play; the seats alternate.", min=1)] = 20,
    seed: Annotated[str, typer.Option(help="Settles the boards.")] = "match",
    lexicon: Annotated[str, typer.Option(help="The lexicon to play with.")] = DEFAULT_LEXICON,
) -> None:
    """Let two engines play each other, on boards drawn from a seed; each board is played from both seats."""
    for name, parameter in ((first, "A"), (second, "B")):
        if name.lower() not in engines():
            _refuse(f"{name!r} is no engine; there are {', '.join(engines())}", parameter)
    game = _game(lexicon)
    score = Score()
    console = Console()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(f"{first} against {second}", total=games)
        for score in match(game, engines()[first.lower()], engines()[second.lower()], games, seed):
            progress.update(task, advance=1, description=f"{first} {score.share:.0%} against {second}")
    table = Table("Engine", "Opponent", box=SIMPLE_HEAD)
    for heading in ("Games", "Wins", "Draws", "Losses", "Score", "95 %"):
        table.add_column(heading, justify="right")
    counts = (str(number) for number in (score.games, score.wins, score.draws, score.losses))
    table.add_row(first, second, *counts, f"{score.share:.1%}", f"± {score.error:.1%}")
    console.print(table)


def _game(lexicon: str) -> Letterpress:
    try:
        loaded = Settings().library().load(lexicon)
    except (UnknownLexicon, DamagedLexicon) as error:
        _refuse(str(error), "--lexicon")
    with Console(stderr=True).status("Readying the engine"):
        warm_up()
    return Letterpress(loaded)


def _owned(text: str, side: str, parameter: str) -> int:
    told = "".join(text.lower().split())
    if re.fullmatch(r"\d{1,8}", told) and int(told) <= EVERY:
        return int(told)
    if re.fullmatch(f"[.ot]{{{CELLS}}}", told):
        return mask_of(cell for cell, owner in enumerate(told) if owner == side)
    if not re.fullmatch(r"\d{1,2}(,\d{1,2})+", told) or max(map(int, told.split(","))) >= CELLS:
        _refuse(f"{text!r} is not understood: accepted are {_ACCEPTED}", parameter)
    return mask_of(map(int, told.split(",")))


def _picture(position: Position) -> Text:
    """The board: our tiles blue, theirs red, the protected in reverse and in capitals."""
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


def _row(move: Advice, board: str) -> Sequence[str]:
    territory = move.territory
    decided = "win" if move.wins else "loss" if move.loses else str(move.value)
    return (
        move.word or "(pass)",
        " ".join(map(str, move.cells(board))),
        f"{territory.ours.bit_count()}-{territory.theirs.bit_count()}",
        f"{protected(territory.ours).bit_count()}-{protected(territory.theirs).bit_count()}",
        decided,
        move.reply.word if move.reply else "",
    )


def _refuse(message: str, parameter: str) -> NoReturn:
    raise typer.BadParameter(message, param_hint=parameter)
