"""``wibble boggle solve``, and helpers of the other Boggle commands."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from app.games.boggle.board import Board, parse_board
from app.games.boggle.scoring import SHORTEST
from app.games.boggle.solver import FoundWord, Solver, TooManyPaths
from app.grammar import format_count
from app.terminal import output
from app.terminal.arguments import engine_lexicon, refuse
from app.terminal.output import Json
from app.words.library import DEFAULT_LEXICON


def solve(
    rows: Annotated[
        list[str],
        typer.Argument(help="Rows of letters, or all letters of a square board at once.", metavar="ROWS"),
    ],
    min_length: Annotated[int, typer.Option(help="Minimum word length.", min=SHORTEST)] = 3,
    qu: Annotated[bool, typer.Option("--qu", help="Read q as the face Qu: two letters in one cell.")] = False,  # noqa: FBT002 - Typer style
    paths: Annotated[str, typer.Option(help="Paths to show for each word: one or all.")] = "one",
    limit: Annotated[int, typer.Option(help="Number of words to list; 0 for all.", min=0)] = 20,
    lexicon: Annotated[str, typer.Option(help="Word list (see: wibble words list).")] = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """List the words of a board with points and cells, highest score first.

    Cells are numbered row by row from 0.
    """
    try:
        board = parse_board(" ".join(rows))
    except ValueError as error:
        refuse(error, "ROWS")
    if paths not in {"one", "all"}:
        refuse(f"{paths!r} is invalid; accepted: one, all", "--paths")
    solver = Solver(engine_lexicon(lexicon), min_length, qu)
    try:
        found = solver.solve(board, "all" if paths == "all" else "one")
    except TooManyPaths as error:
        refuse(error, "--paths")
    if as_json:
        answer = {"board": board.rows, "qu": qu, "word_count": found.count, "points": found.points}
        output.print_json(
            answer | {"words": word_documents(found.words[: limit or None], all_paths=paths == "all")}
        )
        return
    console = output.console()
    console.print(picture(board, qu=qu), highlight=False)
    table = Table("Word", box=SIMPLE_HEAD)
    table.add_column("Points", justify="right")
    table.add_column("Cells")
    for word in found.words[: limit or None]:
        cells = "\n".join(" ".join(map(str, path)) for path in word.paths)
        table.add_row(word.word, str(word.points), cells)
    console.print(table)
    console.print(
        f"{format_count(found.count, 'word')}, {format_count(found.points, 'point')}",
        style="dim",
        highlight=False,
    )


def word_documents(words: Sequence[FoundWord], *, all_paths: bool = False) -> list[dict[str, Any]]:
    """Return the words as JSON documents, in the format of the API."""
    return [
        {"word": found.word, "points": found.points, "cells": found.paths[0]}
        | ({"paths": found.paths} if all_paths else {})
        for found in words
    ]


def picture(board: Board, *, qu: bool) -> str:
    """Render a board as text, one line a row."""
    faces = [["Qu" if qu and letter == "q" else letter.upper() for letter in row] for row in board.rows]
    return "\n".join(" ".join(f"{face:<2}" for face in row) for row in faces)
