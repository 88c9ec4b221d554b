"""`wibble fribble analyse`, and positions in CGP in the shells."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.games.fribble import cgp
from app.games.fribble.cgp import Cgp
from tests.cli.shells import wibble
from tests.games.fribble.test_gcg import LONGER, OPENING

CGP = f"{'15/' * 7}7FRIBBLE1{'/15' * 7} EINDRST/ 0/69 0 lex enable; bdn wwf;"


pytestmark = pytest.mark.usefixtures("wide")


def written(folder: Path, text: str, name: str = "game.gcg") -> Path:
    file = folder / name
    file.write_text(text)
    return file


def positions(output: str) -> list[Cgp]:
    """The positions in CGP that a shell printed."""
    return [cgp.read(text) for text in re.findall(r"15/\S+ \S+ \S+ \d+ lex \w+; bdn \w+;", output)]


def analysed(file: Path, *options: str) -> dict[str, Any]:
    status, output = wibble("fribble", "analyse", file, "--json", *options)
    assert status == 0, output
    document: dict[str, Any] = json.loads(output)
    return document


def test_every_turn_is_judged_by_simulated_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The number of games limits the analysis, not the time: verdicts are the same on slow machines.
    monkeypatch.setattr("app.rooms.fribble.commands.analyse.SAMPLES", 1)
    found = analysed(written(tmp_path, OPENING), "--seconds", "60")
    assert [player["name"] for player in found["players"]] == ["Anna Karenina", "Konstantin Levin"]
    assert [player["score"] for player in found["players"]] == [69, 24]
    assert found["played_on"] == len(found["turns"]) == 2
    best, missed = found["turns"]
    assert (best["move"], best["points"], best["rack_known"]) == ("8H FRIBBLE", 69, True)
    assert (missed["player"], missed["move"], missed["verdict"]) == (
        "Konstantin Levin",
        "H8 .RIENDS",
        "blunder",
    )
    assert missed["lost"] > 30
    for turn in found["turns"]:
        assert len(turn["best"]) == 3
        assert turn["win_before"] == pytest.approx(turn["win_after"] + turn["loss"])
        assert 0 < turn["win_after_error"] < 0.5
    assert missed["win_before"] == pytest.approx(missed["best"][0]["win_share"])
    assert missed["win_before_error"] == missed["best"][0]["error"]


def test_without_time_turns_are_judged_by_their_equity(tmp_path: Path) -> None:
    found = analysed(written(tmp_path, OPENING), "--seconds", "0")
    assert found["played_on"] == 0
    assert found["turns"][0]["verdict"] == "best"
    assert found["turns"][0]["win_after_error"] is None
    assert 0 < found["turns"][1]["win_after"] < found["turns"][1]["win_before"] < 1


def test_the_table_has_a_row_for_each_turn(tmp_path: Path) -> None:
    status, output = wibble("fribble", "analyse", written(tmp_path, LONGER), "--seconds", "0.1")
    assert status == 0
    rows = re.findall(r"(\d) (Anna Karenina|Konstantin Levin) [A-Z?]+ (\S+ \S+)", output)
    assert [move for *_, move in rows] == ["8H FRIBBLE", "H8 .RIENDS", "exchange VV", "15H TA"]
    assert "±" in output
    assert "Anna Karenina: accuracy" in output


def test_a_rack_that_is_not_given_is_marked(tmp_path: Path) -> None:
    file = written(tmp_path, OPENING.replace("EINDRST H8", "EINDRS H8"))
    assert [turn["rack_known"] for turn in analysed(file, "--seconds", "0")["turns"]] == [True, False]
    assert (
        "* The file does not give the whole rack" in wibble("fribble", "analyse", file, "--seconds", "0")[1]
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense", "the text is not a GCG"),
        (OPENING.replace("H8 .RIENDS", "H8 XX"), "line 5"),
        (OPENING.replace("+69 69", "+70 70"), "line 4: the turn makes +69 points, not +70"),
        ("#player1 a\n", "the text does not name two players"),
    ],
)
def test_a_bad_file_ends_the_command_with_status_2(tmp_path: Path, text: str, says: str) -> None:
    status, output = wibble("fribble", "analyse", written(tmp_path, text))
    assert status == 2
    assert says in " ".join(output.split())


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG\r\n\xff")
    for command in ("analyse", "study"):
        status, output = wibble("fribble", command, file)
        assert status == 2
        assert "picture.png: not a UTF-8 text file" in "".join(output.split("\n"))


def test_a_position_in_cgp_is_studied_and_printed(tmp_path: Path) -> None:
    status, output = wibble("fribble", "study", written(tmp_path, CGP, "game.cgp"), typed="/cgp\n")
    assert status == 0
    given, (shown,) = cgp.read(CGP), positions(output)
    assert (shown.board, shown.scores, shown.scoreless) == (given.board, given.scores, given.scoreless)
    assert shown.racks[0] == "DEINRST"
    assert len(shown.racks[1]) == 7


def test_team_mode_starts_from_a_position_in_cgp(tmp_path: Path) -> None:
    file = written(tmp_path, CGP.replace(" 0 lex", " 1 lex"), "game.cgp")
    status, output = wibble("fribble", "team", "--load", file, typed="/cgp\n/pass\n/cgp\n")
    assert status == 0
    assert "TINDERS" in output
    first, second = positions(output)
    assert (first.racks, first.scores, first.scoreless) == (("DEINRST", ""), (0, 69), 1)
    assert (second.racks, second.scores, second.scoreless) == (("", ""), (69, 0), 2)


def test_a_bad_position_in_cgp_is_refused_with_its_place(tmp_path: Path) -> None:
    file = written(tmp_path, CGP.replace("7FRIBBLE1", "7FRIBBLE"), "game.cgp")
    status, output = wibble("fribble", "study", file)
    assert status == 2
    assert "row 8 has 14 squares; accepted: 15" in " ".join(output.replace("│", " ").split())
