"""PostgreSQL, Redis or a worker fails in the middle of a game: clear errors, then play goes on."""

import time
from pathlib import Path
from typing import Any

import httpx

from tests.driver import PASS, move, sit_down
from tests.event_streams import SOON, EventStream, open_on
from tests.forked_servers import Forked
from tests.servers import PostgresServer, RedisServer

KEY = "the same for all workers, and long enough"


def is_away(answer: httpx.Response) -> bool:
    """Whether the response is a problem document saying that the store is unavailable."""
    assert answer.status_code == 503, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["retry-after"] == "1"
    problem = answer.json()
    return problem["status"] == 503 and "nothing was changed" in problem["detail"]


def test_postgresql_may_go_and_come_back_in_the_middle_of_a_game(
    tmp_path: Path, postgresql: PostgresServer
) -> None:
    with Forked(tmp_path, postgresql.url) as server:
        host, game = open_on(server, kind="letterpress")
        guest = httpx.Client(base_url=server.url, timeout=SOON)
        sit_down(guest, game)
        stream = EventStream(server, game["id"], guest)
        stream.wait_for("table", "0-2")
        assert move(host, game, PASS, ply=0).status_code == 200
        stream.wait_for("table", "1-2")

        postgresql.stop()
        for _ in range(3):
            assert is_away(move(guest, game, PASS, ply=1))
            assert is_away(guest.get(f"/api/games/{game['id']}"))
            assert is_away(guest.get(f"/api/games/{game['id']}/events"))
            assert is_away(httpx.post(f"{server.url}/api/games", json={}, timeout=SOON))
        page = guest.get(f"/games/{game['id']}", headers={"Accept": "text/html"})
        assert (page.status_code, "nothing was changed" in page.text) == (503, True)
        assert guest.get("/healthz").status_code == 200
        assert is_away(guest.get("/readyz"))
        assert guest.get("/metrics").status_code == 200

        postgresql.start()
        assert guest.get(f"/api/games/{game['id']}").json()["view"]["ply"] == 1
        resigned = {"ply": 1, "move": {"type": "resign"}}
        assert guest.post(f"/api/games/{game['id']}/moves", json=resigned).status_code == 200
        stream.wait_for("table", "2-2")
        assert EventStream(server, game["id"], host).wait_for("table") == "2-2"
        log = host.get(f"/api/games/{game['id']}/moves").json()["moves"]
        assert [line["ply"] for line in log] == [0, 1]


def test_a_postgresql_that_may_only_be_read_for_a_while_takes_no_moves_and_shows_games(
    tmp_path: Path, postgresql: PostgresServer
) -> None:
    """Like a server that has become a replica."""
    with Forked(tmp_path, postgresql.url) as server:
        host, game = open_on(server, kind="letterpress", bots=[1])
        postgresql.configure("ALTER SYSTEM SET default_transaction_read_only = on")
        assert is_away(move(host, game, PASS, ply=0))
        assert host.get(f"/api/games/{game['id']}").json()["view"]["ply"] == 0
        postgresql.configure("ALTER SYSTEM RESET default_transaction_read_only")
        assert move(host, game, PASS, ply=0).status_code == 200


def test_a_stream_that_needs_the_store_while_it_is_away_ends_and_comes_back(
    tmp_path: Path, postgresql: PostgresServer
) -> None:
    """A bot's move that falls due in the meantime is made when the store is back."""
    with Forked(tmp_path, postgresql.url) as server:
        host, game = open_on(server, kind="letterpress", bots=[1])
        stream = EventStream(server, game["id"], host)
        stream.wait_for("table", "0-2")
        assert move(host, game, PASS, ply=0).status_code == 200
        stream.wait_for("table", "1-2")
        postgresql.stop()
        assert stream.ended.wait(SOON)
        postgresql.start()
        again = EventStream(server, game["id"], host)
        assert again.wait_for("table") in ("1-2", "2-2")
        assert wait_for_ply(host, game, 2)


def wait_for_ply(client: httpx.Client, game: dict[str, Any], ply: int) -> bool:
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        if client.get(f"/api/games/{game['id']}").json()["view"]["ply"] == ply:
            return True
        time.sleep(0.1)
    return False


def test_a_move_under_way_at_a_worker_that_dies_is_answered_and_kept_or_neither(
    tmp_path: Path, postgresql_url: str, redis_server: RedisServer
) -> None:
    """The other worker continues at once, without waiting for locks of the dead one."""
    one, two = (
        Forked(tmp_path / name, postgresql_url, redis_url=redis_server.url, secret_key=KEY)
        for name in ("one", "two")
    )
    one.start()
    two.start()
    try:
        with httpx.Client(timeout=SOON) as client:
            games = [
                client.post(f"{one.url}/api/games", json={"options": {"mode": "zen"}}).json()["id"]
                for _ in range(3)
            ]
            answers = one.kill_in_mid_game(client, games, [{"type": "shuffle"}])
            for game_id, answered in zip(games, answers, strict=True):
                last = answered[-1]["view"]
                moved = client.post(
                    f"{two.url}/api/games/{game_id}/moves", json={"move": {"type": "shuffle"}}
                )
                assert moved.status_code == 200, moved.text
                ply = moved.json()["view"]["ply"]
                # The kill may cut off the response to a stored move, but an answered move is always stored.
                assert last["ply"] + 1 <= ply <= last["ply"] + 2
                log = client.get(f"{two.url}/api/games/{game_id}/moves").json()["moves"]
                assert [line["ply"] for line in log] == list(range(ply))
    finally:
        one.stop()
        two.stop()
