"""The page driver without a browser: opens and plays games with the pages' forms."""

import html
import re
from typing import Any

from fastapi.testclient import TestClient

HTML = {"accept": "text/html"}
HTMX = {"hx-request": "true", "accept": "text/html"}


def board(page: str) -> str:
    return "".join(re.findall(r'data-letter="(\w)"', page))


def ply(page: str) -> str:
    return str(re.findall(r'data-ply="(\d+)"', page)[0])


def notice(page: str) -> str:
    """The reason that a fragment gives for refusing the move."""
    return html.unescape(re.findall(r'data-notice="([^"]*)"', page)[0])


def best(client: TestClient, page: str) -> dict[str, Any]:
    answer = client.post("/api/wibble/solve", json={"board": board(page), "limit": 1}).json()
    found: dict[str, Any] = answer["words"][0]
    return found


def start_game(client: TestClient, path: str = "/play", **fields: Any) -> str:
    """Open a game with the form that is sent to this path; return its address."""
    answer = client.post(path, data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def start_wibble(client: TestClient, mode: str = "classic", **fields: str) -> str:
    """Open a game of Wibble for one; return its address."""
    return start_game(client, mode=mode, **fields)


def start_versus(client: TestClient, *opponents: str, **fields: str) -> str:
    """Open a table of Wibble Versus; return its address."""
    return start_game(client, mode="versus", opponents=list(opponents), **fields)


def invitation(client: TestClient, address: str) -> str:
    """The address of the invitation that a table shows."""
    page = html.unescape(client.get(address, headers=HTML).text)
    found = re.search(rf"{address}/join/[\w-]+", page)
    assert found, "the table has no invitation"
    return found[0]


def join(client: TestClient, owner: TestClient, address: str) -> None:
    """Take a seat with the invitation that the owner's table shows."""
    assert client.post(invitation(owner, address), headers=HTML).url.path == address


def send_move(client: TestClient, address: str, **fields: str) -> Any:
    """Send the form of a move as a page with scripts does; return the response."""
    return client.post(f"{address}/moves", data=fields, headers=HTMX)


def type_best(client: TestClient, address: str) -> str:
    """Play the best word without scripts; return it."""
    word = str(best(client, client.get(address).text)["word"])
    client.post(f"{address}/moves", data={"type": "word", "word": word}).raise_for_status()
    return word


def give_up(client: TestClient, address: str) -> None:
    client.post(f"{address}/moves", data={"type": "resign"}).raise_for_status()


def finish_wibble(client: TestClient, words: int = 1, mode: str = "zen") -> str:
    """Play a game of some words to its end; return its address."""
    address = start_wibble(client, mode)
    for _ in range(words):
        type_best(client, address)
    give_up(client, address)
    return address


def play_daily(client: TestClient, words: int | None = None) -> str:
    """Start the daily and, with ``words``, finish it after that many; return its address."""
    address = start_game(client, "/daily/play")
    if words is not None:
        for _ in range(words):
            type_best(client, address)
        give_up(client, address)
    return address


def tiles(client: TestClient, address: str, ply: int) -> Any:
    return client.get(f"/api{address}/plies/{ply}").json()["view"]["tiles"]
