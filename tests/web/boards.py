"""Study boards in a browser without scripts."""

import re
from html import unescape
from typing import Any

from fastapi.testclient import TestClient

PAGE = {"accept": "text/html"}


def change(client: TestClient, address: str, do: str, at: int | str = 0, **fields: str) -> Any:
    """Send one of the board's forms; return the answer, after a redirect."""
    base = address.partition("?")[0] if re.match("/boards/(?!new/)", address) else address
    return client.post(base, data={"do": do, "at": str(at), **fields}, headers=PAGE)


def board_after(client: TestClient, address: str, *moves: str) -> str:
    """Play moves one after the other from the start; return the stored board's path."""
    for at, move in enumerate(moves):
        answer = change(client, address, "play", at, move=move)
        assert answer.status_code == 200, errors(answer.text)
        address = answer.url.path
    return address


def text(client: TestClient, address: str, status: int = 200) -> str:
    answer = client.get(address, headers=PAGE)
    assert answer.status_code == status, answer.text
    return unescape(answer.text)


def errors(html: str) -> dict[str, str]:
    """The messages beside the fields."""
    found = re.findall(r'<p class="field-error" id="error-([\w-]+)">([^<]+)</p>', unescape(html))
    return dict(found)


def moves(html: str) -> list[str]:
    """The moves in the order of the page, without their numbers."""
    found = re.findall(r'<a class="study-move" id="node-[1-9]\d*"[^>]*><small>\d+\.</small> (.*?)</a>', html)
    return [re.sub(r"\s*<b>[^<]*</b>", "", unescape(move)) for move in found]


def rows(html: str) -> list[tuple[int, int]]:
    """The depth and the number of moves of each row."""
    found = re.findall(r'<p class="study-row" data-depth="(\d)">(.*?)</p>', html, re.DOTALL)
    return [(int(depth), row.count("study-move")) for depth, row in found]


def proposed(html: str) -> list[str]:
    """The moves that the engine proposes."""
    return re.findall(r'<button class="button" name="move" value="([^"]+)"', unescape(html))
