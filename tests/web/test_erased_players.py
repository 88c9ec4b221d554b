"""After a player deletes their profile, no table is stuck for others."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.store.models import NO_PLAYER
from tests.driver import JSON, address_of, named, open_game, play, problem, see, sit_down, versus
from tests.web.conftest import Clock
from tests.web.test_bot_accounts import bot_of
from tests.web.test_tokens import made


def erase(player: TestClient) -> None:
    assert player.delete("/api/me").status_code == 204


def claim(player: TestClient, game: JSON) -> Any:
    return player.post(f"{address_of(game)}/claim")


def test_tables_that_wait_close_and_seats_at_others_tables_are_free(
    client: TestClient, stranger: TestClient
) -> None:
    client.put("/api/me", json={"nickname": "Ada"})
    own = [open_game(opener, "letterpress", listed=True) for opener in (client, bot_of(client))]
    other = open_game(stranger, options={"mode": "versus"}, seats=3, listed=True)
    sit_down(client, other)
    erase(client)
    assert [game["id"] for game in stranger.get("/api/games").json()] == [other["id"]]
    for game in own:
        problem(stranger.post(f"{address_of(game)}/seats", json={}), 404)
    assert [seat["occupant"] for seat in see(stranger, other)["seats"]] == ["player", "free", "free"]


def test_a_table_whose_opener_has_left_is_closed_by_a_seated_player(
    client: TestClient, stranger: TestClient
) -> None:
    by_page, by_api = (open_game(client, options={"mode": "versus"}, seats=3) for _ in range(2))
    watcher = TestClient(client.app)
    for game in (by_page, by_api):
        sit_down(stranger, game)
        problem(stranger.delete(address_of(game)), 403)
    erase(client)
    assert [seat["occupant"] for seat in see(stranger, by_api)["seats"]] == ["free", "player", "free"]
    problem(watcher.delete(address_of(by_api)), 403)
    assert stranger.delete(address_of(by_api)).status_code == 204
    stranger.post(f"{address_of(by_page)}/bots", json={"level": 1}).raise_for_status()
    assert [seat["occupant"] for seat in see(stranger, by_page)["seats"]] == ["bot", "player", "free"]
    close = f'action="/games/{by_page["id"]}/close"'
    assert close not in watcher.get(f"/games/{by_page['id']}").text
    assert close in stranger.get(f"/games/{by_page['id']}").text
    assert stranger.post(f"/games/{by_page['id']}/close", follow_redirects=False).status_code == 303
    assert stranger.get("/api/games").json() == []


def test_a_game_is_claimed_from_an_erased_player_at_once(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = open_game(client, "letterpress", {"clock_seconds": 600})
    sit_down(stranger, game)
    erase(stranger)
    assert claim(client, game).status_code == 403, "it is the other player's turn"
    assert play(client, game, "pass")["claimable_at"] == clock.now
    assert "has deleted their profile." in client.get(f"/games/{game['id']}").text
    ended = claim(client, game).json()
    assert (ended["outcome"]["winners"], ended["finished_at"]) == ([0], clock.now)


def test_the_others_at_a_table_of_three_play_on(client: TestClient, stranger: TestClient) -> None:
    game, third = versus(client, 3), TestClient(client.app)
    for other in (stranger, third):
        sit_down(other, game)
    erase(client)
    assert see(third, game)["view"]["to_move"] == 0
    after = claim(third, game).json()
    assert (after["finished_at"], after["view"]["to_move"]) == (None, 1)


def test_a_round_that_all_play_at_once_ends(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, "boggle", seats=2)
    sit_down(stranger, game)
    erase(stranger)
    for move in ("start", "finish"):
        play(client, game, move)
    assert claim(client, game).json()["finished_at"] is not None


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/api/me", {"nickname": "Ada"}),
        ("POST", "/api/games", {"kind": "letterpress", "listed": True}),
        ("POST", "/api/circles", {"name": "Club"}),
        ("POST", "/api/words/zax/votes", {"valid": False}),
        ("POST", "/api/games/GAME/seats", {}),
    ],
)
def test_a_program_makes_nothing_for_a_player_whom_another_worker_has_erased(
    client: TestClient, stranger: TestClient, method: str, path: str, body: JSON
) -> None:
    """Its token is valid for up to ten more seconds."""
    game = open_game(stranger, options={"mode": "versus"}, seats=2, listed=True)
    named(client, "Ada")
    app: Any = client.app
    services = app.state.services
    program = TestClient(app, headers={"Authorization": f"Bearer {made(client)['token']}"})
    before = program.get("/api/me").json()["nickname"]
    (player,) = {bearer.player_id for bearer in services.known_tokens._valid.values()}
    services.results.erase(player, services.clock())
    answer = program.request(method, path.replace("GAME", game["id"]), json=body)
    assert (before, problem(answer, 404)["detail"]) == ("Ada", NO_PLAYER)
    assert services.players.nickname(player) is None
    assert [seat["occupant"] for seat in see(stranger, game)["seats"]] == ["player", "free"]
