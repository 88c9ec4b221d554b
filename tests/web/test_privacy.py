"""Players' names and texts are escaped, and private data is shown only to its owner."""

import html
import re
from itertools import chain, product
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import open_game, versus
from tests.web.browsing import HTML, HTMX
from tests.web.site_content import HOSTILE, World


def players(client: TestClient) -> int:
    """The number of rows in the store."""
    database = client.app.state.services.games.database  # type: ignore[attr-defined]
    with database.reading() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM players").scalar())


def test_markup_in_a_name_is_text_wherever_it_is_shown(world: World) -> None:
    shown = set()
    for reader in (world.owner, world.stranger):
        others = map(world.addresses_of, (world.daily, world.listed, world.private))
        for address, headers in product(chain(world.addresses(), *others), (HTML, HTMX)):
            page = reader.get(address, headers=headers)
            if page.headers.get("content-type", "").startswith("text/html"):
                assert HOSTILE not in page.text, address
                if HOSTILE in html.unescape(page.text):
                    shown.add(re.sub(r"/games/[\w-]+", "/games/ID", address))
    assert {"/me", "/lobby", "/daily", "/leaderboards", "/games/ID", "/games/ID/plies/0"} <= shown


def test_records_and_shared_texts_have_no_names(world: World) -> None:
    """Records and share texts go to others; the export is for the player only, as JSON."""
    assert HOSTILE not in world.owner.get(f"/games/{world.finished}/record").text
    export = world.owner.get("/me/export")
    assert export.headers["content-type"] == "application/json"
    assert export.headers["content-disposition"].startswith("attachment")
    assert export.json()["nickname"] == HOSTILE


@pytest.mark.parametrize(
    "name",
    [
        "\u202egnirts",  # right to left from here on
        "a\u2066b",  # an isolate
        "a\u200fb",  # a right-to-left mark
        "a\u200bb",  # zero width
        "a\u200db",
        "\ufeffa",
        "a\x00b",
        "a\nb",
        "a\u2028b",
        "\u3164",  # looks empty
        "a" + "\u0301" * 5,  # a tower of accents
        "\ue000",
        "x" * 25,
        " ",
        "",
    ],
)
def test_a_name_that_hides_something_is_refused(world: World, name: str) -> None:
    client = world.owner
    answer = client.put("/api/me", json={"nickname": name})
    assert answer.status_code == 422, answer.text
    assert client.post("/me/nickname", data={"nickname": name}).status_code == 422
    assert client.get("/api/me").json()["nickname"] == HOSTILE


@pytest.mark.parametrize("name", ["שלום", "مرحبا", "Zoë 🦊", "👍🏽" * 12, "&amp;", "{{7*7}}", "';--", "%s%n"])
def test_other_names_are_kept_as_they_are_and_kept_apart(
    client: TestClient, stranger: TestClient, name: str
) -> None:
    """Whatever the direction of a name, the text around it keeps its own direction."""
    assert client.put("/api/me", json={"nickname": name}).json()["nickname"] == name
    open_game(client, options={"mode": "versus"}, seats=2, listed=True)
    isolated = re.findall(r"<bdi>(.*?)</bdi>", stranger.get("/lobby").text)
    assert name in map(html.unescape, isolated)


def test_no_page_for_others_shows_a_private_game_or_its_invitation(world: World) -> None:
    """Neither its address nor its invitation appears on pages that others can read."""
    stranger = world.stranger
    for address in world.addresses(game=world.listed):
        if world.invitation in address:
            continue
        for secret in (world.private, world.invitation, world.daily):
            assert secret not in stranger.get(address, headers=HTML).text, address
    assert world.invitation not in stranger.get(f"/games/{world.private}").text
    assert stranger.get(f"/api/games/{world.private}").json()["invitation"] is None


def test_addresses_cannot_be_guessed(client: TestClient) -> None:
    games = [versus(client) for _ in range(20)]
    tokens = {game[name] for game in games for name in ("id", "invitation")}
    assert len(tokens) == 40
    assert all(re.fullmatch(r"[\w-]{12}", one) for one in tokens), "72 bits"


