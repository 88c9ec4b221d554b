"""Links that sign in the same player on another device, over HTTP."""

import re
import sqlite3
from typing import Any

from fastapi.testclient import TestClient

from app.settings import Settings
from app.store.players import RECOVERY_SECONDS
from tests.web.conftest import Clock


def device_link(client: TestClient) -> str:
    found = re.search(r"/me/devices/[\w-]+", client.post("/me/devices").text)
    assert found
    return found[0]


def name_of(client: TestClient) -> Any:
    return client.get("/me/export").json()["nickname"]


def test_a_link_makes_another_device_the_same_player_once(client: TestClient, stranger: TestClient) -> None:
    client.post("/me/nickname", data={"nickname": "Ada"})
    link = device_link(client)
    assert stranger.get(link).status_code == stranger.get(link).status_code == 200, "viewing does not use it"
    assert name_of(stranger) is None
    moved = stranger.post(link, follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (303, "/me")
    assert (name_of(stranger), name_of(client)) == ("Ada", "Ada")
    again = TestClient(client.app)
    assert again.post(link).status_code == 404
    assert name_of(again) is None


def test_a_used_link_says_so_without_a_button(client: TestClient, stranger: TestClient) -> None:
    client.post("/me/nickname", data={"nickname": "Ada"})
    link = device_link(client)
    assert "Use profile here" in stranger.get(link).text
    stranger.post(link).raise_for_status()
    for one in (stranger, TestClient(client.app)):
        page = one.get(link)
        assert (page.status_code, page.headers["cache-control"]) == (404, "no-store")
        assert "This link has been used, and works only once" in page.text
        assert "Use profile here" not in page.text
    assert "This link has been used" in stranger.post(link, headers={"accept": "text/html"}).text
    assert "Use profile here" in stranger.get(device_link(client)).text


def test_an_expired_link_has_no_button(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    client.post("/me/nickname", data={"nickname": "Ada"})
    link = device_link(client)
    clock.now += RECOVERY_SECONDS
    page = stranger.get(link)
    assert (page.status_code, "Use profile here" in page.text) == (404, False)
    assert "This link was used, has expired or is not complete: make a new one" in page.text


def test_a_link_is_good_for_a_week(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    client.post("/me/nickname", data={"nickname": "Ada"})
    early, late = device_link(client), device_link(client)
    clock.now += RECOVERY_SECONDS - 1
    assert stranger.post(early, follow_redirects=False).status_code == 303
    clock.now += 1
    assert stranger.post(late).status_code == 404


def test_a_made_up_link_is_404(client: TestClient) -> None:
    answer = client.post("/me/devices/made-up", headers={"accept": "text/html"})
    assert answer.status_code == 404
    assert "make a new one" in answer.text
    assert "set-cookie" not in answer.headers


def test_an_erased_player_leaves_no_link(client: TestClient, stranger: TestClient) -> None:
    client.post("/me/nickname", data={"nickname": "Ada"})
    link = device_link(client)
    client.post("/me/erase")
    assert stranger.post(link).status_code == 404
    assert name_of(client) is None


def test_without_a_profile_no_link_is_made(client: TestClient) -> None:
    answer = client.post("/me/devices", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/me")


def test_a_cookie_older_than_the_database_has_no_link(client: TestClient, settings: Settings) -> None:
    client.post("/me/nickname", data={"nickname": "Ada"})
    with sqlite3.connect(settings.data_dir / "wibble.sqlite3") as database:
        database.execute("DELETE FROM players")
    answer = client.post("/me/devices", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/me")
