"""Circles over the API and on pages: access, and what is shown before a player has played."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.store.days import day_of, settles_at
from app.web.guard.guests import COOKIE
from tests.driver import daily, named, problem
from tests.web.browsing import HTML, finish_wibble
from tests.web.conftest import Clock


def circle_of(owner: TestClient, *others: TestClient) -> str:
    """The API address of a new circle that these other players have joined."""
    made = owner.post("/api/circles", json={"name": "The Lovelaces"})
    assert made.status_code == 201
    address, invitation = f"/api/circles/{made.json()['id']}", made.json()["invitation"].rpartition("/")[2]
    for other in others:
        other.post(f"{address}/members", json={"invitation": invitation}).raise_for_status()
    return address


def seen(client: TestClient, address: str) -> Any:
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_friends_join_by_the_link_and_see_each_other(
    ada: TestClient, bob: TestClient, third: TestClient
) -> None:
    opened = ada.post("/circles", data={"name": "The Lovelaces"}, headers=HTML)
    link = re.search(r"/circles/[\w-]+/join/[\w-]+", opened.text)
    assert link
    assert "You are alone here" in opened.text
    asked = bob.get(link[0], headers=HTML)
    assert "Join" in asked.text
    assert "Ada" in asked.text
    assert bob.get("/api/circles").json() == [], "viewing does not join"
    joined = bob.post(link[0], headers=HTML)
    assert joined.url.path == opened.url.path
    assert "Ada" in joined.text
    assert bob.get(link[0], headers=HTML).url.path == opened.url.path, "a member is redirected"
    for reader in (third, TestClient(ada.app)):
        refused = reader.get(opened.url.path, headers=HTML)
        assert refused.status_code == 404
        assert "Ada" not in refused.text
    assert third.post(f"{link[0]}x", headers=HTML).status_code == 404
    assert COOKIE not in third.cookies, "no refused guest is stored"


def test_scores_of_todays_daily_are_hidden_before_playing_it(ada: TestClient, bob: TestClient) -> None:
    address = circle_of(ada, bob)
    daily(bob, words=1)
    [wibble] = [each for each in seen(ada, address)["dailies"] if each["kind"] == "wibble"]
    assert (wibble["finished"], wibble["scores"]) == (1, None)
    assert seen(ada, address)["feed"] == []
    assert sum(member["points"] for member in seen(ada, address)["members"]) == 0
    page = ada.get(address.removeprefix("/api")).text
    assert "Finish yours to see the scores" in page
    daily(ada, words=2)
    for reader in (ada, bob):
        [wibble] = [each for each in seen(reader, address)["dailies"] if each["kind"] == "wibble"]
        assert len(wibble["scores"]) == 2
        points = [member["week"] for member in seen(reader, address)["members"]]
        assert points in ([1, 0], [0, 0])
        assert wibble["scores"][0]["score"] >= wibble["scores"][1]["score"]
    assert "Finish yours" not in ada.get(address.removeprefix("/api")).text


def test_scores_of_a_daily_are_hidden_during_the_grace_after_midnight(
    ada: TestClient, bob: TestClient, clock: Clock
) -> None:
    address, today = circle_of(ada, bob), day_of(clock.now)
    daily(ada)
    daily(bob, words=1)
    for at, finished in ((settles_at(today) - 1, 0), (settles_at(today), 1)):
        clock.now = at
        assert len(seen(ada, address)["feed"]) == finished


def test_wins_between_members_are_counted_and_games_listed(
    ada: TestClient, bob: TestClient, clock: Clock
) -> None:
    address = circle_of(ada, bob)
    clock.now += 1
    game = ada.post("/api/games", json={"kind": "letterpress"}).json()
    bob.post(f"/api/games/{game['id']}/seats", json={"invitation": game["invitation"]}).raise_for_status()
    ada.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "pass"}}).raise_for_status()
    bob.post(f"/api/games/{game['id']}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    alone = finish_wibble(bob).removeprefix("/games/")
    first, second = seen(bob, address)["members"]
    assert (first["nickname"], first["points"], first["beat_you"]) == ("Ada", 1, 1)
    assert (second["you"], second["points"]) == (True, 0)
    assert {line["game_id"] for line in seen(ada, address)["feed"]} == {game["id"], alone}
    page = ada.get(address.removeprefix("/api")).text
    assert "1 : 0" in page
    assert f'href="/games/{alone}"' in page
    assert page.count(f'href="/games/{game["id"]}"') == 1, "a game of two members is one line"
    line = page.partition(f'href="/games/{game["id"]}"')[2].partition("</a>")[0]
    assert re.search("Ada.*, won with .*Bob", line), "the winner comes first"


def test_members_challenges_are_offered_until_taken(ada: TestClient, bob: TestClient, clock: Clock) -> None:
    address = circle_of(ada, bob)
    clock.now += 1
    game = finish_wibble(ada)
    challenge = ada.post(f"/api{game}/challenge").json()["id"]
    assert [each["id"] for each in seen(bob, address)["challenges"]] == [challenge]
    assert seen(ada, address)["challenges"] == []
    assert f'href="/challenges/{challenge}"' in bob.get(address.removeprefix("/api")).text
    bob.post(f"/api/challenges/{challenge}/game").raise_for_status()
    assert seen(bob, address)["challenges"] == []


def test_the_owner_manages_and_a_member_leaves(ada: TestClient, bob: TestClient, third: TestClient) -> None:
    address = circle_of(ada, bob, named(third, "Eve"))
    page = address.removeprefix("/api")
    old = seen(ada, address)["invitation"]
    for path in ("invitation", "close", "members/3/remove"):
        assert bob.post(f"{page}/{path}", headers=HTML).status_code == 403
    assert bob.put(f"{address}/name", json={"name": "Mine"}).status_code == 403
    ada.post(f"{page}/name", data={"name": "Ours"}, headers=HTML)
    assert seen(bob, address)["name"] == "Ours"
    refused = ada.post(f"{page}/name", data={"name": " "}, headers=HTML)
    assert refused.status_code == 422
    assert "the name of a circle must have 1 to 40 characters" in refused.text.lower()
    ada.post(f"{page}/invitation", headers=HTML)
    assert TestClient(ada.app).get(old, headers=HTML).status_code == 404
    ada.post(f"{page}/members/3/remove", headers=HTML)
    assert third.get(address).status_code == 404
    (fault,) = problem(ada.delete(f"{address}/members/9"), 422)["errors"]
    assert fault["location"] == ["path", "number"]
    assert ada.delete(f"{address}/members/1").status_code == 204, "an owner may also leave"
    assert seen(bob, address)["members"][0]["is_owner"]
    assert bob.post(f"{page}/close", headers=HTML).url.path == "/circles"
    assert bob.get(address).status_code == 404


@pytest.mark.parametrize("name", ["", "x" * 41, "a\u202eb"])
def test_an_impossible_name_makes_no_guest(client: TestClient, name: str) -> None:
    (fault,) = problem(client.post("/api/circles", json={"name": name}), 422)["errors"]
    assert fault["location"] == ["body", "name"]
    refused = client.post("/circles", data={"name": name}, headers=HTML)
    assert refused.status_code == 422
    assert 'id="circle-notice"' in refused.text
    assert COOKIE not in client.cookies
