"""A site with content at every address, and the list of its addresses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fastapi.routing import iter_route_contexts
from fastapi.testclient import TestClient

from tests.driver import open_game, play, sit_down, versus

HOSTILE: Final = "<img src=x onerror=1>"
"""A nickname of nearly the maximum length."""
STREAM: Final = "/events"


@dataclass
class World:
    """The players of the site and what they created."""

    stranger: TestClient
    """A visitor without a cookie."""
    owner: TestClient
    """Called HOSTILE; has finished today's daily and a game against a friend, and waits at two tables."""
    finished: str
    daily: str
    listed: str
    private: str
    invitation: str

    def addresses(self, *, game: str | None = None) -> Iterator[str]:
        """Every GET address except streams; parameters are filled with existing values."""
        return self._filled(game or self.finished, "")

    def addresses_of(self, game: str) -> Iterator[str]:
        """Every GET address of a game except streams."""
        return self._filled(game, "{game_id}")

    def _filled(self, game: str, parameter: str) -> Iterator[str]:
        values = {
            "game_id": game,
            "invitation": self.invitation,
            "token": "nobody",
            "ply": "0",
            "day": "2023-11-14",
            "kind": "boggle",
            "word": "cat",
            "path": "css/base.css",
        }
        for methods, path in routes(self.owner):
            if "GET" in methods and not path.endswith(STREAM) and parameter in path:
                yield filled(path, values)


def routes(client: TestClient) -> list[tuple[set[str], str]]:
    """The methods and the template of every route."""
    found = iter_route_contexts(client.app.routes)  # type: ignore[attr-defined]
    return [(route.methods or {"GET"}, route.path_format or "") for route in found]


def filled(path: str, values: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)(:\w+)?\}", lambda name: values.get(name[1], "x"), path)


def create_world(owner: TestClient, friend: TestClient) -> World:
    owner.put("/api/me", json={"nickname": HOSTILE}).raise_for_status()
    daily = owner.post("/api/daily").json()["id"]
    play(owner, daily, "resign")
    finished = versus(owner)
    sit_down(friend, finished)
    play(owner, finished, "pass")
    play(friend, finished, "resign")
    listed = open_game(owner, options={"mode": "versus"}, seats=2, listed=True)
    private = versus(owner)
    return World(
        TestClient(owner.app),
        owner,
        finished["id"],
        daily,
        listed["id"],
        private["id"],
        private["invitation"],
    )
