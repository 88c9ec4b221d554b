"""The commands in the README exist with their options; those without requirements are run."""

import re
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from app.commands.root import app
from tests.cli.command_list import all_commands

README: Final = Path(__file__).parents[2] / "README.md"
BLOCKS: Final = re.findall(
    r"^```\w*\n(.*?)^```", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)
LINES: Final = [
    line.removeprefix("wibble ").partition(" # ")[0]
    for block in BLOCKS
    for line in block.splitlines()
    if line.startswith("wibble ")
]
RUN: Final = [line for line in LINES if re.match(r"\w+ solve |words (list|check) ", line)]
"""The commands that end at once and need no file and no server."""


@pytest.mark.parametrize("line", LINES)
def test_the_commands_and_options_of_the_readme_exist(line: str) -> None:
    every = all_commands()
    first, *others = line.partition("  ")[0].split(" | ")
    words = first.split()
    length = max(number for number in range(1, len(words) + 1) if " ".join(words[:number]) in every)
    group = words[: length - 1]
    names = [" ".join(words[:length]), *(" ".join([*group, other.split()[0]]) for other in others)]
    assert not hasattr(every[names[0]], "commands")
    known = {option for name in names for parameter in every[name].params for option in parameter.opts}
    assert set(re.findall(r"--[a-z][\w-]*", line)) <= known


@pytest.mark.parametrize("line", RUN)
def test_the_commands_of_the_readme_run(line: str) -> None:
    """Each is run with all options that its explanation names."""
    command, _, explained = line.partition("  ")
    options = re.findall(r"--[a-z][\w-]*(?: [\w,]*\w)?", explained)
    done = CliRunner().invoke(app, [*command.split(), *" ".join(options).split()])
    assert done.exit_code == 0, done.output
    assert done.stdout


def test_the_tests_find_the_commands_in_the_readme() -> None:
    assert len(LINES) > 25
    assert len(RUN) == 5
