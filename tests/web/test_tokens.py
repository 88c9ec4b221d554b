"""API tokens: their scopes, and the refusal of invalid ones."""

import json
import logging
import re
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from app.store.tokens import LISTED_FOR, MOST_TOKENS, SCOPES, forget_tokens
from app.web.guard.bearer import REVOKED_WITHIN
from app.web.guard.guests import COOKIE
from app.web.guard.token_scopes import TokenScopes
from app.web.site import word_studies_api
from tests.driver import named
from tests.web.browsing import HTML
from tests.web.conftest import Clock, Serve

DAY = 24 * 3600
SOLVE = {"board": "abcdefghijklmnopqrstuvwxy", "limit": 1}


def made(client: TestClient, **wanted: Any) -> dict[str, Any]:
    answer = client.post("/api/me/tokens", json={"name": "a program", "scopes": [*SCOPES]} | wanted)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def program(client: TestClient, token: str) -> TestClient:
    """A program at the same server, without a cookie."""
    return TestClient(client.app, headers={"Authorization": f"Bearer {token}"})


def by_token(client: TestClient, **wanted: Any) -> TestClient:
    return program(client, made(client, **wanted)["token"])


def refused(answer: httpx2.Response, status: int, *said: str) -> None:
    assert answer.status_code == status, answer.text
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["status"] == status
    for part in said:
        assert part in problem["detail"]


def test_a_program_plays_as_its_player(ada: TestClient) -> None:
    it = by_token(ada)
    assert it.get("/api/me").json()["nickname"] == "Ada"
    game = it.post("/api/games", json={"kind": "letterpress", "seats": 2})
    assert (game.status_code, game.json()["seat"]) == (201, 0)
    assert "set-cookie" not in game.headers
    assert ada.get(f"/api/games/{game.json()['id']}").json()["seat"] == 0
    it.post(f"/api/games/{game.json()['id']}/moves", json={"move": {"type": "resign"}})
    assert it.post("/api/solve", json=SOLVE).status_code == 200
    assert it.get("/lobby", headers=HTML).status_code == 200


def test_a_token_is_shown_once_and_stored_as_a_digest(ada: TestClient, settings: Settings) -> None:
    new = made(ada, name="  my   bot ", scopes=["play", "read"], days=7)
    assert re.fullmatch(r"wib_[\w-]{43}", new["token"])
    (listed,) = ada.get("/api/me/tokens").json()
    assert listed == {name: value for name, value in new.items() if name != "token"}
    assert (listed["name"], listed["scopes"]) == ("my bot", ["read", "play"])
    assert listed["expires_at"] - listed["created_at"] == 7 * DAY
    for path in ("/api/me/tokens", "/me/programs", "/me", "/me/export"):
        assert new["token"] not in ada.get(path).text
    stored = b"".join(path.read_bytes() for path in settings.data_dir.iterdir() if path.is_file())
    assert new["token"].encode() not in stored


def test_the_last_use_of_a_token_is_shown(ada: TestClient, clock: Clock) -> None:
    it = by_token(ada)
    clock.now += 100
    it.get("/api/me")
    assert ada.get("/api/me/tokens").json()[0]["used_at"] == clock.now


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "x",
        "wib_",
        f"wib_{'a' * 43}",
        f"wib_{'a' * 44}",
        f"WIB_{'a' * 43}",
        "wib_" + "\x7f" * 43,
        f"Bearer wib_{'a' * 43}",
    ],
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/me"),
        ("POST", "/api/games"),
        ("GET", "/api/events"),
        ("POST", "/api/solve"),
        ("GET", "/"),
    ],
)
def test_a_wrong_token_is_refused_and_changes_nothing(
    ada: TestClient, wrong: str, method: str, path: str
) -> None:
    """This also holds with a cookie: a token takes precedence."""
    for client in (program(ada, wrong), ada):
        answer = client.request(method, path, headers={"Authorization": f"Bearer {wrong}"}, json={})
        refused(answer, 401, "Authorization: the token is")
        assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'
        assert "set-cookie" not in answer.headers
        assert len(wrong) < 10 or wrong not in answer.text
    assert ada.get("/api/me/tokens").json() == []


