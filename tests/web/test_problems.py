"""Refused requests name the field, the error and what is accepted, in the API's terms."""

import gzip
import html
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from tests.driver import address_of, is_said_plainly, open_game, problem
from tests.web.browsing import HTML
from tests.web.site_content import World
from tests.web.test_tokens import by_token, made, refused

BOARD = "bnbda etgre liegb cnhdl xmhoi"
ROWS = ["." * 15] * 15


@pytest.mark.parametrize(
    ("path", "body", "location", "detail"),
    [
        ("/api/solve", {}, ["board"], "board: required"),
        ("/api/solve", [], [], "an object expected, a list given"),
        ("/api/solve", {"board": 7}, ["board"], "board: text expected, 7 given"),
        ("/api/solve", {"board": BOARD, "bord": 1}, ["bord"], "bord: there is no such field"),
        ("/api/solve", {"board": BOARD, "plies": 9}, ["plies"], "plies: 3 or less expected, 9 given"),
        (
            "/api/solve",
            {"board": BOARD, "plies": "2"},
            ["plies"],
            "plies: a whole number expected, '2' given",
        ),
        ("/api/solve", {"board": BOARD, "passed": 1}, ["passed"], "passed: true or false expected, 1 given"),
        ("/api/solve", {"board": BOARD, "played": ["cat", 7]}, ["played", 1], None),
        ("/api/solve", {"board": BOARD, "ours": [1, 99]}, ["ours"], None),
        ("/api/solve", {"board": BOARD, "ours": [1, "x"]}, ["ours", 1], None),
        (
            "/api/solve",
            {"board": BOARD, "sort": "best"},
            ["sort"],
            "sort: 'value', 'tiles', 'protection', 'vulnerability' or 'length' expected, 'best' given",
        ),
        ("/api/solve", {"board": BOARD, "lexicon": "none"}, ["lexicon"], None),
        ("/api/solve/batch", {"boards": [{"board": BOARD}, {}]}, ["boards", 1, "board"], None),
        ("/api/solve/batch", {"boards": []}, ["boards"], "boards: 1 or more items expected, 0 given"),
        ("/api/scrabblet/words", {"hand": "abc", "lexicon": "none"}, ["lexicon"], None),
        ("/api/scrabblet/deal", {"seed": ""}, ["seed"], "seed: 1 or more characters expected, 0 given"),
        (
            "/api/fribble/score",
            {"board": ROWS, "move": 5},
            ["move"],
            "move: text or an object expected, 5 given",
        ),
        ("/api/fribble/score", {"board": ROWS, "move": {"cells": "x"}}, ["move", "cells"], None),
        ("/api/boggle/solve", {"rows": ["cat", "dog"], "offset": 2**63}, ["offset"], None),
        ("/api/scrabblet/words", {"rack": "abc", "offset": 2**63}, ["offset"], None),
        ("/api/wibble/solve", {"board": "a" * 25, "offset": 2**63}, ["offset"], None),
        ("/api/games", {"kind": "chess"}, ["kind"], None),
        (
            "/api/games",
            {"options": {"size": 99}},
            ["options", "size"],
            "options.size: 7 or less expected, 99 given",
        ),
        ("/api/games", {"options": {"lexicon": "none"}}, ["options", "lexicon"], None),
        ("/api/games", {"bots": [9]}, ["bots", 0], "bots[0]: 5 or less expected, 9 given"),
        ("/api/games", {"seats": 2}, ["seats"], "seats: a game of Zen has 1 seat, not 2"),
        ("/api/games", {"options": {"mode": "versus"}, "bots": [1, 1]}, ["bots"], None),
        ("/api/games", {"options": {"mode": "versus"}, "seed": "a"}, ["seed"], None),
        ("/api/games", {"options": {"mode": "zen", "turn_seconds": 30}}, ["options"], None),
        ("/api/games", {"rated": True}, ["rated"], None),
    ],
)
def test_a_wrong_field_is_named(
    world: World, path: str, body: Any, location: list[str | int], detail: str | None
) -> None:
    error = problem(world.stranger.post(path, json=body), 422)
    assert error["errors"][0]["location"] == ["body", *location], error
    if detail is not None:
        assert error["detail"] == detail
    is_said_plainly(error)


