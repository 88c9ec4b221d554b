"""`wibble fribble`: self, solo, team, study and presets."""

import re
from pathlib import Path

import pytest

from app.resources import resource
from tests.cli.shells import wibble

FRIBBLE_ROW = " 8 . . . - . . . F R I B B L E ."


pytestmark = pytest.mark.usefixtures("wide")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game of a few turns."""
    file = tmp_path / "game.gcg"
    file.write_text(
        "#player1 anna Anna Karenina\n#player2 levin Levin\n"
        ">anna: BEFILRB 8H FRIBBLE +69 69\n>levin: EINDRST H8 .RIENDS +24 24\n>anna: AEIOUVV -VV +0 69\n"
    )
    return file


def test_bots_play_each_other_and_the_game_can_be_studied(tmp_path: Path) -> None:
    file = tmp_path / "self.gcg"
    status, output = wibble("fribble", "self", "--seed", "abc", "--levels", "4,3", "--save", file)
    assert status == 0
    assert "The last tile was played. For the tiles left:" in output
    assert "Sage wins." in output
    assert wibble("fribble", "self", "--seed", "abc", "--levels", "4,3")[1] in output
    status, output = wibble("fribble", "study", file, typed="/go 2\n/best 3\n")
    assert status == 0
    assert "2/" in output
    assert "Score Leave Equity" in output


def test_a_game_is_replayed_turn_by_turn(game: Path) -> None:
    status, output = wibble("fribble", "study", game, typed="/history\n/go 1\n/next\n/back\n/back\n/back\n")
    assert status == 0
    assert "1. Anna Karenina: 8H FRIBBLE, 69 points" in output
    assert "2. Levin: H8 .RIENDS (FRIENDS), 24 points" in output
    assert "3. Anna Karenina exchanged VV" in output
    assert FRIBBLE_ROW in output
    assert "1/3> Levin: H8 .RIENDS (FRIENDS), 24 points" in output
    assert "position -1 does not exist; accepted: 0 to 3" in output


def test_moves_are_tried_and_the_best_listed(game: Path) -> None:
    typed = "/go 1\n/try m(c8,9,'riends')\n/best 2\n/rack AEINRST\n/best 1\nH8 .X\nnonsense\n/what\n/best x\n"
    output = wibble("fribble", "study", game, typed=typed)[1]
    assert "FRIENDS 24 = 24" in output
    assert "moves 1/3>" in output
    assert "Levin holds AEINRST" in output
    assert "the rack has no X" in output
    assert "'nonsense' is not a move; accepted: 8H WORD" in output
    assert "Unknown command /what" in output
    assert "the number of moves to list must be a number, not 'x'" in output


def test_a_file_with_a_board_is_studied(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("\n".join(["." * 15] * 7 + [".......FRIBBLE."] + ["." * 15] * 7))
    status, output = wibble("fribble", "study", file, typed="/rack eindrst\n/try H8 .RIENDS\n/unseen\n")
    assert status == 0
    assert "FRIENDS 24 = 24" in output
    assert "90 unseen: A9 B0" not in output
    assert "90 unseen: A9 C2" in output
    file.write_text("CAT")
    status, output = wibble("fribble", "study", file)
    assert status == 2
    assert "there is 1 row: a board has 15" in output


def test_a_broken_game_is_refused_with_the_line(game: Path) -> None:
    game.write_text(game.read_text().replace("+24 24", "+25 25"))
    status, output = wibble("fribble", "study", game)
    assert status == 2
    assert "line 4: the turn makes +24 points, not +25" in output


def test_solo_is_played_against_a_bot(tmp_path: Path) -> None:
    file = tmp_path / "solo.gcg"
    typed = "/best 1\n1\n/exchange 1\n/pass\n/best 1\n1\n/save here/there\n/resign\n"
    arguments = ("--seed", "q", "--level", "1", "--lexicon", "letterpress", "--save", file)
    status, output = wibble("fribble", "solo", *arguments, typed=typed)
    assert status == 0
    assert "You hold DENOPY?" in output
    assert "You: 8B PrOYNED, 61 points Pip: " in output
    assert "You passed Pip: " in output
    assert "here/there: No such file or directory" in output
    assert "Resigned. Pip wins." in output
    assert "#note You resigned" in file.read_text()


def test_a_solo_game_goes_on_from_a_file(game: Path, tmp_path: Path) -> None:
    saved = tmp_path / "later.gcg"
    status, output = wibble("fribble", "solo", "--load", game, "--save", saved, typed="/pass\n")
    assert status == 0
    assert FRIBBLE_ROW in output
    assert "Levin: " in output
    text = saved.read_text()
    assert ">anna" not in text
    assert ">Anna_Karenina: AEIOUVV -VV +0 69" in text
    assert "#rack1 " in text
    assert "#rack2" not in text  # the bot's own


def test_a_file_that_is_no_game_is_refused_by_its_parameter(tmp_path: Path) -> None:
    file = tmp_path / "none.gcg"
    file.write_text("none")
    for command, option in (("solo", "--load"), ("team", "--load"), ("study", "FILE")):
        given = [option, file] if option != "FILE" else [file]
        status, output = wibble("fribble", command, *given)
        assert status == 2
        assert f"{option}: {file}: there is 1 row" in output


def test_words_are_challenged_where_they_may_be() -> None:
    typed = "8G DYP\n/pass\n/resign\n"
    output = wibble("fribble", "solo", "--seed", "q", "--level", "5", "--challenge", typed=typed)[1]
    assert "You: 8G DYP, challenged and withdrawn" in output


def test_solo_never_shows_what_the_bot_holds() -> None:
    """This includes a bot that is to move again after a successful challenge."""
    output = wibble("fribble", "solo", "--seed", "q", "--level", "5", "--challenge", typed="8G DYP\n")[1]
    assert "You: 8G DYP, challenged and withdrawn" in output
    assert "Fribble holds" not in output


def test_a_move_that_is_too_long_is_refused_and_the_game_goes_on() -> None:
    status, output = wibble(
        "fribble", "solo", "--seed", "q", typed=f"8B {'A' * 90}\n/best 0\n/best 1\n/resign\n"
    )
    assert status == 0
    assert "AAAA' runs off the edge of the board" in output
    assert "the number of moves must be 1 or more" in output
    assert "Resigned." in output


def test_a_rack_entered_before_a_challenge_keeps_the_tile_counts() -> None:
    typed = "8H QXZJ\naeioust\n/challenge\n/unseen\n"
    output = wibble("fribble", "team", "--opponent-first", typed=typed)[1]
    assert "Opponent: 8H QXZJ, challenged and withdrawn" in output
    unseen = output[output.index(" unseen: ") :]
    assert all(tiles in unseen.split() for tiles in ("E13", "S5", "U4", "Q1", "X1", "Z1")), unseen


def test_a_saved_team_game_with_words_not_in_the_list_is_studied(tmp_path: Path) -> None:
    file = tmp_path / "team.gcg"
    wibble("fribble", "team", typed=f"fribble\n8H FRIBBLE\n8E DOG.......\n/board\n/save {file}\n")
    assert "#rack1" not in file.read_text(), "our rack was not entered"
    status, output = wibble("fribble", "study", file, typed="/history\n")
    assert status == 0
    assert "2. Opponent: 8E DOG....... (DOGFRIBBLE), 23 points" in output


def test_team_advises_and_follows_both_sides(tmp_path: Path) -> None:
    file = tmp_path / "team.gcg"
    typed = (
        "fribbl\nfribble\n8H FRIBBLE\n/best\n8E DOG.......\naeinrst\n/exchange a\n/undo\n"
        "aeinrst\n/exchange a\n/exchange 9\n/exchange 2\n/pass\n/unseen\n/save {file}\n"
    ).replace("{file}", str(file))
    status, output = wibble("fribble", "team", typed=typed)
    assert status == 0
    assert "fribbl has 6 tiles; your rack has 7" in output
    assert "8B FRIBBLE 69 - 69.0 m(r8,2,'FRIBBLE')" in output
    assert "You: 8H FRIBBLE, 69 points" in output
    assert "it is the opponent's turn, and their rack is unknown" in output
    assert "DOGFRIBBLE is not in the word list" in output
    assert "the opponent holds 7 tiles and cannot exchange 9" in output
    assert "Opponent exchanged 2 tiles" in output
    assert "enter your rack first" in output
    assert "94 unseen: " in output
    text = file.read_text()
    assert ">You: BBEFILR 8H FRIBBLE +69 69" in text
    assert ">Opponent: DGO 8E DOG....... +23 23" in text


def test_the_opponent_may_play_first() -> None:
    typed = "8H FRIBBLE\n/challenge\naeinrst\nH9 TRAIN\n"
    output = wibble("fribble", "team", "--opponent-first", typed=typed)[1]
    assert "Opponent: 8H FRIBBLE, 69 points" in output
    assert "You challenged a valid play and lost the turn" in output


def test_a_preset_has_its_own_default_word_list(tmp_path: Path) -> None:
    output = wibble("fribble", "presets")[1]
    assert "wwf Words With Friends 2 104 35 enable" in output
    assert "50 english" in output
    file = tmp_path / "game.gcg"
    for arguments, lexicon in (((), "enable"), (("--lexicon", "letterpress"), "letterpress")):
        wibble("fribble", "team", *arguments, typed=f"/save {file}\n")
        assert f"#lexicon {lexicon}" in file.read_text()
        assert wibble("fribble", "study", file)[0] == 0
        file.unlink()


STALLED = "8H FRIBBLE\naeiqtuu\n/pass\n/exchange 2\naeiqtuu\n/pass\n"


def test_team_shows_the_final_scores_as_far_as_they_are_known(tmp_path: Path) -> None:
    """The opponent's rack is unknown, so its score is, too, and so is the winner where that depends on it."""
    file = tmp_path / "team.gcg"
    status, output = wibble("fribble", "team", "--opponent-first", "--save", file, typed=STALLED)
    assert status == 0
    assert "The last 3 turns made no points, which ends the game under Words With Friends rules." in output
    assert "You: 0 - 18 for AEIQTUU = -18 They: 69 less their rack, at most 69" in output
    assert "They: 69 less their rack, at most 69 They win." in output
    assert "You 0, they 69" in output
    text = file.read_text()
    assert text.endswith(">You: AEIQTUU (AEIQTUU) -18 -18\n")
    assert ">Opponent: (" not in text