def test_an_expired_token_is_refused(ada: TestClient, clock: Clock) -> None:
    it = by_token(ada, days=1)
    clock.now += DAY - 1
    assert it.get("/api/me").status_code == 200
    clock.now += 1
    answer = it.post("/api/games", json={})
    refused(answer, 401, "the token expired on 15 November 2023")
    assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert len(ada.get("/api/me/tokens").json()) == 1, "it is listed for a while"
    database = ada.app.state.services.tokens._database  # type: ignore[attr-defined]
    forget_tokens(database, clock.now + LISTED_FOR)
    assert len(ada.get("/api/me/tokens").json()) == 1
    forget_tokens(database, clock.now + LISTED_FOR + 1)
    assert ada.get("/api/me/tokens").json() == []


def test_a_revoked_token_is_refused_at_once_and_revoked_once(ada: TestClient) -> None:
    new = made(ada)
    it = program(ada, new["token"])
    assert it.get("/api/me").status_code == 200
    assert ada.delete(f"/api/me/tokens/{new['token_id']}").status_code == 204
    refused(it.get("/api/me"), 401, "unknown or was revoked")
    refused(ada.delete(f"/api/me/tokens/{new['token_id']}"), 404, "no such token")


def test_another_process_refuses_a_revoked_token_soon(ada: TestClient) -> None:
    new = made(ada)
    it = program(ada, new["token"])
    it.get("/api/me")
    known_tokens = ada.app.state.services.known_tokens  # type: ignore[attr-defined]
    store = ada.app.state.services.tokens  # type: ignore[attr-defined]
    store.revoke(known_tokens._valid[new["token"]].player_id, new["token_id"])  # as another process does
    assert it.get("/api/me").status_code == 200
    assert known_tokens._valid.ttl == REVOKED_WITHIN
    known_tokens._valid.expire(known_tokens._valid.timer() + REVOKED_WITHIN)
    refused(it.get("/api/me"), 401, "revoked")


def test_a_token_of_another_player_cannot_be_revoked_nor_seen(ada: TestClient, stranger: TestClient) -> None:
    new = made(ada)
    bob = named(stranger, "Bob")
    refused(bob.delete(f"/api/me/tokens/{new['token_id']}"), 404, "no such token")
    assert bob.get("/api/me/tokens").json() == []
    bob.post(f"/me/programs/tokens/{new['token_id']}/revoke")
    assert program(ada, new["token"]).get("/api/me").status_code == 200


def test_a_program_does_not_move_for_another_player(ada: TestClient, stranger: TestClient) -> None:
    game = ada.post("/api/games", json={"kind": "letterpress"}).json()["id"]
    it = by_token(named(stranger, "Bob"))
    before = ada.get(f"/api/games/{game}").json()
    refused(it.post(f"/api/games/{game}/moves", json={"move": {"type": "pass"}}), 403)
    assert ada.get(f"/api/games/{game}").json() == before


