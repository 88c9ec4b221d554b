"""Rematches over HTTP: only the players of a game can join its rematch."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import JSON, open_game, play, problem, see, sit_down, versus
from tests.web.browsing import HTML, HTMX

BODIES: dict[str, JSON] = {
    "wibble": {"kind": "wibble", "options": {"mode": "versus"}},
    "letterpress": {"kind": "letterpress"},
    "boggle": {"kind": "boggle"},
    "fribble": {"kind": "fribble"},
}
LAST: dict[str, list[str]] = {"boggle": ["start", "finish"]}


def over(*clients: TestClient, kind: str = "letterpress", **body: Any) -> JSON:
    """A finished game of these players, as the first of them sees it."""
    asked = BODIES[kind] | {"seats": len(clients)} | body
    game = open_game(clients[0], **asked)
    for guest in clients[1:]:
        sit_down(guest, game)
    for one in clients:
        for move in LAST.get(kind, ["resign"]):
            if see(clients[0], game)["finished_at"] is None:
                play(one, game, move)
    finished = see(clients[0], game)
    assert finished["finished_at"] is not None
    return finished


def rematch(client: TestClient, game: JSON) -> Any:
    return client.post(f"/api/games/{game['id']}/rematch")


def page(client: TestClient, game: JSON) -> str:
    return client.get(f"/games/{game['id']}", headers=HTML).raise_for_status().text


def rematch_text(text: str) -> str:
    found = re.search(r'id="rematch">(.*?)</p>', text, re.S)
    return re.sub("<[^>]+>", "", found[1]).strip() if found else ""


def label(text: str) -> str:
    found = re.search(r'<button[^>]* id="again"[^>]*>(.*?)</button>', text)
    assert found
    return found[1]


@pytest.mark.parametrize("kind", BODIES)
def test_the_other_sees_the_request_and_joins_the_same_table(
    client: TestClient, stranger: TestClient, kind: str
) -> None:
    game = over(client, stranger, kind=kind)
    assert game["rematch"] is None
    before = page(stranger, game)
    assert (rematch_text(before), label(before)) == ("", "Rematch")
    assert f'formaction="/games/{game["id"]}/rematch"' in before

    answer = client.post(f"/games/{game['id']}/rematch", follow_redirects=False)
    assert answer.status_code == 303
    opened = see(client, {"id": answer.headers["location"].rpartition("/")[2]})
    assert [seat["occupant"] for seat in opened["seats"]] == ["player", "free"]
    assert (opened["seat"], opened["kind"], opened["listed"]) == (0, kind, False)

    after = page(stranger, game)
    assert (rematch_text(after), label(after)) == ("Player 1 wants a rematch", "Join the rematch")
    assert see(stranger, game)["rematch"] == {"game_id": opened["id"], "seats": [0]}
    mine = page(client, game)
    assert rematch_text(mine) == "You asked for a rematch. Waiting for 1 player"
    assert label(mine) == "Go to the rematch"

    joined = rematch(stranger, game).raise_for_status().json()
    assert (joined["id"], joined["seat"]) == (opened["id"], 1)
    assert all(seat["occupant"] == "player" for seat in joined["seats"])
    assert rematch_text(page(client, game)) == "Your rematch has started"
    assert rematch(client, game).json()["id"] == opened["id"]


def test_watchers_see_no_rematch(client: TestClient, stranger: TestClient, third: TestClient) -> None:
    game = over(client, stranger)
    opened = rematch(client, game).json()["id"]
    for watcher in (third, TestClient(client.app)):
        assert see(watcher, game)["rematch"] is None
        text = page(watcher, game)
        assert opened not in text
        assert (rematch_text(text), label(text)) == ("", "New game")
        problem(rematch(watcher, game), 403)
        refused = watcher.post(f"/games/{game['id']}/rematch", headers=HTML)
        assert refused.status_code == 403
        assert opened not in refused.text
    third.post("/api/games", json=BODIES["letterpress"] | {"bots": [1]}).raise_for_status()
    problem(rematch(third, game), 403)


def test_the_page_fetches_what_is_new_around_a_finished_game(
    client: TestClient, stranger: TestClient
) -> None:
    game = over(client, stranger)
    text = page(stranger, game)
    assert "data-over" not in text
    assert "table/live.js" in text
    (address,) = re.findall(r'id="after"[^>]* hx-get="([^"]+)"', text)
    assert stranger.get(address, headers=HTMX).status_code == 204
    rematch(client, game).raise_for_status()
    news = stranger.get(address, headers=HTMX)
    assert rematch_text(news.text) == "Player 1 wants a rematch"
    watched = page(TestClient(client.app), game)
    assert "data-over" in watched
    assert "table/live.js" not in watched


def test_three_meet_at_one_table(client: TestClient, stranger: TestClient, third: TestClient) -> None:
    game = over(client, stranger, third, kind="wibble")
    opened = rematch(stranger, game).json()
    assert rematch_text(page(third, game)) == "Player 2 wants a rematch"
    rematch(client, game).raise_for_status()
    assert rematch_text(page(third, game)) == "Player 1 and Player 2 want a rematch"
    assert rematch_text(page(client, game)).endswith("Waiting for 1 player")
    last = rematch(third, game).json()
    assert (last["id"], last["seat"]) == (opened["id"], 1), "in the seating order of the first game"
    assert last["view"]["phase"] != "title"


def test_a_turn_limit_is_agreed_for_the_rematch_as_well(client: TestClient, stranger: TestClient) -> None:
    game = over(client, stranger, turn_limit=600, listed=True)
    opened = rematch(client, game).json()
    assert (opened["turn_limit"], opened["listed"]) == (600, False)


def test_an_unfinished_or_unknown_game_has_no_rematch(client: TestClient) -> None:
    assert "in progress" in problem(rematch(client, versus(client)), 409)["detail"]
    problem(client.post("/api/games/unknown/rematch"), 404)


def test_players_can_send_remarks_after_the_end(
    client: TestClient, stranger: TestClient, third: TestClient
) -> None:
    game = over(client, stranger)
    address = f"/games/{game['id']}"
    said = client.post(f"{address}/remarks", data={"line": 3}, headers=HTMX)
    assert said.status_code == 200
    text = page(stranger, game)
    assert 'class="talk-bubble"' in text
    assert 'hx-target="#after"' in text
    assert 'id="talk-open"' not in page(third, game)
    assert third.post(f"{address}/remarks", data={"line": 3}, headers=HTML).status_code == 403
    for _ in range(5):
        last = client.post(f"{address}/remarks", data={"line": 3}, headers=HTMX)
    assert last.status_code == 200, "a fragment has it in its notice"
    assert "Too many remarks" in last.text


def asked(client: TestClient, game: JSON) -> str:
    """The players asked for a waiting rematch, as its page names them; empty if there is none."""
    found = re.search(r'<p class="lobby-note">(.*?) can join from the page', page(client, game), re.S)
    return re.sub("<[^>]+>", "", found[1]).strip() if found else ""


def test_a_waiting_rematch_lists_the_invited_players(
    client: TestClient, stranger: TestClient, third: TestClient
) -> None:
    game = over(client, stranger, third, kind="wibble")
    waiting = rematch(client, game).json()
    assert asked(client, waiting) == "2 other players"
    for one, name in ((stranger, "Bob"), (third, "Carla")):
        one.put("/api/me", json={"nickname": name}).raise_for_status()
    assert asked(client, waiting) == "Bob and Carla"
    rematch(stranger, game).raise_for_status()
    assert asked(client, waiting) == asked(stranger, waiting) == "Carla"
    outsider = TestClient(client.app)
    assert asked(outsider, waiting) == asked(third, waiting) == ""
    assert asked(client, open_game(client, **BODIES["wibble"], seats=2)) == "", "a table that is no rematch"


def test_a_rematch_lists_only_players_who_can_still_join(
    client: TestClient, stranger: TestClient, third: TestClient
) -> None:
    game = over(client, stranger, third, kind="wibble")
    waiting = rematch(client, game).json()
    client.post(f"/api/games/{waiting['id']}/bots", json={"level": 1}).raise_for_status()
    assert asked(client, waiting) == "", "one seat is free for two"
    game = over(client, stranger)
    waiting = rematch(client, game).json()
    assert asked(client, waiting) == "The other player"
    outsider = TestClient(client.app)
    client.post("/api/me/blocks", json={"game": game["id"], "seat": 1}).raise_for_status()
    assert asked(client, waiting) == "", "a block keeps them apart"
    game = over(client, third)
    waiting = rematch(client, game).json()
    assert asked(client, waiting) == "The other player"
    third.delete("/api/me").raise_for_status()
    assert asked(client, waiting) == "", "they will never join"
    sit_down(outsider, waiting)
    assert see(client, waiting)["seats"][1]["occupant"] == "player"
