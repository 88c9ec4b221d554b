"""Registers the commands of ``wibble boggle``."""

import typer

from app.rooms.boggle.commands.climb import climb_boards
from app.rooms.boggle.commands.generate import generate
from app.rooms.boggle.commands.solve import solve
from app.rooms.boggle.commands.study import study

app = typer.Typer(no_args_is_help=True)
app.command("solve")(solve)
app.command("generate")(generate)
app.command("climb")(climb_boards)
app.command("study")(study)
