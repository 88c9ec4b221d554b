"""Boggle's front page: boards, bots, a duel and the daily."""

import html
import re

import pytest
from fastapi.testclient import TestClient

from tests.web.boggle_tables import begin_round, open_board
from tests.web.browsing import HTML, send_move


def test_the_front_page_offers_boards_bots_a_duel_and_the_daily(client: TestClient) -> None:
    page = client.get("/boggle", headers=HTML)
    assert page.status_code == 200
    for bot in ("Pip", "Moss", "Wren", "Sage", "Quill"):
        assert bot in page.text
    for name in ("size", "richness", "seconds", "min_length", "qu", "cancel", "board", "lexicon"):
        assert f'name="{name}"' in page.text
    assert 'value="friend"' in page.text
    assert 'action="/boggle/daily/play"' in page.text
    assert 'href="/boggle/generator"' in page.text
    assert "wibble_player" not in page.headers.get("set-cookie", ""), "viewing creates no guest"


def test_the_front_page_lists_open_games_of_boggle_only(client: TestClient, stranger: TestClient) -> None:
    address = open_board(client)
    client.post("/play", data={"mode": "zen"})
    assert address in client.get("/boggle").text
    assert client.get("/boggle").text.count('class="open-game-state"') == 1
    assert address not in stranger.get("/boggle").text


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"size": "9"}, "2 to 8"),
        ({"size": "large"}, "4x5"),
        ({"board": "abc"}, "do not make a square"),
        ({"board": "ab c1"}, "row 2, column 2"),
        ({"seconds": "5"}, "10 or more expected"),
        ({"richness": "golden"}, "plain"),
        ({"opponents": "6"}, "expected"),
        ({"lexicon": "klingon"}, "klingon"),
        ({"speed": "9"}, "there is no such field"),
    ],
)
def test_an_impossible_game_is_refused_with_the_reason(
    client: TestClient, form: dict[str, str], says: str
) -> None:
    answer = client.post("/boggle/play", data=form, headers=HTML)
    assert answer.status_code == 422
    assert "<html" in answer.text
    assert says.lower() in html.unescape(answer.text).lower()


def test_a_board_with_a_mistake_comes_back_in_the_form_with_all_that_was_chosen(client: TestClient) -> None:
    form = {"board": "cat do", "seconds": "none", "min_length": "5", "richness": "rich", "qu": "true"}
    form |= {"listed": "true", "turn_limit": "3600"}
    page = client.post("/boggle/play", data=form, headers=HTML).text
    assert "Row 2 has 2 letters, row 1 has 3" in page
    assert 'value="cat do"' in page
    checked = re.findall(r'name="(\w+)" value="(\w+)" checked', page)
    chosen = {"size": "4x4", "richness": "rich", "seconds": "none", "qu": "true", "listed": "true"}
    assert {name: dict(checked).get(name) for name in chosen} == chosen
    assert "cancel" not in dict(checked)
    assert '<option value="5" selected>' in page
    assert '<option value="3600" selected>' in page
    assert '<details class="options" open>' in page


def test_values_that_the_form_does_not_offer_come_back_chosen(client: TestClient) -> None:
    form = {"size": "3x5", "seconds": "90", "min_length": "7", "board": "pers lat"}
    page = client.post("/boggle/play", data=form)
    assert page.status_code == 422
    assert 'name="size" value="3x5" checked><span><b>3 \N{MULTIPLICATION SIGN} 5</b>' in page.text
    assert 'name="seconds" value="90" checked><span><b>1:30</b>' in page.text
    assert '<option value="7" selected>7 letters' in page.text
    assert 'value="3x5"' not in client.get("/boggle").text


def test_impossible_settings_of_a_table_are_named_in_the_form(client: TestClient) -> None:
    form = {"board": "cats dogs", "rated": "true"}
    page = client.post("/boggle/play", data=form | {"board": "ca do"}, headers=HTML)
    assert page.status_code == 422
    assert "Rated: a solo game cannot be rated" in page.text
    assert 'value="ca do"' in page.text


@pytest.mark.parametrize("room", ["", "/letterpress", "/boggle", "/fribble", "/scrabblet"])
def test_the_address_of_a_refused_form_leads_back_to_the_form(client: TestClient, room: str) -> None:
    answer = client.get(f"{room}/play", headers=HTML)
    assert (answer.status_code, answer.url.path) == (200, room or "/")
    assert f'action="{room}/play"' in answer.text


def test_a_game_has_the_options_chosen_in_the_form(client: TestClient) -> None:
    address = open_board(client, board="", size="4x6", seconds="none", min_length="4", qu="true")
    page = client.get(address, headers=HTML).text
    assert len(re.findall(r'id="tile-\d+"', page)) == 24
    assert 'data-rows="4" data-columns="6"' in page
    assert "no clock" in page
    view = client.get(f"/api{address}").json()["view"]
    assert (view["rows"], view["columns"], view["seconds"], view["min_length"]) == (4, 6, None, 4)


def test_the_daily_is_shared_without_a_spoiler(client: TestClient) -> None:
    opened = client.post("/boggle/daily/play", follow_redirects=False).headers["location"]
    begin_round(client, opened)
    view = client.get(f"/api{opened}").json()["view"]
    rows = view["board"]
    words = client.post("/api/boggle/solve", json={"rows": rows}).json()["words"][:3]
    for word in words:
        send_move(client, opened, type="word", word=word["word"])
    send_move(client, opened, type="finish")
    page = html.unescape(client.get("/boggle/daily", headers=HTML).text)
    shared = re.search(r'<textarea id="share"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert shared
    points = sum(word["points"] for word in words)
    longest = max(len(word["word"]) for word in words)
    assert f"{points} points with 3 words, up to {longest} letters" in shared[1]
    assert "% of all points" in shared[1]
    for secret in (*(word["word"] for word in words), *rows):
        assert secret not in shared[1].lower()
