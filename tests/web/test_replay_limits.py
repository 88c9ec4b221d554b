"""Replaying a game takes time: it is done in the engine pool, charged to the engine limits, and kept."""

import time
from concurrent.futures import ThreadPoolExecutor

from tests.driver import finished_game, problem
from tests.web.busy import engines_busy
from tests.web.conftest import Serve


def test_what_replays_a_game_asks_the_engine_pool(serve: Serve) -> None:
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
        assert client.get(f"/games/{other}").status_code == 200, "its table is no replay"


def test_what_was_replayed_once_is_at_hand(serve: Serve) -> None:
    client = serve(rate_engines="4/minute", rate_address_share=1)
    game = finished_game(client, words=1)["id"]
    text = client.get(f"/api/games/{game}/record").text
    assert client.get(f"/api/games/{game}/plies/0").status_code == 200
    with engines_busy(client):
        assert client.get(f"/games/{game}/record").text == text
        assert client.get(f"/api/games/{game}/plies/2").json()["ply"] == 2
    other = finished_game(client, words=1)["id"]
    assert client.get(f"/api/games/{other}/record").status_code == 429, (
        "a third game would be a third question"
    )
    assert client.get(f"/api/games/{game}/record").text == text, "what is at hand is free"


def test_who_waits_for_an_analysis_holds_no_thread_of_a_page(serve: Serve) -> None:
    client = serve()
    game = finished_game(client, words=1)["id"]
    with ThreadPoolExecutor(90) as stream_limiter, engines_busy(client, places_left=1) as pool:
        with client.app.state.services.games.database.writing() as connection:  # type: ignore[attr-defined]
            connection.exec_driver_sql("DELETE FROM analyses")
        addresses = [f"/games/{game}/analysis", f"/api/games/{game}/analysis"] * 45
        waiting = [stream_limiter.submit(client.get, address) for address in addresses]
        while pool.taken < pool.places:
            time.sleep(0.01)
        for _ in range(20):
            assert client.get("/").status_code == 200
        assert not any(each.done() for each in waiting)
    assert {each.result().status_code for each in waiting} == {200}