@pytest.mark.parametrize(
    ("path", "location", "detail"),
    [
        ("/api/solve", ["query", "board"], "board: required"),
        (
            f"/api/solve?board={BOARD}&plies=x",
            ["query", "plies"],
            "plies: a whole number expected, 'x' given",
        ),
        (f"/api/solve?board={BOARD}&ours=x", ["query", "ours"], None),
        (f"/api/solve?board={BOARD}&lexicon=none", ["query", "lexicon"], None),
        ("/api/boggle?count=0", ["query", "count"], "count: 1 or more expected, 0 given"),
        ("/api/words/cat?lexicon=none", ["query", "lexicon"], None),
        ("/api/words/c-t", ["path", "word"], None),
        ("/api/daily/today", ["path", "day"], "day: a date such as 2026-11-22 expected, 'today' given"),
        ("/api/games/x/plies/first", ["path", "ply"], "ply: a whole number expected, 'first' given"),
    ],
)
def test_a_wrong_parameter_is_named(
    world: World, path: str, location: list[str | int], detail: str | None
) -> None:
    error = problem(world.stranger.get(path), 422)
    assert error["errors"][0]["location"] == location, error
    if detail is not None:
        assert error["detail"] == detail
    is_said_plainly(error)


@pytest.mark.parametrize(
    ("path", "fields", "says"),
    [
        (
            "/letterpress/play",
            {"opponent": "friend", "clock_seconds": "5"},
            "Time per player: 10 or more expected, 5 given.",
        ),
        (
            "/play",
            {"mode": "versus", "increment_seconds": "5"},
            "Time added after each turn: needs a clock per player: set time per player too.",
        ),
        (
            "/fribble/self",
            {"first": "1", "second": "2", "lexicon": "none"},
            "Word list: there is no word list",
        ),
        ("/boggle/play", {"min_length": "x"}, "Min length: a whole number expected"),
        ("/play", {"opponents": ["9"]}, "Opponents: "),
    ],
)
def test_an_error_page_has_the_words_of_the_site(
    world: World, path: str, fields: dict[str, Any], says: str
) -> None:
    """A program gets the API's names."""
    page = world.stranger.post(path, data=fields, headers=HTML)
    shown = page.text.partition('<section class="message">')[2]
    assert page.status_code == 422
    assert "<title>That didn’t work · Wibble</title>" in page.text
    assert says in html.unescape(shown), shown
    error = problem(world.stranger.post(path, data=fields), 422)
    assert error["title"] == "Unprocessable Content"
    assert error["errors"][0]["location"][1] == list(fields)[-1]
    assert error["detail"].startswith(list(fields)[-1])


def test_invalid_json_is_reported_with_its_place(world: World) -> None:
    answer = world.stranger.post(
        "/api/solve", content='{"board": }', headers={"content-type": "application/json"}
    )
    error = problem(answer, 422)
    assert error["errors"][0]["location"] == ["body"]
    assert error["detail"] == "not JSON: Expecting value (character 10)"


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/xml", "junk"]
)
def test_another_type_than_json_is_415(world: World, kind: str) -> None:
    error = problem(world.stranger.post("/api/solve", content="{}", headers={"content-type": kind}), 415)
    assert error["title"] == "Unsupported Media Type"
    assert "application/json expected" in error["detail"]


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=utf-8", "application/ld+json"]
)
def test_json_has_several_names(world: World, kind: str) -> None:
    content = f'{{"board": "{BOARD}"}}'
    answer = world.stranger.post("/api/solve", content=content, headers={"content-type": kind})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("body", "headers", "status", "says"),
    [
        (b'{"board": "\xff"}', {}, 400, "text in UTF-8 expected"),
        (b"[" * 30_000, {}, 400, "nested too deeply"),
        (b'{"board":' + b"[" * 300 + b"]" * 300 + b"}", {}, 422, "not JSON: nested too deeply"),
        (
            gzip.compress(b"{}", mtime=0),
            {"content-encoding": "gzip"},
            415,
            "uncompressed body expected, gzip given",
        ),
    ],
    ids=["other bytes", "nested", "nested a little", "compressed"],
)
def test_a_body_that_cannot_be_read_as_json_is_refused(
    world: World, body: bytes, headers: dict[str, str], status: int, says: str
) -> None:
    sent = {"content-type": "application/json"} | headers
    assert says in problem(world.stranger.post("/api/solve", content=body, headers=sent), status)["detail"]


