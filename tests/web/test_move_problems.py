"""Refused moves and other actions at a table name the field, the error and what is accepted."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.store.retention import holdings
from tests.driver import address_of, is_said_plainly, open_game, problem
from tests.web.browsing import HTML


@pytest.mark.parametrize(
    ("move", "location", "detail"),
    [
        ({"type": "jump"}, ["move", "type"], None),
        ({}, ["move", "type"], "move.type: required"),
        ({"type": "chain"}, ["move", "cells"], "move.cells: required"),
        (
            {"type": "chain", "cells": [0, "1"]},
            ["move", "cells", 1],
            "move.cells[1]: a whole number expected, '1' given",
        ),
        (
            {"type": "swap", "cell": 0, "letter": "é"},
            ["move", "letter"],
            "move.letter: one letter a to z expected, 'é' given",
        ),
    ],
)
def test_a_wrong_move_is_named(
    client: TestClient, move: dict[str, Any], location: list[str | int], detail: str | None
) -> None:
    game = client.post("/api/games", json={}).json()["id"]
    error = problem(client.post(f"/api/games/{game}/moves", json={"move": move}), 422)
    assert error["errors"][0]["location"] == ["body", *location], error
    if detail is not None:
        assert error["detail"] == detail
    is_said_plainly(error)


@pytest.mark.parametrize(
    ("path", "body", "location"),
    [
        ("moves", {"move": {"type": "word", "word": "zzz"}}, ["move", "word"]),
        ("moves", {"move": {"type": "chain", "cells": [0, 24]}}, ["move", "cells", 1]),
        ("moves", {"move": {"type": "time_up"}}, ["move"]),
        ("bots", {"level": 1, "seat": 5}, ["seat"]),
        ("seats", {"seat": 5}, ["seat"]),
    ],
)
def test_a_field_that_the_game_refuses_is_named(
    client: TestClient, stranger: TestClient, path: str, body: dict[str, Any], location: list[str | int]
) -> None:
    game = open_game(client, options={"mode": "versus"}, seats=3, bots=() if path != "moves" else (1, 1))
    caller = client if path != "seats" else stranger
    if path == "seats":
        body = body | {"invitation": game["invitation"]}
    database = client.app.state.services.games.database  # type: ignore[attr-defined]
    before = holdings(database).players
    error = problem(caller.post(f"{address_of(game)}/{path}", json=body), 422)
    assert error["errors"][0]["location"] == ["body", *location], error
    assert holdings(database).players == before, "a refusal creates no guest"


@pytest.mark.parametrize("path", ["/games/{}/moves", "/api/games/{}/moves"])
def test_a_wrong_ply_is_named(client: TestClient, path: str) -> None:
    address = path.format(client.post("/api/games", json={}).json()["id"])
    move = {"type": "finish"}
    body = {"json": {"ply": "x", "move": move}} if "api" in path else {"data": {"ply": "x", **move}}
    [error] = problem(client.post(address, **body), 422)["errors"]
    assert error["location"] == ["body", "ply"]


@pytest.mark.parametrize("ply", ["x", "-1", "1.5"])
def test_a_wrong_ply_of_a_page_is_said_at_the_table(client: TestClient, ply: str) -> None:
    game = client.post("/api/games", json={}).json()["id"]
    fields = {"ply": ply, "type": "finish"}
    answer = client.post(f"/games/{game}/moves", data=fields, headers=HTML | {"HX-Request": "true"})
    assert answer.status_code == 200
    assert 'data-notice="That move was for no position of this game: try again"' in answer.text
    assert "<html" not in answer.text
    assert client.post(f"/games/{game}/moves", data=fields, headers=HTML).status_code == 422


@pytest.mark.parametrize(
    ("game", "types"),
    [
        (
            {"options": {"mode": "zen"}},
            "'start', 'add', 'back', 'release', 'chain', 'shuffle', 'swap', 'hint', 'suggest', 'pass', "
            "'time_up', 'resign' or 'word'",
        ),
        ({"kind": "letterpress", "bots": [1]}, "'word', 'pass', 'time_up' or 'resign'"),
        ({"kind": "boggle"}, "'start', 'word', 'hint', 'finish' or 'time_up'"),
        (
            {"kind": "fribble", "bots": [1]},
            "'place', 'write', 'exchange', 'challenge', 'pass', 'time_up' or 'resign'",
        ),
        ({"kind": "scrabblet"}, "'guess', 'hint' or 'finish'"),
    ],
    ids=lambda value: value.get("kind", "wibble") if isinstance(value, dict) else "types",
)
def test_an_unknown_move_is_refused_with_the_types_that_players_may_send(
    client: TestClient, game: dict[str, Any], types: str
) -> None:
    opened = client.post("/api/games", json=game).json()
    answer = client.post(f"/api/games/{opened['id']}/moves", json={"move": {"type": "dance"}})
    assert problem(answer, 422)["detail"] == f"move.type: {types} expected, 'dance' given"


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"type": "word", "word": "a" * 500}, "Word: 128 or fewer characters expected, 500 given"),
        ({"type": "dance"}, "Type: "),
    ],
)
def test_a_move_of_a_form_is_refused_in_plain_words(
    client: TestClient, fields: dict[str, str], says: str
) -> None:
    game = client.post("/api/games", json={"kind": "boggle"}).json()["id"]
    client.post(f"/games/{game}/moves", data={"type": "start"})
    page = client.post(f"/games/{game}/moves", data=fields, headers={"HX-Request": "true"}).text
    assert f'data-notice="{says}' in page
    is_said_plainly({"page": page})


def test_a_bot_level_of_no_bot_is_named(client: TestClient) -> None:
    game = open_game(client, "scrabblet")
    error = problem(client.post(f"{address_of(game)}/bots", json={"level": 1}), 422)
    assert error["errors"][0]["location"] == ["body", "level"]
