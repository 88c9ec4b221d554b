"""`wibble letterpress` as its user sees it."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.commands.letterpress import letterpress_app

BOARD = "bnbda etgre liegb cnhdl xmhoi"
PICTURE = "oooo.oooooooo.....otoottt"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation of the test's own, that shares the session's cache of lexicons."""
    monkeypatch.setenv("WIBBLE_DATA_DIR", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "home"


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(letterpress_app, arguments)
    return result.exit_code, " ".join(result.output.split())


def test_solve_lists_the_best_moves_with_the_answer_to_them() -> None:
    status, output = run("solve", "hgkcmdqbomiezfankxlknrlpo", "--top", "3", "--budget-ms", "10000")
    assert status == 0
    assert "bankrolling" in output
    assert "-6" in output
    assert "9,403 words, 29,935 placements" in output
    assert "exact to 2 plies" in output


@pytest.mark.parametrize("forms", [("6655", "32499200"), (PICTURE, PICTURE)])
def test_solve_sees_a_win(forms: tuple[str, str]) -> None:
    status, output = run("solve", BOARD, "--ours", forms[0], "--theirs", forms[1], "--played", "helminthoid")
    assert status == 0
    assert "win" in output


def test_cells_may_be_listed() -> None:
    listed = run("solve", BOARD, "--ours", "0,1,5", "--plies", "1")
    assert listed[0] == 0
    assert listed == run("solve", BOARD, "--ours", "35", "--plies", "1")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["abc"], "a board has 25 letters a to z, not 3"),
        ([BOARD, "--ours", "33554432"], "accepted are 0 to 33554431 as a mask, cells 0 to 24 with commas"),
        ([BOARD, "--theirs", "0,25"], "'0,25' is not understood"),
        ([BOARD, "--ours", "3", "--theirs", "6"], "cells 1 are in --ours as well"),
        ([BOARD, "--ours", "33554431"], "the game is over"),
        ([BOARD, "--played", "zoo"], "the board cannot make 'zoo'"),
        ([BOARD, "--vocabulary", "rude"], "there are basic, common, highbrow, obscure, everything"),
        ([BOARD, "--lexicon", "nope"], "there is no lexicon named 'nope'"),
    ],
)
def test_what_cannot_be_solved_is_refused(arguments: list[str], says: str) -> None:
    status, output = run("solve", *arguments)
    assert status == 2
    assert says in " ".join(output.replace("│", " ").split())


def test_a_match_tells_wins_draws_and_the_error() -> None:
    status, output = run("match", "two-plies", "minion", "--games", "2")
    assert status == 0
    assert "two-plies minion 2 2 0 0 100.0% ± " in output


def test_an_unknown_engine_is_refused_with_those_there_are() -> None:
    status, output = run("match", "minion", "deep")
    assert status == 2
    assert "'deep' is no engine; there are minion, brevier, primer, pica, canon, letterpwn" in output
