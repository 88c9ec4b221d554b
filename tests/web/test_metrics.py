"""Metrics and the request log, and that neither contains personal data."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import httpx
import pytest
from fastapi.testclient import TestClient

from app.logs import JsonFormatter
from app.settings import Settings
from app.web.pool import EnginePool, PoolFull
from tests.driver import open_game, open_wibble
from tests.event_streams import SOON
from tests.metrics import figure
from tests.servers import Served
from tests.shared_parts import create_app
from tests.web.busy_pool import neighbour

SHOWN = "let me see"


@pytest.fixture
def here(client: TestClient) -> TestClient:
    """A client on the server's machine."""
    return TestClient(client.app, client=("127.0.0.1", 50_000))


def test_requests_are_counted_by_route_and_status(client: TestClient, here: TestClient) -> None:
    game = open_wibble(client, "zen")["id"]
    for _ in range(3):
        client.get(f"/api/games/{game}")
    client.get("/api/games/unknown")
    client.get("/nothing/here")
    client.get("/static/nothing.css")
    count = "wibble_request_seconds_count"
    assert figure(here, count, method="GET", route="/api/games/{game_id}", status=200) == 3
    assert figure(here, count, method="GET", route="/api/games/{game_id}", status=404) == 1
    assert figure(here, count, method="POST", route="/api/games", status=201) == 1
    assert figure(here, count, method="GET", route="none", status=404) == 1
    assert figure(here, count, method="GET", route="/static/{path}", status=404) == 1
    assert game not in here.get("/metrics").text


def test_games_are_counted_by_kind_and_status(client: TestClient, here: TestClient) -> None:
    game = open_wibble(client, "zen")["id"]
    client.post(f"/api/games/{game}/moves", json={"move": {"type": "resign"}})
    client.post("/api/games", json={"kind": "letterpress", "bots": [1]})
    assert figure(here, "wibble_games", kind="wibble", status="finished") == 1
    assert figure(here, "wibble_games", kind="letterpress", status="open") == 1


def test_engines_are_timed_by_name(client: TestClient, here: TestClient) -> None:
    answer = client.post("/api/boggle/solve", json={"rows": ["pers", "latg", "sine", "ters"]})
    assert answer.status_code == 200, answer.text
    assert figure(here, "wibble_engine_seconds_count", engine="boggle") == 1
    assert figure(here, "wibble_pool_taken") == 0
    assert figure(here, "wibble_pool_threads") == 2


def test_a_full_pool_counts_what_it_takes_and_refuses() -> None:
    engines: list[str] = []
    pool, done = EnginePool(1, 1, lambda engine, _seconds: engines.append(engine)), Event()
    works = [pool.start(neighbour(number), "slow", done.wait, 10) for number in range(2)]
    assert pool.taken == 2
    with pytest.raises(PoolFull):
        pool.start(neighbour(2), "slow", done.wait, 10)
    assert pool.refused == 1
    done.set()
    assert [work.result() for work in works] == [True, True]
    pool.close()
    assert (pool.taken, engines) == (0, ["slow", "slow"])


def test_metrics_are_for_this_machine_only(client: TestClient, here: TestClient) -> None:
    assert here.get("/metrics").status_code == 200
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"):
        assert here.get("/metrics", headers={header: "127.0.0.1"}).status_code == 404, header


@pytest.mark.parametrize(
    ("shown", "status"),
    [(f"Bearer {SHOWN}", 200), ("Bearer let me", 404), ("Bearer é", 404), (SHOWN, 404), ("", 404)],
)
def test_a_token_opens_the_metrics_from_elsewhere(settings: Settings, shown: str, status: int) -> None:
    configured = Settings(data_dir=settings.data_dir, cache_dir=settings.cache_dir, metrics_token=SHOWN)
    client = TestClient(create_app(configured))
    assert client.get("/metrics", headers=[(b"Authorization", shown.encode())]).status_code == status


def test_an_empty_token_opens_nothing(settings: Settings) -> None:
    configured = Settings(data_dir=settings.data_dir, cache_dir=settings.cache_dir, metrics_token="")
    answer = TestClient(create_app(configured)).get("/metrics", headers={"Authorization": "Bearer "})
    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("given", "kept"), [("abc-1.2_X", True), ("two words", False), ("a" * 65, False), ("", False)]
)
def test_every_answer_names_its_request(client: TestClient, given: str, kept: bool) -> None:
    for address in ("/", "/healthz", "/nothing", "/static/nothing.css"):
        named = client.get(address, headers={"X-Request-ID": given}).headers["x-request-id"]
        assert (named == given) is kept
        assert re.fullmatch("[A-Za-z0-9._-]{1,64}", named)
    assert client.get("/healthz").headers["x-request-id"] != client.get("/healthz").headers["x-request-id"]


def test_a_500_has_the_headers_and_metrics_of_any_other_answer(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("app.store.games.GameStore.ping", broken)
    with TestClient(create_app(settings), raise_server_exceptions=False, client=("127.0.0.1", 1)) as client:
        answer = client.get("/readyz", headers={"X-Request-ID": "mine"})
        assert (answer.status_code, answer.headers["x-request-id"]) == (500, "mine")
        assert answer.headers["content-security-policy"] == client.get("/").headers["content-security-policy"]
        assert answer.json()["detail"] == "something went wrong on our side"
        assert figure(client, "wibble_request_seconds_count", method="GET", route="/readyz", status=500) == 1


def test_a_log_line_describes_the_request_and_no_people(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    game = open_game(client, "letterpress", seats=2)
    with caplog.at_level(logging.INFO, "uvicorn.error.wibble.requests"):
        client.get(
            f"/api/games/{game['id']}?invitation={game['invitation']}", headers={"X-Request-ID": "one"}
        )
    (record,) = [one for one in caplog.records if one.name.endswith(".requests")]
    line = json.loads(JsonFormatter().format(record))
    assert line.pop("milliseconds") >= 0
    assert set(line) == {"time", "level", "message", "request_id", "method", "route", "status"}
    assert (line["request_id"], line["method"], line["status"]) == ("one", "GET", 422)
    assert line["route"] == "/api/games/{game_id}"
    cookies = list(client.cookies.values())
    for private in (game["id"], game["invitation"], "testclient", *cookies):
        assert private not in json.dumps(line)


@pytest.fixture
def json_server(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, log_json="1") as served:
        yield served


def test_the_log_is_one_object_a_line(json_server: Served) -> None:
    httpx.get(f"{json_server.url}/healthz", headers={"X-Request-ID": "seen"}, timeout=SOON)
    assert httpx.get(f"{json_server.url}/metrics", timeout=SOON).status_code == 200
    json_server.stop()
    written = json_server.log.read_text().splitlines()
    lines = [json.loads(line) for line in written if line.startswith("{")]
    assert any(line.get("request_id") == "seen" and line["route"] == "/healthz" for line in lines)
    greeting = [line for line in written if line and not line.startswith("{")]
    assert all(
        "Wibble is at" in line or "Games are kept" in line or line.startswith("  ") for line in greeting
    )
