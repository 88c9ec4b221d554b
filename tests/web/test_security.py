"""Attacks by other sites, proxies and clients, at every address."""

import asyncio
import re
from html.parser import HTMLParser
from itertools import chain

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message

from app.settings import BadKey, Settings
from app.web.files import VERSION
from tests.driver import problem
from tests.shared_parts import create_app
from tests.web.browsing import HTML
from tests.web.conftest import Clock, Serve
from tests.web.site_content import World, filled, routes

ENGINES = re.compile(r"/api/(solve|wibble|boggle|fribble|scrabblet)\b")
"""These requests change nothing, so pages of any site may make them."""
POLICY = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "object-src": "'none'",
}


class Inline(HTMLParser):
    """Collects what a strict content security policy would block, and resources from other sites."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if (tag == "script" and "src" not in given) or tag == "style":
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            loads = name in {"src", "action", "data", "srcset"} or (name == "href" and tag in {"link", "use"})
            elsewhere = loads and re.match(r"\s*(\w+:)?//|\s*javascript:", value or "")
            if name.startswith(("on", "hx-on")) or name == "style" or elsewhere:
                self.found.append(f"<{tag} {name}={value}>")


def test_every_page_keeps_a_strict_policy(world: World) -> None:
    """Check that no response has inline scripts, styles or handlers, or resources from other sites."""
    pages = 0
    others = map(world.addresses_of, (world.listed, world.private, "nothing"))
    for address in chain(world.addresses(), *others):
        answer = world.owner.get(address, headers=HTML, follow_redirects=False)
        if address.startswith(("/static", "/vendor", "/favicon", "/apple-touch-icon", "/robots")):
            continue
        policy = dict(
            part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";")
        )
        assert policy == POLICY, address
        if answer.headers.get("content-type", "").startswith("text/html"):
            inline = Inline()
            inline.feed(answer.text)
            assert inline.found == [], address
            pages += 1
    assert pages > 40


def test_no_answer_but_a_file_is_kept_by_a_proxy(world: World) -> None:
    client = world.owner
    for address in world.addresses():
        if address.startswith(("/static", "/vendor", "/favicon", "/apple-touch-icon", "/robots")):
            continue
        cache = client.get(address, headers=HTML, follow_redirects=False).headers["cache-control"]
        assert "private" in cache or "no-store" in cache, address
    for own in ("/me", "/me/export", "/api/me", "/me/devices/x", f"/games/{world.private}"):
        assert "no-store" in client.get(own).headers["cache-control"], own


def test_going_back_to_a_refused_form_is_possible(world: World) -> None:
    """A browser shows an error page instead of a form's answer that it may not keep."""
    address = f"/games/{world.finished}/report"
    assert world.owner.get(address, headers=HTML).headers["cache-control"] == "no-store"
    refused = world.owner.post(address, data={}, headers=HTML)
    assert (refused.status_code, refused.headers["cache-control"]) == (422, "private, no-cache")
    own = world.owner.post("/circles", data={}, headers=HTML)
    assert (own.status_code, own.headers["cache-control"]) == (422, "no-store"), "private pages are not kept"


@pytest.mark.parametrize(
    ("form_page", "taken"),
    [("http://testserver/me", True), ("http://testserver/", False), ("http://[x", False), ("", False)],
)
def test_only_the_address_of_a_private_form_page_is_taken(
    client: TestClient, form_page: str, *, taken: bool
) -> None:
    """A page with a new recovery phrase is not replaced by a game when it is loaded again."""
    answer = client.post("/circles", data={}, headers=HTML | {"referer": form_page})
    assert ("form_answer.js" in answer.text) is taken


@pytest.mark.parametrize(
    "foreign",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://testserver.evil.example"},
        {"origin": "http://testserver:81"},
        {"origin": "http://["},
        {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
    ],
)
def test_no_write_is_made_by_another_sites_page(world: World, foreign: dict[str, str]) -> None:
    client = world.owner
    values = {
        "game_id": world.finished,
        "invitation": world.invitation,
        "day": "2023-11-13",
        "kind": "boggle",
    }
    tried = 0
    for methods, path in routes(client):
        for method in methods & {"POST", "PUT", "PATCH", "DELETE"}:
            address = filled(path, values)
            answer = client.request(method, address, headers=foreign, follow_redirects=False)
            assert (answer.status_code == 403) != bool(ENGINES.match(path)), (method, address)
            assert "set-cookie" not in answer.headers
            tried += 1
    assert tried > 40


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/daily"),
        ("POST", "/api/daily/2023-11-13/rehearsals"),
        ("PUT", "/api/me"),
        ("DELETE", "/api/me"),
        ("POST", "/api/games/import"),
        ("POST", "/api/games/x/seats"),
        ("POST", "/api/games/x/bots"),
        ("POST", "/daily/play"),
        ("POST", "/me/erase"),
        ("POST", "/me/nickname"),
        ("POST", "/games/x/join/y"),
    ],
)
def test_a_write_from_another_sites_page_is_403(client: TestClient, method: str, path: str) -> None:
    problem(client.request(method, path, headers={"sec-fetch-site": "cross-site"}), 403)


