"""`wibble replay` with records of Wibble."""

import re
from pathlib import Path

import pytest

from tests.cli.shells import recorded, wibble

VERSUS = ("--mode", "versus", "--bots", "2,4", "--seed", "replayed")


pytestmark = pytest.mark.usefixtures("wide")


def test_a_saved_game_is_verified_and_listed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    played = wibble("play", "--save", file, *VERSUS, typed="/pass\n" * 5)[1]
    status, output = wibble("replay", file)
    assert status == 0
    assert "Wibble Versus, 5x5, english, seed replayed" in output
    assert "Player 1: passed" in output
    for line in played.split("Moss: ")[1:3]:
        assert line.split("(")[0].strip() in output
    assert "All 5 rounds played." in output
    assert "Winner: Player 3." in output


def test_the_analysis_is_that_of_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    played = wibble("play", "--save", file, *VERSUS, typed="/pass\n" * 5)[1]
    replayed = wibble("replay", file, "--analysis")[1]
    assert played.split("Missed words")[1] == replayed.split("Missed words")[1]


def test_ply_shows_one_position_with_its_move(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    recorded(file, *VERSUS)
    status, output = wibble("replay", file, "--ply", "2")
    assert status == 0
    assert "Round 1 of 5" in output
    assert output.count("Player 2: ") == 1
    assert "started" in wibble("replay", file, "--ply", "0")[1]
    status, output = wibble("replay", file, "--ply", "999")
    assert status == 2
    assert "999: the record has plies 0 to" in output


def test_a_hyphen_as_the_file_reads_standard_input(tmp_path: Path) -> None:
    text = recorded(tmp_path / "game.txt", *VERSUS)
    assert wibble("replay", "-", typed=text) == wibble("replay", tmp_path / "game.txt")


def test_an_unfinished_game_is_shown_as_one(tmp_path: Path) -> None:
    recorded(tmp_path / "game.txt", "--seed", "s", typed="/shuffle\n")
    status, output = wibble("replay", tmp_path / "game.txt", "--analysis")
    assert status == 0
    assert "the game was not finished. Player 1 0." in output


@pytest.mark.parametrize("ply", [0, 2, 5])
def test_a_tampered_record_names_the_ply(tmp_path: Path, ply: int) -> None:
    lines = recorded(tmp_path / "game.txt", *VERSUS).splitlines()
    number = 5 + ply
    lines[number] = lines[number][: lines[number].index("{")] + '{"type":"chain","cells":[0,24]}'
    status, output = wibble("replay", "-", typed="\n".join(lines))
    assert status == 2
    assert f"ply {ply} " in output


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1 must be 'wibble record 1'"),
        ("wibble record 1\nkind chess\n", "the text ends before 'options'"),
        ("wibble record 1\nkind chess\noptions {}\nseats 1\nseed s\n", "there is no game 'chess'"),
        (
            'wibble record 1\nkind wibble\noptions {"mode":"adventure","level":"nope",'
            f'"lexicon":{{"name":"english","sha256":"{"0" * 64}"}}}}\nseats 1\nseed s\n',
            "there is no level 'nope'",
        ),
    ],
)
def test_what_is_no_record_is_refused(text: str, says: str) -> None:
    status, output = wibble("replay", "-", typed=text)
    assert status == 2
    assert says in output


def test_a_missing_lexicon_is_reported(tmp_path: Path) -> None:
    text = re.sub('"sha256":"[0-9a-f]{4}', '"sha256":"0000', recorded(tmp_path / "game.txt", *VERSUS))
    status, output = wibble("replay", "-", typed=text)
    assert status == 2
    assert "is not kept here" in output


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\xff")
    for file, says in (
        (tmp_path / "none.txt", "No such file"),
        (tmp_path, "Is a directory"),
        (tmp_path / "picture.png", "not a UTF-8 text file"),
    ):
        status, output = wibble("replay", file)
        assert status == 2
        assert says in output


def test_control_characters_in_a_record_do_not_reach_the_terminal() -> None:
    refused = "wibble record 1\nkind \x1b[2Jwibble\noptions {}\nseats 1\nseed \x1b[2J\n"
    assert "\x1b[2J" not in wibble("replay", "-", typed=refused)[1]