def test_the_token_counts_and_not_the_cookie(ada: TestClient, stranger: TestClient) -> None:
    token = made(named(stranger, "Bob"))["token"]
    answer = ada.get("/api/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.json()["nickname"] == "Bob"
    assert ada.get("/api/me").json()["nickname"] == "Ada"


def test_other_schemes_are_left_to_a_proxy(ada: TestClient) -> None:
    answer = ada.get("/api/me", headers={"Authorization": "Basic d2liYmxlOndpYmJsZQ=="})
    assert answer.json()["nickname"] == "Ada"


ALLOWED: dict[str, list[tuple[str, str, Any]]] = {
    "read": [("GET", "/api/me", None), ("GET", "/api/me/turns", None), ("GET", "/lobby", None)],
    "play": [
        ("POST", "/api/games", {}),
        ("PUT", "/api/me", {"nickname": "Eve"}),
        ("DELETE", "/api/pairing", None),
    ],
    "engine": [
        ("POST", "/api/solve", SOLVE),
        ("GET", "/api/boggle?size=4x4&seed=1", None),
        ("GET", "/letterpress/solver", None),
        ("GET", "/api/scrabblet/signature/quiz", None),
    ],
}


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_allows_only_its_scopes(ada: TestClient, scope: str) -> None:
    it = by_token(ada, scopes=[scope])
    for needed, requests in ALLOWED.items():
        for method, path, body in requests:
            answer = it.request(method, path, json=body)
            if needed == scope:
                assert answer.status_code < 300, (path, answer.text)
            else:
                refused(answer, 403, f"lacks the scope '{needed}'", f"allows {scope}")
                assert f'scope="{needed}"' in answer.headers["www-authenticate"]
    assert (ada.get("/api/me").json()["nickname"] == "Eve") == (scope == "play")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/me/tokens"),
        ("POST", "/api/me/tokens"),
        ("DELETE", "/api/me/tokens/x"),
        ("DELETE", "/api/me"),
        ("GET", "/me"),
        ("GET", "/me/export"),
        ("POST", "/me/erase"),
        ("POST", "/me/devices"),
        ("POST", "/me/phrase"),
        ("POST", "/me/passkeys/options"),
        ("POST", "/me/sign-in"),
        ("POST", "/me/sign-out-others"),
        ("POST", "/me/programs/tokens"),
        ("POST", "/settings"),
    ],
)
def test_a_token_never_manages_the_account(ada: TestClient, method: str, path: str) -> None:
    it = by_token(ada)
    before = ada.get("/me/export").json()
    refused(
        it.request(method, path, data={"name": "x"}), 403, "a token cannot do this", "sign in with a browser"
    )
    after = ada.get("/me/export").json()
    for export in (before, after):
        del export["tokens"], export["devices"]
    assert after == before


def test_every_operation_that_writes_says_whether_a_token_may(client: TestClient) -> None:
    """The behaviour matches the OpenAPI document."""
    document = client.get("/openapi.json").json()
    rooms = client.app.state.services.rooms.values()  # type: ignore[attr-defined]
    of_rooms = [router for room in rooms for router in room.routers()]
    scopes = TokenScopes([*of_rooms, word_studies_api.router])
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            said = [each["token"] for each in operation.get("security", ()) if "token" in each]
            needed = scopes.needed(method.upper(), re.sub(r"\{\w+\}", "1", path))
            if operation["tags"][0] == "health" or not operation.get("security"):
                continue
            assert said == ([] if needed is None else [[needed]]), (method, path)


def test_pages_of_other_sites_may_send_a_token_and_no_cookie(ada: TestClient) -> None:
    elsewhere = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    assert by_token(ada).post("/api/games", json={}, headers=elsewhere).status_code == 201
    refused(ada.post("/api/games", json={}, headers=elsewhere), 403, "another site")


def test_the_limits_are_those_of_the_player(serve: Serve) -> None:
    client = named(serve(rate_games="2/hour", rate_address_share=50))
    it = by_token(client)
    assert [each.post("/api/games", json={}).status_code for each in (client, it, it)] == [201, 201, 429]
    assert by_token(client).post("/api/games", json={}).status_code == 429


def test_the_tokens_of_a_player_are_limited(serve: Serve) -> None:
    client = named(serve(rate_limits=False))
    for number in range(MOST_TOKENS):
        made(client, name=f"program {number}")
    refused(
        client.post("/api/me/tokens", json={"name": "one more", "scopes": ["read"]}),
        429,
        f"you have {MOST_TOKENS} tokens",
    )
    page = client.post("/me/programs/tokens", data={"name": "one more", "scopes": "read"})
    assert (page.status_code, "revoke one" in page.text) == (429, True)
    assert len(client.get("/api/me/tokens").json()) == MOST_TOKENS


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": " "}, "name"),
        ({"name": "x" * 41}, "name"),
        ({"name": "a\u200bb"}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["admin"]}, "scopes"),
        ({"days": 0}, "days"),
        ({"days": 367}, "days"),
        ({"days": "7"}, "days"),
        ({"color": "red"}, "color"),
    ],
)
def test_an_invalid_token_request_is_refused(ada: TestClient, wrong: dict[str, Any], field: str) -> None:
    answer = ada.post("/api/me/tokens", json={"name": "a program", "scopes": ["read"]} | wrong)
    refused(answer, 422, field)
    assert answer.json()["errors"][0]["location"][:2] == ["body", field]
    assert ada.get("/api/me/tokens").json() == []


