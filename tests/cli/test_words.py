"""`wibble words list`, `add` and `check`."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.commands.words import words_app


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation of the test's own, that shares the session's cache of lexicons."""
    monkeypatch.setenv("WIBBLE_DATA_DIR", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "home"


def run(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(words_app, [str(argument) for argument in arguments])
    return result.exit_code, " ".join(result.output.split())


def test_list_shows_what_ships() -> None:
    status, output = run("list")
    assert status == 0
    assert "letterpress" in output
    assert "274,926" in output
    assert "1b8bb49e4b55" in output


def test_add_then_list_then_check(tmp_path: Path) -> None:
    (tmp_path / "fruit.txt").write_bytes(b"\xef\xbb\xbfApple\r\nPear\r\n\r\npear\r\n")
    status, output = run("add", "fruit", tmp_path / "fruit.txt")
    assert (status, output) == (0, "Added fruit: 2 words. Play with it as lexicon=fruit.")
    assert "fruit 2 you" in run("list")[1]
    assert run("check", "pear", "--lexicon", "fruit")[0] == 0
    assert run("check", "plum", "--lexicon", "fruit")[0] == 1


def test_a_malformed_list_is_refused_by_its_lines(tmp_path: Path, home: Path) -> None:
    (tmp_path / "fruit.txt").write_text("apple\nstar fruit\npear\nkiwi!\n")
    status, output = run("add", "fruit", tmp_path / "fruit.txt")
    assert status == 2
    assert "2 lines are not words: line 2 'star fruit', line 4 'kiwi!'" in output
    assert "accepted are words of 2 to 64 letters a-z, one per line" in output
    assert not home.exists()


@pytest.mark.parametrize(
    ("name", "complaint"), [("Fruit", "'Fruit' is not a valid name"), ("letterpress", "ships with Wibble")]
)
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "fruit.txt").write_text("apple\n")
    status, output = run("add", name, tmp_path / "fruit.txt")
    assert status == 2
    assert complaint in output


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    status, output = run("add", "fruit", tmp_path / "fruit.txt")
    assert status == 2
    assert "does not exist" in output


def test_a_home_that_cannot_be_written_is_reported(tmp_path: Path, home: Path) -> None:
    home.write_text("a file where a folder should be")
    (tmp_path / "fruit.txt").write_text("apple\n")
    status, output = run("add", "fruit", tmp_path / "fruit.txt")
    assert status == 2
    assert "Traceback" not in output


def test_check_tells_rank_level_and_points() -> None:
    status, output = run("check", "The", "zax")
    assert status == 0
    assert "the yes 1 basic yes 6 7" in output
    assert "zax yes" in output


def test_check_fails_if_one_word_is_not_valid() -> None:
    status, output = run("check", "the", "qqq")
    assert status == 1
    assert "qqq no" in output


def test_a_players_own_word_is_valid_though_not_for_the_family() -> None:
    status, output = run("check", "damned", "arse")
    assert status == 0
    assert "arse yes 11,768 common no" in output


@pytest.mark.parametrize("word", ["na\u00efve", "two words", "[red]", "a1"])
def test_what_is_no_word_is_refused(word: str) -> None:
    status, output = run("check", word)
    assert status == 2
    assert f"{word!r} is not a word; accepted: letters a to z" in output


def test_an_unknown_lexicon_is_refused_with_those_there_are() -> None:
    status, output = run("check", "the", "--lexicon", "nope")
    assert status == 2
    assert "there is no lexicon named 'nope'; there are letterpress" in output


def test_the_command_does_not_wait_for_the_compiler_to_load() -> None:
    program = "import sys, app.commands.words; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
