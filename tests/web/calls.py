"""Calls of the JSON API, and what is asked of its answers."""

from typing import Any

from fastapi.testclient import TestClient

JSON = dict[str, Any]


def open_game(client: TestClient, mode: str = "classic", **options: Any) -> JSON:
    answer = client.post("/api/games", json={"kind": "wibble", "options": {"mode": mode, **options}})
    assert answer.status_code == 201, answer.text
    game: JSON = answer.json()
    assert answer.headers["location"] == f"/api/games/{game['id']}"
    if mode == "blitz":
        game = move(client, game["id"], {"type": "start"}).json()
    return game


def move(client: TestClient, game_id: str, move: JSON, **body: Any) -> Any:
    return client.post(f"/api/games/{game_id}/moves", json={"move": move, **body})


def best_cells(client: TestClient, game: JSON) -> list[int]:
    board = "".join(tile["letter"] for tile in game["view"]["tiles"])
    answer = client.post("/api/wibble/solve", json={"board": board, "top": 1})
    cells: list[int] = answer.json()["top"][0]["cells"]
    return cells


def best_placement(client: TestClient, game: str) -> JSON:
    """The best move of who asks, from Fribble's engine; ``game`` is the address in the API."""
    view = client.get(game).json()["view"]
    asked = {"board": view["board"], "rack": view["rack"], "top": 1}
    found: JSON = client.post("/api/fribble/moves", json=asked).json()["moves"][0]
    return found


def problem(answer: Any, status: int) -> JSON:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: JSON = answer.json()
    assert body["status"] == status
    assert body["type"]
    assert body["title"]
    assert body["detail"]
    assert isinstance(body["errors"], list)
    return body


def versus(client: TestClient, seats: int = 2, bots: tuple[int, ...] = (), **options: Any) -> JSON:
    body = {"options": {"mode": "versus", **options}, "seats": seats, "bots": bots}
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    game: JSON = answer.json()
    return game


def see(client: TestClient, game: JSON) -> JSON:
    seen: JSON = client.get(f"/api/games/{game['id']}").json()
    return seen


def daily(client: TestClient, words: int | None = None) -> JSON:
    """Today's attempt, played with the n best words and then given up where ``words`` says so."""
    game: JSON = client.post("/api/daily").json()
    if words is not None:
        for _ in range(words):
            game = move(client, game["id"], {"type": "chain", "cells": best_cells(client, game)}).json()
        game = move(client, game["id"], {"type": "resign"}).json() if game["finished_at"] is None else game
    return game


def record(client: TestClient, game_id: str) -> Any:
    return client.get(f"/api/games/{game_id}/record")


def finished_game(client: TestClient) -> JSON:
    """A short game, and its record as ``text``."""
    game = open_game(client, "zen")
    for _ in range(2):
        move(client, game["id"], {"type": "chain", "cells": best_cells(client, see(client, game))})
    move(client, game["id"], {"type": "resign"})
    return see(client, game) | {"text": record(client, game["id"]).text}
