"""Games with a given board or seed, opened over the API."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import open_game, play, problem

BOARD = "tealsrinsetonesalertnoise"


def letters(game: dict[str, Any]) -> str:
    return "".join(tile["letter"] for tile in game["view"]["tiles"])


@pytest.mark.parametrize(
    "board", [BOARD, "TEALS rinse tones alert noise", ["teals", "rinse", "tones", "alert", "noise"]]
)
def test_wibble_is_played_on_a_chosen_board(client: TestClient, board: object) -> None:
    game = open_game(client, options={"board": board})
    assert letters(game) == BOARD
    scored = play(client, game, "word", word="teal")
    assert scored["view"]["report"] | {"cells": []} == scored["view"]["report"] | {
        "result": "scored",
        "word": "teal",
        "cells": [],
    }


def test_a_board_has_its_own_size(client: TestClient) -> None:
    assert open_game(client, options={"board": "tealrinstoneales"})["view"]["size"] == 4


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"board": "teal"}, "a board of size 5 has 25 letters, this one has 4"),
        ({"board": BOARD, "size": 4}, "a board of size 4 has 16 letters, this one has 25"),
        ({"board": BOARD[:-1] + "1"}, "letters a to z expected"),
        ({"board": 5}, "text expected, 5 given"),
    ],
)
def test_an_impossible_board_is_refused(client: TestClient, options: dict[str, Any], says: str) -> None:
    answer = client.post("/api/games", json={"options": options})
    assert answer.status_code == 422
    assert says in answer.json()["detail"]


def test_the_same_seed_and_moves_make_the_same_game(client: TestClient) -> None:
    for kind, options in (("wibble", {"mode": "zen"}), ("wibble", {"board": BOARD}), ("scrabblet", {})):
        views = []
        for _ in range(2):
            game = open_game(client, kind, options, seed="20b4")
            if kind == "wibble":
                play(client, game, "shuffle")
            view = play(client, game, "resign")["view"]
            views.append({name: value for name, value in view.items() if name != "started_at"})
        assert views[0] == views[1]
    assert letters(open_game(client, seed="20b4")) != letters(open_game(client, seed="20b5"))


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"options": {"mode": "versus"}, "seats": 2}, "a seed is for a game with one seat, this one has 2"),
        ({"kind": "letterpress", "bots": [1]}, "a seed is for a game with one seat, this one has 2"),
    ],
)
def test_a_seed_for_a_game_with_opponents_and_an_invalid_seed_are_refused(
    client: TestClient, table: dict[str, Any], says: str
) -> None:
    answer = client.post("/api/games", json=table | {"seed": "20b4"})
    assert answer.status_code == 422
    assert says in answer.json()["detail"]
    for seed in ("", "two words", "x" * 65, 5):
        assert client.post("/api/games", json={"seed": seed}).status_code == 422


def test_the_daily_takes_no_seed(client: TestClient) -> None:
    refused = problem(client.post("/api/daily", json={"seed": "20b4"}), 422)
    assert "no body expected" in refused["detail"]
    daily = client.post("/api/daily").json()
    again = open_game(client, options={"mode": "classic"}, seed="20b4")
    assert letters(daily) != letters(again)
