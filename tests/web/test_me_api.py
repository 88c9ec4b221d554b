"""The player's profile over the API, and invalid cookies."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from itsdangerous import URLSafeSerializer

from tests.driver import daily, finished_game, open_game, open_wibble, problem, see, sit_down, versus


def test_a_profile_has_the_players_games_and_statistics(client: TestClient, stranger: TestClient) -> None:
    finished = finished_game(client)
    analysis = client.get(f"/api/games/{finished['id']}/analysis").json()
    me = client.get("/api/me").json()
    (game,) = me["games"]
    (line,) = me["statistics"]
    assert game["game_id"] == finished["id"]
    assert game["score"] == line["best_score"] == finished["view"]["scores"][0]
    assert game["accuracy"] == line["average_accuracy"] == analysis["seats"][0]["accuracy"] > 50
    assert stranger.get("/api/me").json() == {
        "nickname": None,
        "streaks": {},
        "statistics": [],
        "games": [],
        "sanctions": [],
    }
    assert "set-cookie" not in stranger.get("/api/me").headers, "viewing creates no guest"


@pytest.mark.parametrize("name", ["Ada", "<script>alert(1)</script>"[:24], "Zoë 🦊", "名無し"])
def test_a_nickname_is_kept_as_it_is(client: TestClient, stranger: TestClient, name: str) -> None:
    assert client.put("/api/me", json={"nickname": name}).json()["nickname"] == name
    game = versus(client)
    assert see(stranger, game)["seats"][0]["name"] == name


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "x" * 201, "a\u200bb", "a\u202eb", "a\nb", "\u3164"])
def test_an_impossible_nickname_is_422(client: TestClient, name: str) -> None:
    problem(client.put("/api/me", json={"nickname": name}), 422)
    assert client.get("/api/me").json()["nickname"] is None


def test_a_bad_profile_is_422(client: TestClient) -> None:
    body: Any
    for body in ({}, {"nickname": 7}, {"nickname": "Ada", "admin": True}, []):
        problem(client.put("/api/me", json=body), 422)
    lone = client.put(
        "/api/me", content=b'{"nickname": "\\ud800"}', headers={"content-type": "application/json"}
    )
    problem(lone, 422)


def test_erasing_takes_everything_and_the_cookie(client: TestClient) -> None:
    finished = finished_game(client)
    client.put("/api/me", json={"nickname": "Ada"})
    daily(client, 1)
    assert client.delete("/api/me").status_code == 204
    assert "wibble_player" not in client.cookies
    me = client.get("/api/me").json()
    assert (me["nickname"], me["games"], me["streaks"]) == (None, [], {})
    assert client.get("/api/daily").json()["finished"] == 0
    assert see(client, finished)["seats"][0]["name"] == "Player 1"
    assert client.delete("/api/me").status_code == 204, "there is nothing left to erase"


@pytest.fixture
def cookies(client: TestClient) -> list[str]:
    """Forged or outdated cookies."""
    client.put("/api/me", json={"nickname": "Ada"})
    own = client.cookies["wibble_player"]
    return [
        own[:-5] + ("x" if own[-5] != "x" else "y") + own[-4:],
        own.split(".")[0],
        own + own,
        "nobody",
        "%00",
        "a" * 4000,
        URLSafeSerializer("another house's key", salt="player").dumps("ada"),
    ]


def test_forged_and_foreign_cookies_are_ignored(
    client: TestClient, stranger: TestClient, cookies: list[str]
) -> None:
    game = versus(client)
    for cookie in cookies:
        headers = {"cookie": f"wibble_player={cookie}"}
        assert stranger.get("/api/me", headers=headers).json()["nickname"] is None
        answer = stranger.post(f"/api/games/{game['id']}/bots", json={"level": 1}, headers=headers)
        problem(answer, 403)
        assert stranger.delete("/api/me", headers=headers).status_code == 204
    assert client.get("/api/me").json()["nickname"] == "Ada"


def test_a_profile_lists_as_many_games_as_are_asked_for_and_counts_them_all(client: TestClient) -> None:
    played = []
    for _ in range(3):
        played.append(open_wibble(client, "zen")["id"])
        client.post(f"/api/games/{played[-1]}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    some, most = client.get("/api/me?top=2").json(), client.get("/me/export").json()
    assert (len(some["games"]), some["statistics"][0]["games"]) == (2, 3)
    assert {game["game_id"] for game in most["games"]} == set(played)
    lists = (
        "word_votes",
        "levels",
        "challenges",
        "direct_challenges",
        "circles",
        "blocks",
        "cards",
        "ratings",
        "reports",
        "tokens",
        "bots",
        "boards",
    )
    assert [most.pop(name) for name in lists] == [[]] * len(lists)
    assert most.pop("mail_address") is None
    assert most.pop("notifications")["channels"] == []
    assert most.pop("puzzles") == {"ratings": {}, "answers": [], "rushes": [], "mistakes": []}
    assert [device["name"] for device in most.pop("devices")] == ["A browser"]
    assert client.get("/api/me").json() == most
    assert [client.get(f"/api/me?top={top}").status_code for top in (0, 1001)] == [422, 422]


def test_an_erased_profile_does_not_come_back(client: TestClient, stranger: TestClient) -> None:
    """Neither the end of a running game nor the cookie on another device restores it."""
    opened = open_game(client, "letterpress", seats=2)
    game = f"/api/games/{opened['id']}"
    sit_down(stranger, opened)
    elsewhere = TestClient(client.app, cookies=dict(client.cookies))
    assert client.delete("/api/me").status_code == 204
    stranger.post(f"{game}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    assert client.get("/api/leaderboards").json()["winners"] == []
    assert elsewhere.get("/api/me").json()["games"] == []
    assert elsewhere.get(game).json()["seat"] is None
    shown = stranger.get(game).json()
    assert (shown["seat"], shown["invitation"], shown["outcome"]["winners"]) == (1, None, [0])
    before = elsewhere.cookies["wibble_player"]
    named = elsewhere.put("/api/me", json={"nickname": "Ada"})
    assert named.cookies["wibble_player"] != before
    assert client.get("/api/me").json()["nickname"] is None