@pytest.mark.parametrize("wrong", ["nothing", "x" * 12, "%00", "...", "x" * 3000, "%F0%9F%A6%8A"])
def test_every_game_that_is_not_there_is_absent_in_the_same_way(world: World, wrong: str) -> None:
    for path in ("", "/moves", "/record", "/analysis", "/plies/0", "/events"):
        answer = world.stranger.get(f"/api/games/{wrong}{path}")
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "application/problem+json"


def test_a_refused_seat_makes_no_guest(world: World) -> None:
    somebody = TestClient(world.owner.app)
    before = players(world.owner)
    seats = f"/games/{world.private}/seats"
    for refused in (
        somebody.post(seats),
        somebody.post(f"/api{seats}", json={}),
        somebody.post(f"/api{seats}", json={"invitation": "x" * 12}),
        somebody.post(f"/games/{world.private}/join/wrong", follow_redirects=False),
        somebody.post("/api/games/nothing/seats", json={}),
    ):
        assert "set-cookie" not in refused.headers
        assert refused.status_code in (303, 404)
    assert players(world.owner) == before


def test_a_full_table_makes_no_guest(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, options={"mode": "versus"}, seats=2, listed=True)
    seats, invitation = f"/games/{game['id']}/seats", game["invitation"]
    assert stranger.post(f"/api{seats}", json={}).json()["seat"] == 1
    before, late = players(client), TestClient(client.app)
    for watched in (
        late.post(f"/api{seats}", json={}),
        late.post(f"/api{seats}", json={"invitation": invitation}),
        late.post(seats, follow_redirects=False),
        late.post(f"/games/{game['id']}/join/{invitation}", follow_redirects=False),
    ):
        assert "set-cookie" not in watched.headers
        if watched.headers["content-type"] == "application/json":
            assert watched.json()["seat"] is None
        else:
            assert "This game is full" in watched.text
    assert players(client) == before
    assert stranger.post(f"/api{seats}", json={}).json()["seat"] == 1, "a seated player still sees their seat"


TOO_MUCH = {"size": 2, "max_vowels": 0, "min_words": 10_000}
"""No hand of two letters has that many words."""


@pytest.mark.parametrize(
    ("method", "path", "asked"),
    [
        ("PUT", "/api/me", {"json": {"nickname": "\u200b"}}),
        ("POST", "/me/nickname", {"data": {"nickname": "\u200b"}}),
        ("POST", "/api/games", {"json": {"kind": "scrabblet", "options": TOO_MUCH}}),
        ("POST", "/api/games", {"json": {"options": {"lexicon": "none"}}}),
        ("POST", "/scrabblet/play", {"data": TOO_MUCH}),
        ("POST", "/play", {"data": {"lexicon": "none"}}),
        ("POST", "/api/daily/2001-01-01/rehearsals", {}),
        ("POST", "/daily/2001-01-01/play", {}),
    ],
)
def test_a_refused_request_makes_no_guest(
    client: TestClient, method: str, path: str, asked: dict[str, Any]
) -> None:
    answer = client.request(method, path, **asked)
    assert answer.status_code == (404 if "2001" in path else 422), answer.text
    assert "set-cookie" not in answer.headers
    assert players(client) == 0


@pytest.mark.parametrize(("path", "form"), [("moves", {"type": "pass"}), ("bots", {"level": "1"})])
def test_a_refusal_at_the_table_is_shown_at_the_table(world: World, path: str, form: dict[str, str]) -> None:
    watcher = world.stranger
    answer = watcher.post(f"/games/{world.listed}/{path}", data=form, headers=HTMX)
    assert answer.status_code == 200, "a fragment shows it in its notice"
    assert 'id="table"' in answer.text
    assert (
        "this is another player" in answer.text.lower()
        or "only the players of this game" in answer.text.lower()
    )
    page = watcher.post(f"/games/{world.listed}/{path}", data=form, headers=HTML)
    assert (page.status_code, "<html" in page.text) == (403, True)
