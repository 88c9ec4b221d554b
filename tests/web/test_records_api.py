"""Exporting and importing game records over the API."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import finished_game, move, open_wibble, problem, record


def bring_back(client: TestClient, text: str) -> Any:
    return client.post("/api/games/import", content=text.encode(), headers={"content-type": "text/plain"})


def test_a_running_game_cannot_be_exported(client: TestClient) -> None:
    game = open_wibble(client)
    assert "in progress" in problem(record(client, game), 409)["detail"]
    problem(record(client, "nope"), 404)


def test_an_exported_and_imported_game_is_the_same(client: TestClient, stranger: TestClient) -> None:
    finished = finished_game(client)
    text = record(client, finished)
    assert text.headers["content-type"].startswith("text/plain")
    answer = bring_back(stranger, text.text)
    assert answer.status_code == 201
    back = answer.json()
    assert answer.headers["location"] == f"/api/games/{back['id']}"
    assert back["seat"] is None
    assert [seat["occupant"] for seat in back["seats"]] == ["free"]
    assert back["view"] == finished["view"] | {"seat": None}
    assert record(stranger, back).text == text.text
    analyses = [client.get(f"/api/games/{one['id']}/analysis").json() for one in (finished, back)]
    assert analyses[0] == analyses[1]
    assert stranger.get("/api/me").json()["games"] == [], "an imported record gives no result"
    problem(move(stranger, back, {"type": "shuffle"}), 403)


def changed_line(ply: int, change: Callable[[str], str]) -> Callable[[str], str]:
    def changed(text: str) -> str:
        lines = text.splitlines()
        lines[5 + ply] = change(lines[5 + ply])
        return "\n".join(lines)

    return changed


def swapped(text: str) -> str:
    lines = text.splitlines()
    lines[6], lines[7] = lines[7], lines[6]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("tamper", "says", "where"),
    [
        (changed_line(1, lambda line: line.replace("[", "[1,")), "ply 1", ["moves", 1]),
        (changed_line(1, lambda line: line.replace("[", '["x",')), "ply 1", ["moves", 1, "move", "cells", 0]),
        (
            changed_line(1, lambda line: line.replace("chain", "chains")),
            "ply 1",
            ["moves", 1, "move", "type"],
        ),
        (changed_line(1, lambda line: line[:-1]), "not JSON", ["moves", 1, "move"]),
        (changed_line(2, lambda line: line.replace(".0 ", ".5 ", 1)), "ply 2", ["moves", 2]),
        (changed_line(2, lambda line: line.replace("2 0 ", "2 1 ", 1)), "ply 2", ["moves", 2]),
        (changed_line(2, lambda line: line.replace("2 0 ", "2 x ", 1)), "ply 2", ["moves", 2, "seat"]),
        (changed_line(3, lambda line: line.replace("resign", "shuffle")), "ply 3", ["moves", 3]),
        (changed_line(1, lambda _: "1 0 NaN 00000000 {}"), "ply 1", ["moves", 1, "at"]),
        (swapped, "ply 1", ["moves", 1]),
        (lambda text: "\n".join(text.splitlines()[:-1]), "not finished", ["moves"]),
        (lambda text: text.replace("\nseed ", "\nseed 0"), "ply 0", ["moves", 0]),
        (lambda text: text.replace("\nseed ", "\nseed \u00e9"), "seed", ["seed"]),
        (lambda text: text.replace("kind wibble", "kind wobble"), "no game 'wobble'", ["kind"]),
        (lambda text: text.replace('"mode":"zen"', '"mode":"zan"'), "options", ["options", "mode"]),
        (lambda text: text.replace("seats 1", "seats one"), "seats", ["seats"]),
        (lambda text: text.replace("seats 1", "seats 2"), "cannot start", ["options"]),
        (lambda text: text.partition("seats")[0], "ends before 'seats'", ["seats"]),
        (lambda text: text.replace("wibble record 1", "wobble"), "line 1", []),
        (lambda _: "", "required", []),
        (lambda _: "\x00\ud7ff" * 50, "line 1", []),
    ],
)
def test_a_tampered_text_is_422_naming_the_ply_and_is_not_kept(
    client: TestClient, tamper: Callable[[str], str], says: str, where: list[str | int]
) -> None:
    finished = finished_game(client)
    tampered = tamper(record(client, finished).text)
    assert tampered != record(client, finished).text
    refused = problem(bring_back(client, tampered), 422)
    assert says in refused["detail"]
    assert [each["location"] for each in refused["errors"]] == [["body", *where]]


def test_invalid_text_is_422(client: TestClient) -> None:
    for content in (b"\xff\xfe\x00", b"\x80" * 100):
        answer = client.post("/api/games/import", content=content, headers={"content-type": "text/plain"})
        problem(answer, 422)


def test_a_text_too_long_is_413(client: TestClient) -> None:
    problem(bring_back(client, "x" * 70_000), 413)


def test_a_lexicon_that_is_not_here_is_422(client: TestClient) -> None:
    finished = finished_game(client)
    text = record(client, finished).text.replace('"name":"english","sha256":"', '"name":"other","sha256":"0')
    problem(bring_back(client, text), 422)