def test_team_reads_what_people_type() -> None:
    typed = "aeiost?\n8H TOASTIE\n8h toastie\nh8 taint\n"
    output = wibble("fribble", "team", typed=typed)[1]
    assert "the rack has no second T; with a blank: 8H TOAStIE" in output
    assert "You: 8H TOAStIE, " in output
    assert "Opponent: H8 .AINT (TAINT), " in output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("self", "--levels", "5"), "'5' is invalid; accepted: two levels from 1 to 5, such as 5,3"),
        (("self", "--levels", "5,6"), "'5,6' is invalid; accepted: two levels"),
        (("self", "--preset", "super"), "unknown preset 'super'; accepted: wwf, standard"),
        (("solo", "--lexicon", "nope"), "there is no lexicon named 'nope'"),
        (("solo", "--level", "6"), "5 or less expected, 6 given"),
        (("team", "--save", "no/such/folder/game.gcg"), "the folder no/such/folder does not exist"),
    ],
)
def test_impossible_input_is_refused(arguments: tuple[str, ...], says: str) -> None:
    status, output = wibble("fribble", *arguments)
    assert status == 2
    assert says in output


def test_a_custom_preset_is_added_and_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.games.fribble.presets._own", {})
    monkeypatch.setenv("WIBBLE_DATA_DIR", str(tmp_path / "data"))
    shipped = (resource("data") / "fribble" / "presets" / "wwf.toml").read_text()
    file, bad = tmp_path / "few.toml", tmp_path / "bad.toml"
    file.write_text(shipped.replace("Words With Friends", "Few tiles").replace("E = 13", "E = 12"))
    bad.write_text(shipped.replace("=..", "=.", 1))
    assert "a layout has 15 rows of 15 squares" in wibble("fribble", "add-preset", "bad", bad)[1]
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\xff")
    message = wibble("fribble", "add-preset", "bad", tmp_path / "picture.png")[1]
    assert "picture.png: not a UTF-8 text file" in message
    assert "there is a preset named 'wwf' already" in wibble("fribble", "add-preset", "wwf", file)[1]
    assert "Added few: Few tiles." in wibble("fribble", "add-preset", "few", file)[1]
    listed = wibble("fribble", "presets")[1]
    assert "few Few tiles 2 103 35" in listed
    assert "bad" not in listed
    assert "Fribble, Few tiles" in wibble("fribble", "solo", "--preset", "few", "--level", "1")[1]
    assert "there is a preset named 'few' already" in wibble("fribble", "add-preset", "few", file)[1]
    (tmp_path / "data" / "fribble" / "bad.toml").write_bytes(bad.read_bytes())
    assert "Fribble preset ignored: bad.toml" in wibble("fribble", "presets")[1]
    assert "Fribble preset ignored: bad.toml" in wibble("replay", file)[1]
    assert "ignored" not in wibble("words", "list")[1]


def test_simulation_shows_how_often_a_move_wins(game: Path) -> None:
    advised = ("--strategy", "simulating", "--budget-ms", "50")
    output = wibble("fribble", "study", game, *advised, typed="/go 1\n/best 3\n")[1]
    assert "Score Leave Equity Wins" in output
    assert re.search(r"\d\d\.\d% ± \d", output)
    output = wibble("fribble", "team", *advised, typed="IIIUUVV\n")[1]
    assert re.search(r"Better than any move: exchange [IUV]+, keep \w+ \(worth .*, wins .*%", output)
