"""The forms in which `/api/solve` takes a position and its options, and how wrong ones are refused."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import problem
from tests.web.test_solve_api import BOARD, FRESH, PATIENT, cells, solve


@pytest.mark.parametrize("in_query", [False, True])
def test_a_position_comes_as_masks_as_cells_or_as_a_picture(client: TestClient, in_query: bool) -> None:
    picture = "".join("o" if 6655 >> cell & 1 else "t" if 32499200 >> cell & 1 else "." for cell in range(25))
    listed: list[Any] = [cells(6655), cells(32499200)]
    masks: list[Any] = [{"mask": 6655}, {"mask": 32499200}]
    if in_query:
        listed = [",".join(map(str, each)) for each in listed]
        masks = ["mask:6655", "mask:32499200"]
    forms: list[list[Any]] = [masks, listed, [picture, picture], [6655, 32499200]]
    moves = []
    for ours, theirs in forms:
        fields: dict[str, Any] = {"board": " ".join(BOARD.upper()), "ours": ours, "theirs": theirs, **PATIENT}
        answer = (
            client.get("/api/solve", params=fields) if in_query else client.post("/api/solve", json=fields)
        )
        assert answer.status_code == 200, answer.text
        moves.append(answer.json()["moves"])
    assert all(each == moves[0] for each in moves)


def test_a_single_number_in_a_query_is_a_cell_or_a_mask_as_it_says(client: TestClient) -> None:
    def moves(**fields: str | int) -> object:
        answer = client.get("/api/solve", params={"board": FRESH, **PATIENT, **fields})
        assert answer.status_code == 200, answer.text
        return answer.json()["moves"]

    cell_5, cells_0_and_2 = (solve(client, board=FRESH, ours=ours)["moves"] for ours in ([5], [0, 2]))
    assert moves(ours="cells:5") == cell_5 != cells_0_and_2
    assert moves(ours="mask:5") == moves(oursBitMask=5) == cells_0_and_2
    assert moves(oursBitMask="cells:0,2") == cells_0_and_2
    several = problem(client.get("/api/solve", params={"board": FRESH, "oursBitMask": [0, 2]}), 422)
    assert several["detail"] == "oursBitMask: 0,2 is not one mask: for cells write cells:0,2"


def test_the_names_of_letterpwn_are_aliases(client: TestClient) -> None:
    position: dict[str, Any] = {
        "board": "msgzxcbjlqblmgeppjxmjynxs",
        "oursBitMask": 3310592,
        "theirsBitMask": 17180,
    }
    usual: dict[str, Any] = {"board": position["board"], "ours": 3310592, "theirs": 17180}
    moves = solve(client, **usual)["moves"]
    assert moves[0]["tiles"] != solve(client, board=position["board"])["moves"][0]["tiles"]
    assert solve(client, **position)["moves"] == moves
    assert solve(client, **usual, oursBitMask=3310592)["moves"] == moves
    assert client.get("/api/solve", params={**position, **PATIENT}).json()["moves"] == moves
    batch = client.post("/api/solve/batch", json={"boards": [PATIENT | position, PATIENT | usual]}).json()
    assert [answer["moves"] for answer in batch["answers"]] == [moves, moves]
    schema = client.get("/openapi.json").json()
    named = schema["components"]["schemas"]["LetterpressSolveRequest"]["properties"]
    assert "Alias of `ours`" in named["oursBitMask"]["description"]
    assert "Alias of `theirs`" in named["theirsBitMask"]["description"]
    queried = {each["name"] for each in schema["paths"]["/api/solve"]["get"]["parameters"]}
    assert {"oursBitMask", "theirsBitMask", "sort", "group"} <= queried


@pytest.mark.parametrize(
    ("body", "field", "says"),
    [
        ({"ours": 3, "oursBitMask": 5}, "oursBitMask", "alias of ours, which has another value"),
        ({"theirs": [0], "theirsBitMask": 2}, "theirsBitMask", "alias of theirs, which has another value"),
        ({"oursBitMask": 2**25}, "oursBitMask", "accepted: a list of cells"),
        ({"oursBitMask": True}, "oursBitMask", "True is not understood"),
        ({"oursBitMask": 3, "theirs": 6}, "theirs", "cell 1 is in ours as well"),
        ({"oursBitMask": 7, "theirs": 6}, "theirs", "cells 1, 2 are in ours as well"),
        ({"oursBitMask": 2**25 - 1}, "theirs", "the game is over"),
        ({"sort": "size"}, "sort", "'value', 'tiles', 'protection', 'vulnerability' or 'length'"),
        ({"group": "some"}, "group", "true or false expected"),
    ],
)
def test_aliases_and_options_are_checked(
    client: TestClient, body: dict[str, Any], field: str, says: str
) -> None:
    asked = {"board": FRESH, **body}
    error = problem(client.post("/api/solve", json=asked), 422)
    assert field in json.dumps(error)
    assert says in json.dumps(error)


def test_must_use_in_a_query_is_cells_or_letters(client: TestClient) -> None:
    for written, same in (("0,7", [0, 7]), ("7", [7]), ("kg", "kg")):
        moves = client.get("/api/solve", params={"board": FRESH, "must_use": written, **PATIENT}).json()[
            "moves"
        ]
        assert moves == solve(client, board=FRESH, must_use=same)["moves"]
    assert moves == solve(client, board=FRESH, must_use=["k", "g"])["moves"]


@pytest.mark.parametrize(
    ("body", "field", "says"),
    [
        ({"board": "abc"}, "board", "25 letters a-z expected, 3 given"),
        ({"board": "1" * 25}, "board", "letter 0 is '1': only a to z are tiles"),
        ({"ours": 2**25}, "ours", "the mask 33554432 is out of range; accepted: a list of cells"),
        ({"ours": -1}, "ours", "the mask -1 is out of range"),
        ({"theirs": [0, 25]}, "theirs", "position 1 has cell 25: cells are 0 to 24"),
        ({"theirs": "x" * 25}, "theirs", "character 0 is 'x'; accepted: a list of cells"),
        ({"theirs": "..."}, "theirs", "there are 3 characters"),
        ({"ours": "0,1", "theirs": "1,2"}, "theirs", "cell 1 is in ours as well: a tile has one owner"),
        ({"ours": "5"}, "ours", "5 could be a cell or a mask: write cells:5 or mask:5"),
        ({"theirs": "1"}, "theirs", "1 could be a cell or a mask: write cells:1 or mask:1"),
        ({"theirs": "mask:1,2"}, "theirs", "in a query also cells:0,1,5 or mask:35"),
        ({"theirs": "cells:25"}, "theirs", "position 0 has cell 25: cells are 0 to 24"),
        ({"ours": 2**25 - 1}, "theirs", "the game is over"),
        (
            {"played": ["lox", "zzz"]},
            "played",
            "the board cannot make 'zzz' (played, position 1): it has one 'z'; the word has three",
        ),
        ({"lexicon": "nope"}, "lexicon", "there is no lexicon named 'nope'; there are english, letterpress"),
        ({"vocabulary": "rude"}, "vocabulary", "'basic', 'common', 'highbrow', 'obscure' or 'everything'"),
        ({"plies": 4}, "plies", "3 or less expected"),
        ({"limit": 101}, "limit", "100 or less expected"),
        ({"budget_ms": 10_001}, "budget_ms", "10000 or less expected"),
        ({"must_use": "a!"}, "must_use", "character 1 is '!'"),
        ({"played": [""]}, "played", "position 0 is '': words are letters a to z"),
        ({"played": ["lox", "l-x"]}, "played", "position 1 is 'l-x'"),
        ({"must_use": [30]}, "must_use", "position 0 has cell 30"),
        ({"wrong": 1}, "wrong", "there is no such field"),
    ],
)
def test_errors_name_their_field(client: TestClient, body: dict[str, Any], field: str, says: str) -> None:
    asked = {"board": FRESH, **body}
    if "played" in body:
        asked["board"] = "lox" + FRESH[3:]
    for answer in (
        client.post("/api/solve", json=asked),
        client.post("/api/solve/batch", json={"boards": [asked]}),
    ):
        error = problem(answer, 422)
        assert says in error["detail"]
        assert field in error["errors"][0]["location"]
    if "wrong" not in body:
        assert says in problem(client.get("/api/solve", params=asked), 422)["detail"]


@pytest.mark.parametrize("ours", [1.5, True, None])
def test_a_territory_is_a_number_a_list_or_text(client: TestClient, ours: Any) -> None:
    error = problem(client.post("/api/solve", json={"board": FRESH, "ours": ours}), 422)
    assert f"{ours!r} is not understood; accepted: a list of cells" in error["detail"]


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (["a", 3], "position 0 has 'a'; accepted: cells 0 to 24, or letters a to z"),
        ([1, True], "position 1 has True; accepted: cells"),
        ([1.5], "position 0 has 1.5; accepted: cells"),
        ({"a": 1}, "{'a': 1} is not understood; accepted: cells"),
    ],
)
def test_the_tiles_to_use_are_given_as_cells_or_letters(client: TestClient, wanted: Any, says: str) -> None:
    error = problem(client.post("/api/solve", json={"board": FRESH, "must_use": wanted}), 422)
    assert error["errors"][0]["location"] == ["body", "must_use"]
    assert error["detail"] == f"must_use: {error['errors'][0]['message']}"
    assert says in error["detail"]


def test_a_text_with_both_owners_gives_both(client: TestClient) -> None:
    text = "oott" + "." * 21
    both = client.post("/api/solve", json={"board": FRESH, "ours": text, "plies": 1}).json()["moves"]
    masks = {"ours": {"mask": 3}, "theirs": {"mask": 12}}
    assert both == client.post("/api/solve", json={"board": FRESH, "plies": 1} | masks).json()["moves"]
    contradiction = {"board": FRESH, "ours": text, "theirs": [4]}
    error = problem(client.post("/api/solve", json=contradiction), 422)
    assert "they differ in cells 2, 3, 4" in error["detail"]
