"""Study boards over the API."""

import pytest
from fastapi.testclient import TestClient

from tests.driver import problem
from tests.web.board_trials import EACH, TRIALS
from tests.web.boards import board_after


@EACH
def test_programs_store_a_board_and_read_it(client: TestClient, kind: str) -> None:
    trial = TRIALS[kind]
    file = client.get(f"{board_after(client, trial.address, *trial.moves)}?download=json").json()
    tree = {name: value for name, value in file.items() if name != "kind"}
    stored = client.post("/api/boards", json={"kind": kind, "tree": tree})
    assert stored.status_code == 201, stored.text
    seen = client.get(f"/api/boards/{stored.json()['id']}").json()
    assert [node["move"] for node in seen["tree"]["nodes"]] == list(trial.moves)
    assert [step["node"] for step in seen["steps"]] == [0, 1, 2]


@pytest.mark.parametrize("bad", [" ", "An\0 opening", "An \u202eopening"])
def test_a_title_has_visible_characters_as_a_nickname_has(client: TestClient, bad: str) -> None:
    board = {"kind": "fribble", "title": " An  opening", "tree": {"start": {"racks": ["BBEFILR", ""]}}}
    stored = client.post("/api/boards", json=board).json()
    assert stored["title"] == "An opening"
    change = {"kept": True, "tree": board["tree"], "revision": 1}
    address = f"/api/boards/{stored['id']}"
    for refused in (
        client.post("/api/boards", json=board | {"title": bad}),
        client.put(address, json=change | {"title": bad}),
    ):
        (fault,) = problem(refused, 422)["errors"]
        assert fault["location"] == ["body", "title"]
        assert "the title of a board" in fault["message"]
    assert client.put(address, json=change | {"title": "Another"}).json()["title"] == "Another"


@pytest.mark.parametrize("kind", sorted(TRIALS.keys() - {"fribble"}))  # an empty board is a start there
def test_a_board_without_a_position_is_refused_with_the_place(client: TestClient, kind: str) -> None:
    refused = client.post("/api/boards", json={"kind": kind, "tree": {"start": {"lexicon": "english"}}})
    assert refused.status_code == 422
    first = refused.json()["errors"][0]
    assert first["location"][:3] == ["body", "tree", "start"]
    assert first["message"] == "required"
    assert refused.json()["detail"] == f"tree.start.{first['location'][3]}: required"


def test_an_unknown_word_list_of_a_position_is_named_with_its_place(client: TestClient) -> None:
    refused = client.post("/api/boards", json={"kind": "fribble", "tree": {"start": {"lexicon": "klingon"}}})
    assert refused.status_code == 422
    [error] = refused.json()["errors"]
    assert error["location"] == ["body", "tree", "start", "lexicon"]
    assert "klingon" in error["message"]


def test_an_unknown_field_of_a_position_is_named(client: TestClient) -> None:
    refused = client.post("/api/boards", json={"kind": "fribble", "tree": {"start": {"colour": "red"}}})
    [error] = refused.json()["errors"]
    assert error["location"] == ["body", "tree", "start", "colour"]
    assert error["message"] == "there is no such field"
    assert refused.json()["detail"] == "tree.start.colour: there is no such field"


def test_all_errors_of_a_position_are_named(client: TestClient) -> None:
    tree = {"start": {"board": "a" * 25, "dl": 99, "round": 99}}
    refused = client.post("/api/boards", json={"kind": "wibble", "tree": tree})
    places = [error["location"] for error in problem(refused, 422)["errors"]]
    assert places == [["body", "tree", "start", name] for name in ("dl", "round")]


@EACH
def test_errors_name_the_place_of_a_wrong_move_once(client: TestClient, kind: str) -> None:
    trial = TRIALS[kind]
    file = client.get(f"{board_after(client, trial.address, trial.moves[0])}?download=json").json()
    wrong = {"parent": 1, "move": trial.wrong}
    tree = {"start": file["start"], "nodes": [*file["nodes"], wrong]}
    problem = client.post("/api/boards", json={"kind": kind, "tree": tree}).json()
    [error] = problem["errors"]
    assert error["location"] == ["body", "tree", "nodes", 1, "move"]
    assert problem["detail"] == f"tree.nodes[1].move: {error['message']}"
    assert "node" not in error["message"]
