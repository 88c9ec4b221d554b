"""Runs commands in-process and returns their output."""

from pathlib import Path

from typer.testing import CliRunner

from app.commands.root import app
from app.rooms.registry import Registry

ENOUGH_PASSES = "/pass\n" * 5


def wibble(*arguments: str | Path, typed: str = "", rooms: Registry | None = None) -> tuple[int, str]:
    """Run a command; return exit status and output, with whitespace and table frames collapsed."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=typed, obj=rooms)
    return result.exit_code, " ".join(result.output.replace("│", " ").split())


def recorded(file: Path, *arguments: str, typed: str = ENOUGH_PASSES) -> str:
    """Play a game with this input; return its record."""
    assert wibble("play", "--save", file, *arguments, typed=typed)[0] == 0
    return file.read_text()
