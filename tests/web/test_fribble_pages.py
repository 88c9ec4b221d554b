"""Fribble without a browser's scripts: from its front page to its GCG."""

import html
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.web.templating import templates
from tests.driver import best_placement, open_game
from tests.web.browsing import HTML, HTMX, join, start_game
from tests.web.conftest import Clock

PLAY = "/fribble/play"


@pytest.fixture
def table(client: TestClient, stranger: TestClient) -> str:
    """A table of the client, who moves first, and the stranger."""
    address = start_game(client, PLAY, opponent="friend")
    join(stranger, client, address)
    return address


def post(client: TestClient, table: str, headers: Any = HTML, **fields: str) -> Any:
    return client.post(f"{table}/moves", data=fields, headers=headers)


def test_the_front_page_offers_friends_bots_presets_and_studies(client: TestClient) -> None:
    page = client.get("/fribble", headers=HTML)
    assert page.status_code == 200
    for offered in ("Pip", "Quill", 'value="friend"', 'value="standard"', "/fribble/board", "/words"):
        assert offered in page.text
    assert "wibble_player" not in page.headers.get("set-cookie", ""), "viewing creates no guest"


def test_the_options_are_those_of_the_game(client: TestClient) -> None:
    address = start_game(
        client,
        PLAY,
        opponent="2",
        preset="standard",
        challenge="double",
        turn_seconds="60",
        players="3",
        turn_limit="",
    )
    game = client.get(f"/api{address}").json()
    assert [seat["occupant"] for seat in game["seats"]] == ["player", "bot", "bot"]
    view = game["view"]
    assert (view["preset"], view["challenge"], view["turn_seconds"]) == ("standard", "double", 60)


def test_a_player_who_has_left_a_game_of_three_watches_the_others(
    client: TestClient, stranger: TestClient
) -> None:
    table = start_game(client, PLAY, opponent="friend", players="3")
    join(stranger, client, table)
    join(TestClient(client.app), client, table)
    assert client.get(table).text.count('class="tray fri-rack"') == 1
    post(client, table, type="resign").raise_for_status()
    left, other = client.get(table, headers=HTML).text, stranger.get(table, headers=HTML).text
    assert "You resigned. Player 2’s turn." in re.sub("<[^>]+>", "", left)
    for gone in ('id="rack"', 'id="more-dialog"', 'id="finish-dialog"'):
        assert (gone in left, gone in other) == (False, True)
    assert " data-watching" in left
    for page in (left, other):
        assert page.count('<span class="visually-hidden">, resigned</span>') == 1


def test_three_or_four_play_on_a_standard_board_whichever_was_chosen(client: TestClient) -> None:
    form = {"preset": "wwf", "lexicon": ""}
    for players in ("2", "3", "4"):
        address = start_game(client, PLAY, opponent="1", players=players, **form)
        game = client.get(f"/api{address}").json()
        assert len(game["seats"]) == int(players)
        assert game["view"]["preset"] == ("wwf" if players == "2" else "standard")


def test_the_address_of_the_form_leads_back_to_it(client: TestClient) -> None:
    refused = client.post(PLAY, data={"opponent": "9"}, headers=HTML)
    assert refused.status_code == 422
    back = client.get(str(refused.url), follow_redirects=False)
    assert (back.status_code, back.headers["location"]) == (303, "/fribble")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"preset": "nonesuch"}, "no preset named 'nonesuch'"),
        ({"turn_seconds": "1"}, "10 or more expected"),
    ],
)
def test_an_impossible_game_is_refused_with_the_reason(
    client: TestClient, fields: dict[str, str], says: str
) -> None:
    answer = client.post("/fribble/play", data={"opponent": "1", **fields}, headers=HTML)
    assert answer.status_code == 422
    assert says.lower() in html.unescape(answer.text).lower()


