"""Rate limits: too many requests get 429 with Retry-After; other clients and routes are unaffected."""

from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from starlette.types import Message

from app.settings import Settings
from tests.driver import open_game, open_wibble
from tests.servers import RedisCluster, RedisServer
from tests.shared_parts import create_app
from tests.web.busy_pool import ENGINES, SOLVE
from tests.web.conftest import Clock, Serve


def client_at(client: TestClient, address: str) -> TestClient:
    """A client at another address."""
    return TestClient(client.app, client=(address, 50_000))


def test_engines_are_limited(serve: Serve) -> None:
    client = serve(rate_engines="1/minute", rate_address_share=1)
    for number, (method, path, body) in enumerate(ENGINES):
        caller = client_at(client, f"192.0.2.{number}")
        answer = caller.request(method, path, json=body, follow_redirects=False)
        assert answer.status_code < 400, (path, answer.text)
        refused = caller.request(method, path, json=body, headers={"Accept": "application/json"})
        assert refused.status_code == 429, path
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert refused.headers["Retry-After"] == "60"
        assert refused.json()["status"] == 429
        assert "1 in a minute" in refused.json()["detail"]


def test_games_opened_by_a_form_are_limited_with_a_page(serve: Serve) -> None:
    client = serve(rate_games="1/hour", rate_address_share=1)
    forms: list[tuple[str, dict[str, str]]] = [
        ("/play", {"mode": "zen"}),
        ("/letterpress/play", {"opponent": "1"}),
        ("/boggle/play", {}),
        ("/fribble/play", {"opponent": "1"}),
        ("/fribble/self", {"first": "1", "second": "1"}),
        ("/scrabblet/play", {}),
        ("/daily/play", {}),
        ("/boggle/daily/play", {}),
    ]
    for number, (path, fields) in enumerate(forms):
        caller = client_at(client, f"192.0.2.{number}")
        assert caller.post(path, data=fields, follow_redirects=False).status_code == 303, path
        refused = caller.post(path, data=fields, headers={"Accept": "text/html"}, follow_redirects=False)
        assert refused.status_code == 429, path
        assert refused.headers["Retry-After"] == "3600"
        assert "Too many requests: at most 1 in an hour, try again in an hour." in refused.text
        assert caller.get("/").status_code == 200, "viewing is not limited"


def test_games_opened_by_programs_are_limited(serve: Serve) -> None:
    client = serve(rate_games="1/minute", rate_address_share=1)
    assert client.post("/api/games", json={"kind": "wibble"}).status_code == 201
    for path, body in (("/api/games", {"kind": "wibble"}), ("/api/daily", None)):
        assert client.post(path, json=body).status_code == 429