@pytest.mark.parametrize(
    "path", ["/play", "/boggle/play", "/letterpress/play", "/fribble/play", "/scrabblet/play"]
)
def test_json_sent_to_the_address_of_a_form_is_refused(client: TestClient, path: str) -> None:
    """Otherwise every field would silently have its default."""
    error = problem(client.post(path, json={}, follow_redirects=False), 415)
    assert "application/x-www-form-urlencoded or multipart/form-data expected" in error["detail"]


@pytest.mark.parametrize("sign", ["x", "a ", "’", "\n"])
@pytest.mark.parametrize("path", ["/api/games/{}", "/api/boards/{}"])
def test_a_404_repeats_no_more_than_some_characters_of_an_id(world: World, path: str, sign: str) -> None:
    detail = problem(world.stranger.get(path.format(quote(sign * 5000))), 404)["detail"]
    assert detail.startswith("there is no ")
    assert "…" in detail
    assert len(detail) < 250


def test_a_list_of_wrong_items_is_not_called_too_short(client: TestClient) -> None:
    address = f"/api/games/{open_game(client, 'boggle')['id']}/moves"
    error = problem(client.post(address, json={"move": {"type": "word", "cells": ["a1"]}}), 422)
    assert error["detail"] == "move.cells[0]: a whole number expected, 'a1' given"
    error = problem(client.post(address, json={"move": {"type": "word", "cells": []}}), 422)
    assert error["detail"] == "move.cells: 1 or more items expected, 0 given"


def test_a_value_of_an_accepted_type_is_not_refused_for_its_type(world: World) -> None:
    """A Fribble move is text or an object."""
    body = {"board": ROWS, "move": {"cells": [112, 112], "tiles": "AT"}}
    detail = problem(world.stranger.post("/api/fribble/score", json=body), 422)["detail"]
    assert "squares must ascend, without repeats" in detail
    assert "text expected" not in detail


@pytest.mark.parametrize(("given", "named"), [(None, "null"), (5, "5"), ({}, "an object"), ("x", "'x'")])
def test_a_type_of_move_that_is_no_text_is_named_as_given(client: TestClient, given: Any, named: str) -> None:
    address = f"{address_of(open_game(client, 'letterpress', bots=[1]))}/moves"
    error = problem(client.post(address, json={"move": {"type": given}}), 422)
    assert error["errors"][0]["location"] == ["body", "move", "type"]
    assert error["detail"].endswith(f"expected, {named} given")


@pytest.mark.parametrize("body", ['{"kind": "boggle"}', "kind=boggle", "[1]", '""', "not JSON"])
def test_a_body_is_refused_where_none_is_read(client: TestClient, body: str) -> None:
    """Its fields would go unnoticed: this opened the ranked attempt at another daily."""
    sent = {"content-type": "application/json"}
    error = problem(client.post("/api/daily", content=body, headers=sent), 422)
    assert error["errors"][0]["location"] == ["body"]
    assert error["detail"] == "no body expected: parameters, if there are any, go into the address"
    assert client.get("/api/daily").json()["game_id"] is None
    problem(client.request("DELETE", "/api/pairing", content=body), 422)


@pytest.mark.parametrize("body", ["", "{}", "\n{ }\n", "null"])
def test_a_body_that_asks_for_nothing_is_read_as_none(client: TestClient, body: str) -> None:
    sent = {"content-type": "application/json"}
    assert client.post("/api/daily", content=body, headers=sent).status_code == 200


