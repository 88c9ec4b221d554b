"""Waiting tables: where they are listed, and how the opener cancels them."""

from fastapi.testclient import TestClient

from app.store.listed_tables import LISTED_FOR
from tests.driver import open_game, problem, see, versus
from tests.web.browsing import HTML, invitation, start_versus
from tests.web.conftest import Clock


def test_a_table_is_closed_from_its_page(client: TestClient, stranger: TestClient) -> None:
    address = start_versus(client, "friend")
    link = invitation(client, address)
    assert f'action="{address}/close"' in client.get(address).text
    assert f'action="{address}/close"' not in stranger.get(address).text
    assert stranger.post(f"{address}/close", headers=HTML).status_code == 403
    closed = client.post(f"{address}/close", follow_redirects=False)
    assert (closed.status_code, closed.headers["location"]) == (303, "/lobby")
    for gone in (client.get(address, headers=HTML), stranger.get(link, headers=HTML)):
        assert gone.status_code == 404
        assert "or the game was cancelled or deleted" in gone.text
    assert address not in client.get("/lobby").text


def test_a_table_with_a_second_player_cannot_be_closed(client: TestClient, stranger: TestClient) -> None:
    address = start_versus(client, "friend", "friend")
    stranger.post(invitation(client, address)).raise_for_status()
    assert "/close" not in client.get(address).text
    refused = client.post(f"{address}/close", headers=HTML)
    assert refused.status_code == 409
    assert "Another player has joined" in refused.text
    assert stranger.get(address).status_code == 200


def test_a_table_is_closed_by_the_api(client: TestClient, stranger: TestClient) -> None:
    game = versus(client, 3)
    address = f"/api/games/{game['id']}"
    problem(stranger.delete(address), 403)
    assert client.delete(address).status_code == 204
    problem(client.get(address), 404)
    problem(client.delete(address), 404)
    begun = versus(client, 2, bots=(1,))
    problem(client.delete(f"/api/games/{begun['id']}"), 409)
    assert see(client, begun)["id"] == begun["id"]


def test_the_players_own_listed_table_is_in_the_lobby(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    assert "No open games" in client.get("/lobby").text
    address = start_versus(client, "friend", listed="true")
    assert "Anyone can join this game" in client.get(address).text
    mine = client.get("/lobby").text
    assert "No other open games" in mine
    assert f'<a class="line" href="{address}"><span class="line-name">Your game' in mine
    theirs = stranger.get("/lobby").text
    assert "open games" not in theirs
    assert "Your game" not in theirs.replace("Your games", "")
    clock.now += LISTED_FOR
    assert "Anyone can join this game" not in client.get(address).text


def test_a_front_page_follows_games_in_which_another_player_can_move(
    client: TestClient, stranger: TestClient
) -> None:
    for player, opponents, follows in ((client, {"bots": [2]}, False), (stranger, {"seats": 2}, True)):
        open_game(player, "letterpress", **opponents)
        assert ("site/refresh.js" in player.get("/letterpress").text) == follows
