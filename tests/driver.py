"""The API driver: opens and plays games over the JSON API with any HTTP client.

``game`` is the API's response for a game, or its ID or address.
"""

from typing import Any, Final

import httpx
from fastapi.testclient import TestClient

JSON = dict[str, Any]
Client = TestClient | httpx.Client
Game = JSON | str

PASS: Final[JSON] = {"type": "pass"}


def named(client: TestClient, name: str = "Ada") -> TestClient:
    """The same client, as a player with this nickname."""
    client.put("/api/me", json={"nickname": name}).raise_for_status()
    return client


def address_of(game: Game) -> str:
    """The address of a game in the API."""
    return f"/api/games/{game['id'] if isinstance(game, dict) else game.rpartition('/')[2]}"


def open_game(client: Client, kind: str = "wibble", options: JSON | None = None, **table: Any) -> JSON:
    """Open a game; ``table`` has its seats, bots and settings."""
    answer = client.post("/api/games", json={"kind": kind, "options": options or {}, **table})
    assert answer.status_code == 201, answer.text
    game: JSON = answer.json()
    assert answer.headers["location"] == address_of(game)
    return game


def open_wibble(client: Client, mode: str = "classic", **options: Any) -> JSON:
    """Open a game of Wibble for one, and start its clock if it has one."""
    game = open_game(client, options={"mode": mode, **options})
    return play(client, game, "start") if mode == "blitz" else game


def versus(client: Client, seats: int = 2, bots: tuple[int, ...] = (), **options: Any) -> JSON:
    """Open a table of Wibble Versus."""
    return open_game(client, options={"mode": "versus", **options}, seats=seats, bots=bots)


def sit_down(client: Client, game: JSON) -> JSON:
    """Take a seat with the invitation of a game that another player opened."""
    answer = client.post(f"{address_of(game)}/seats", json={"invitation": game["invitation"]})
    assert answer.status_code == 200, answer.text
    seated: JSON = answer.json()
    return seated


def move(client: Client, game: Game, move: JSON, **body: Any) -> Any:
    """Send a move; return the response."""
    return client.post(f"{address_of(game)}/moves", json={"move": move, **body})


def play(client: Client, game: Game, kind: str, **fields: Any) -> JSON:
    """Make a move that must be accepted; return the game."""
    answer = move(client, game, {"type": kind, **fields})
    assert answer.status_code == 200, answer.text
    played: JSON = answer.json()
    return played


def see(client: Client, game: Game) -> JSON:
    """The game as this player sees it."""
    seen: JSON = client.get(address_of(game)).raise_for_status().json()
    return seen


def best_cells(client: Client, game: JSON) -> list[int]:
    """The cells of the best word of Wibble."""
    board = "".join(tile["letter"] for tile in game["view"]["tiles"])
    answer = client.post("/api/wibble/solve", json={"board": board, "limit": 1})
    cells: list[int] = answer.json()["words"][0]["cells"]
    return cells


def best_placement(client: Client, game: Game, **options: Any) -> JSON:
    """The player's best move of Fribble; ``options`` are those of the search."""
    view = see(client, game)["view"]
    asked = {"board": view["board"], "rack": view["rack"], "limit": 1, **options}
    found: JSON = client.post("/api/fribble/moves", json=asked).json()["moves"][0]
    return found


def daily(client: Client, words: int | None = None) -> JSON:
    """Today's attempt; with ``words``, played with as many best words and finished."""
    game: JSON = client.post("/api/daily").json()
    if words is not None:
        for _ in range(words):
            game = play(client, game, "chain", cells=best_cells(client, game))
        game = play(client, game, "resign") if game["finished_at"] is None else game
    return game


def record(client: Client, game: Game) -> Any:
    return client.get(f"{address_of(game)}/record")


def finished_game(client: Client, words: int = 2) -> JSON:
    """A short finished game."""
    game = open_wibble(client, "zen")
    for _ in range(words):
        game = play(client, game, "chain", cells=best_cells(client, game))
    return play(client, game, "resign")


def problem(answer: Any, status: int) -> JSON:
    """Assert that a response is a problem document with this status; return the document."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: JSON = answer.json()
    assert body["status"] == status
    assert body["type"]
    assert body["title"]
    assert body["detail"]
    assert isinstance(body["errors"], list)
    return body


def is_said_plainly(error: dict[str, Any]) -> None:
    """Assert that an error has none of the terms of the libraries that found it."""
    for part in (
        "Input should",
        "valid ",
        "function-",
        "[str",
        "constrained",
        "Field required",
        "tagged-union",
    ):
        assert part not in str(error), error
