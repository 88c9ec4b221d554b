"""Replays run in the engine pool, count against the engine limits, and are cached."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import current_thread
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.store.game_reader import GameReader
from tests.driver import finished_game, problem
from tests.web.busy_pool import engines_busy
from tests.web.conftest import Serve

GCG = "#player1 anna Anna\n#player2 levin Levin\n>anna: LEARNED 8D LEARNED +55 55\n"


def test_requests_that_replay_a_game_are_refused_while_engines_are_busy(serve: Serve) -> None:
    client = serve()
    game = finished_game(client, words=1)["id"]
    text = client.get(f"/api/games/{game}/record").text
    other = finished_game(client, words=1)["id"]
    with engines_busy(client):
        for path in ("record", "plies/1"):
            assert problem(client.get(f"/api/games/{other}/{path}"), 503)["status"] == 503
            page = client.get(f"/games/{other}/{path}", headers={"Accept": "text/html"})
            assert page.status_code == 503
            assert int(page.headers["Retry-After"]) > 0
        assert client.post("/import", data={"text": text}).status_code == 503
        answer = client.post("/api/games/import", content=text, headers={"Content-Type": "text/plain"})
        assert problem(answer, 503)["status"] == 503
        assert client.get(f"/games/{other}").status_code == 200, "its table needs no replay"


@pytest.mark.parametrize(
    ("path", "quick", "long"),
    [
        (
            "/api/games",
            {"kind": "scrabblet", "options": {"penalty": 2}},
            {"kind": "scrabblet", "options": {"min_words": 40}},
        ),
        ("/api/fribble/score", {"move": "8H CAT"}, {"move": "G8 .AT", "board": GCG}),
    ],
)
def test_long_requests_are_refused_while_engines_are_busy_and_quick_ones_answered(
    serve: Serve, path: str, quick: dict[str, Any], long: dict[str, Any]
) -> None:
    client = serve()
    with engines_busy(client):
        client.post(path, json=quick).raise_for_status()
        assert problem(client.post(path, json=long), 503)["status"] == 503
    client.post(path, json=long).raise_for_status()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/games/{}/turns/1/retry"),
        ("POST", "/games/{}/turns/1/retry"),
        ("GET", "/games/{}/cards"),
        ("POST", "/games/{}/cards"),
        ("POST", "/puzzles/mistakes"),
    ],
)
def test_a_whole_game_is_replayed_by_a_thread_of_the_engines(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    game = finished_game(client, words=1)["id"]
    client.get(f"/api/games/{game}/analysis").raise_for_status()
    threads = []
    states = GameReader.states

    def noted(games: GameReader, game_id: str) -> Any:
        threads.append(current_thread().name)
        return states(games, game_id)

    monkeypatch.setattr(GameReader, "states", noted)
    client.request(method, path.format(game))
    assert [name.partition("_")[0] for name in threads] == ["engine"]


def test_a_replayed_game_is_cached(serve: Serve) -> None:
    client = serve(rate_engines="4/minute", rate_address_share=1)
    game = finished_game(client, words=1)["id"]
    text = client.get(f"/api/games/{game}/record").text
    assert client.get(f"/api/games/{game}/plies/0").status_code == 200
    with engines_busy(client):
        assert client.get(f"/games/{game}/record").text == text
        assert client.get(f"/api/games/{game}/plies/2").json()["ply"] == 2
    other = finished_game(client, words=1)["id"]
    assert client.get(f"/api/games/{other}/record").status_code == 429, "a third game would be a third replay"
    assert client.get(f"/api/games/{game}/record").text == text, "a cached replay is free"


@pytest.mark.parametrize(
    ("paths", "answers"),
    [
        (("/games/{}/analysis", "/api/games/{}/analysis"), {200}),
        (("/games/{}/turns/1/retry",), {200, 404, 429, 503}),
    ],
)
def test_waiting_for_an_analysis_holds_no_page_thread(
    serve: Serve, paths: tuple[str, ...], answers: set[int]
) -> None:
    client = serve()
    game = finished_game(client, words=1)["id"]
    with ThreadPoolExecutor(90) as stream_limiter, engines_busy(client, places_left=1) as pool:
        with client.app.state.services.games.database.writing() as connection:  # type: ignore[attr-defined]
            connection.exec_driver_sql("DELETE FROM analyses")
        addresses = [path.format(game) for path in paths] * (90 // len(paths))
        waiting = [stream_limiter.submit(client.get, address) for address in addresses]
        while pool.taken < pool.places:
            time.sleep(0.01)
        for _ in range(20):
            assert client.get("/").status_code == 200
        assert not any(each.done() for each in waiting)
    assert {each.result().status_code for each in waiting} <= answers
