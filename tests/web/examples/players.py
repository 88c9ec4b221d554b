"""Two players at one server, and the values that prepare the request of an example."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from fastapi.testclient import TestClient

NOW: Final = 1_800_000_000.0
DAY: Final = "2027-01-15"
Values: TypeAlias = dict[str, Any]
"""Values for the parameters of a path, and for members of the same names in the body."""


class Players(NamedTuple):
    """Two players at the same server, and its clock."""

    me: TestClient
    friend: TestClient
    clock: list[float]


def posted(player: TestClient, path: str, body: Any = None) -> Any:
    """The answer to a request that has to succeed."""
    answer = player.post(path, json=body)
    assert answer.is_success, answer.text
    return answer.json()


def called(players: Players, *, friend: bool = False) -> None:
    """Give me a name, or the friend."""
    player, name = (players.friend, "Bob") if friend else (players.me, "Ada")
    player.put("/api/me", json={"nickname": name})


def nothing(_: Players) -> Values:
    return {}


Setup: TypeAlias = Callable[[Players], Values]
"""Prepares a server for a request, and returns the values in it."""
