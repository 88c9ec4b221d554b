"""The pages as a browser without scripts asks for them, and what can be read from them."""

import html
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


def notice(page: str) -> str:
    """Why the move was refused; a fragment tells so with status 200."""
    return html.unescape(re.findall(r'data-notice="([^"]*)"', page)[0])


def best(client: TestClient, page: str) -> dict[str, Any]:
    answer = client.post("/api/wibble/solve", json={"board": board(page), "top": 1}).json()
    found: dict[str, Any] = answer["top"][0]
    return found


def open_table(client: TestClient, *opponents: str, **fields: str) -> str:
    form = {"mode": "versus", "opponents": list(opponents), **fields}
    answer = client.post("/play", data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def invitation(client: TestClient, address: str) -> str:
    page = html.unescape(client.get(address, headers=HTML).text)
    found = re.search(rf"{address}/join/[\w-]+", page)
    assert found, "the table shows no invitation"
    return found[0]


def see(client: TestClient, address: str) -> Any:
    return client.get(f"/api{address}").json()


def tiles(client: TestClient, address: str, ply: int) -> Any:
    return client.get(f"/api{address}/plies/{ply}").json()["view"]["tiles"]


def type_best(client: TestClient, address: str) -> str:
    word = str(best(client, client.get(address).text)["word"])
    client.post(f"{address}/moves", data={"type": "word", "word": word}).raise_for_status()
    return word


def give_up(client: TestClient, address: str) -> None:
    client.post(f"{address}/moves", data={"type": "resign"}).raise_for_status()


def finished_game(client: TestClient, words: int = 1, mode: str = "zen") -> str:
    address = open_game(client, mode)
    for _ in range(words):
        type_best(client, address)
    give_up(client, address)
    return address


def play_daily(client: TestClient, words: int | None = None) -> str:
    answer = client.post("/daily/play", follow_redirects=False)
    assert answer.status_code == 303
    address = str(answer.headers["location"])
    if words is not None:
        for _ in range(words):
            type_best(client, address)
        give_up(client, address)
    return address
