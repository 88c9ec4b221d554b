"""Calls of the JSON API, and what is asked of its answers."""

from typing import Any

from fastapi.testclient import TestClient


def open_game(client: TestClient, mode: str = "classic", **options: Any) -> dict[str, Any]:
    answer = client.post("/api/games", json={"kind": "wibble", "options": {"mode": mode, **options}})
    assert answer.status_code == 201, answer.text
    game: dict[str, Any] = answer.json()
    assert answer.headers["location"] == f"/api/games/{game['id']}"
    if mode == "blitz":
        game = move(client, game["id"], {"type": "start"}).json()
    return game


def move(client: TestClient, game_id: str, move: dict[str, Any], **body: Any) -> Any:
    return client.post(f"/api/games/{game_id}/moves", json={"move": move, **body})


def best_cells(client: TestClient, game: dict[str, Any]) -> list[int]:
    board = "".join(tile["letter"] for tile in game["view"]["tiles"])
    answer = client.post("/api/wibble/solve", json={"board": board, "top": 1})
    cells: list[int] = answer.json()["top"][0]["cells"]
    return cells


def problem(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["status"] == status
    assert body["type"]
    assert body["title"]
    assert body["detail"]
    assert isinstance(body["errors"], list)
    return body
