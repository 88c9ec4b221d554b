"""The server's clock jumps back or forward: play goes on, and games can be replayed."""

import asyncio
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from app.store.database import Database
from app.store.retention import DAY, Pruned, Retention, prune
from app.web.guard.rates import MemoryCounts
from tests.driver import move, open_game, open_wibble, play
from tests.event_streams import eventually
from tests.shared_parts import create_app
from tests.web.conftest import Clock

HOUR = 3600.0
JUMPS = [-5 * HOUR, 3 * DAY]


def replays(client: TestClient, game_id: str) -> bool:
    """Check that the game's record, verified ply by ply, leads to its current state."""
    record = client.get(f"/games/{game_id}/record")
    assert record.status_code == 200, record.text
    brought = client.post("/import", data={"text": record.text}, follow_redirects=False)
    return brought.status_code == 303


GAMES: list[tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]] = [
    ({"options": {"mode": "zen"}}, [{"type": "shuffle"}], {"type": "resign"}),
    ({"options": {"mode": "classic"}}, [{"type": "shuffle"}], {"type": "resign"}),
    ({"kind": "boggle"}, [{"type": "start"}, {"type": "word", "word": "nonsense"}], {"type": "finish"}),
    ({"kind": "scrabblet"}, [{"type": "guess", "word": "nonsense"}], {"type": "finish"}),
]


@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize(("new", "moves", "last"), GAMES, ids=["zen", "classic", "boggle", "scrabblet"])
def test_a_game_goes_on_over_a_jump_and_replays(
    client: TestClient,
    clock: Clock,
    jump: float,
    new: dict[str, Any],
    moves: list[dict[str, Any]],
    last: dict[str, Any],
) -> None:
    game = open_game(client, **new)
    for each in moves:
        move(client, game, each).raise_for_status()
    clock.now += jump
    ran_out = client.get(f"/api/games/{game['id']}").json()["finished_at"] is not None
    if not ran_out:
        move(client, game, last).raise_for_status()
    assert client.get(f"/games/{game['id']}").status_code == 200
    assert replays(client, game["id"])


@pytest.mark.parametrize("kind", ["letterpress", "fribble"])
@pytest.mark.parametrize("jump", JUMPS)
def test_a_bot_does_not_wait_until_a_clock_that_was_put_back_has_come_round(
    client: TestClient, clock: Clock, kind: str, jump: float
) -> None:
    game = open_game(client, kind, bots=[1])
    play(client, game, "pass")
    clock.now += jump
    client.get(f"/api/games/{game['id']}")
    clock.now += 60
    view = client.get(f"/api/games/{game['id']}").json()["view"]
    assert (view["ply"], view["to_move"]) == (2, 0)
    play(client, game, "resign")
    assert replays(client, game["id"])


def test_remarks_made_before_the_clock_was_put_back_delay_no_later_ones(
    client: TestClient, clock: Clock
) -> None:
    game = open_game(client, "letterpress")
    for _ in range(5):
        assert client.post(f"/api/games/{game['id']}/remarks", json={"line": 0}).status_code == 200
    assert client.post(f"/api/games/{game['id']}/remarks", json={"line": 0}).status_code == 429
    clock.now -= 5 * HOUR
    assert client.post(f"/api/games/{game['id']}/remarks", json={"line": 0}).status_code == 200


def test_rate_limits_start_again_after_the_clock_is_put_back(clock: Clock) -> None:
    counts = MemoryCounts(clock)
    assert asyncio.run(counts.incr("somebody", expiry=60, amount=5)) == 5
    assert asyncio.run(counts.incr("somebody", expiry=60)) == 6
    clock.now -= 5 * HOUR
    assert asyncio.run(counts.incr("somebody", expiry=60)) == 1


@pytest.mark.parametrize("jump", JUMPS)
def test_a_profile_and_its_games_do_not_depend_on_the_clock(
    client: TestClient, clock: Clock, jump: float
) -> None:
    client.put("/api/me", json={"nickname": "Ada"})
    attempt = client.post("/api/daily").json()
    play(client, attempt, "resign")
    clock.now += jump
    me = client.get("/api/me").json()
    assert (me["nickname"], len(me["games"])) == ("Ada", 1)
    assert client.post("/api/daily").json()["id"] != attempt["id"] or abs(jump) < DAY
    clock.now -= jump
    assert client.post("/api/daily").json()["id"] == attempt["id"], "one ranked attempt, whatever happened"


def test_a_clock_set_years_ahead_does_not_cost_the_games_of_today(
    settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[float] = []

    def recording_prune(database: Database, retention: Retention, at: float) -> Pruned:
        looked.append(clock.now)
        return prune(database, retention, at)

    monkeypatch.setattr("app.web.ops.retention_sweep.FIRST", 0.0)
    monkeypatch.setattr("app.web.ops.retention_sweep.EVERY", 0.02)
    monkeypatch.setattr("app.web.ops.retention_sweep.prune", recording_prune)
    with TestClient(create_app(settings, clock=clock)) as client:
        game = open_wibble(client, "zen")
        clock.now = ahead = clock.now + 3650 * DAY
        eventually(lambda: looked.count(ahead) >= 2)
        assert client.get(f"/api/games/{game['id']}").status_code == 200
