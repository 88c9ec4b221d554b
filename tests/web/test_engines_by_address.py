"""Every stateless engine also accepts GET with the fields of its request in the query."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import problem
from tests.web.site_content import World

ROWS = ["." * 15] * 7 + [".......FRIBBLE."] + ["." * 15] * 7


def without_times(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {name: without_times(value) for name, value in answer.items() if name != "milliseconds"}
    return answer


@pytest.mark.parametrize(
    ("path", "query", "body"),
    [
        (
            "/api/wibble/solve",
            {
                "board": "wibbl etile schai nword games",
                "swaps": 1,
                "gems": [0, 6],
                "letter_bonus": '{"cell": 7, "factor": 3}',
                "family": "false",
            },
            {
                "board": "wibbl etile schai nword games",
                "swaps": 1,
                "gems": [0, 6],
                "letter_bonus": {"cell": 7, "factor": 3},
                "family": False,
            },
        ),
        ("/api/wibble/solve", {"board": "a" * 16, "gems": "[1,2]"}, {"board": "a" * 16, "gems": [1, 2]}),
        (
            "/api/fribble/score",
            {"board": " ".join(ROWS), "rack": "EINDRST", "move": "H8 .RIENDS"},
            {"board": ROWS, "rack": "EINDRST", "move": "H8 .RIENDS"},
        ),
        (
            "/api/fribble/moves",
            {"board": " ".join(ROWS), "rack": "EINDRS?"},
            {"board": ROWS, "rack": "EINDRS?"},
        ),
        ("/api/scrabblet/deal", {"seed": "one"}, {"seed": "one"}),
        ("/api/scrabblet/gamesetup", {"seed": "one", "count": 3}, {"seed": "one", "count": 3}),
    ],
)
def test_an_address_is_answered_as_the_body(
    world: World, path: str, query: dict[str, Any], body: dict[str, Any]
) -> None:
    posted = world.stranger.post(path, json=body)
    assert posted.status_code == 200, posted.text
    got = world.stranger.get(path, params=query)
    assert got.status_code == 200, got.text
    assert without_times(got.json()) == without_times(posted.json())


def test_a_boggle_board_and_a_hand_in_an_address(world: World, document: dict[str, Any]) -> None:
    for path, value in (("/api/boggle/solve", "pers latg sine ters"), ("/api/scrabblet/words", "RUOLFNT")):
        name = next(each["name"] for each in document["paths"][path]["get"]["parameters"] if each["required"])
        posted = world.stranger.post(path, json={name: value})
        got = world.stranger.get(path, params={name: value})
        assert got.status_code == posted.status_code == 200, got.text
        assert without_times(got.json()) == without_times(posted.json())


@pytest.fixture
def document(world: World) -> dict[str, Any]:
    found: dict[str, Any] = world.stranger.get("/openapi.json").json()
    return found


def test_every_engine_has_get(document: dict[str, Any]) -> None:
    """The exception is a batch of positions, which does not fit in a query."""
    for path, methods in document["paths"].items():
        if any("engines" in operation["tags"] for operation in methods.values()):
            assert "get" in methods or path == "/api/solve/batch", path


@pytest.mark.parametrize(
    ("path", "query", "location"),
    [
        ("/api/wibble/solve", {"board": "a" * 16, "letter_bonus": "7"}, ["query", "letter_bonus"]),
        ("/api/wibble/solve", {"board": "a" * 16, "gems": "x"}, ["query", "gems"]),
        ("/api/wibble/solve", {"board": "a" * 16, "wrong": "x"}, ["query", "wrong"]),
        ("/api/fribble/score", {"move": "zzz"}, ["query", "move"]),
    ],
)
def test_a_wrong_parameter_is_named(
    world: World, path: str, query: dict[str, Any], location: list[str]
) -> None:
    error = problem(world.stranger.get(path, params=query), 422)
    assert error["errors"][0]["location"] == location, error


def test_a_signature_is_a_text_too(world: World) -> None:
    found = world.stranger.get("/api/scrabblet/signature/uncopyrightables").json()
    assert found["signature_text"] == str(found["signature"])
    assert found["signature"] > 2**53


def test_a_word_is_a_move_of_wibble(client: TestClient) -> None:
    game = client.post("/api/games", json={"options": {"mode": "classic"}}).json()
    letters = "".join(tile["letter"] for tile in game["view"]["tiles"])
    best = client.post("/api/wibble/solve", json={"board": letters}).json()["best"]["word"]
    moves = f"/api/games/{game['id']}/moves"
    played = client.post(
        moves, json={"ply": game["view"]["ply"], "move": {"type": "word", "word": best.upper()}}
    )
    assert played.status_code == 200, played.text
    assert played.json()["view"]["report"]["word"] == best
    logged = client.get(moves).json()["moves"][-1]["move"]
    assert logged["type"] == "chain", "the record has the path"
    refused = problem(client.post(moves, json={"move": {"type": "word", "word": "zzzzzzzz"}}), 422)
    assert "cannot be traced" in refused["detail"]
    wrong = problem(client.post(moves, json={"move": {"type": "word", "word": 7}}), 422)
    assert wrong["errors"][0]["location"] == ["body", "move", "word"]
