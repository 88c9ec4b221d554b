"""``wibble boggle``: every word of a board."""

from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from app.commands import output
from app.commands.output import Json
from app.games.boggle.board import Board, parse_board
from app.games.boggle.scoring import SHORTEST
from app.games.boggle.solver import FoundWord, Solver, TooManyPaths
from app.games.kernel import warm_up
from app.grammar import format_count
from app.settings import Settings
from app.words.lexicon import Lexicon
from app.words.library import DEFAULT_LEXICON, DamagedLexicon, UnknownLexicon

boggle_app = typer.Typer(
    no_args_is_help=True, help="Boggle: make boards, solve them, study how they are made."
)


@boggle_app.callback()
def boggle() -> None:
    """Boggle: make boards, solve them, study how they are made."""


@boggle_app.command("solve")
def solve(
    rows: Annotated[
        list[str], typer.Argument(help="Rows of letters; all in one run for a square board.", metavar="ROWS")
    ],
    min_length: Annotated[int, typer.Option(help="Letters a word must have.", min=SHORTEST)] = 3,
    qu: Annotated[bool, typer.Option("--qu", help="q is the face Qu, two letters in one cell.")] = False,  # noqa: FBT002 - Typer's way
    paths: Annotated[str, typer.Option(help="Show one path of each word, or all.")] = "one",
    top: Annotated[int, typer.Option(help="Words to list; 0 for all.", min=0)] = 20,
    lexicon: Annotated[str, typer.Option(help="The lexicon to search with.")] = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """List the words of a board with their points and cells, those worth most first.

    Cells are numbered row by row from 0.
    """
    try:
        board = parse_board(" ".join(rows))
    except ValueError as error:
        refuse(str(error), "ROWS")
    if paths not in {"one", "all"}:
        refuse(f"{paths!r} is not understood: accepted are one and all", "--paths")
    solver = Solver(ready_lexicon(lexicon), min_length, qu)
    try:
        found = solver.solve(board, "all" if paths == "all" else "one")
    except TooManyPaths as error:
        refuse(str(error), "--paths")
    if as_json:
        answer = {"rows": board.rows, "qu": qu, "count": found.count, "points": found.points}
        output.print_json(
            answer | {"words": word_documents(found.words[: top or None], all_paths=paths == "all")}
        )
        return
    console = output.console()
    console.print(picture(board, qu=qu), highlight=False)
    table = Table("Word", box=SIMPLE_HEAD)
    table.add_column("Points", justify="right")
    table.add_column("Cells")
    for word in found.words[: top or None]:
        cells = "\n".join(" ".join(map(str, path)) for path in word.paths)
        table.add_row(word.word, str(word.points), cells)
    console.print(table)
    console.print(
        f"{format_count(found.count, 'word')}, {format_count(found.points, 'point')}",
        style="dim",
        highlight=False,
    )


def word_documents(words: Sequence[FoundWord], *, all_paths: bool = False) -> list[dict[str, Any]]:
    """The words as the API lists them."""
    return [
        {"word": one.word, "points": one.points, "path": one.paths[0]}
        | ({"paths": one.paths} if all_paths else {})
        for one in words
    ]


def ready_lexicon(name: str) -> Lexicon:
    """The lexicon of this name, with the engines compiled. Refuses a name that is unknown."""
    try:
        lexicon = Settings().library().load(name)
    except (UnknownLexicon, DamagedLexicon) as error:
        refuse(str(error), "--lexicon")
    with Console(stderr=True).status("Readying the engine"):
        warm_up()
    return lexicon


def picture(board: Board, *, qu: bool) -> str:
    """A board as it lies on the table."""
    faces = [["Qu" if qu and letter == "q" else letter.upper() for letter in row] for row in board.rows]
    return "\n".join(" ".join(f"{face:<2}" for face in row) for row in faces)


def refuse(message: str, parameter: str) -> NoReturn:
    """Leave with exit status 2 and say what was wrong with an option."""
    raise typer.BadParameter(message, param_hint=parameter)