def test_a_get_changes_nothing_whatever_method_its_headers_claim(world: World) -> None:
    client = world.owner
    claims = {"x-http-method-override": "DELETE", "x-http-method": "DELETE", "x-method-override": "DELETE"}
    assert client.get("/api/me", headers=claims).status_code == 200
    assert client.get("/api/me?_method=DELETE", headers=claims).status_code == 422
    assert client.request("GET", "/me/erase", headers=claims).status_code == 405
    assert client.get("/api/me").json()["nickname"], "nothing was erased"


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PATCH", "PROPFIND", "WIBBLE"])
def test_an_unsupported_method_is_405_and_names_the_supported_ones(world: World, method: str) -> None:
    answer = world.owner.request(method, "/api/me")
    assert (answer.status_code, answer.headers["content-type"]) == (405, "application/problem+json")
    assert answer.headers["allow"] == "GET, HEAD, PUT, DELETE, OPTIONS"


def test_no_redirect_leads_elsewhere(world: World) -> None:
    client = world.owner
    for address in world.addresses(game=world.listed):
        leads = client.get(address, headers=HTML, follow_redirects=False).headers.get("location", "/")
        assert re.match(r"/(?![/\\])|http://testserver/", leads), (address, leads)


@pytest.mark.parametrize(
    "back",
    [
        "//evil.example/me",
        "https://evil.example/me",
        "/\\evil.example/me",
        "/me\r\nx: y",
        "/me\n",
        "/evil/x/me",
    ],
)
def test_a_form_leads_back_to_our_pages_only(world: World, back: str) -> None:
    answer = world.owner.post("/me/nickname", data={"nickname": "Ada", "back": back}, follow_redirects=False)
    assert answer.status_code == 422
    assert "location" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/games/x%0d%0aset-cookie:%20a=b", "/games/x/join/y%0d%0aset-cookie:%20a=b"]
)
def test_an_address_cannot_set_headers_of_the_answer(world: World, path: str) -> None:
    client = world.owner
    path = path.replace("/x/", f"/{world.private}/")
    for method in ("GET", "POST"):
        answer = client.request(method, path, follow_redirects=False)
        assert "set-cookie" not in answer.headers
        assert "\r" not in answer.headers.get("location", "")
    request_id = client.get("/", headers={"x-request-id": "a b<script>"}).headers["x-request-id"]
    assert re.fullmatch(r"[0-9a-f]+", request_id)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app/main.py",
        "/static/%2e%2e/app/main.py",
        "/static/..%2f..%2fpyproject.toml",
        "/static/%2e%2e%2fapp%2fsettings.py",
        "/static//etc/passwd",
        "/static/css/..%5c..%5cpyproject.toml",
        "/static/%00",
        f"/static/{VERSION}/..%2f..%2fpyproject.toml",
        f"/static/{VERSION}//etc/passwd",
        f"/static/{VERSION}",
        "/static/0123456789ab/",
        "/vendor/htmx/%2e%2e/%2e%2e/__init__.py",
        "/words/..%2f..%2fetc%2fpasswd",
        "/api/words/cat?lexicon=../../../../etc/passwd",
        "/api/words/cat?lexicon=%00",
    ],
)
def test_an_address_reaches_no_file_outside_the_static_folder(world: World, path: str) -> None:
    answer = world.owner.get(path)
    assert answer.status_code in (404, 422), answer.text
    assert "root:" not in answer.text


def test_an_address_with_a_zero_character_is_refused(world: World) -> None:
    """PostgreSQL fails on it."""
    for methods, template in routes(world.owner):
        path = re.sub(r"\{\w+(:\w+)?\}", "%00", template)
        for method in methods if path != template else ():
            answer = world.owner.request(method, path, headers=HTML)
            assert answer.status_code == 404, (method, path)
            if path.startswith("/api/") and method != "HEAD":
                assert problem(answer, 404)["detail"] == "there is nothing at this address"
            else:
                assert answer.headers["content-type"].startswith("text/html")
    refusal = problem(world.owner.get("/api/words/cat?lexicon=a%00&other=b&%00=c"), 422)
    assert [error["location"] for error in refusal["errors"]] == [["query", "lexicon"], ["query", "\0"]]
    assert refusal["detail"].startswith("lexicon: has a zero character: expected text without one")
    assert world.owner.get("/lobby?x=%2500", headers=HTML).status_code == 200, "an escaped zero is allowed"


