"""A table of Boggle without scripts: its round, its end and its replay."""

import html
import re

import pytest
from fastapi.testclient import TestClient

from tests.web.boggle_tables import BOARD, SLATE, begin_round, found, letters, open_board
from tests.web.browsing import HTML, HTMX, notice, send_move
from tests.web.conftest import Clock


def test_the_board_is_not_seen_before_the_clock_runs(client: TestClient, clock: Clock) -> None:
    address = open_board(client)
    before = client.get(address, headers=HTML).text
    assert letters(before) == ""
    assert "3 minutes on the clock" in before
    begin_round(client, address)
    clock.now += 30
    page = client.get(address, headers=HTML).text
    assert letters(page) == BOARD.replace(" ", "")
    assert ">2:30<" in page
    # Without scripts, the page reloads when time is up.
    assert '<noscript><meta http-equiv="refresh" content="154"></noscript>' in page


def test_a_qu_face_is_both_letters(client: TestClient) -> None:
    address = open_board(client, board="qi te", qu="true", seconds="none")
    page = client.get(address, headers=HTML).text
    assert letters(page) == "quite"
    assert 'aria-label="Qu"' in page
    answer = send_move(client, address, type="word", word="quiet")
    assert found(answer.text) == ["quiet"]
    assert 'data-cells="0,1,3,2"' in answer.text


def test_without_scripts_words_are_typed(client: TestClient) -> None:
    address = open_board(client)
    begin_round(client, address)
    answer = client.post(f"{address}/moves", data={"type": "word", "word": "Slate"}, headers=HTML)
    assert answer.status_code == 200
    assert answer.url.path == address
    client.post(f"{address}/moves", data={"type": "word", "word": "teas"}, headers=HTML)
    page = client.get(address, headers=HTML).text
    assert found(page) == ["teas", "slate"]
    assert re.search(r'id="score">3<', page)


@pytest.mark.parametrize(
    ("word", "result", "says"),
    [
        ("at", "too_short", "AT is too short: 3 letters or more"),
        ("queen", "not_on_board", "QUEEN is not on this board"),
        ("xyzzy", "not_a_word", "XYZZY is not in the word list"),
        ("slate", "repeated", "SLATE was already found"),
    ],
)
def test_each_refusal_has_its_own_message(client: TestClient, word: str, result: str, says: str) -> None:
    address = open_board(client)
    begin_round(client, address)
    send_move(client, address, type="word", cells=SLATE)
    answer = send_move(client, address, type="word", word=word)
    assert answer.status_code == 200
    assert f'data-result="{result}"' in answer.text
    report = re.search(r'id="report">(.*?)</p>', answer.text)
    assert report
    assert re.sub("<[^>]+>", "", report[1]) == says
    assert found(answer.text) == ["slate"]


@pytest.mark.parametrize(
    ("form", "status", "says"),
    [
        ({"type": "word", "cells": "0,15"}, 422, "does not touch"),
        ({"type": "word", "cells": "99"}, 422, "not on the board"),
        ({"type": "word", "cells": "one"}, 422, "cell numbers"),
        ({"type": "word"}, 422, "cells or a text"),
        ({"type": "time_up"}, 409, "here is time left"),
        ({"type": "fly"}, 422, "word"),
        ({"type": "start"}, 409, "has started already"),
    ],
)
def test_an_invalid_move_is_refused_with_the_reason(
    client: TestClient, form: dict[str, str], status: int, says: str
) -> None:
    address = open_board(client)
    begin_round(client, address)
    answer = client.post(f"{address}/moves", data=form, headers=HTML)
    assert answer.status_code == status
    assert says in html.unescape(answer.text)
    assert says in notice(send_move(client, address, **form).text)


def test_time_ends_the_round_while_the_page_sleeps(client: TestClient, clock: Clock) -> None:
    address = open_board(client, seconds="60")
    begin_round(client, address)
    send_move(client, address, type="word", cells=SLATE)
    clock.now += 3600
    page = client.get(address, headers=HTML).text
    assert "time’s up" in page
    assert 'data-phase="finished"' in page
    assert "SLATE" in page
    late = send_move(client, address, type="word", word="teas")
    assert notice(late.text) == "The game is over"
    assert "TEAS" not in late.text


def test_the_end_shows_what_there_was_and_offers_the_same_again(client: TestClient) -> None:
    address = open_board(client, seconds="300", cancel="true")
    begin_round(client, address)
    send_move(client, address, type="word", cells=SLATE)
    page = send_move(client, address, type="finish").text
    assert re.search(r'id="score" class="score">2<', page)
    assert "</b> of all points" in client.get(f"{address}/analysis", headers=HTMX).text
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    assert fields == {
        "size": "4x4",
        "richness": "fair",
        "seconds": "300",
        "min_length": "3",
        "lexicon": "english",
        "cancel": "true",
    }
    again = client.post("/boggle/play", data=fields, follow_redirects=False)
    assert again.status_code == 303
    view = client.get(f"/api{again.headers['location']}").json()["view"]
    assert (view["seconds"], view["cancel"]) == (300, True)


def test_the_analysis_names_all_words_and_those_worth_knowing(client: TestClient) -> None:
    address = open_board(client)
    begin_round(client, address)
    send_move(client, address, type="word", cells=SLATE)
    send_move(client, address, type="finish")
    analysis = client.get(f"/api{address}/analysis").json()
    fragment = client.get(f"{address}/analysis", headers=HTMX)
    assert "<html" not in fragment.text
    assert fragment.text.count('class="bog-miss"') == len(analysis["missed"]) == 12
    assert fragment.text.count('class="pill') == len(analysis["words"]) + 2, "and their lists: common, bonus"
    assert fragment.text.count("pill lit") == 1
    whole = client.get(f"{address}/analysis", headers=HTML)
    assert "<html" in whole.text


def test_the_replay_shows_words_as_they_were_found(client: TestClient) -> None:
    address = open_board(client)
    begin_round(client, address)
    send_move(client, address, type="word", cells=SLATE)
    send_move(client, address, type="word", word="xyzzy")
    send_move(client, address, type="finish")
    says = ["Start, ", "the clock starts", "SLATE", "Invalid word", "finished early"]
    for ply, said in enumerate(says):
        page = client.get(f"{address}/plies/{ply}", headers=HTML)
        assert page.status_code == 200
        event = re.search(r'id="replay-event">(.*?)</p>', page.text, re.DOTALL)
        assert event
        assert said in event[1]
        assert page.text.count("tile--drawn") == (5 if said == "SLATE" else 0)