def test_a_blank_in_a_move_is_a_capital_with_the_ring_of_its_tile() -> None:
    shown = templates.env.from_string(
        '{% from "fribble/_words.html" import word_text %}{{ word_text(text, "OUTWILE") }}'
    )
    blank = '<i class="fri-blank" title="Blank">L</i>'
    assert shown.render(text="OUTWIlE").strip() == f"OUTWI{blank}E"
    assert shown.render(text="OU..IlE").strip() == f"OU(TW)I{blank}E"


def test_a_move_is_written_and_each_square_has_a_label(
    client: TestClient, stranger: TestClient, table: str
) -> None:
    found = best_placement(client, f"/api{table}")
    page = post(client, table, type="write", text=f"{found['coordinate']} {found['word']}").text
    assert len(re.findall('role="gridcell"', page)) == 225
    first = found["placed"][0]["letter"]
    label = f"blank as {first.upper()}" if first.islower() else f"{first}, "
    square = f"{found['placed'][0]['row']}{'ABCDEFGHIJKLMNO'[found['placed'][0]['column'] - 1]}"
    assert f'aria-label="{square}, {label}' in page
    assert 'aria-label="1D, triple word"' in page
    news = stranger.get(f"{table}/table", headers=HTMX)
    assert "tile--latest" in news.text
    assert "Your turn" in html.unescape(news.text)


@pytest.mark.parametrize(
    ("fields", "status", "says"),
    [
        ({"type": "write", "text": "nonsense"}, 422, "is not a move"),
        ({"type": "place", "cells": "a,b", "tiles": "AB"}, 422, "cell numbers"),
        ({"type": "exchange"}, 422, "tiles"),
        ({"type": "pass", "ply": "7"}, 409, ""),
    ],
)
@pytest.mark.parametrize("headers", [HTML, HTMX], ids=["page", "fragment"])
def test_a_refused_move_comes_back_as_the_table_with_a_notice(
    client: TestClient, table: str, headers: Any, fields: dict[str, str], status: int, says: str
) -> None:
    answer = post(client, table, headers, **fields)
    assert answer.status_code == (200 if headers is HTMX else status)
    assert says in html.unescape(answer.text)
    assert "word-report--trouble" in answer.text
    assert ("<html" in answer.text) == (headers is HTML)


def test_an_exchange_of_nothing_is_refused_in_words_for_people(client: TestClient, table: str) -> None:
    page = html.unescape(post(client, table, type="exchange", tiles="").text)
    assert "Choose the tiles to exchange" in page
    assert "Exchange.tiles" not in page
    assert client.get(f"/api{table}").json()["view"]["ply"] == 0


def test_tiles_are_exchanged_in_either_case(client: TestClient, table: str) -> None:
    rack = client.get(f"/api{table}").json()["view"]["rack"]
    page = post(client, table, type="exchange", tiles=rack[:2].lower()).text
    assert f"exchanged {rack[:2]}" in page


def test_a_play_is_challenged_where_that_is_agreed(client: TestClient, stranger: TestClient) -> None:
    address = start_game(client, PLAY, opponent="friend", challenge="double")
    invitation = re.search(rf"{address}/join/[\w-]+", html.unescape(client.get(address).text))
    assert invitation
    stranger.post(invitation[0])
    rack = client.get(f"/api{address}").json()["view"]["rack"].replace("?", "")
    post(client, address, type="write", text=f"8H {rack[:2]}")
    assert 'value="challenge"' in stranger.get(address).text
    assert 'value="challenge"' not in client.get(address).text
    page = post(stranger, address, type="challenge").text
    assert "taken back" in page or "lost a challenge" in page


def test_a_finished_table_shows_the_tiles_left_and_offers_more(
    client: TestClient, stranger: TestClient, table: str
) -> None:
    found = best_placement(client, f"/api{table}")
    post(client, table, type="write", text=f"{found['coordinate']} {found['word']}")
    for mover in (stranger, client, stranger):
        post(mover, table, type="pass")
    page = html.unescape(client.get(table, headers=HTML).text)
    assert "3 turns in a row without points" in page
    assert "fri-settled" in page
    for offered in (f"{table}/gcg", f"{table}/analysis", f"{table}/plies/0", "Rematch"):
        assert offered in page
    analysis = client.get(f"{table}/analysis", headers=HTML).text
    assert analysis.count('class="fri-turn"') == 4
    assert "style=" not in analysis
    assert re.search(r"</span>, \d+\.\d equity lost", analysis)
    assert "Best move" in analysis
    assert re.search(r"<details[^>]*>\s*<summary>How is this judged\?</summary>\s*<p>Equity is the", analysis)
    replay = client.get(f"{table}/plies/1", headers=HTML).text
    assert replay.count("fri-still-rack") >= 2


