"""Claims, remarks and listed tables over HTTP."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.store.listed_tables import LISTED_FOR
from app.store.remarks import MOST_REMARKS, REMARK_LIMIT, REMARK_WINDOW_SECONDS
from app.web.table.remark_lines import lines
from tests.driver import move, open_game, sit_down
from tests.web.conftest import Clock

LIMIT = 600
PROBLEM = "application/problem+json"


def seated(host: TestClient, guest: TestClient, **body: Any) -> str:
    """A game of Letterpress between two, by default with a turn limit."""
    settings: dict[str, Any] = {"kind": "letterpress", "turn_limit": LIMIT} | body
    game = open_game(host, **settings)
    assert sit_down(guest, game)["seat"] == 1
    return str(game["id"])


def claimed(client: TestClient, game_id: str) -> Any:
    return client.post(f"/api/games/{game_id}/claim")


def says(client: TestClient, game_id: str, line: Any = 0) -> Any:
    return client.post(f"/api/games/{game_id}/remarks", json={"line": line})


def test_a_player_kept_waiting_too_long_claims_the_game(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game_id = seated(client, stranger)
    assert client.get(f"/api/games/{game_id}").json()["claimable_at"] == clock.now + LIMIT
    clock.now += LIMIT - 1
    early = claimed(stranger, game_id)
    assert (early.status_code, early.headers["content-type"]) == (409, PROBLEM)
    assert "there is 1 second left" in early.json()["detail"]
    clock.now += 1
    game = claimed(stranger, game_id).json()
    assert game["finished_at"] == clock.now
    assert game["outcome"]["winners"] == [1]
    assert game["claimable_at"] is None
    [logged] = client.get(f"/api/games/{game_id}/moves").json()["moves"]
    assert (logged["seat"], logged["move"]) == (0, {"type": "forfeit", "began": False})


def test_a_move_restarts_the_turn_limit(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    game_id = seated(client, stranger)
    clock.now += LIMIT + 5
    assert move(client, game_id, {"type": "pass"}).json()["claimable_at"] == clock.now + LIMIT
    assert claimed(stranger, game_id).status_code == 403, "it is their own turn now"
    assert claimed(client, game_id).status_code == 409
    clock.now += LIMIT
    assert claimed(client, game_id).json()["outcome"]["winners"] == [0]


def test_a_remark_does_not_delay_a_claim(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    game_id = seated(client, stranger)
    clock.now += LIMIT - 1
    says(client, game_id)
    clock.now += 1
    assert claimed(stranger, game_id).status_code == 200


def test_only_waiting_players_may_claim(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    game_id = seated(client, stranger)
    clock.now += 10 * LIMIT
    watcher = TestClient(client.app)
    assert claimed(watcher, game_id).status_code == 403
    open_game(watcher)
    assert claimed(watcher, game_id).status_code == 403, "a player, but of another table"
    assert claimed(client, game_id).status_code == 403, "the idle seat itself"
    assert claimed(watcher, "nothing").status_code == 404
    assert client.get(f"/api/games/{game_id}").json()["finished_at"] is None


def test_a_finished_game_cannot_be_claimed(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    game_id = seated(client, stranger)
    before = move(client, game_id, {"type": "resign"}).json()
    clock.now += 10 * LIMIT
    for who in (client, stranger):
        late = claimed(who, game_id)
        assert late.status_code == 409
        assert "over" in late.json()["detail"]
    assert client.get(f"/api/games/{game_id}").json()["outcome"] == before["outcome"]


@pytest.mark.parametrize("limit", [None, LIMIT])
def test_a_table_without_a_limit_or_with_a_free_seat_is_not_claimed(
    client: TestClient, stranger: TestClient, clock: Clock, limit: int | None
) -> None:
    if limit is None:
        game_id, who = seated(client, stranger, turn_limit=None), stranger
    else:
        game_id, who = open_game(client, kind="letterpress", turn_limit=limit)["id"], client
    clock.now += 10 * LIMIT
    assert claimed(who, game_id).status_code in (403, 409)
    game = client.get(f"/api/games/{game_id}").json()
    assert (game["claimable_at"], game["view"]["ply"]) == (None, 0)


def test_while_a_clock_of_the_game_runs_there_is_nothing_to_claim(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game_id = seated(client, stranger, kind="boggle", options={"seconds": 3600}, seats=2)
    assert client.get(f"/api/games/{game_id}").json()["claimable_at"] == clock.now + LIMIT
    assert move(client, game_id, {"type": "start"}).json()["claimable_at"] is None
    clock.now += LIMIT + 1
    assert claimed(stranger, game_id).status_code == 409


def test_bots_are_never_claimed_from(client: TestClient, clock: Clock) -> None:
    game_id = open_game(client, kind="letterpress", bots=[1], turn_limit=LIMIT)["id"]
    assert move(client, game_id, {"type": "pass"}).json()["claimable_at"] is None
    clock.now += 10 * LIMIT
    answer = claimed(client, game_id)
    assert answer.status_code == 403, "the bot has already moved: it is the player's turn"
    assert client.get(f"/api/games/{game_id}").json()["view"]["ply"] == 2


def test_the_other_two_of_three_play_on(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    game = open_game(client, kind="wibble", options={"mode": "versus"}, seats=3, turn_limit=LIMIT)
    third = TestClient(client.app)
    for guest in (stranger, third):
        sit_down(guest, game)
    clock.now += LIMIT
    after = claimed(third, game["id"]).json()
    assert after["finished_at"] is None
    assert (after["view"]["resigned"], after["view"]["to_move"]) == ([0], 1)
    assert after["claimable_at"] == clock.now + LIMIT
    assert claimed(client, game["id"]).status_code == 409, "the next player has a full turn"


@pytest.mark.parametrize("limit", [1, 599, 601, -600, 10**9, "soon"])
def test_other_limits_are_refused(client: TestClient, limit: Any) -> None:
    answer = client.post("/api/games", json={"kind": "letterpress", "turn_limit": limit})
    assert answer.status_code == 422
    assert "600, 3600" in answer.json()["detail"]


def test_remarks_are_shown_to_players_and_watchers(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game_id = seated(client, stranger)
    said = says(stranger, game_id, 1)
    assert said.status_code == 200
    [remark] = TestClient(client.app).get(f"/api/games/{game_id}").json()["remarks"]
    assert remark == {"seat": 1, "line": 1, "text": lines()[1], "at": clock.now}
    assert said.json()["view"]["ply"] == 0, "a remark is not a move"


@pytest.mark.parametrize("line", [-1, len(lines()), 10**30, "hello", None, 0.5])
def test_only_known_remarks_can_be_sent(client: TestClient, stranger: TestClient, line: Any) -> None:
    game_id = seated(client, stranger)
    answer = says(client, game_id, line)
    assert (answer.status_code, answer.headers["content-type"]) == (422, PROBLEM)
    assert client.post(f"/games/{game_id}/remarks", data={"line": str(line)}).status_code == 422
    assert client.get(f"/api/games/{game_id}").json()["remarks"] == []


def test_watchers_cannot_make_remarks(client: TestClient, stranger: TestClient) -> None:
    game_id = seated(client, stranger)
    assert says(TestClient(client.app), game_id).status_code == 403
    assert says(client, "nothing").status_code == 404


def test_remarks_are_limited_for_each_seat(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    game_id = seated(client, stranger)
    for _ in range(REMARK_LIMIT):
        assert says(client, game_id).status_code == 200
    assert says(client, game_id).status_code == 429
    assert says(stranger, game_id).status_code == 200, "each seat has its own limit"
    clock.now += REMARK_WINDOW_SECONDS
    assert says(client, game_id).status_code == 200


def test_a_table_keeps_a_limited_number_of_remarks(
    client: TestClient, stranger: TestClient, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_REMARKS > 3
    monkeypatch.setattr("app.store.remarks.MOST_REMARKS", 3)
    game_id = seated(client, stranger)
    for _ in range(3):
        assert says(client, game_id).status_code == 200
        clock.now += REMARK_WINDOW_SECONDS
    answer = says(stranger, game_id)
    assert (answer.status_code, answer.json()["detail"]) == (
        429,
        "this game has 3 remarks, the most allowed",
    )


def version_of(client: TestClient, game_id: str) -> str:
    """The version of the table on a page."""
    found = re.search(r'data-version="([^"]*)"', client.get(f"/games/{game_id}").text)
    assert found
    return found[1]


def test_a_remark_reaches_a_page_as_a_new_version(client: TestClient, stranger: TestClient) -> None:
    game_id = seated(client, stranger)
    seen = version_of(stranger, game_id)
    assert stranger.get(f"/games/{game_id}/table?seen={seen}").status_code == 204
    says(client, game_id)
    assert stranger.get(f"/games/{game_id}/table?seen={seen}").status_code == 200
    assert version_of(stranger, game_id) == "0-2-1"


HTMX = {"HX-Request": "true"}


def test_a_claim_or_remark_that_is_refused_keeps_the_table_on_the_page(
    client: TestClient, stranger: TestClient
) -> None:
    """The response replaces the table on the page and has the reason in its notice."""
    game_id = seated(client, stranger)
    early = stranger.post(f"/games/{game_id}/claim", headers=HTMX)
    assert early.status_code == 200
    assert 'id="table"' in early.text
    assert "600 seconds left" in early.text
    for _ in range(REMARK_LIMIT):
        says(client, game_id)
    much = client.post(f"/games/{game_id}/remarks", data={"line": 0}, headers=HTMX)
    assert much.status_code == 200
    assert 'id="table"' in much.text
    assert "Too many remarks" in much.text


def test_a_claim_from_the_page_ends_the_game(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    game_id = seated(client, stranger)
    assert re.search(r'id="claim"[^>]* hidden', stranger.get(f"/games/{game_id}").text)
    assert 'id="claim"' not in client.get(f"/games/{game_id}").text
    clock.now += LIMIT - 0.5
    assert 'data-in="1" hidden' in stranger.get(f"/games/{game_id}").text, "not before it is allowed"
    clock.now += 0.5
    assert 'data-in="0">' in stranger.get(f"/games/{game_id}").text
    answer = stranger.post(f"/games/{game_id}/claim", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/games/{game_id}")
    assert client.get(f"/api/games/{game_id}").json()["outcome"]["winners"] == [1]


def test_any_player_can_join_a_listed_table(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, kind="letterpress", listed=True)
    [shown] = stranger.get("/api/games").json()
    assert (shown["id"], shown["listed"], shown["seat"]) == (game["id"], True, None)
    assert shown["invitation"] is None
    assert f'action="/games/{game["id"]}/seats"' in stranger.get("/lobby").text
    assert f'action="/games/{game["id"]}/seats"' not in client.get("/lobby").text, "they already have a seat"
    taken = stranger.post(f"/api/games/{game['id']}/seats", json={})
    assert (taken.status_code, taken.json()["seat"]) == (200, 1)
    assert stranger.get("/api/games").json() == [], "no seat is free"
    late = TestClient(client.app).post(f"/api/games/{game['id']}/seats", json={})
    assert (late.status_code, late.json()["seat"]) == (200, None)


def test_sitting_down_twice_gives_no_second_seat(client: TestClient) -> None:
    game = open_game(client, kind="letterpress", listed=True)
    again = client.post(f"/api/games/{game['id']}/seats", json={}).json()
    assert again["seat"] == 0
    assert [seat["occupant"] for seat in again["seats"]] == ["player", "free"]


def test_a_private_table_takes_only_invited_players(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, kind="letterpress")
    assert stranger.get("/api/games").json() == []
    assert game["id"] not in stranger.get("/lobby").text
    for invitation in ({}, {"invitation": None}, {"invitation": "guessed"}):
        answer = stranger.post(f"/api/games/{game['id']}/seats", json=invitation)
        assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)
    assert stranger.post(f"/games/{game['id']}/seats").status_code == 404
    assert stranger.post("/api/games/nothing/seats", json={}).status_code == 404
    assert client.get(f"/api/games/{game['id']}").json()["seats"][1]["occupant"] == "free"


def test_from_the_lobby_to_the_table(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, kind="letterpress", listed=True)
    answer = stranger.post(f"/games/{game['id']}/seats", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/games/{game['id']}")
    assert stranger.get(f"/api/games/{game['id']}").json()["seat"] == 1
    late = TestClient(client.app).post(f"/games/{game['id']}/seats", headers={"accept": "text/html"})
    assert "This game is full" in late.text


def test_the_lobby_drops_tables_that_wait_too_long(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    open_game(client, kind="letterpress", listed=True)
    clock.now += LISTED_FOR
    assert stranger.get("/api/games").json() == []


def test_a_name_is_shown_as_it_is(client: TestClient, stranger: TestClient) -> None:
    open_game(client, kind="letterpress", listed=True)
    client.post("/me/nickname", data={"nickname": "<img src=x>&\"'"})
    page = stranger.get("/lobby").text
    assert "<img src=x>" not in page
    assert "&lt;img src=x&gt;&amp;&#34;&#39;" in page


def test_an_impossible_ply_in_a_form_is_422(client: TestClient, stranger: TestClient) -> None:
    game_id = seated(client, stranger)
    for ply in ("9" * 5_000, "-1", "first"):
        answer = client.post(f"/games/{game_id}/moves", data={"ply": ply, "type": "pass"})
        assert (answer.status_code, answer.headers["content-type"]) == (422, PROBLEM)


def test_the_log_of_a_running_game_hides_what_the_view_hides(
    client: TestClient, stranger: TestClient
) -> None:
    board = ["cats", "dogs", "reed", "sent"]
    game_id = seated(client, stranger, kind="boggle", options={"board": board}, seats=2)

    def log(who: TestClient) -> list[Any]:
        return [line["move"] for line in who.get(f"/api/games/{game_id}/moves").json()["moves"]]

    move(client, game_id, {"type": "start"})
    move(client, game_id, {"type": "word", "word": "cats"})
    start, word = {"type": "start"}, {"type": "word", "word": "cats", "cells": None}
    assert log(client) == [start, word]
    assert log(stranger) == log(TestClient(client.app)) == [start, None]
    move(client, game_id, {"type": "finish"})
    move(stranger, game_id, {"type": "finish"})
    assert log(stranger)[:2] == [start, word]


def test_which_tiles_were_exchanged_is_not_in_the_log(client: TestClient, stranger: TestClient) -> None:
    game_id = seated(client, stranger, kind="fribble")
    rack = client.get(f"/api/games/{game_id}").json()["view"]["rack"]
    assert move(client, game_id, {"type": "exchange", "tiles": rack[:3]}).status_code == 200
    [mine] = client.get(f"/api/games/{game_id}/moves").json()["moves"]
    [theirs] = stranger.get(f"/api/games/{game_id}/moves").json()["moves"]
    assert mine["move"] == {"type": "exchange", "tiles": rack[:3]}
    assert (theirs["ply"], theirs["seat"], theirs["move"]) == (0, 0, None)


def test_an_unplayed_round_is_shown_as_your_turn(client: TestClient, stranger: TestClient) -> None:
    game_id = seated(client, stranger, kind="boggle", seats=2)
    assert "your turn" in stranger.get("/lobby").text
    move(stranger, game_id, {"type": "finish"})
    assert "your turn" not in stranger.get("/lobby").text
    assert "your turn" in client.get("/lobby").text