def test_after_a_wait_requests_are_accepted_again(serve: Serve, clock: Clock) -> None:
    client = serve(rate_games="2/minute", rate_address_share=1)
    answers = [client.post("/api/games", json={}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    clock.now += 20
    refused = client.post("/api/games", json={})
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "40")
    clock.now += int(refused.headers["Retry-After"])
    assert client.post("/api/games", json={}).status_code == 201


def test_a_player_is_counted_wherever_they_are_and_others_are_not(serve: Serve) -> None:
    client = serve(rate_games="1/minute")
    client.put("/api/me", json={"nickname": "Traveller"})
    assert client.post("/api/games", json={}).status_code == 201
    away = client_at(client, "192.0.2.7")
    away.cookies = client.cookies
    assert away.post("/api/games", json={}).status_code == 429
    assert client_at(client, "192.0.2.7").post("/api/games", json={}).status_code == 201


def test_an_address_has_a_share_for_several_players(serve: Serve) -> None:
    client = serve(rate_games="2/minute", rate_address_share=3)
    statuses = [client_at(client, "192.0.2.7").post("/api/games", json={}).status_code for _ in range(7)]
    assert statuses == [201] * 6 + [429]


def test_all_addresses_of_an_ipv6_network_share_one_count(serve: Serve) -> None:
    client = serve(rate_guests="1/minute", rate_address_share=1)
    assert client_at(client, "2001:db8:1:2::1").post("/play").status_code == 200
    assert client_at(client, "2001:db8:1:3:ffff::9").post("/play").status_code == 429
    assert client_at(client, "2001:db8:1:102::1").post("/play").status_code == 200
    assert client_at(client, "::ffff:192.0.2.1").post("/play").status_code == 200
    assert client_at(client, "192.0.2.1").post("/play").status_code == 429


def test_made_up_addresses_share_one_limit(serve: Serve) -> None:
    """For example behind a proxy that forwards any address it is sent."""
    client = serve(rate_guests="1/minute", rate_address_share=1)
    assert client_at(client, "garbage-7").post("/play").status_code == 200
    assert client_at(client, "x" * 50_000).post("/play").status_code == 429


def test_a_game_has_a_limited_number_of_moves_and_can_then_be_ended(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.games.MOST_PLIES", 4)
    client = serve()
    game = open_wibble(client, "zen")["id"]
    sent = [client.post(f"/api/games/{game}/moves", json={"move": {"type": "shuffle"}}) for _ in range(5)]
    assert [answer.status_code for answer in sent][-1] == 409
    assert "the game has 4 moves, the most allowed: end it" in sent[-1].json()["detail"]
    assert client.get(f"/api/games/{game}").json()["view"]["ply"] == 4
    client.post(f"/api/games/{game}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    assert client.get(f"/api/games/{game}").json()["finished_at"]


def test_new_players_are_limited_and_known_ones_go_on(serve: Serve) -> None:
    client = serve(rate_guests="1/minute", rate_address_share=1)
    game = open_game(client, "letterpress", listed=True)
    for path in ("/play", f"/games/{game['id']}/seats", "/me/nickname"):
        assert TestClient(client.app).post(path, data={"nickname": "Nobody"}).status_code == 429, path
    assert client.post("/play", data={"mode": "zen"}).status_code == 200
    assert client.put("/api/me", json={"nickname": "Somebody"}).status_code == 200


def test_nicknames_and_imports_are_limited(serve: Serve) -> None:
    client = serve(rate_names="1/minute", rate_imports="1/minute", rate_address_share=1)
    assert client.post("/me/nickname", data={"nickname": "First"}).status_code == 200
    assert client.post("/me/nickname", data={"nickname": "Second"}).status_code == 429
    assert client.put("/api/me", json={"nickname": "Third"}).status_code == 429
    assert client.get("/api/me").json()["nickname"] == "First"
    assert client.post("/import", data={"text": "no game"}).status_code == 422
    assert client.post("/import", data={"text": "no game"}).status_code == 429


def test_boards_stored_are_limited_and_their_changes_are_not(serve: Serve) -> None:
    client = serve(rate_boards="1/day", rate_address_share=1)
    tree = {"start": {"racks": ["BBEFILR", ""]}}
    board = client.post("/api/boards", json={"kind": "fribble", "tree": tree}).json()
    change = {"title": "An opening", "kept": True, "tree": tree}
    assert client.put(f"/api/boards/{board['id']}", json=change).status_code == 200
    comment = {"do": "comment", "comment": "First", "at": "0"}
    changed = client.post(f"/boards/{board['id']}", data=comment, follow_redirects=False)
    assert changed.headers["location"].startswith(f"/boards/{board['id']}?")
    other = TestClient(client.app)
    assert other.post("/api/boards", json={"kind": "fribble", "tree": tree}).status_code == 429
    assert other.post(f"/boards/{board['id']}", data=comment).status_code == 429
    assert other.cookies == {}, "a refusal creates no guest"


def test_a_refused_request_uses_up_nothing_of_the_limit(serve: Serve) -> None:
    client = serve(rate_cards="3/day", rate_address_share=1)

    def added(*words: str) -> int:
        return client.post("/api/cards", json={"words": words, "ask": "anagram"}).status_code

    assert added("retina", "listen") == 201
    assert [added("planet", "garden") for _ in range(2)] == [429, 429]
    assert added("stone") == 201


def test_cards_are_limited_by_their_number(serve: Serve) -> None:
    client = serve(rate_cards="2/day", rate_address_share=1)
    cards = {"words": ["retina", "listen"], "ask": "anagram"}
    assert client.post("/api/cards", json=cards).status_code == 201
    file = client.get("/api/cards/export").text
    table = {"content-type": "text/plain"}
    for path, sent in (
        ("/api/cards", {"json": cards}),
        ("/cards", {"data": {"word": "retina", "ask": "anagram"}}),
        ("/api/cards/import", {"content": file, "headers": table}),
    ):
        other = TestClient(client.app)
        assert other.post(path, **sent).status_code == 429, path
        assert other.cookies == {}, "a refusal creates no guest"


def test_a_batch_counts_as_many_times_as_it_has_boards(serve: Serve) -> None:
    client = serve(rate_engines="5/minute", rate_address_share=1)
    batch = {"boards": [SOLVE] * 3}
    assert client.post("/api/solve/batch", json=batch).status_code == 200
    assert client.post("/api/solve/batch", json=batch).status_code == 429


@pytest.mark.parametrize("off", [{"rate_limits": False}, {"rate_engines": "off"}])
def test_limits_can_be_switched_off(serve: Serve, off: dict[str, object]) -> None:
    client = serve(**({"rate_engines": "1/minute", "rate_address_share": 1} | off))
    statuses = {client.get("/api/scrabblet/signature/listen").status_code for _ in range(5)}
    assert statuses == {200}


@pytest.mark.parametrize("rate", ["many", "0/minute", "10", "10/fortnight", "-1/second"])
def test_an_invalid_rate_is_refused_at_the_start(rate: str) -> None:
    with pytest.raises(ValueError, match="rate_engines"):
        Settings(rate_engines=rate)


def test_a_flood_of_addresses_does_not_grow_the_memory(
    serve: Serve, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.guard.rates._MOST_COUNTED", 10)
    client = serve(rate_engines="1/minute", rate_address_share=1)
    path = "/api/scrabblet/signature/listen"
    for number in range(20):
        assert client_at(client, f"192.0.2.{number}").get(path).status_code == 200
    assert client_at(client, "192.0.2.19").get(path).status_code == 429
    assert client_at(client, "192.0.2.0").get(path).status_code == 200, "the count was forgotten"


def test_refused_requests_are_counted_in_the_metrics(serve: Serve) -> None:
    client = serve(rate_imports="1/minute", rate_address_share=1, metrics_token=SecretStr("secret"))
    for _ in range(3):
        client.post("/import", data={"text": "no game"})
    figures = client.get("/metrics", headers={"Authorization": "Bearer secret"}).text
    assert 'wibble_rate_refused_total{kind="imports"} 2.0' in figures
    assert 'wibble_rate_refused_total{kind="engines"} 0.0' in figures


@contextmanager
def started(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings)) as client:
        yield client


def test_workers_count_together_and_let_pass_without_redis(
    settings: Settings, any_redis: RedisServer | RedisCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.guard.rates._REDIS_TIMEOUT", 30.0)  # a busy machine is not a failed Redis
    shared = settings.model_copy(
        update={"redis_url": any_redis.url, "rate_imports": "2/hour", "rate_address_share": 1}
    )
    with started(shared) as one, started(shared) as another:

        def ask(client: TestClient) -> int:
            return client.post("/import", data={"text": "no game"}).status_code

        assert [ask(one), ask(another)] == [422, 422]
        refused = one.post("/import", data={"text": "no game"})
        assert refused.status_code == 429
        assert 3400 <= int(refused.headers["Retry-After"]) <= 3600
        assert ask(another) == 429
        any_redis.stop()
        assert [ask(one), ask(another)] == [422, 422], "no client is refused"
    any_redis.start()


def test_a_redis_that_is_away_is_asked_again_later(
    settings: Settings, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = settings.model_copy(
        update={"redis_url": redis_server.url, "rate_imports": "1/hour", "metrics_token": SecretStr("secret")}
    )
    with started(shared) as client:
        now = [1000.0]
        monkeypatch.setattr("app.web.guard.rates.time.monotonic", lambda: now[0])
        redis_server.stop()
        client.post("/import", data={"text": "no game"})
        redis_server.start()
        client.post("/import", data={"text": "no game"})
        figures = client.get("/metrics", headers={"Authorization": "Bearer secret"}).text
        assert "wibble_rate_unchecked_total 2.0" in figures


def test_streams_asked_for_at_once_are_counted_though_none_has_begun(serve: Serve) -> None:
    client = serve(streams_per_address=3)
    path = f"/api/games/{open_wibble(client, 'zen')['id']}/events"

    async def statuses() -> list[int]:
        found: list[int] = []
        all_answered = anyio.Event()

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                found.append(message["status"])
                if len(found) == 10:
                    all_answered.set()
                await all_answered.wait()  # the connection is slow

        async def receive() -> Message:
            await all_answered.wait()
            return {"type": "http.disconnect"}

        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [(b"host", b"testserver")],
            "client": ("10.2.0.1", 1),
            "server": ("testserver", 80),
        }

        async def ask() -> None:
            await client.app(scope | {"state": {}}, receive, send)

        with anyio.fail_after(60):
            async with anyio.create_task_group() as tasks:
                for _ in range(10):
                    tasks.start_soon(ask)
        return sorted(found)

    assert client.portal is not None
    for _ in range(2):  # those that have ended are not counted
        assert client.portal.call(statuses) == [200] * 3 + [429] * 7


def test_the_unfinished_games_of_a_player_are_limited(serve: Serve) -> None:
    client = serve(open_games=2)
    games = [open_game(client, "letterpress", bots=[1]) for _ in range(2)]
    host = TestClient(client.app)
    table = open_game(host, "letterpress", listed=True)
    seats = f"/api/games/{table['id']}/seats"
    attempts: list[tuple[str, object]] = [("/api/games", {}), ("/api/daily", None), (seats, {})]
    for path, body in attempts:
        refused = client.post(path, json=body)
        assert refused.status_code == 429, path
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert "you have 2 unfinished games" in refused.json()["detail"]
    assert client.get(f"/api/games/{table['id']}").json()["seats"][1]["occupant"] == "free"
    client.post(f"/api/games/{games[0]['id']}/moves", json={"move": {"type": "resign"}})
    assert client.post(seats, json={}).json()["seat"] == 1
    assert client.post("/play", headers={"Accept": "text/html"}).status_code == 429


def test_bodies_and_budgets_have_the_bounds_that_are_set(serve: Serve) -> None:
    client = serve(largest_body=2000, longest_budget_ms=1000)
    refused = client.post("/api/games", content=2001 * b" ")
    assert (refused.status_code, refused.json()["status"]) == (413, 413)
    assert "at most 2,000 bytes" in refused.json()["detail"]
    questions: list[tuple[str, str, object]] = [
        ("POST", "/api/solve", SOLVE | {"budget_ms": 1001}),
        ("POST", "/api/solve/batch", {"boards": [SOLVE | {"budget_ms": 1000}] * 4}),
        ("POST", "/api/fribble/moves", {"rack": "retains", "budget_ms": 1001}),
        ("GET", "/api/boggle?algorithm=climb&budget_ms=1001", None),
        ("GET", "/letterpress/solver?board=bnbdaetgreliegbcnhdlxmhoi&budget_ms=1001", None),
        ("GET", "/boggle/generator?algorithm=climb&budget_ms=1001&seed=1", None),
    ]
    for method, path, body in questions:
        answer = client.request(method, path, json=body)
        if path.startswith("/api/"):
            assert answer.status_code == 422, path
            assert answer.json()["errors"][0]["location"] == [
                "query" if method == "GET" else "body",
                "budget_ms",
            ]
        else:
            assert answer.status_code in {200, 422}, path
        assert "ms are accepted here" in answer.text, path
