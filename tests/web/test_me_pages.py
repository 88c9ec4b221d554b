"""The player's profile page without scripts."""

import html
import re

import pytest
from fastapi.testclient import TestClient

from tests.web.browsing import HTML, finish_wibble, give_up, invitation, play_daily, start_versus

MARKUP = "<b onclick=x>Ada</b>"


def test_a_name_with_markup_is_shown_as_it_is_typed(
    client: TestClient, stranger: TestClient, third: TestClient
) -> None:
    client.post("/me/nickname", data={"nickname": MARKUP}).raise_for_status()
    table = start_versus(client, "friend")
    link = invitation(client, table)
    play_daily(client, 1)
    game = finish_wibble(client)
    alone = start_versus(client, "1")
    give_up(client, alone)
    pages = [
        "/me",
        "/daily",
        table,
        link,
        game,
        f"{game}/plies/1",
        alone,
        f"{alone}/plies/1",
        f"{alone}/analysis",
    ]
    for path in pages:
        for browser in (client, third):
            page = browser.get(path, headers=HTML).text
            assert "<b onclick" not in page, path
    for path, browser in (("/me", client), ("/daily", third), (link, stranger), (table, stranger)):
        assert html.escape(MARKUP) in browser.get(path, headers=HTML).text, path


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "a\u202eb", "a\x00b", "\u200b\u200b", "\u3164"])
def test_an_invalid_name_is_refused_on_the_page(client: TestClient, name: str) -> None:
    client.post("/me/nickname", data={"nickname": "Ada"})
    answer = client.post("/me/nickname", data={"nickname": name}, headers=HTML)
    assert answer.status_code == 422
    assert "<html" in answer.text
    assert "Ada" in client.get("/me").text


def test_the_profile_page_has_statistics_games_and_a_download(
    client: TestClient, stranger: TestClient
) -> None:
    empty = stranger.get("/me", headers=HTML)
    assert empty.status_code == 200
    assert "set-cookie" not in empty.headers
    address = finish_wibble(client, 2)
    me = client.get("/api/me").json()
    page = client.get("/me", headers=HTML).text
    assert address in page
    assert str(me["statistics"][0]["best_score"]) in page
    assert me["statistics"][0]["best_word"].upper() in page
    taken = client.get("/me/export")
    assert taken.headers["content-disposition"].startswith("attachment")
    assert taken.json()["games"][0]["game_id"] == me["games"][0]["game_id"]
    assert stranger.get("/me/export").json()["games"] == []


def test_one_button_erases_the_profile(client: TestClient, stranger: TestClient) -> None:
    client.post("/me/nickname", data={"nickname": "Ada"})
    play_daily(client, 1)
    assert 'action="/me/erase"' in client.get("/me").text
    assert "Ada" in stranger.get("/daily").text
    gone = client.post("/me/erase", headers=HTML)
    assert gone.status_code == 200
    assert gone.url.path == "/me"
    assert "wibble_player" not in client.cookies
    assert "Ada" not in client.get("/me").text
    assert "Ada" not in stranger.get("/daily").text
    assert client.post("/me/erase", headers=HTML).status_code == 200


def test_the_page_says_how_often_and_how_long_a_device_link_works(client: TestClient) -> None:
    client.post("/me/nickname", data={"nickname": "Ada"}).raise_for_status()
    assert "One use, 7 days" in client.get("/me").text
    assert "safe place" not in client.get("/me").text
    assert "One use, 7 days" in client.post("/me/devices").text


def test_games_and_those_won_are_set_apart(client: TestClient) -> None:
    alone = start_versus(client, "1")
    give_up(client, alone)
    text = re.sub("<[^>]+>", "", client.get("/me").text)
    assert re.search(r"Games\s*1, [01] won", text), text