@pytest.mark.parametrize("given", [{}, {"word": "zzzzz"}, {"word": 5}])
def test_a_field_named_like_the_type_of_a_move_is_not_taken_for_it(
    client: TestClient, given: dict[str, Any]
) -> None:
    game = open_game(client, "letterpress", bots=[1])
    move = {"ply": 0, "move": {"type": "word"} | given}
    errors = problem(client.post(f"{address_of(game)}/moves", json=move), 422)["errors"]
    assert errors[0]["location"] == ["body", "move", "cells"]
    assert [error["location"][-1] for error in errors[1:]] == list(given)


@pytest.mark.parametrize("path", ["/play", "/games/none/moves", "/cards/import"])
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_form_has_no_more_fields_than_any_page_sends(client: TestClient, path: str, kind: str) -> None:
    """Parsing 1,000 parts with long headers would take seconds."""
    part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    fields = {True: part * 201 + "--x--\r\n", False: "a=1&" * 201}["multipart" in kind]
    error = problem(client.post(path, content=fields, headers={"content-type": kind}), 400)
    assert error["detail"] == "Too many fields. Maximum number of fields is 200."


def test_the_document_s_problems_are_those_that_are_answered(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    solve = document["paths"]["/api/solve"]["post"]["responses"]
    for status, answer in (
        (415, client.post("/api/solve", content="{}", headers={"content-type": "text/plain"})),
        (422, client.post("/api/solve", json={})),
        (413, client.post("/api/solve", content=b" " * 70_000)),
        (403, client.post("/api/games", json={}, headers={"sec-fetch-site": "cross-site"})),
    ):
        error = problem(answer, status)
        promised = solve[str(status)]["content"]["application/problem+json"]["example"]
        assert (promised["title"], promised["status"]) == (error["title"], error["status"])


def test_operations_declare_their_authentication(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    schemes = document["components"]["securitySchemes"]
    assert (schemes["player"]["in"], schemes["player"]["name"]) == ("cookie", "wibble_player")
    assert schemes["metricsToken"]["scheme"] == "bearer"
    paths = document["paths"]
    assert paths["/api/games/{game_id}/moves"]["post"]["security"] == [{"player": []}, {"token": ["play"]}]
    assert paths["/api/games/{game_id}"]["get"]["security"] == [{"player": []}, {"token": ["read"]}, {}]
    assert paths["/metrics"]["get"]["security"] == [{"metricsToken": []}, {}]
    assert paths["/api/solve"]["post"]["security"] == [{}, {"token": ["engine"]}]
    assert paths["/api/words/{word}"]["get"]["security"] == [{}, {"token": ["read"]}]
    assert paths["/api/me/tokens"]["post"]["security"] == [{"player": []}]
    assert paths["/api/events"]["get"]["security"] == [{"player": []}, {"token": ["read"]}]


@pytest.mark.parametrize(("path", "field"), [("/play", "values"), ("/letterpress/play", "board")])
def test_a_file_in_place_of_a_text_is_refused(client: TestClient, path: str, field: str) -> None:
    answer = client.post(path, data={"opponent": "1"}, files={field: ("letters.txt", b"abc")})
    assert field in problem(answer, 422)["detail"]


def test_a_number_of_thousands_of_digits_is_no_tile_of_the_solver(client: TestClient) -> None:
    answer = client.get("/wibble/solver", params={"board": "a" * 25, "cell": "1" * 5000})
    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/no/such/page", "/api/game/abc/moves"])
def test_an_unknown_address_is_404_also_with_a_token(ada: TestClient, path: str) -> None:
    """Signing in with a browser would not help there."""
    refused(by_token(ada).post(path, json={}), 404, "there is nothing at this address")
    refused(by_token(ada, scopes=["engine"]).get(path), 404, "there is nothing at this address")


@pytest.mark.parametrize("scheme", ["", "Token ", "Basic "])
def test_a_token_that_is_not_sent_as_bearer_is_refused(ada: TestClient, scheme: str) -> None:
    """Its program would be taken for a new guest."""
    sent = {"Authorization": scheme + made(ada)["token"]}
    answer = TestClient(ada.app).post("/api/games", json={}, headers=sent)
    refused(answer, 401, "malformed: expected Bearer, wib_ and 43 more characters")
    assert "set-cookie" not in answer.headers
