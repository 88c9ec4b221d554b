"""Blocking another player from a table, from a circle and over the API, and what each of them sees."""

from typing import Any

from fastapi.testclient import TestClient

from tests.web.browsing import HTML
from tests.web.test_circles import circle_of


def remarks(reader: TestClient, game: str) -> list[int]:
    """The seats whose remarks a reader sees."""
    return [one["seat"] for one in reader.get(f"/api/games/{game}").json()["remarks"]]


def test_a_player_is_blocked_and_unblocked_at_a_table(
    ada: TestClient, bob: TestClient, game: str, clock: Any
) -> None:
    for player in (ada, bob):
        player.post(f"/api/games/{game}/remarks", json={"line": 0}).raise_for_status()
    clock.now += 1
    assert f'href="/games/{game}/people"' in ada.get(f"/games/{game}", headers=HTML).text
    page = ada.get(f"/games/{game}/people", headers=HTML)
    assert f'action="/games/{game}/people/1/block"' in page.text
    assert "people/0/" not in page.text, "a player cannot block themselves"
    page = ada.post(f"/games/{game}/people/1/block", headers=HTML)
    assert f'action="/games/{game}/people/1/unblock"' in page.text
    assert (remarks(ada, game), remarks(bob, game)) == ([0], [0, 1])
    assert "Blocked players" not in bob.get("/me", headers=HTML).text
    mine = ada.get("/me", headers=HTML).text
    assert "Blocked players" in mine
    assert [each["nickname"] for each in ada.get("/me/export").json()["blocks"]] == ["Bob"]
    ada.post(f"/games/{game}/people/1/unblock", headers=HTML).raise_for_status()
    assert remarks(ada, game) == [0, 1]
    assert ada.get("/api/me/blocks").json() == []


def test_a_blocked_player_sees_no_later_remark_and_may_still_speak(
    ada: TestClient, bob: TestClient, game: str, clock: Any
) -> None:
    ada.post(f"/api/games/{game}/remarks", json={"line": 0}).raise_for_status()
    clock.now += 5
    ada.post("/api/me/blocks", json={"game": game, "seat": 1}).raise_for_status()
    clock.now += 5
    ada.post(f"/api/games/{game}/remarks", json={"line": 0}).raise_for_status()
    bob.post(f"/api/games/{game}/remarks", json={"line": 0}).raise_for_status()
    assert remarks(bob, game) == [0, 1], "remarks already read stay"
    assert remarks(ada, game) == [0, 0]


def test_a_block_from_a_circle_removes_its_challenges(ada: TestClient, bob: TestClient, clock: Any) -> None:
    address = circle_of(ada, bob)
    page = address.removeprefix("/api")
    clock.now += 1
    round_ = bob.post("/api/games", json={"kind": "boggle", "options": {"board": "taps"}}).json()["id"]
    for move in ("start", "finish"):
        bob.post(f"/api/games/{round_}/moves", json={"move": {"type": move}}).raise_for_status()
    bob.post(f"/api/games/{round_}/challenge").raise_for_status()
    assert len(ada.get(address).json()["challenges"]) == 1
    assert f'href="{page}/people"' in ada.get(page, headers=HTML).text
    assert "Unblock" in ada.post(f"{page}/people/2/block", headers=HTML).text
    assert ada.get(address).json()["challenges"] == []
    block = ada.get("/api/me/blocks").json()[0]["block_id"]
    for _ in range(2):  # as with a double click
        assert ada.post(f"/me/blocks/{block}/remove", headers=HTML).url.path == "/me"
    assert len(ada.get(address).json()["challenges"]) == 1


def test_a_blockers_listed_tables_look_like_closed_ones(ada: TestClient, bob: TestClient, game: str) -> None:
    ada.post("/api/me/blocks", json={"game": game, "seat": 1}).raise_for_status()
    open_table = ada.post("/api/games", json={"kind": "letterpress", "listed": True}).json()
    closed = ada.post("/api/games", json={"kind": "letterpress"}).json()
    assert open_table["id"] not in [each["id"] for each in bob.get("/api/games").json()]
    assert open_table["id"] not in bob.get("/lobby").text
    refusals = [bob.post(f"/api/games/{each['id']}/seats", json={}) for each in (open_table, closed)]
    assert [refusal.status_code for refusal in refusals] == [404, 404]
    assert refusals[0].json() == refusals[1].json()
    assert bob.post(f"/games/{open_table['id']}/seats", headers=HTML).status_code == 404
    invited = {"invitation": open_table["invitation"]}
    assert bob.post(f"/api/games/{open_table['id']}/seats", json=invited).json()["seat"] == 1


def test_a_block_that_names_no_other_player_is_refused_and_changes_nothing(
    ada: TestClient, bob: TestClient, third: TestClient, game: str
) -> None:
    circle = circle_of(ada, bob).rpartition("/")[2]
    cases: tuple[tuple[TestClient, Any, int], ...] = (
        (ada, {"game": game, "seat": 0}, 404),
        (ada, {"game": game, "seat": 4}, 404),
        (ada, {"game": "unknown", "seat": 1}, 404),
        (third, {"game": game, "seat": 1}, 403),
        (third, {"circle": circle, "member": 1}, 404),
        (ada, {"circle": circle, "member": 9}, 404),
        (ada, {"circle": circle, "member": 1}, 404),
        (ada, {"game": game}, 422),
        (ada, {"game": game, "seat": 1, "circle": circle, "member": 2}, 422),
        (ada, {}, 422),
    )
    for client, body, status in cases:
        assert client.post("/api/me/blocks", json=body).status_code == status, body
    assert third.get(f"/games/{game}/people", headers=HTML).status_code == 403
    assert third.post(f"/circles/{circle}/people/1/block", headers=HTML).status_code == 404
    assert ada.get("/api/me/blocks").json() == []
    block = ada.post("/api/me/blocks", json={"game": game, "seat": 1}).json()["block_id"]
    assert bob.delete(f"/api/me/blocks/{block}").status_code == 404
    assert ada.delete(f"/api/me/blocks/{block}").status_code == 204
