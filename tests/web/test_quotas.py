"""Quotas of listed tables and imported games."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.settings import Settings
from app.store.database import Database
from app.store.listed_tables import LISTED_FOR
from app.store.retention import DAY, forget_origins, prune
from tests.driver import open_game
from tests.web.browsing import HTML
from tests.web.conftest import Clock, Serve

LISTED = {"kind": "letterpress", "listed": True}


def listed(client: TestClient) -> str:
    answer = client.post("/api/games", json=LISTED)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def lobby(client: TestClient) -> list[str]:
    return [game["id"] for game in client.get("/api/games").json()]


def test_a_player_lists_a_few_tables(serve: Serve, clock: Clock) -> None:
    client = serve(listed_per_player=2, listed_per_address=50)
    first, _ = listed(client), listed(client)
    refused = client.post("/api/games", json=LISTED)
    assert refused.status_code == 429
    assert refused.headers["content-type"] == "application/problem+json"
    assert "you have 2 games in the lobby, the most allowed" in refused.json()["detail"]
    unlisted = client.post("/api/games", json={"kind": "letterpress"})
    assert unlisted.status_code == 201
    client.delete(f"/api/games/{first}").raise_for_status()
    second = listed(client)
    TestClient(client.app).post(f"/api/games/{second}/seats", json={}).raise_for_status()
    listed(client)
    assert client.post("/api/games", json=LISTED).status_code == 429
    clock.now += LISTED_FOR
    assert lobby(client) == []
    listed(client)


BOARD = "abcdeabcdeabcdeabcdeabcde"


@pytest.mark.parametrize(
    ("path", "form", "kept"),
    [
        (
            "/play",
            {"mode": "versus", "opponents": ["friend", "4"], "clock": "turn", "turn_seconds": "300"},
            [
                'name="opponents" value="4" checked',
                'value="friend" aria-label="Friend 1" checked',
                '<option value="300" selected>5 minutes',
            ],
        ),
        (
            "/play",
            {"mode": "teams", "opponents": ["friend", "3", "1", "", ""]},
            [
                '<option value="3" selected>',
                '<option value="friend" selected>',
                '<option value="1" selected>',
            ],
        ),
        ("/letterpress/play", {"opponent": "friend", "board": BOARD}, [f'value="{BOARD}"']),
        ("/boggle/play", {"opponents": "friend", "size": "6x6"}, ['name="size" value="6x6" checked']),
        (
            "/fribble/play",
            {"opponent": "friend", "preset": "standard", "challenge": "double", "players": "3"},
            ['value="standard" checked', 'value="double" selected', 'value="3" selected'],
        ),
    ],
)
def test_a_form_at_the_limit_of_the_lobby_comes_back_as_it_was(
    serve: Serve, path: str, form: dict[str, Any], kept: list[str]
) -> None:
    client = serve(listed_per_player=1, listed_per_address=50)
    listed(client)
    again = client.post(path, data=form | {"listed": "true"}, headers=HTML)
    assert again.status_code == 429
    assert "start this one unlisted" in again.text
    assert [each for each in kept if each not in again.text] == []
    unlisted = client.post(path, data=form, headers=HTML, follow_redirects=False)
    assert unlisted.status_code == 303


def test_a_form_at_the_limit_of_unfinished_games_comes_back_as_it_was(serve: Serve) -> None:
    client = serve(open_games=1)
    form = {"hand": "catsdog"}
    assert client.post("/scrabblet/play", data=form, headers=HTML).status_code == 200
    again = client.post("/scrabblet/play", data=form, headers=HTML)
    assert again.status_code == 429
    assert "finish one first" in again.text
    assert 'value="catsdog"' in again.text


def test_an_address_lists_a_few_tables_in_total(serve: Serve) -> None:
    app = serve(listed_per_player=2, listed_per_address=3).app
    here = [TestClient(app, client=("2001:db8::1", 1)) for _ in range(3)]
    there = TestClient(app, client=("2001:db8:1::1", 1))
    tables = [listed(one) for one in here]
    newcomer = TestClient(app, client=("2001:db8::2", 1))
    refused = newcomer.post("/api/games", json=LISTED)
    assert refused.status_code == 429
    assert "your address has 3 games in the lobby" in refused.json()["detail"]
    assert not newcomer.cookies, "nothing is stored of a refused visitor"
    assert set(lobby(there)) == set(tables)
    listed(there)


def test_one_player_cannot_fill_the_lobby(
    serve: Serve, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.table.api.MOST_LISTED", 4)
    app = serve(listed_per_player=50, listed_per_address=50).app
    modest = listed(TestClient(app, client=("192.0.2.1", 1)))
    clock.now += 60
    greedy = TestClient(app, client=("192.0.2.2", 1))
    many = [listed(greedy) for _ in range(6)]
    shown = lobby(greedy)
    assert len(shown) == 4
    assert shown[-1] == modest, "the oldest is there, and comes last"
    assert set(shown[:-1]) < set(many)


# Imports


def record(client: TestClient) -> str:
    """The text of a short game that the client has played."""
    game = open_game(client, "letterpress", bots=[1])
    address = f"/api/games/{game['id']}"
    client.post(f"{address}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    return client.get(f"{address}/record").text


def imported(client: TestClient, text: str) -> dict[str, object]:
    answer = client.post("/api/games/import", content=text, headers={"content-type": "text/plain"})
    assert answer.status_code == 201, answer.text
    game: dict[str, object] = answer.json()
    return game


def test_imported_games_of_an_address_are_limited(serve: Serve, settings: Settings, clock: Clock) -> None:
    client = serve(imports_per_address=2, imports_per_player=1)
    text = record(client)
    stranger = TestClient(client.app)
    first, second = imported(stranger, text), imported(stranger, text)
    assert first["goes_at"] == clock.now + 30 * DAY
    refused = stranger.post("/api/games/import", content=text, headers={"content-type": "text/plain"})
    assert refused.status_code == 429
    assert "your address has 2 imported games here, the most allowed" in refused.json()["detail"]
    assert stranger.post("/import", data={"text": text}, headers=HTML).status_code == 429
    imported(TestClient(client.app, client=("192.0.2.7", 1)), text)

    # A player of an imported game may keep it, which makes room for another import.
    keep = f"/api/games/{first['id']}/keep"
    assert stranger.post(keep).status_code == 403
    assert client.post(keep).json()["goes_at"] is None
    assert client.post(keep).status_code == 200
    third = imported(stranger, text)
    refused = client.post(f"/api/games/{second['id']}/keep")
    assert refused.status_code == 429
    assert "you keep 1 imported game, the most allowed" in refused.json()["detail"]

    database = Database(settings.store_url)
    prune(database, settings.retention, clock.now + 30 * DAY)
    assert client.get(f"/api/games/{second['id']}").status_code == 200
    assert prune(database, settings.retention, clock.now + 30 * DAY + 1).imported == 3
    assert client.get(f"/api/games/{first['id']}").status_code == 200
    assert client.get(f"/api/games/{third['id']}").status_code == 404
    client.post("/me/erase").raise_for_status()
    assert prune(database, settings.retention, clock.now + 30 * DAY + 1).imported == 1
    assert client.get(f"/api/games/{first['id']}").status_code == 404
    database.close()


def test_a_page_says_when_an_imported_game_goes(client: TestClient) -> None:
    text = record(client)
    page = client.post("/import", data={"text": text}, headers=HTML)
    assert "deleted after 14 December" in page.text
    kept = client.post(str(page.url.path).replace("plies/0", "keep"), headers=HTML)
    assert kept.url == page.url
    assert "deleted after" not in kept.text
    assert "Deleted after 30 days unless you keep it" in client.get("/import", headers=HTML).text


def test_where_a_game_came_from_is_forgotten(client: TestClient, settings: Settings, clock: Clock) -> None:
    table, game = listed(client), imported(client, record(client))
    database = Database(settings.store_url)

    def origins() -> set[str]:
        with database.reading() as connection:
            rows = connection.exec_driver_sql("SELECT id FROM games WHERE origin IS NOT NULL")
            return {row.id for row in rows}

    assert origins() == {table, game["id"]}
    forget_origins(database, clock.now + LISTED_FOR + 1)
    assert origins() == {game["id"]}
    client.post(f"/api/games/{game['id']}/keep").raise_for_status()
    assert origins() == set()
    database.close()
