"""Teams over HTTP: choosing partners, showing them, and keeping them for the rematch."""

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


def test_asking_for_a_taken_seat_gives_the_next(client: TestClient, stranger: TestClient) -> None:
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


def test_an_invalid_seat_number_gives_the_next_free_seat(client: TestClient, stranger: TestClient) -> None:
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


def of_people(client: TestClient, stranger: TestClient, **options: Any) -> tuple[JSON, list[TestClient]]:
    """A game of four people, and the client of each seat."""
    game = open_game(client, options={**TEAMS, "board": "catsxodogxwertyplanezzqzz", **options}, seats=4)
    people = [client, stranger, TestClient(client.app), TestClient(client.app)]
    for seat in (1, 2, 3):
        join(people[seat], game, seat)
    return game, people


def suggest(client: TestClient, game: JSON, *cells: int) -> Any:
    move = {"move": {"type": "suggest", "cells": cells}}
    return client.post(f"/api/games/{game['id']}/moves", json=move)


def test_only_the_team_sees_a_word_shown(client: TestClient, stranger: TestClient) -> None:
    game, people = of_people(client, stranger)
    ply = see(client, game)["view"]["ply"]
    shown = suggest(people[2], game, 0, 1, 2, 3).json()["view"]
    assert [(one["seat"], one["word"]) for one in shown["suggestions"]] == [(2, "cats")]
    watching = TestClient(client.app)
    for one in (stranger, people[3], watching):
        assert see(one, game)["view"]["suggestions"] == []
        log = one.get(f"/api/games/{game['id']}/moves").json()["moves"]
        assert log[-1]["move"] is None
        assert "CATS" not in page(one, game)
    assert "Play CATS" in page(client, game)
    move = {"ply": ply, "move": {"type": "chain", "cells": [0, 1, 2]}}
    answer = client.post(f"/api/games/{game['id']}/moves", json=move)
    assert answer.status_code == 200, "a suggestion does not make moves stale"
    assert answer.json()["view"]["suggestions"] == []


def test_the_replay_and_the_record_have_the_words_shown(client: TestClient, stranger: TestClient) -> None:
    game, people = of_people(client, stranger)
    ply = suggest(people[2], game, 0, 1, 2, 3).json()["view"]["ply"]
    for one in people[:3]:
        play(one, game, "resign")
    watching = TestClient(client.app)
    position = watching.get(f"/api/games/{game['id']}/plies/{ply}").json()["view"]
    assert [one["word"] for one in position["suggestions"]] == ["cats"]
    replay = watching.get(f"/games/{game['id']}/plies/{ply}", headers=HTML).text
    assert re.search(r"shows <strong>CATS</strong>", replay)
    record = watching.get(f"/games/{game['id']}/record").text
    assert '{"type":"suggest","cells":[0,1,2,3]}' in record
    imported = client.post("/api/games/import", content=record, headers={"Content-Type": "text/plain"})
    assert imported.is_success


def test_a_word_shown_without_script(client: TestClient, stranger: TestClient) -> None:
    game, people = of_people(client, stranger)
    text = page(people[2], game)
    assert 'name="type" value="suggest"' in text
    people[2].post(f"/games/{game['id']}/moves", data={"type": "suggest", "word": "Dog"})
    assert see(client, game)["view"]["suggestions"][0]["cells"] == [6, 7, 8]
    refused = people[2].post(f"/games/{game['id']}/moves", data={"type": "suggest", "word": "xx"})
    assert refused.status_code == 422
    assert "XX is not in the word list" in refused.text


def test_a_word_shown_gives_no_more_time(client: TestClient, stranger: TestClient) -> None:
    game, people = of_people(client, stranger, turn_seconds=30)
    ends_at = see(client, game)["view"]["ends_at"]
    assert suggest(people[2], game, 0, 1, 2).json()["view"]["ends_at"] == ends_at


def test_a_word_shown_at_the_wrong_moment_is_refused_with_the_reason(
    client: TestClient, stranger: TestClient
) -> None:
    game, people = of_people(client, stranger)
    assert suggest(client, game, 0, 1, 2).status_code == 409
    answer = suggest(stranger, game, 0, 1, 2)
    assert (answer.status_code, "when a partner is on turn" in answer.text) == (409, True)
    for _ in range(3):
        suggest(people[2], game, 0, 1, 2)
    assert "3 words in this turn, the most allowed" in suggest(people[2], game, 0, 1, 2).text
    alone = open_game(client, options={"mode": "classic"})
    refused = suggest(client, alone, 0, 1, 2)
    assert (refused.status_code, "suggest is a move of Teams" in refused.text) == (422, True)


def test_the_teams_are_named_in_lists_replay_and_review(client: TestClient, stranger: TestClient) -> None:
    game, people = of_people(client, stranger)
    play(client, game, "chain", cells=[0, 1, 2, 3])
    points = see(client, game)["view"]["team_scores"][0]
    lobby = client.get("/lobby", headers=HTML).text
    assert "your team: you, Player 3; their team: Player 2, Player 4; " in lobby
    assert f"{points} points, round 1 of 5" in people[2].get("/lobby", headers=HTML).text
    for one in (client, people[2]):
        play(one, game, "resign")
    for address in (f"/games/{game['id']}/plies/1", f"/games/{game['id']}/analysis"):
        for one, names in (
            (stranger, ("Your team", "Their team")),
            (TestClient(client.app), ("Team A", "Team B")),
        ):
            text = one.get(address, headers=HTML).text
            assert all(name in text for name in names), address