def test_the_analysis_shows_words_as_they_lie_and_which_tiles_were_exchanged(
    client: TestClient, stranger: TestClient, table: str
) -> None:
    found = best_placement(client, f"/api{table}")
    post(client, table, type="write", text=f"{found['coordinate']} {found['word']}")
    crossing = best_placement(stranger, f"/api{table}")
    post(stranger, table, type="write", text=f"{crossing['coordinate']} {crossing['word']}")
    rack = client.get(f"/api{table}").json()["view"]["rack"]
    post(client, table, type="exchange", tiles=rack[:2])
    hidden = html.unescape(stranger.get(table, headers=HTML).text)
    assert "exchanged 2" in hidden
    post(stranger, table, type="resign")
    page = client.get(f"{table}/analysis", headers=HTML).text
    plays = re.findall(
        r'<tr[^>]*><td>(\w+)</td><td><span class="fri-at">\1</span> (\S+?)(?:</td>| <small>)', page
    )
    assert any("(" in text for _, text in plays)
    assert all(re.fullmatch(r"(?:[A-Za-z]|\([A-Z]+\))+", text) for _, text in plays), plays
    assert f"exchanged {rack[:2]}" in page


def test_a_game_of_three_is_opened_with_a_friend_and_a_bot(client: TestClient) -> None:
    form = {"opponent": ["friend", "2"], "players": "3", "preset": "standard"}
    answer = client.post("/fribble/play", data=form, follow_redirects=False)
    assert answer.status_code == 303
    address = answer.headers["location"]
    seats = client.get(f"/api{address}").json()["seats"]
    assert [(seat["occupant"], seat["bot_level"]) for seat in seats] == [
        ("player", None),
        ("free", None),
        ("bot", 2),
    ]


def test_only_fribble_has_a_gcg_and_a_preview(client: TestClient) -> None:
    opened = open_game(client, "wibble")
    assert client.get(f"/games/{opened['id']}/gcg").status_code == 404
    tiles = {"cells": [112], "tiles": "A"}
    assert client.post(f"/games/{opened['id']}/preview", json=tiles).status_code == 404


def test_bots_play_each_other_while_a_player_watches(client: TestClient, clock: Clock) -> None:
    answer = client.post(
        "/fribble/self",
        data={"first": "2", "second": "2", "opponent": "friend", "players": "2", "turn_limit": ""},
        follow_redirects=False,
    )
    assert answer.status_code == 303
    table = answer.headers["location"]
    page = client.get(table, headers=HTML).text
    assert "Moss 1" in page
    assert "Moss 2" in page
    assert 'id="rack"' not in page
    assert "live.js" in page
    clock.now += 20
    assert "tile--latest" in client.get(f"{table}/table", headers=HTMX).text
    clock.now += 3600
    looks = (html.unescape(client.get(table, headers=HTML).text) for _ in range(20))
    page = next(page for page in looks if "Watch another game" in page)
    assert f"{table}/plies/0" in page
    analysis = html.unescape(client.get(f"{table}/analysis", headers=HTML).text)
    for graph in ("Scores turn by turn", "winning, in percent, turn by turn", "Equity lost turn by turn"):
        assert graph in analysis
    assert "style=" not in analysis


@pytest.mark.parametrize("level", ["0", "6", ""])
def test_a_game_of_bots_of_an_unknown_level_is_refused(client: TestClient, level: str) -> None:
    answer = client.post("/fribble/self", data={"first": level, "second": "1"}, headers=HTML)
    assert answer.status_code == 422
