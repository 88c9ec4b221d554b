"""Replays ply by ply over the API."""

from fastapi.testclient import TestClient

from tests.driver import best_cells, move, open_wibble, problem, see


def test_every_ply_of_a_finished_game_is_there(client: TestClient, stranger: TestClient) -> None:
    game = open_wibble(client)
    views = [see(client, game)["view"]]
    for _ in range(2):
        chain = {"type": "chain", "cells": best_cells(client, see(client, game))}
        played = move(client, game, chain).json()
        views.append(played["view"])
    running = problem(client.get(f"/api/games/{game['id']}/plies/1"), 409)
    assert running["game"]["id"] == game["id"]
    views.append(move(client, game, {"type": "resign"}).json()["view"])
    first = stranger.get(f"/api/games/{game['id']}/plies/0").json()
    assert (first["ply"], first["last_ply"], first["view"]["tiles"]) == (0, 4, [])
    for ply, view in enumerate(views, start=1):
        replayed = stranger.get(f"/api/games/{game['id']}/plies/{ply}").json()["view"]
        assert replayed | {"seat": 0} == view
    for none in ("5", "-1", "9" * 30):
        refused = problem(client.get(f"/api/games/{game['id']}/plies/{none}"), 404)
        assert "plies 0 to 4" in refused["detail"]
    problem(client.get(f"/api/games/{game['id']}/plies/last"), 422)
    problem(client.get("/api/games/nope/plies/0"), 404)


def test_a_replay_does_not_show_a_bought_hint_to_others(client: TestClient, stranger: TestClient) -> None:
    game = open_wibble(client, "zen")
    assert move(client, game, {"type": "hint"}).json()["view"]["hint"]
    assert see(stranger, game)["view"]["hint"] is None
    assert see(stranger, game)["view"]["report"]["cells"] == []
