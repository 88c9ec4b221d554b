"""`/api/fribble`."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import problem

EMPTY = ["." * 15] * 15
FRIBBLE = [*EMPTY[:7], ".......FRIBBLE.", *EMPTY[8:]]


def with_rows(**rows: str) -> list[str]:
    """The board with FRIBBLE on it and these rows, by number: ``r9="..."``."""
    board = list(FRIBBLE)
    for name, row in rows.items():
        board[int(name[1:]) - 1] = row
    return board


def score(client: TestClient, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/fribble/score", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_move_is_scored_word_by_word(client: TestClient) -> None:
    found = score(client, board=FRIBBLE, rack="eindrst", move="m(c8,9,'riends')")
    old = {"placed", "score"}
    assert {name: value for name, value in found.items() if name not in old} == {
        "coordinate": "H8",
        "notation": "m(c8,9,'RIENDS')",
        "word": ".RIENDS",
        "cells": [127 + 15 * step for step in range(6)],
        "tiles": "RIENDS",
        "words": [{"word": "FRIENDS", "points": 24, "valid": True}],
        "bonus": 0,
        "points": 24,
        "valid": True,
        "leave": "T",
    }


@pytest.mark.parametrize(
    "move", ["8H FRIBBLE", "m(r8,8,'fribble')", {"cells": list(range(112, 119)), "tiles": "FRIBBLE"}]
)
def test_a_move_comes_in_three_notations_or_as_squares(client: TestClient, move: Any) -> None:
    found = score(client, move=move)
    assert (found["points"], found["bonus"], found["leave"]) == (69, 35, None)
    assert score(client, move=move, preset="standard")["points"] == 84


def test_invalid_words_are_scored_and_marked(client: TestClient) -> None:
    found = score(client, board=FRIBBLE, move="9H Xx")
    assert not found["valid"]
    assert [word["word"] for word in found["words"] if not word["valid"]] == ["XX", "FX", "RX"]


def test_small_letters_are_tiles_and_no_more_tiles_are_taken_than_there_are(client: TestClient) -> None:
    wanted = score(client, move="8H FRIBBLE")
    assert wanted["points"] == 69
    for move in ("8H fribble", "8h fribble", "m(r8,8,'fribble')", 'm("r8",8,"fribble")'):
        assert score(client, move=move) == wanted
    assert score(client, move="8H fribble", rack="BEFILR?")["word"] == "FRIBbLE"
    for move, message in {
        "8H FRI?b?b?l?e": "Words With Friends has only 2 blanks left besides what is on the board",
        "8H QQ": "Words With Friends has only 1 Q left besides what is on the board",
    }.items():
        assert message in refused(client, move=move)
    seven = {"cells": list(range(112, 119)), "tiles": "fribble"}
    assert "only 2 blanks" in refused(client, move=seven)
    assert "the rack has no second B; with a blank: 8H FRIBbLE" in refused(
        client, move="8H FRIBBLE", rack="BEFILR?"
    )
    blanks = [*EMPTY[:7], ".......frIBBLE.", *EMPTY[8:]]
    assert "has no blank left" in refused(client, board=blanks, move="8H .......?s")
    url = "/api/fribble/moves"
    assert "board and rack have 3 blanks" in client.post(url, json={"board": blanks, "rack": "?"}).text


def test_each_board_has_its_own_word_list_unless_another_is_asked_for(client: TestClient) -> None:
    """QI is in the other lists and not in ENABLE."""
    assert not score(client, move="8H QI")["valid"]
    assert score(client, move="8H QI", lexicon="letterpress")["valid"]
    assert score(client, move="8H QI", preset="standard")["valid"]
    assert not score(client, move="8H QI", preset="standard", lexicon="enable")["valid"]
    lists = {each["name"]: each["lexicon"] for each in client.get("/api/fribble/presets").json()}
    assert (lists["wwf"], lists["standard"]) == ("enable", "english")
    game = "#player1 a A\n#player2 b B\n#lexicon {}\n>a: QIAAAAA 8G QI +11 11\n"
    assert score(client, board=game.format("letterpress"), move="H8 .T")["words"]
    assert (
        client.post("/api/fribble/score", json={"board": game.format("NWL"), "move": "H8 .T"}).status_code
        == 422
    )


def test_a_table_and_the_daily_are_played_with_the_list_of_the_board(client: TestClient) -> None:
    for asked, lexicon in (
        ({}, "enable"),
        ({"preset": "standard"}, "english"),
        ({"lexicon": "letterpress"}, "letterpress"),
    ):
        body = {"kind": "fribble", "options": asked, "bots": [1]}
        opened = client.post("/api/games", json=body)
        assert opened.status_code == 201, opened.text
        assert opened.json()["view"]["lexicon"] == lexicon
    form = {"opponent": "1", "players": "2", "preset": "wwf", "lexicon": ""}
    address = client.post("/fribble/play", data=form, follow_redirects=False).headers["location"]
    assert client.get(f"/api{address}").json()["view"]["lexicon"] == "enable"


def refused(client: TestClient, **body: Any) -> str:
    answer = client.post("/api/fribble/score", json=body)
    assert answer.status_code == 422, answer.text
    return str(answer.json()["detail"])


def test_a_board_may_be_one_text_or_a_game(client: TestClient) -> None:
    wanted = score(client, board=FRIBBLE, rack="EINDRST", move="H8 .RIENDS")
    assert score(client, board="\n".join(FRIBBLE), rack="EINDRST", move="H8 .RIENDS") == wanted
    game = "#player1 a A\n#player2 b B\n#rack2 EINDRST\n>a: BEFILRB 8H FRIBBLE +69 69\n"
    assert score(client, board=game, rack="EINDRST", move="H8 .RIENDS") == wanted
    assert score(client, board=game, move="H8 .RIENDS") == wanted
    standard = "#board-layout standard\n" + game.replace("+69 69", "+84 84")
    assert score(client, board=standard, move="H8 .RIENDS")["points"] == 4 + 1 + 1 + 1 + 2 * 1 + 2 + 1


@pytest.mark.parametrize(
    ("body", "field", "says"),
    [
        ({"board": EMPTY[1:]}, "board", "there are 14 rows: a board has 15"),
        ({"board": with_rows(r3="...")}, "board", "row 3 has 3 squares: a row has 15"),
        ({"board": with_rows(r3="....1..........")}, "board", "row 3, column E has '1'"),
        (
            {"board": with_rows(r1="CAT............")},
            "board",
            "row 1, column A has a tile that is not connected to the centre, row 8, column H",
        ),
        (
            {"board": [*EMPTY[:3], "CAT............", *EMPTY[4:]]},
            "board",
            "row 4, column A has a tile, but there is none on the centre",
        ),
        (
            {"board": with_rows(r9=".......X.......")},
            "board",
            "not in the word list: FX (row 8, column H, down)",
        ),
        ({"board": with_rows(r8=".......F.......")}, "board", "the tile on row 8, column H makes no word"),
        ({"board": with_rows(r8=".....HOTTEST..."), "rack": "TTTTTT?"}, "rack", "9 tiles T"),
        ({"board": with_rows(r8=".....hottest...")}, "board", "the board has 7 blanks"),
        ({"rack": "ABCDEFGH"}, "rack", "there are 8 tiles: a rack has up to 7"),
        ({"rack": "ﬅ"}, "rack", "character 0 is 'ﬅ'"),
        ({"rack": "AB1"}, "rack", "character 2 is '1': tiles are A to Z, and ? for a blank"),
        ({"preset": "nope"}, "preset", "there is no preset named 'nope'; there are wwf, standard"),
        ({"lexicon": "nope"}, "lexicon", "there is no lexicon named 'nope'"),
        ({"move": "A1"}, "move", "'A1' is not a move; accepted:"),
        ({"move": "1A CAT"}, "move", "the tiles touch no other"),
        ({"move": {"cells": [112], "tiles": "A"}}, "move", "row 8, column H is taken"),
        ({"move": {"cells": [225], "tiles": "A"}}, "move", "less than 225"),
        ({"move": "H8 .RIENDS", "rack": "RIEND"}, "move", "the rack has no S"),
        ({"board": ">a: B"}, "board", "line 1: there is no player 'a'; there are none"),
        ({"wrong": 1}, "wrong", "there is no such field"),
    ],
)
def test_errors_name_their_field(client: TestClient, body: dict[str, Any], field: str, says: str) -> None:
    answer = client.post("/api/fribble/score", json={"board": FRIBBLE, "move": "H8 .RIENDS", **body})
    error = problem(answer, 422)
    assert says in error["detail"]
    assert field in error["errors"][0]["location"]


def test_the_presets_there_are_can_be_asked_for(client: TestClient) -> None:
    found = client.get("/api/fribble/presets").json()
    assert [preset["name"] for preset in found] == ["wwf", "standard"]
    wwf, standard = found
    assert sum(wwf["counts"].values()) == 104
    assert (wwf["values"]["Q"], wwf["bingo"], standard["seats"]) == (10, 35, [2, 4])
    assert score(client, board=EMPTY, move="8H QI")["points"] == wwf["values"]["Q"] + wwf["values"]["I"]
