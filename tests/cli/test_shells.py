"""Every shell has the same quit and help; words that are commands can still be played."""

import re
from pathlib import Path

import pytest

import app
from tests.cli.shells import wibble

SHELLS = {
    "play": ["play", "--seed", "a"],
    "versus": ["play", "--mode", "versus", "--seed", "a"],
    "deal": ["scrabblet", "deal", "--hand", "helpqui?"],
    "signature": ["scrabblet", "signature"],
    "solo": ["fribble", "solo", "--seed", "a"],
    "team": ["fribble", "team"],
    "study": ["fribble", "study"],
}


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> list[str]:
    return SHELLS[request.param]


@pytest.mark.parametrize("leaving", ["quit\n", "/quit\n", "QUIT\n", " quit \n", ""])
def test_quit_and_ctrl_d_leave(shell: list[str], leaving: str) -> None:
    status, output = wibble(*shell, typed=f"{leaving}help\n" if leaving else "")
    assert status == 0
    assert output.count("leave; also: quit, Ctrl+D") <= 1, "what follows quit is not read"


@pytest.mark.parametrize("command", ["help", "/help", "HELP"])
def test_each_command_for_help_shows_the_help(shell: list[str], command: str) -> None:
    before = wibble(*shell, typed="quit\n")[1].count("leave; also: quit, Ctrl+D")
    status, output = wibble(*shell, typed=f"{command}\nquit\n")
    assert status == 0
    assert output.count("leave; also: quit, Ctrl+D") == before + 1


def test_an_empty_line_asks_for_help_or_is_no_word(shell: list[str]) -> None:
    output = wibble(*shell, typed="\nquit\n")[1]
    expected = "It is not a word" if shell is SHELLS["deal"] else "leave; also: quit, Ctrl+D"
    assert expected in output


def test_an_unknown_command_is_no_word(shell: list[str]) -> None:
    assert "Unknown command /dance; /help lists the commands." in wibble(*shell, typed="/dance\nquit\n")[1]


def test_command_words_are_played_after_an_equals_sign() -> None:
    output = wibble(*SHELLS["deal"], typed="=help\n=quit\n=hint\nshow\nquit\n")[1]
    assert "help is a word" in output
    assert "quit is a word" in output
    assert "HELP cannot be traced" in wibble(*SHELLS["play"], typed="=help\nquit\n")[1]
    assert "Score 9 Signature" in wibble(*SHELLS["signature"], typed="=help\nquit\n")[1]
    assert "help has 4 tiles" in wibble(*SHELLS["team"], typed="=help\nquit\n")[1]


def test_only_the_shared_shell_reads_lines() -> None:
    readers = {
        file.name for file in Path(app.__path__[0]).rglob("*.py") if re.search(r"\binput\(", file.read_text())
    }
    assert readers == {"shell.py", "local_game.py"}, "local_game.py waits for Enter before the clock runs"
