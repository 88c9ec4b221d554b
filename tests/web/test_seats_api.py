"""Tables of several players over the API: seats, invitations, bots, turns."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.games.wibble.rules import GRACE
from tests.driver import JSON, best_cells, move, problem, see, versus
from tests.web.conftest import Clock


def sit(client: TestClient, game: JSON, invitation: str | None = None) -> Any:
    token = game["invitation"] if invitation is None else invitation
    return client.post(f"/api/games/{game['id']}/seats", json={"invitation": token})


def test_two_players_play_a_game_of_versus_to_its_end(client: TestClient, stranger: TestClient) -> None:
    game = versus(client)
    assert [seat["occupant"] for seat in game["seats"]] == ["player", "free"]
    joined = sit(stranger, game).json()
    assert (joined["seat"], joined["invitation"]) == (1, None)
    turns = [client, stranger] * 5
    for mover in turns:
        other = stranger if mover is client else client
        now = see(mover, game)
        assert now["view"]["to_move"] == now["seat"]
        problem(move(other, game, {"type": "pass"}), 409)
        played = move(mover, game, {"type": "chain", "cells": best_cells(mover, now)})
        assert played.status_code == 200
    done = see(client, game)
    assert done["outcome"]["scores"] == done["view"]["scores"]
    assert client.get(f"/api/games/{game['id']}/analysis").json()["seats"][1]["score"] > 0
    assert client.get("/api/me").json()["statistics"][0]["against_others"] == 1


def test_seated_players_see_the_invitation_while_a_seat_is_free(
    client: TestClient, stranger: TestClient, third: TestClient
) -> None:
    game = versus(client, 3)
    assert game["invitation"]
    assert see(stranger, game)["invitation"] is None
    assert sit(stranger, game).json()["invitation"] == game["invitation"]
    sit(third, game)
    assert see(client, game)["invitation"] is None


def test_a_bot_is_added_once_though_the_request_is_sent_twice(client: TestClient) -> None:
    game = versus(client, 3)
    for _ in range(2):
        added = client.post(f"/api/games/{game['id']}/bots", json={"level": 1, "free": 2})
        assert added.status_code == 200
        assert [seat["occupant"] for seat in added.json()["seats"]] == ["player", "bot", "free"]


@pytest.mark.parametrize("token", ["", "nope", "\u0000", "<script>", "é" * 60])
def test_a_wrong_invitation_is_404_and_gives_no_seat(
    client: TestClient, stranger: TestClient, token: str
) -> None:
    game = versus(client)
    assert "invitation" in problem(sit(stranger, game, token), 404)["detail"]
    assert see(client, game)["seats"][1]["occupant"] == "free"


def test_a_bad_invitation_is_422(client: TestClient, stranger: TestClient) -> None:
    game = versus(client)
    body: Any
    for body in ({"invitation": 7}, {"invitation": "x" * 65}, []):
        problem(stranger.post(f"/api/games/{game['id']}/seats", json=body), 422)
    for body in ({}, {"invitation": None}):  # only a listed table needs none
        problem(stranger.post(f"/api/games/{game['id']}/seats", json=body), 404)
    problem(sit(stranger, {"id": "nope", "invitation": "x"}), 404)


def test_sitting_down_twice_or_too_late_gives_no_seat(
    client: TestClient, stranger: TestClient, third: TestClient
) -> None:
    game = versus(client)
    assert sit(client, game).json()["seat"] == 0
    assert [sit(stranger, game).json()["seat"] for _ in range(2)] == [1, 1]
    assert sit(third, game).json()["seat"] is None
    problem(move(third, game, {"type": "pass"}), 403)


def test_a_seat_taken_twice_at_once_goes_to_one(client: TestClient) -> None:
    game = versus(client)
    stream_limiter = [TestClient(client.app) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        seats = list(threads.map(lambda one: sit(one, game).json()["seat"], stream_limiter))
    assert sorted(seats, key=str) == [1, None, None, None]


def test_nothing_is_played_before_every_seat_is_taken(client: TestClient) -> None:
    game = versus(client)
    refused = problem(move(client, game, {"type": "pass"}), 409)
    assert "every seat" in refused["detail"]
    assert refused["game"]["view"]["tiles"] == []


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"options": {"mode": "versus"}, "seats": 1}, "2 to 6 seats, not 1"),
        ({"options": {"mode": "versus"}, "seats": 7}, "6 or less expected"),
        ({"options": {"mode": "classic"}, "seats": 2}, "not 2"),
        ({"options": {"mode": "versus"}, "seats": 2, "bots": [1, 2]}, "leave no seat for you"),
        ({"kind": "boggle", "bots": [1]}, "no seat for you: there is 1 seat, and there may be up to"),
        ({"options": {"mode": "versus"}, "seats": 2, "bots": [6]}, "5 or less expected"),
        ({"options": {"mode": "versus"}, "seats": 2, "bots": [0]}, "1 or more expected"),
        ({"options": {"mode": "zen", "turn_seconds": 30}}, "no turns"),
        ({"options": {"mode": "blitz", "replace": "releases"}}, "Zen can replace all releases"),
        ({"options": {"mode": "zen", "replace": "tiles"}}, "'words' or 'releases'"),
        ({"options": {"mode": "blitz", "turn_seconds": 300}}, "no turns"),
        ({"options": {"mode": "versus", "turn_seconds": 31}, "seats": 2}, "30 or 300"),
        ({"options": {"mode": "versus"}, "seats": "two"}, "whole number"),
        ({"options": {"mode": "versus"}, "seats": 2.5}, "whole number"),
    ],
)
def test_an_impossible_table_is_422(client: TestClient, body: JSON, says: str) -> None:
    assert says in problem(client.post("/api/games", json=body), 422)["detail"]


def test_a_seat_that_does_not_exist_is_refused_with_the_numbers_there_are(client: TestClient) -> None:
    game = client.post("/api/games", json={"options": {"mode": "zen"}}).json()
    answer = client.post(f"/api/games/{game['id']}/bots", json={"level": 1, "seat": 1})
    assert problem(answer, 422)["detail"] == "seat: there is no seat 1: the only seat is 0"


# Bots and clocks


def test_a_bot_answers_after_a_pause_and_its_move_is_drawn_like_a_persons(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = versus(client, 2, (3,))
    assert [seat["occupant"] for seat in game["seats"]] == ["player", "bot"]
    assert game["seats"][1]["bot_level"] == 3
    passed = move(client, game, {"type": "pass"}).json()
    assert see(client, game) == passed
    clock.now += 20
    seen = see(stranger, game)
    assert seen["view"]["to_move"] == 0
    report = seen["view"]["report"]
    assert (report["result"], report["seat"]) == ("scored", 1)
    assert len(report["cells"]) == len(report["word"]) > 1


def test_a_seated_player_puts_a_bot_on_a_free_seat(client: TestClient, stranger: TestClient) -> None:
    game = versus(client, 3)
    path = f"/api/games/{game['id']}/bots"
    problem(stranger.post(path, json={"level": 1}), 403)
    for body in ({}, {"level": 0}, {"level": 6}, {"level": "best"}):
        problem(client.post(path, json=body), 422)
    problem(client.post("/api/games/nope/bots", json={"level": 1}), 404)
    assert client.post(path, json={"level": 5}).json()["seats"][1]["bot_level"] == 5
    full = client.post(path, json={"level": 1}).json()
    assert full["view"]["phase"] == "play.idle"
    assert client.post(path, json={"level": 1}).json()["seats"] == full["seats"]


def test_turns_that_timed_out_are_passed_at_the_next_request(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = versus(client, turn_seconds=30)
    sit(stranger, game)
    begun = clock.now
    assert see(client, game)["view"]["ends_at"] == begun + 30
    clock.now += 3 * (30 + GRACE) + 1
    seen = see(client, game)["view"]
    assert (seen["round"], seen["to_move"]) == (2, 1)
    log = client.get(f"/api/games/{game['id']}/moves").json()["moves"]
    assert [(line["seat"], line["at"]) for line in log[1:]] == [
        (turn % 2, begun + (turn + 1) * (30 + GRACE)) for turn in range(3)
    ]
    late = problem(move(client, game, {"type": "pass"}), 409)
    assert late["game"]["view"]["to_move"] == 1


def test_only_the_player_who_asked_sees_a_hint(client: TestClient, stranger: TestClient) -> None:
    game = versus(client)
    sit(stranger, game)
    services = client.app.state.services  # type: ignore[attr-defined]
    table = services.games.load(game["id"], 0)
    rich = table.state.model_copy(update={"gems": (9, 9)})
    hinted = table.game.apply(rich, 0, table.game.move_adapter.validate_python({"type": "hint"}), 0.0)
    own, others = table.game.view(hinted, 0), table.game.view(hinted, 1)
    assert own.hint
    assert own.report.cells == own.hint
    assert others.hint is None
    assert others.report.cells == ()
