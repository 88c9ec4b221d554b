"""Errors repeat only the beginning of what a program sent."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import problem

LONG = "x" * 4000
BOARD = "hgkcmdqbomiezfankxlknrlpo"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/solve", {"board": BOARD, "lexicon": LONG}),
        ("/api/solve", {"board": BOARD, "played": [LONG]}),
        ("/api/solve", {"board": BOARD, "must_use": {LONG: 1}}),
        ("/api/solve", {"board": BOARD, LONG: 1}),
        ("/api/fribble/moves", {"rack": "EINDRS?", "preset": LONG}),
        ("/api/games", {"kind": "wibble", "options": {"frequencies": LONG}}),
        ("/api/games", {"kind": "wibble", "bots": ["a"] * 1000}),
    ],
)
def test_an_error_is_short(client: TestClient, path: str, body: dict[str, Any]) -> None:
    refused = problem(client.post(path, json=body), 422)
    assert 20 < len(refused["detail"]) < 1500
    assert max(len(error["message"]) for error in refused["errors"]) < 400
    assert len(refused["errors"]) == len(body.get("bots", [0]))


def test_the_errors_left_out_are_counted(client: TestClient) -> None:
    body = {"kind": "wibble", "bots": ["a"] * 1000}
    detail = problem(client.post("/api/games", json=body), 422)["detail"]
    assert detail.endswith("; bots[19]: a whole number expected, 'a' given; and 980 more")


@pytest.mark.parametrize("name", ["algorithm", "lexicon"])
def test_a_name_in_the_address_is_shortened(client: TestClient, name: str) -> None:
    detail = problem(client.get("/api/boggle", params={name: LONG}), 422)["detail"]
    assert f"'{LONG[:60]}...'; there are " in detail


@pytest.mark.parametrize("path", ["/rules/{}", "/words/{}", "/docs/{}", "/api/puzzles/{}"])
def test_an_address_is_shortened_as_a_value_is(client: TestClient, path: str) -> None:
    assert f"'{LONG[:60]}...'" in client.get(path.format(LONG)).json()["detail"]
