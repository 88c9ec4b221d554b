"""How a game's end is told: tiles spell a victory, and who lost by little hears it."""

import re

import pytest
from fastapi.testclient import TestClient

from app.games.game import Outcome
from app.web.table.seat_views import SeatView
from app.web.templating import templates
from tests.web.browsing import HTML, give_up, join, start_versus, start_wibble

MACROS = templates.env.get_template("table/_seats.html").module


def seats(you: int | None) -> list[SeatView]:
    return [
        SeatView(seat=seat, occupant="player", name=name, you=seat == you, bot_level=None)
        for seat, name in enumerate(("Ada", "Bob"))
    ]


def spelled(text: str) -> str:
    return "".join(re.findall(r'data-letter="(.)"', text))


@pytest.mark.parametrize(
    ("scores", "you", "close"),
    [
        ((100, 91), 1, "So close: 9 behind"),
        ((100, 89), 1, ""),
        ((4, 1), 1, "So close: 3 behind"),
        ((100, 91), 0, ""),
        ((100, 91), None, ""),
        ((50, 50), 0, ""),
    ],
)
def test_who_lost_by_a_tenth_or_less_hears_that_it_was_close(
    scores: tuple[int, int], you: int | None, close: str
) -> None:
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    outcome = Outcome(scores=scores, winners=winners, reason="")
    assert close in str(MACROS.close_loss(seats(you), outcome))  # type: ignore[attr-defined]
    assert bool(str(MACROS.close_loss(seats(you), outcome)).strip()) is bool(close)  # type: ignore[attr-defined]


def test_tiles_spell_ones_own_victory_alone(client: TestClient, stranger: TestClient) -> None:
    table = start_versus(client, "friend")
    join(stranger, client, table)
    give_up(client, table)
    won, lost = (browser.get(table, headers=HTML).text for browser in (stranger, client))
    assert spelled(re.findall(r"<h2.*?</h2>", won, re.DOTALL)[0]) == "YOUWIN"
    assert "You win" in won
    assert spelled(re.findall(r"<h2.*?</h2>", lost, re.DOTALL)[0]) == ""
    assert "wins" in lost


def test_a_refused_word_is_marked(client: TestClient) -> None:
    table = start_wibble(client)
    page = client.get(table).text
    assert "word-report--trouble" not in page
    answer = client.post(f"{table}/moves", data={"type": "chain", "cells": "0,1", "ply": "1"}, headers=HTML)
    refused = "is not in the word list" in answer.text
    assert ("word-report--trouble" in answer.text) is refused
