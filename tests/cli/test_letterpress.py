"""`wibble letterpress solve` and `match`."""

import re

import pytest
from typer.testing import CliRunner

from app.games.letterpress.match import Score
from app.rooms.letterpress.commands import group
from app.rooms.letterpress.commands.group import app

BOARD = "bnbda etgre liegb cnhdl xmhoi"
PICTURE = "oooo.oooooooo.....otoottt"


pytestmark = pytest.mark.usefixtures("home")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, " ".join(result.output.split())


def test_solve_lists_the_best_moves_with_the_answer_to_them() -> None:
    status, output = run(
        "solve",
        "hgkcmdqbomiezfankxlknrlpo",
        "--limit",
        "3",
        "--budget-ms",
        "10000",
        "--lexicon",
        "letterpress",
    )
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


def rows(*arguments: str) -> list[list[str]]:
    """The table of moves, without its heading: the cells of each row, which have two spaces between them."""
    result = CliRunner().invoke(app, ["solve", *arguments])
    assert result.exit_code == 0, result.output
    table = result.output.partition("─")[2].partition("\n")[2].rstrip().rsplit("\n", 2)[0]
    return [re.split(r"\s{2,}", line.strip()) for line in table.splitlines() if line.strip()]


DRAWN = "hgkcm dqbom iezfa nkxlk nrlpo"
PATIENT = ("--budget-ms", "10000")


def test_a_board_is_one_argument_or_several() -> None:
    assert rows(*DRAWN.split(), *PATIENT) == rows(DRAWN, *PATIENT) == rows(DRAWN.replace(" ", ""), *PATIENT)


def test_each_word_is_listed_once_unless_asked_otherwise() -> None:
    board = "horseradishzzzzteamscatzz"
    words = [row[0] for row in rows(board, "--limit", "30", *PATIENT)]
    assert len(set(words)) == len(words) == 30
    words = [row[0] for row in rows(board, "--limit", "30", "--no-group", *PATIENT)]
    assert len(set(words)) < len(words) == 30


def test_moves_show_vulnerability_depth_and_ways() -> None:
    word, cells, tiles, protected, openness, value, plies, ways, reply = rows(
        DRAWN, "--limit", "1", *PATIENT
    )[0]
    places = {int(cell) for cell in cells.split()}
    beside = {(place, other) for place in places for other in (place - 5, place + 5, place - 1, place + 1)}
    inside = {
        pair
        for pair in beside
        if 0 <= pair[1] < 25 and (pair[0] // 5 == pair[1] // 5 or pair[0] % 5 == pair[1] % 5)
    }
    assert int(openness) == sum(other not in places for _, other in inside)
    assert tiles == f"{len(word)}-0"
    assert (value, plies, protected[1:]) == ("-6", "2", "-0")
    assert int(ways) >= 1
    assert reply


def test_options_restrict_our_words_and_the_replies() -> None:
    for option in (["--must-use", "0,7"], ["--must-use", "7 0"]):
        listed = [row for row in rows(DRAWN, *option, *PATIENT) if row[0] != "(pass)"]
        assert listed
        assert all({"0", "7"} <= set(row[1].split()) for row in listed)
    assert all(
        {"q", "k"} <= set(row[0]) for row in rows(DRAWN, "--must-use", "qk", *PATIENT) if row[0] != "(pass)"
    )
    assert all(len(row[0]) >= 9 for row in rows(DRAWN, "--min-length", "9", *PATIENT) if row[0] != "(pass)")
    assert rows(DRAWN, *PATIENT)[0][-1] != rows(DRAWN, "--opponent-vocabulary", "basic", *PATIENT)[0][-1]
    rude = "fuckszzzzzzzzzzzzzzzzzzzz"
    assert "fuck" in [row[0] for row in rows(rude, *PATIENT)]
    assert "fuck" not in [row[0] for row in rows(rude, "--family", *PATIENT)]


def test_our_pass_ends_the_game_after_theirs() -> None:
    options = (DRAWN, "--ours", "0,1,2", "--must-use", "zzz", *PATIENT)
    assert "win in 1" not in rows(*options)[0]
    assert "win in 1" in rows(*options, "--passed")[0]


def test_the_list_is_sorted_as_asked() -> None:
    found = {order: rows(DRAWN, "--sort", order, *PATIENT) for order in ("value", "length", "vulnerability")}
    assert all(sorted(each) == sorted(found["value"]) for each in found.values())
    assert [len(row[0]) for row in found["length"]] == sorted(
        (len(row[0]) for row in found["length"]), reverse=True
    )
    assert [int(row[4]) for row in found["vulnerability"]] == sorted(
        int(row[4]) for row in found["vulnerability"]
    )


def test_the_search_has_its_whole_budget() -> None:
    """Building the solver takes longer than this, but is not counted."""
    status, output = run("solve", "zzzzzzzzzzzzzzzzzzzzzzzat", "--budget-ms", "300")
    assert status == 0
    assert "exact to 2 plies" in output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["abc"], "'abc' has 3 letters; a board has 25 letters a to z"),
        (
            [BOARD, "--ours", "33554432"],
            "accepted: cells:0,1,5 with cells 0 to 24, mask:35 with a bit mask up to 33554431",
        ),
        ([BOARD, "--theirs", "0,25"], "'0,25' is invalid"),
        ([BOARD, "--ours", "5"], "5 could be a cell or a mask: write cells:5 or mask:5"),
        ([BOARD, "--ours", "0,1", "--theirs", "1,2"], "cell 1 is in --ours as well"),
        ([BOARD, "--ours", "mask:7", "--theirs", "mask:6"], "cells 1, 2 are in --ours as well"),
        ([*BOARD.split()[:2]], "'bnbda etgre' has 10 letters; a board has 25 letters a to z"),
        (["bnbda", "etgr3"], "letter 9 is '3'; accepted: a to z"),
        ([BOARD, "--opponent-vocabulary", "rude"], "unknown vocabulary 'rude'; accepted: basic, common"),
        ([BOARD, "--must-use", "0,25"], "accepted: cells 0 to 24 separated by commas, or letters a to z"),
        ([BOARD, "--must-use", "a!"], "'a!' is invalid"),
        ([BOARD, "--sort", "size"], "accepted: value, tiles, protection, vulnerability, length"),
        ([BOARD, "--ours", "33554431"], "the game is over"),
        ([BOARD, "--played", "zoo"], "'zoo' cannot be made from the board"),
        ([BOARD, "--vocabulary", "rude"], "accepted: basic, common, highbrow, obscure, everything"),
        ([BOARD, "--lexicon", "nope"], "there is no lexicon named 'nope'"),
    ],
)
def test_what_cannot_be_solved_is_refused(arguments: list[str], says: str) -> None:
    status, output = run("solve", *arguments)
    assert status == 2
    assert says in " ".join(output.replace("│", " ").split())


def test_a_match_reports_wins_draws_and_the_error() -> None:
    status, output = run("match", "two-plies", "pip", "--games", "2")
    assert status == 0
    assert "two-plies pip 2 2 0 0 100.0% ± " in output


def test_the_score_of_a_match_is_rounded_half_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "match", lambda *_: iter([Score(wins=41, losses=39)]))
    assert "pip moss 80 41 0 39 51.3% ± " in run("match", "pip", "moss")[1]


def test_an_unknown_engine_is_refused_and_the_known_ones_are_named() -> None:
    status, output = run("match", "pip", "deep")
    assert status == 2
    assert "unknown engine 'deep'; accepted: pip, moss, wren, sage, quill, letterpwn" in output
