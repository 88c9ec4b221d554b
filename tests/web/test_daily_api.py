"""The daily over the API."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

from app.store.days import DAILY_GRACE_SECONDS
from tests.driver import JSON, best_cells, daily, move, problem, record
from tests.web.conftest import Clock

DAY = 86_400


def seed_of(client: TestClient, game: JSON) -> str:
    seed: str = client.app.state.services.games.load(game["id"], 0).seed  # type: ignore[attr-defined]
    return seed


def test_today_is_the_same_board_for_everybody(client: TestClient, stranger: TestClient) -> None:
    before = client.get("/api/daily").json()
    assert (before["day"], before["running"]) == ("2023-11-14", True)
    assert (before["game_id"], before["finished"], before["leaderboard"]) == (None, 0, [])
    mine, theirs = daily(client), daily(stranger)
    assert mine["id"] != theirs["id"]
    assert mine["view"]["tiles"] == theirs["view"]["tiles"]
    assert mine["view"]["mode"] == "classic"
    assert client.get("/api/daily").json()["game_id"] == mine["id"]


def test_one_ranked_attempt_even_from_many_tabs_at_once(client: TestClient) -> None:
    client.put("/api/me", json={"nickname": "Ada"})
    with ThreadPoolExecutor(6) as threads:
        ids = set(threads.map(lambda _: daily(client)["id"], range(6)))
    assert len(ids) == 1
    daily(client, 0)
    assert daily(client)["id"] in ids
    assert client.get("/api/daily").json()["finished"] == 1


def test_the_leaderboard_shows_rank_score_and_name_and_no_game(
    client: TestClient, stranger: TestClient, third: TestClient, clock: Clock
) -> None:
    client.put("/api/me", json={"nickname": "<b>Ada</b>"})
    for player, words in ((client, 1), (stranger, 3), (third, 1)):
        daily(player, words)
        clock.now += 1
    day = client.get("/api/daily").json()
    assert [(line["rank"], line["you"]) for line in day["leaderboard"]] == [
        (1, False),
        (2, True),
        (2, False),
    ]
    assert [line["nickname"] for line in day["leaderboard"]] == [None, "<b>Ada</b>", None]
    assert (day["rank"], day["finished"], day["streak"]) == (2, 3, 1)
    assert set(day["leaderboard"][0]) == {"rank", "nickname", "you", "score", "accuracy"}
    assert len(client.get("/api/daily?top=1").json()["leaderboard"]) == 1
    for top in ("0", "101", "all"):
        problem(client.get(f"/api/daily?top={top}"), 422)


def test_the_day_changes_at_midnight_utc(client: TestClient, clock: Clock) -> None:
    clock.now = 19_700 * DAY - 1
    assert client.get("/api/daily").json()["day"] == "2023-12-08"
    first = daily(client, 1)
    clock.now += 1
    day = client.get("/api/daily").json()
    assert (day["day"], day["game_id"], day["streak"]) == ("2023-12-09", None, 1)
    second = daily(client, 0)
    assert second["id"] != first["id"]
    assert client.get("/api/daily").json()["streak"] == 2
    old = client.get("/api/daily/2023-12-08").json()
    assert (old["running"], old["game_id"], old["finished"]) == (False, first["id"], 1)
    clock.now += 2 * DAY + DAILY_GRACE_SECONDS
    assert client.get("/api/daily").json()["streak"] == 0
    assert client.get("/api/me").json()["streaks"]["wibble"] == {"now": 0, "longest": 2}


def test_a_past_day_is_rehearsed_and_counts_for_nothing(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    ranked = daily(client, 0)
    path = "/api/daily/2023-11-14"
    problem(stranger.post(f"{path}/rehearsals"), 404)
    clock.now += DAY
    answer = stranger.post(f"{path}/rehearsals")
    assert answer.status_code == 201
    game = answer.json()
    assert game["id"] != ranked["id"]
    move(stranger, game, {"type": "chain", "cells": best_cells(stranger, game)})
    move(stranger, game, {"type": "resign"})
    day = stranger.get(path).json()
    assert (day["finished"], day["game_id"], day["score"]) == (1, None, None)
    assert stranger.get("/api/me").json()["streaks"] == {}


@pytest.mark.parametrize(
    ("day", "status"),
    [
        ("2023-11-15", 404),
        ("9999-12-31", 404),
        ("2023-02-30", 422),
        ("yesterday", 422),
        ("2023-11-14T00:00:01", 422),
    ],
)
def test_an_invalid_day_is_an_error(client: TestClient, day: str, status: int) -> None:
    error = problem(client.get(f"/api/daily/{day}"), status)
    assert problem(client.post(f"/api/daily/{day}/rehearsals"), status) == error


def test_a_day_without_a_daily_cannot_be_rehearsed(client: TestClient) -> None:
    problem(client.post("/api/daily/2001-01-01/rehearsals"), 404)


def test_the_seed_of_the_day_is_secret_until_the_day_is_over(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = daily(client, 1)
    seed = seed_of(client, game)
    for one in (client, stranger):
        assert "tomorrow" in problem(record(one, game), 409)["detail"]
        page = one.get(f"/games/{game['id']}/record")
        assert page.status_code == 409
        for path in ("", "/moves", "/analysis", "/plies/1"):
            assert seed not in one.get(f"/api/games/{game['id']}{path}").text
        for path in ("", "/analysis", "/plies/1", "/table"):
            assert seed not in one.get(f"/games/{game['id']}{path}", follow_redirects=True).text
    clock.now += DAY
    text = record(stranger, game)
    assert text.status_code == 200
    assert seed in text.text


def test_a_rehearsal_of_yesterday_can_be_exported(client: TestClient, clock: Clock) -> None:
    daily(client, 0)
    clock.now += DAY
    game = client.post("/api/daily/2023-11-14/rehearsals").json()
    problem(record(client, game), 409)
    move(client, game, {"type": "resign"})
    assert record(client, game).status_code == 200