def test_zero_characters_do_not_reach_postgresql(serve: Serve, postgresql_url: str) -> None:
    client = serve(database_url=postgresql_url, rate_limits=False)
    for address in ("/boards/%00", "/api/boards/%00", "/api/puzzles/rushes/%00"):
        assert client.get(address).status_code == 404, address
    board = {"kind": "fribble", "title": "An\0 opening", "tree": {"start": {"racks": ["BBEFILR", ""]}}}
    assert client.post("/api/boards", json=board).status_code == 422


@pytest.mark.parametrize("path", ["/static/nothing.css", "/vendor/htmx/nothing", "/vendor/x"])
def test_a_not_found_page_keeps_the_policy(world: World, path: str) -> None:
    answer = world.owner.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert (
        answer.headers["content-security-policy"] == world.owner.get("/").headers["content-security-policy"]
    )


def test_https_answers_have_hsts_and_secure_cookies(
    client: TestClient, settings: Settings, clock: Clock
) -> None:
    assert "strict-transport-security" not in client.get("/").headers
    by_tls = TestClient(client.app, base_url="https://testserver")
    for path in ("/", "/static/favicon.svg", "/api/me", "/nowhere"):
        assert "max-age=31536000" in by_tls.get(path).headers["strict-transport-security"], path
    cookie = by_tls.post("/api/games", json={}).headers["set-cookie"].lower()
    assert {"secure", "httponly", "samesite=lax"} <= {part.strip() for part in cookie.split(";")}
    behind_proxy = settings.model_copy(update={"cookie_secure": True})
    with TestClient(create_app(behind_proxy, clock=clock)) as browser:
        assert "strict-transport-security" in browser.get("/").headers
        assert "secure" in browser.post("/api/games", json={}).headers["set-cookie"].lower()


def test_a_host_that_is_not_ours_is_refused_where_ours_are_known(settings: Settings, clock: Clock) -> None:
    named = settings.model_copy(
        update={"host_names": Settings(host_names="Wibble.example, testserver").host_names}
    )
    with TestClient(create_app(named, clock=clock)) as client:
        for known in ("testserver", "WIBBLE.example", "wibble.example:8443"):
            assert client.get("/", headers={"host": known}).status_code == 200
        for unknown in ("evil.example", "wibble.example.evil", "[::1]"):
            answer = client.get("/", headers={"host": unknown})
            assert (answer.status_code, answer.headers["content-type"]) == (421, "application/problem+json")
            assert client.get("/healthz", headers={"host": unknown}).status_code == 200


@pytest.mark.parametrize(
    "hosts",
    [
        [""],
        ["testserver", "evil.example"],
        ["[::1"],
        ["testserver@evil.example"],
        ["testserver/evil"],
        ["testserver, evil.example"],
        ["testserver:port"],
        ["evil example"],
    ],
)
def test_a_malformed_or_repeated_host_is_400(world: World, hosts: list[str]) -> None:
    client = world.owner
    for path in ("/", "/daily", f"/games/{world.listed}"):
        request = client.build_request("GET", path)
        request.headers = type(request.headers)(
            [(name, value) for name, value in request.headers.raw if name.lower() != b"host"]
            + [(b"host", host.encode()) for host in hosts]
        )
        answer = client.send(request, follow_redirects=False)
        assert answer.status_code == 400, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert "evil" not in answer.headers.get("location", "")


@pytest.mark.parametrize("weak", ["", "changeme", "secret", "a" * 64, "0123456789" * 3, "wibble" * 10])
def test_a_key_that_can_be_guessed_is_refused(weak: str) -> None:
    with pytest.raises(BadKey, match="openssl rand"):
        Settings(secret_key=weak).signing_key()


def test_a_forged_cookie_is_ignored(world: World) -> None:
    client = world.owner
    good = client.cookies["wibble_player"]
    player, _, signature = good.rpartition(".")
    liar = TestClient(client.app)
    for forged in (
        player,
        f"{player}.",
        f"{player}.{signature[:-1]}",
        f"{player}x.{signature}",
        "\x01",
        "." * 4000,
    ):
        liar.cookies.set("wibble_player", forged)
        assert liar.get("/api/me").json()["nickname"] is None, forged
        assert liar.get(f"/api/games/{world.private}").json()["seat"] is None


def test_a_client_that_leaves_while_its_form_is_read_is_no_fault(client: TestClient) -> None:
    async def leave() -> list[Message]:
        async def receive() -> Message:
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            answered.append(message)

        answered: list[Message] = []
        form = [(b"content-type", b"application/x-www-form-urlencoded"), (b"host", b"testserver")]
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/games/unknown/moves",
            "raw_path": b"/games/unknown/moves",
            "query_string": b"",
            "root_path": "",
            "headers": form,
            "client": ("192.0.2.1", 1),
            "server": ("testserver", 80),
            "scheme": "http",
            "http_version": "1.1",
        }
        await client.app(scope, receive, send)
        return answered

    assert not [message for message in asyncio.run(leave()) if message.get("status", 0) >= 500]
