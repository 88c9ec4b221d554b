"""Every answered move is kept after a restart, even after a kill."""

from collections.abc import Iterator
from pathlib import Path
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


def test_a_server_killed_in_mid_game_loses_nothing_that_was_answered(server: Forked) -> None:
    with httpx.Client(base_url=server.url, timeout=SOON) as client:
        games = [open_wibble(client, "zen")["id"] for _ in range(3)]
        moves: list[dict[str, Any]] = [
            move
            for cell in range(25)
            for move in ({"type": "add", "cell": cell}, {"type": "back"}, {"type": "shuffle"})
        ]
        for _ in range(3):
            answers = server.kill_in_mid_game(client, games, moves)
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
