"""Fields of requests and responses that had other names in version 0.1, and paged lists."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import open_game, play, problem

FRESH = "hgkcmdqbomiezfankxlknrlpo"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("/api/solve", {"board": FRESH, "plies": 1, "top": 3}, {"board": FRESH, "plies": 1, "limit": 3}),
        ("/api/boggle/solve", {"rows": "perslatgsineters"}, {"board": "perslatgsineters"}),
        ("/api/wibble/solve", {"board": FRESH, "top": 3}, {"board": FRESH, "limit": 3}),
        ("/api/fribble/moves", {"rack": "EINDRS?", "top": 3}, {"rack": "EINDRS?", "limit": 3}),
        ("/api/scrabblet/words", {"hand": "RUOLFNT", "top": 3}, {"rack": "RUOLFNT", "limit": 3}),
    ],
)
def test_old_names_are_accepted_and_answered(
    client: TestClient, path: str, old: dict[str, Any], new: dict[str, Any]
) -> None:
    before, now = client.post(path, json=old).json(), client.post(path, json=new).json()
    for name, value in now.items():
        assert before[name] == value or name in ("milliseconds", "stats", "words")
    both = client.post(path, json=old | new)
    assert both.status_code == 422
    assert "is the old name of" in both.text


@pytest.mark.parametrize(
    ("kind", "old", "new", "shown"),
    [
        ("wibble", {"minimum_words": 0}, {"min_words": 0}, {}),
        ("scrabblet", {"hand": "crpei"}, {"rack": "crpei"}, {"hand": "crpei", "rack": "crpei"}),
        (
            "boggle",
            {"rows": 4, "columns": 5},
            {"size": "4x5"},
            {"rows": 4, "columns": 5, "size": "4x5"},
        ),
    ],
)
def test_old_names_of_options_are_accepted_and_answered(
    client: TestClient, kind: str, old: dict[str, Any], new: dict[str, Any], shown: dict[str, Any]
) -> None:
    for options in (old, new):
        view = open_game(client, kind, options)["view"]
        assert {name: view[name] for name in shown} == shown
    both = client.post("/api/games", json={"kind": kind, "options": old | new})
    assert both.status_code == 422
    assert "give only one of them" in both.text


@pytest.mark.parametrize("kind", ["wibble", "letterpress", "boggle", "fribble", "scrabblet"])
@pytest.mark.parametrize("ending", ["finish", "resign", "quit"])
def test_a_game_is_ended_by_any_of_its_names(client: TestClient, kind: str, ending: str) -> None:
    bots: dict[str, Any] = {"bots": [1]} if kind in ("letterpress", "fribble") else {}
    game, posted = open_game(client, kind, **bots), open_game(client, kind, **bots)
    if kind == "boggle":
        play(client, game, "start")
        play(client, posted, "start")
    assert play(client, game, ending)["outcome"]
    client.post(f"/games/{posted['id']}/moves", data={"type": ending})
    assert client.get(f"/api/games/{posted['id']}").json()["outcome"]
    moves = client.get(f"/api/games/{game['id']}/moves").json()["moves"]
    assert moves[-1]["move"] == {"type": "finish" if kind in ("boggle", "scrabblet") else "resign"}


def test_a_record_has_the_names_it_had(client: TestClient) -> None:
    game = open_game(client, "scrabblet", {"rack": "crpei"})
    play(client, game, "finish")
    record = client.get(f"/api/games/{game['id']}/record").text
    assert '"hand":"crpei"' in record
    assert '{"type":"quit"}' in record
    imported = client.post("/api/games/import", content=record, headers={"Content-Type": "text/plain"})
    assert imported.json()["view"]["rack"] == "crpei"


def test_old_names_are_documented_as_deprecated(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    schemas = document["components"]["schemas"]
    assert schemas["LetterpressSolveRequest"]["properties"]["top"]["deprecated"] is True
    assert schemas["BoggleSolveAnswer"]["properties"]["rows"]["deprecated"] is True
    assert schemas["WibbleSetup"]["properties"]["minimum_words"]["deprecated"] is True
    assert schemas["ScrabbletView"]["properties"]["hand"]["deprecated"] is True
    assert schemas["BoggleSetup"]["properties"]["rows"]["deprecated"] is True
    assert schemas["OtherEnding"]["deprecated"] is True
    parameters = {each["name"]: each for each in document["paths"]["/api/boggle"]["get"]["parameters"]}
    assert parameters["words"]["deprecated"] is True
    assert "deprecated" not in parameters["include_words"]


def test_long_answers_have_old_names_only_for_those_who_use_them(client: TestClient) -> None:
    old = client.post("/api/boggle/solve", json={"rows": "perslatgsineters"}).json()["words"]
    new = client.post("/api/boggle/solve", json={"board": "perslatgsineters"}).json()["words"]
    assert [word["path"] for word in old] == [word["cells"] for word in new]
    assert not any("path" in word for word in new)


def test_a_list_is_read_in_parts(client: TestClient) -> None:
    board = {"board": "perslatgsineters"}
    whole = client.post("/api/boggle/solve", json=board).json()
    part = client.post("/api/boggle/solve", json=board | {"limit": 5, "offset": 10}).json()
    assert part["words"] == whole["words"][10:15]
    assert part["word_count"] == len(whole["words"])


@pytest.mark.parametrize(
    "address", ["/api/leaderboards", "/api/me", "/api/daily", "/api/daily/2026-11-22", "/api/challenges"]
)
def test_a_limit_is_given_by_one_of_its_names(client: TestClient, address: str) -> None:
    refused = problem(client.get(address, params={"limit": 5, "top": 5}), 422)
    assert refused["detail"] == "top: this is the old name of limit: give only one of them"
    assert refused["errors"][0]["location"] == ["query", "top"]


def test_generated_boards_have_the_same_words_when_solved(client: TestClient) -> None:
    query: dict[str, Any] = {"algorithm": "dice", "count": 20, "include_words": True, "seed": "q"}
    boards = client.get("/api/boggle", params=query).json()["boards"]
    assert any("q" in "".join(board["board"]) for board in boards)
    for board in boards:
        solved = client.post("/api/boggle/solve", json={"board": board["board"]}).json()
        assert solved["words"] == board["words"]
