"""Help texts are shown complete, and `wibble` starts without slow imports."""

import re
import subprocess
import sys
from inspect import cleandoc
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.commands.root import OLD_OPTIONS, app, commands
from app.rooms import ROOMS
from tests.cli.command_list import all_commands, leaves

COMMANDS = all_commands()
SLOW = {"numpy", "numba", "sqlalchemy", "fastapi", "rich", "alembic", "uvicorn"}


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(app, [*arguments, "--help"])
    assert result.exit_code == 0
    return result.output


def close(text: str) -> str:
    """Remove whitespace, as help texts are wrapped."""
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_every_text_whole(name: str) -> None:
    command, page = COMMANDS[name], shown(*name.split())
    assert "`" not in page
    texts = [command.help, *(getattr(one, "help", None) for one in command.params)]
    texts += [each.get_short_help_str(limit=1000) for each in getattr(command, "commands", {}).values()]
    for text in filter(None, texts):
        assert close(cleandoc(text)) in close(page)


@pytest.mark.parametrize("name", leaves())
def test_arguments_are_shown_in_capitals_as_errors_name_them(name: str) -> None:
    usage = shown(*name.split()).partition("\n\n")[0]
    arguments = re.findall(r"[{\[](\w+)[}\]]", usage)
    assert [each for each in arguments if each != each.upper()] == []


@pytest.mark.parametrize(
    "command",
    [
        "words anagram retina --most 2 --shortest 6",
        "words anagram retina --most=2",
        "admin audit --most 0",
        "admin reports list --most 0",
        "puzzles make --room chess",
        "boggle solve ab cd --top -1",
        "boggle climb --goal sorrow",
        "play --minimum-words 101",
        "fribble team --foe-first --preset nope",
    ],
)
def test_old_names_of_options_mean_the_current_ones(command: str) -> None:
    current = [
        re.sub("--[a-z-]+", lambda option: OLD_OPTIONS.get(option[0], option[0]), each)
        for each in command.split()
    ]
    before, now = (CliRunner().invoke(app, arguments) for arguments in (command.split(), current))
    assert (before.exit_code, before.output) == (now.exit_code, now.output)
    assert "No such option" not in now.output


def test_an_argument_after_two_hyphens_is_no_option() -> None:
    assert "--room" in CliRunner().invoke(app, ["words", "hooks", "--", "--room"]).output


def test_help_shows_each_option_once_by_its_current_name() -> None:
    options = {name: {opt for one in each.params for opt in one.opts} for name, each in leaves().items()}
    assert all(OLD_OPTIONS.keys().isdisjoint(names) for names in options.values()), options
    assert "--limit" in options["words anagram"] & options["admin audit"] & options["boggle solve"]
    assert "--kind" in options["puzzles make"] & options["play"]


def test_brackets_are_text() -> None:
    assert "[ab] one of these, [^ab] none" in " ".join(shown("words", "pattern").split())
    assert "[default: the mode's]" in " ".join(shown("play").split())


def test_the_list_of_commands_says_what_each_says_of_itself() -> None:
    for name, command in commands(ROOMS).items():
        assert command.help == COMMANDS[name].get_short_help_str(limit=1000)
        assert close(command.help) in close(shown())


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["dance"]])
def test_the_start_imports_nothing_slow(arguments: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "app.cli", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    imported = {line.rsplit("|", 1)[1].strip() for line in run.stderr.splitlines() if "|" in line}
    assert "app.commands.root" in imported
    assert not SLOW & imported
    assert not [name for name in imported if name.startswith(("app.games", "app.store", "app.web"))]


def test_a_room_given_by_the_caller_adds_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "patience" / "commands"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text('"""Patience: one card at a time."""')
    (package / "group.py").write_text(
        "import typer\napp = typer.Typer()\n@app.command('deal')\ndef deal() -> None: print('a card')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    rooms = ROOMS.including("patience")
    assert "Patience: one card at a time." in CliRunner().invoke(app, ["--help"], obj=rooms).output
    assert CliRunner().invoke(app, ["patience", "deal"], obj=rooms).output == "a card\n"
    assert CliRunner().invoke(app, ["patience", "deal"]).exit_code == 2
