"""Every answered move is kept after a restart, even after a kill."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from tests.driver import open_wibble
from tests.event_streams import SOON
from tests.forked_servers import Forked


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Forked]:
    url = request.getfixturevalue("postgresql_url") if request.param == "postgresql" else None
    with Forked(tmp_path, url) as served:
        yield served


def keep_moving(client: httpx.Client, url: str, game_id: str, answered: list[dict[str, Any]]) -> None:
    """Move until the server is gone; record every response."""
    while True:
        cell = len(answered) % 25
        try:
            for move in ({"type": "add", "cell": cell}, {"type": "back"}, {"type": "shuffle"}):
                answer = client.post(f"{url}/api/games/{game_id}/moves", json={"move": move})
                answered.append(answer.json())
        except httpx.TransportError:
            return


def test_a_server_killed_in_mid_game_loses_nothing_that_was_answered(server: Forked) -> None:
    with httpx.Client(base_url=server.url, timeout=SOON) as client:
        games = [open_wibble(client, "zen")["id"] for _ in range(3)]
        for _ in range(3):
            answers: list[list[dict[str, Any]]] = [[] for _ in games]
            movers = [
                Thread(target=keep_moving, args=(client, server.url, game_id, answered))
                for game_id, answered in zip(games, answers, strict=True)
            ]
            for mover in movers:
                mover.start()
            while any(len(answered) < 10 for answered in answers):
                movers[0].join(0.01)
            server.kill()
            for mover in movers:
                mover.join()
            server.start()
            for game_id, answered in zip(games, answers, strict=True):
                check_kept(client, server.url, game_id, answered)


def check_kept(client: httpx.Client, url: str, game_id: str, answered: list[dict[str, Any]]) -> None:
    last = answered[-1]["view"]
    log = client.get(f"{url}/api/games/{game_id}/moves").json()["moves"]
    kept = client.get(f"{url}/api/games/{game_id}").json()["view"]
    # The kill may cut off the response to a stored move, but an answered move is always stored.
    assert last["ply"] <= kept["ply"] <= last["ply"] + 1
    assert [line["ply"] for line in log] == list(range(kept["ply"]))
    if kept["ply"] == last["ply"]:
        assert kept == last


def test_a_player_is_still_seated_after_a_restart(server: Forked) -> None:
    with httpx.Client(base_url=server.url, timeout=SOON) as client:
        game_id = open_wibble(client, "zen")["id"]
        before = client.get(f"{server.url}/api/games/{game_id}").json()
        server.stop()
        server.start()
        assert client.get(f"{server.url}/api/games/{game_id}").json() == before
        move = {"move": {"type": "shuffle"}, "ply": before["view"]["ply"]}
        answer = client.post(f"{server.url}/api/games/{game_id}/moves", json=move)
        assert answer.json()["view"]["ply"] == before["view"]["ply"] + 1
