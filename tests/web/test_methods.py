"""HEAD, OPTIONS and requests from other sites' pages (CORS), at every address."""

import pytest
from fastapi.testclient import TestClient

from tests.driver import problem
from tests.web.browsing import HTML
from tests.web.conftest import Serve
from tests.web.site_content import World

ELSEWHERE = {"origin": "https://example.org", "sec-fetch-site": "cross-site"}
CHANGING = {"date", "x-request-id", "content-length", "etag", "last-modified", "location"}
"""Headers that differ in each response; some redirects lead to a new board every time."""
BOARD = "bnbda etgre liegb cnhdl xmhoi"


def test_head_is_get_without_the_body_at_every_address(world: World) -> None:
    tried = 0
    for address in world.addresses():
        if address.endswith("/api/scrabblet/deal"):
            address += "?seed=head"  # noqa: PLW2901 - hands of other lengths are compressed or not
        full = world.owner.get(address, headers=HTML, follow_redirects=False)
        head = world.owner.head(address, headers=HTML, follow_redirects=False)
        assert (head.status_code, head.content) == (full.status_code, b""), address
        full_headers = {name: value for name, value in full.headers.items() if name not in CHANGING}
        assert {
            name: value for name, value in head.headers.items() if name not in CHANGING
        } == full_headers, address
        assert set(head.headers) == set(full.headers), address
        tried += 1
    assert tried > 60


def test_head_is_refused_for_an_event_stream(world: World) -> None:
    answer = world.owner.head(f"/api/games/{world.finished}/events")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, OPTIONS")


@pytest.mark.parametrize(
    ("path", "allow"),
    [
        ("/api/solve", "GET, HEAD, POST, OPTIONS"),
        ("/api/games", "GET, HEAD, POST, OPTIONS"),
        ("/api/me", "GET, HEAD, PUT, DELETE, OPTIONS"),
        ("/me/erase", "POST, OPTIONS"),
        ("/", "GET, HEAD, OPTIONS"),
        ("/static/css/base.css", "GET, HEAD, OPTIONS"),
    ],
)
def test_options_says_which_methods_there_are(world: World, path: str, allow: str) -> None:
    answer = world.stranger.options(path)
    assert (answer.status_code, answer.content, answer.headers["allow"]) == (204, b"", allow)


def test_options_of_an_unknown_address_is_404(world: World) -> None:
    problem(world.stranger.options("/api/nothing"), 404)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", f"/api/solve?board={BOARD}", None),
        ("POST", "/api/solve", {"board": BOARD}),
        ("POST", "/api/solve", {"board": "short"}),
        ("POST", "/api/wibble/solve", {"board": "wibbletilechains"}),
        ("GET", "/api/boggle?seed=1", None),
        ("GET", "/api/fribble/presets", None),
        ("GET", "/api/scrabblet/signature/cat", None),
        ("GET", "/api/words/cat", None),
        ("GET", "/api/words/cat/", None),
    ],
)
def test_any_sites_page_may_use_the_engines(
    world: World, method: str, path: str, body: dict[str, str] | None
) -> None:
    answer = world.owner.request(method, path, json=body, headers=ELSEWHERE)
    assert answer.status_code == (422 if body == {"board": "short"} else 200), answer.text
    for each in (*answer.history, answer):  # a redirect is followed only if it may be read
        assert each.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in each.headers
        assert "set-cookie" not in each.headers


def preflight(
    client: TestClient, path: str, origin: str = "https://example.org", headers: str = "content-type"
) -> dict[str, str]:
    asked = {
        "origin": origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": headers,
    }
    answer = client.options(path, headers=asked)
    return dict(answer.headers) | {"status": str(answer.status_code)}


def test_a_preflight_is_answered_for_the_engines_alone(world: World) -> None:
    allowed = preflight(world.stranger, "/api/solve/batch")
    assert (allowed["status"], allowed["access-control-allow-origin"]) == ("200", "*")
    assert "POST" in allowed["access-control-allow-methods"]
    assert "Content-Type" in allowed["access-control-allow-headers"]
    asked = "authorization,content-type"
    assert preflight(world.stranger, "/api/solve", headers=asked)["status"] == "200"  # a token, if sent
    for path in ("/api/games", "/api/me", f"/api/games/{world.listed}/moves", "/play", "/api/daily"):
        assert not [name for name in preflight(world.owner, path) if name.startswith("access-control")], path


def test_no_other_sites_page_may_read_or_write_what_is_a_player_s(world: World) -> None:
    for path in ("/api/games", "/api/me", f"/api/games/{world.finished}", "/api/daily", "/me", "/"):
        answer = world.owner.get(path, headers=ELSEWHERE)
        assert not [name for name in answer.headers if name.startswith("access-control")], path
    problem(world.owner.post("/api/games", json={}, headers=ELSEWHERE), 403)


def test_an_operator_names_the_origins(serve: Serve) -> None:
    client = serve(cors_origins=frozenset({"https://example.org"}))
    answer = client.post("/api/solve", json={"board": BOARD}, headers=ELSEWHERE)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "https://example.org")
    assert "Origin" in answer.headers["vary"]
    assert preflight(client, "/api/solve", "https://evil.example")["status"] == "400"
    refused = client.post(
        "/api/solve", json={"board": BOARD}, headers=ELSEWHERE | {"origin": "https://e.org"}
    )
    problem(refused, 403)
    assert "access-control-allow-origin" not in refused.headers


def test_an_operator_may_allow_no_origin(serve: Serve) -> None:
    client = serve(cors_origins=frozenset())
    problem(client.post("/api/solve", json={"board": BOARD}, headers=ELSEWHERE), 403)
    answer = client.get("/api/words/cat", headers=ELSEWHERE)
    assert "access-control-allow-origin" not in answer.headers