def test_without_a_profile_there_are_no_tokens(client: TestClient) -> None:
    for answer in (
        client.get("/api/me/tokens"),
        client.post("/api/me/tokens", json={"name": "x", "scopes": ["read"]}),
    ):
        refused(answer, 401, "no profile")
    assert "choose a name" in client.get("/me/programs").text
    assert client.post("/me/programs/tokens", data={"name": "x"}).url.path == "/me/programs"
    assert COOKIE not in client.cookies


def test_signing_out_everywhere_else_revokes_all_tokens(ada: TestClient) -> None:
    it = by_token(ada)
    assert it.get("/api/me").status_code == 200
    assert "sign-out-others" in ada.get("/me").text
    ada.post("/me/sign-out-others")
    refused(it.get("/api/me"), 401, "revoked")
    assert ada.get("/api/me").json()["nickname"] == "Ada"


@pytest.mark.parametrize("erase", [("DELETE", "/api/me"), ("POST", "/me/erase")])
def test_erasing_the_player_revokes_all_tokens(ada: TestClient, erase: tuple[str, str]) -> None:
    it = by_token(ada)
    assert it.get("/api/me").status_code == 200
    ada.request(*erase)
    refused(it.get("/api/me"), 401, "revoked")


def test_a_stream_of_events_takes_a_token(serve: Serve) -> None:
    client = named(serve(longest_stream=0))
    game = client.post("/api/games", json={"kind": "letterpress", "seats": 2}).json()
    other = TestClient(client.app)
    other.post(f"/api/games/{game['id']}/seats", json={"invitation": game["invitation"]}).raise_for_status()
    stream = by_token(client, scopes=["read"]).get("/api/events")
    assert stream.status_code == 200
    assert json.dumps({"game": game["id"]}) in stream.text
    assert by_token(client, scopes=["engine"]).get("/api/events").status_code == 403
    assert TestClient(client.app).get("/api/events").headers["www-authenticate"] == "Bearer"


def test_tokens_are_in_no_log(ada: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    new = made(ada)
    it = program(ada, new["token"])
    it.get("/api/me")
    it.post("/api/games", json={"kind": "nothing"})
    it.get("/api/me/tokens")
    it.get(f"/api/me?limit={'x' * 5}")
    for record in caplog.records:
        if not record.name.startswith("httpx"):
            assert new["token"] not in f"{record.getMessage()} {record.__dict__}"


def test_the_page_makes_and_revokes_tokens(ada: TestClient) -> None:
    page = ada.post("/me/programs/tokens", data={"name": "My bot", "scopes": ["read", "play"], "days": "30"})
    assert page.headers["cache-control"] == "no-store"
    found = re.search(r"wib_[\w-]{43}", page.text)
    assert found
    it = program(ada, found[0])
    assert it.get("/api/me").status_code == 200
    again = ada.get("/me/programs").text
    assert found[0] not in again
    assert "My bot" in again
    assert "expires in 30 days" in again
    revoke = re.search(r'action="(/me/programs/tokens/[\w-]+/revoke)"', again)
    assert revoke
    for _ in range(2):
        assert ada.post(revoke[1]).url.path == "/me/programs"
    assert it.get("/api/me").status_code == 401
    assert "No tokens yet" in ada.get("/me/programs").text


def test_the_page_says_what_is_wrong(ada: TestClient) -> None:
    page = ada.post("/me/programs/tokens", data={"name": "<b>x</b>", "days": "30"})
    assert page.status_code == 422
    assert "Choose one or more of read, play, engine" in page.text
    assert "&lt;b&gt;x" in page.text
