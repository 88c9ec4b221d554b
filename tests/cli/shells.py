"""Runs the commands of a game in the terminal and reads what they print."""

from pathlib import Path

from typer.testing import CliRunner

from app.commands.root import app

ENOUGH_PASSES = "/pass\n" * 5


def wibble(*arguments: str | Path, typed: str = "") -> tuple[int, str]:
    """Exit status and output, each run of white space and each frame being one space."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=typed)
    return result.exit_code, " ".join(result.output.replace("│", " ").split())


def recorded(file: Path, *arguments: str, typed: str = ENOUGH_PASSES) -> str:
    """The record of a game that was played with what was typed."""
    assert wibble("play", "--save", file, *arguments, typed=typed)[0] == 0
    return file.read_text()
