"""Teams over HTTP: who plays with whom is chosen, seen and kept for the rematch."""

import re
from typing import Any

from fastapi.testclient import TestClient

from tests.driver import JSON, open_game, play, see
from tests.web.browsing import HTML

TEAMS = {"mode": "teams"}


def join(client: TestClient, game: JSON, seat: int) -> JSON:
    asked = {"invitation": game["invitation"], "seat": seat}
    joined: JSON = client.post(f"/api/games/{game['id']}/seats", json=asked).raise_for_status().json()
    return joined


def page(client: TestClient, game: JSON) -> str:
    return client.get(f"/games/{game['id']}", headers=HTML).raise_for_status().text


def test_a_partner_and_bots_take_the_seats_chosen(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, options=TEAMS, seats=4)
    assert join(stranger, game, 2)["seat"] == 2
    for seat in (1, 3):
        game = client.post(f"/api/games/{game['id']}/bots", json={"level": 1, "seat": seat}).json()
    assert [seat["occupant"] for seat in game["seats"]] == ["player", "bot", "player", "bot"]
    assert game["view"]["teams"] == [[0, 2], [1, 3]]


def test_who_wants_a_seat_that_is_taken_gets_the_next(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, options=TEAMS, seats=4)
    assert join(stranger, game, 0)["seat"] == 1
    answer = client.post(f"/api/games/{game['id']}/bots", json={"level": 1, "seat": 5})
    assert answer.status_code == 422
    assert "seats are 0 to 3" in answer.text


def test_the_form_seats_bots_beside_and_against_the_player(client: TestClient) -> None:
    form: dict[str, Any] = {"mode": "teams", "opponents": ["1", "3", "1", "", ""]}
    address = client.post("/play", data=form, follow_redirects=False).headers["location"]
    game = client.get(f"/api{address}").json()
    assert [seat["bot_level"] for seat in game["seats"]] == [None, 1, 3, 1]
    text = page(client, game)
    assert text.index("Your team") < text.index("Their team")
    watching = page(TestClient(client.app), game)
    assert "Team A" in watching
    assert "Your team" not in watching


def test_one_opponent_too_few_is_refused(client: TestClient) -> None:
    answer = client.post("/play", data={"mode": "teams", "opponents": ["1", "1", "1", "1", ""]})
    assert answer.status_code == 422
    assert "Teams is for 4 or 6 seats, not 5" in answer.text
    answer = client.post("/api/games", json={"options": TEAMS, "seats": 5})
    assert "4 or 6 seats, not 5" in answer.json()["detail"]


def test_an_invited_player_chooses_the_team(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, options=TEAMS, seats=4)
    address = f"/games/{game['id']}/join/{game['invitation']}"
    text = stranger.get(address, headers=HTML).text
    assert re.findall(r'name="seat" value="(\d)"', text) == ["2", "1"]
    stranger.post(address, data={"nickname": "Bo", "seat": "2"})
    assert see(stranger, game)["seat"] == 2
    assert "team A" in page(client, game)


def test_a_seat_that_is_none_is_not_taken_for_one(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, options=TEAMS, seats=4)
    address = f"/games/{game['id']}/join/{game['invitation']}"
    assert stranger.post(address, data={"seat": "9" * 5000}, follow_redirects=False).status_code == 303
    assert see(stranger, game)["seat"] == 1


def test_a_rematch_keeps_the_teams(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, options=TEAMS, seats=4, bots=[1])
    join(stranger, game, 2)
    client.post(f"/api/games/{game['id']}/bots", json={"level": 2})
    for one in (stranger, client):
        play(one, game, "resign")
    ended = see(client, game)
    assert ended["outcome"]["winners"] == [1, 3]
    text = page(client, game)
    assert "Their team" in text
    for sheet in re.findall(r'rel="stylesheet" href="([^"]+)"', text):
        client.get(sheet).raise_for_status()
    opened = stranger.post(f"/api/games/{game['id']}/rematch").json()
    joined = client.post(f"/api/games/{game['id']}/rematch").json()
    assert (opened["seat"], joined["seat"]) == (0, 2)
    assert [seat["bot_level"] for seat in joined["seats"]] == [None, 1, None, 2]


def test_a_team_win_counts_for_each_of_its_players(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, options=TEAMS, seats=4)
    third, fourth = TestClient(client.app), TestClient(client.app)
    for one, seat in ((stranger, 1), (third, 2), (fourth, 3)):
        join(one, game, seat)
    for one in (stranger, fourth):
        play(one, game, "resign")
    won = [one.get("/api/me").json()["games"][0]["won"] for one in (client, stranger, third, fourth)]
    assert won == [True, False, True, False]
