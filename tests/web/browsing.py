"""The pages as a browser without scripts asks for them, and what can be read from them."""

import re
from typing import Any

from fastapi.testclient import TestClient

HTML = {"accept": "text/html"}
HTMX = {"hx-request": "true", "accept": "text/html"}


def open_game(client: TestClient, mode: str = "classic", **fields: str) -> str:
    answer = client.post("/play", data={"mode": mode, **fields}, follow_redirects=False)
    assert answer.status_code == 303
    return str(answer.headers["location"])


def board(page: str) -> str:
    return "".join(re.findall(r'data-letter="(\w)"', page))


def ply(page: str) -> str:
    return str(re.findall(r'data-ply="(\d+)"', page)[0])


def best(client: TestClient, page: str) -> dict[str, Any]:
    answer = client.post("/api/wibble/solve", json={"board": board(page), "top": 1}).json()
    found: dict[str, Any] = answer["top"][0]
    return found
