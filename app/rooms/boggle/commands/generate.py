"""``wibble boggle generate``."""

import secrets
import time
from typing import Annotated, Any, NamedTuple

import typer
from pydantic import ValidationError

from app.games.boggle.board import Board
from app.games.boggle.board_request import (
    NAMES,
    BoardRequest,
    BoardResult,
    Unsatisfiable,
    generate_boards,
    prepare,
)
from app.games.boggle.solver import Solver
from app.games.boggle.target import CannotHide
from app.grammar import format_count
from app.rooms.boggle.commands.solve import picture, word_documents
from app.terminal import output
from app.terminal.arguments import engine_lexicon, refuse
from app.terminal.output import Json
from app.words.library import DEFAULT_LEXICON

Size = Annotated[str, typer.Option(help="Rows x columns, such as 4x5; 4 means 4x4.")]
Seed = Annotated[str, typer.Option(help="Random seed; random if empty.")]
LexiconName = Annotated[str, typer.Option(help="Word list (see: wibble words list).")]
Qu = Annotated[bool, typer.Option("--qu", help="Read q as the face Qu: two letters in one cell.")]


def generate(
    size: Size = "4",
    algorithm: Annotated[str, typer.Option(help=f"One of {', '.join(NAMES)}.")] = "trip",
    count: Annotated[int, typer.Option(help="Number of boards, up to 1000.")] = 1,
    seed: Seed = "",
    lexicon: LexiconName = DEFAULT_LEXICON,
    qu: Qu = False,  # noqa: FBT002 - Typer style
    words: Annotated[int, typer.Option(help="Number of words to list for each board.", min=0)] = 0,
    min_words: Annotated[int | None, typer.Option(help="Minimum number of words.")] = None,
    max_words: Annotated[int | None, typer.Option(help="target: maximum number of words.")] = None,
    min_points: Annotated[int | None, typer.Option(help="target: minimum points.")] = None,
    max_points: Annotated[int | None, typer.Option(help="target: maximum points.")] = None,
    common: Annotated[int | None, typer.Option(help="target: minimum number of common words.")] = None,
    word: Annotated[str | None, typer.Option(help="target: a word to hide on the board.")] = None,
    family: Annotated[bool | None, typer.Option(help="target: no offensive words.")] = None,
    vowels: Annotated[int | None, typer.Option(help="7freq: number of vowels.")] = None,
    seeds: Annotated[int | None, typer.Option(help="adj: number of random letters to start with.")] = None,
    decay: Annotated[
        float | None, typer.Option(help="greedy-dcad, trip: weight factor per use of a letter.")
    ] = None,
    sharpness: Annotated[
        float | None, typer.Option(help="cad, greedy-cad, greedy-dcad, trip: exponent of the counts.")
    ] = None,
    aim: Annotated[str | None, typer.Option(help="climb: maximise points or words.")] = None,
    budget_ms: Annotated[int | None, typer.Option(help="Time limit in milliseconds.")] = None,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Generate boards and count their words and points."""
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
    request = _request(given)
    solver = Solver(engine_lexicon(lexicon), qu=qu)
    seed = seed or secrets.token_hex(4)
    result = _generate(request, solver, seed)
    boards = [
        Made(board_of(letters.tobytes(), request.grid.columns), found, points)
        for letters, found, points in zip(result.boards, result.words, result.points, strict=True)
    ]
    richest = [solver.solve(made.board).words[:words] if words else () for made in boards]
    if as_json:
        output.print_json(
            {
                "boards": [
                    made.answer() | ({"words": word_documents(listed)} if words else {})
                    for made, listed in zip(boards, richest, strict=True)
                ],
                "algorithm": request.algorithm,
                "seed": seed,
                "qu": qu,
                "complete": result.complete,
            }
        )
        return
    console = output.console()
    for made, listed in zip(boards, richest, strict=True):
        console.print(picture(made.board, qu=qu), highlight=False)
        console.print(made.summary, style="dim", highlight=False)
        if words:
            console.print(" ".join(word.word for word in listed), highlight=False)
        console.print()
    console.print(f"{request.algorithm}, seed {seed}", style="dim", highlight=False)


def _request(given: dict[str, Any]) -> BoardRequest:
    """The request with the options that were given; a wrong one ends the command."""
    try:
        return BoardRequest(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        from app.web.guard.fields import field_errors  # noqa: PLC0415 - keeps the command fast

        first = field_errors(error.errors())[0]
        option = "".join(f"--{part}" for part in first.location).replace("_", "-")
        refuse(first.message, option or "the options")


def _generate(request: BoardRequest, solver: Solver, seed: str) -> BoardResult:
    """The boards; a request that cannot be fulfilled in time ends the command."""
    prepare(request, solver)
    deadline = time.perf_counter() + request.budget_ms / 1000
    try:
        return generate_boards(request, solver, seed, lambda: time.perf_counter() > deadline)
    except Unsatisfiable as error:
        refuse(error, "--budget-ms")
    except CannotHide as error:
        refuse(error, "--word")


class Made(NamedTuple):
    """A board with its number of words and points."""

    board: Board
    words: int
    points: int

    @property
    def summary(self) -> str:
        return f"{format_count(self.words, 'word')}, {format_count(self.points, 'point')}"

    def answer(self) -> dict[str, Any]:
        """The board as in an answer of the API."""
        return {"board": self.board.rows, "word_count": self.words, "points": self.points}

    def document(self) -> dict[str, Any]:
        """The board as in a checkpoint."""
        return {"rows": self.board.rows, "count": self.words, "points": self.points}


def board_of(letters: bytes, columns: int) -> Board:
    """Return the board with these letter numbers."""
    return Board.of("".join(chr(ord("a") + letter) for letter in letters), columns)
