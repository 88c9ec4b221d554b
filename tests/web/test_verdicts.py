"""The end of a game on its page: tiles spell a victory, and a narrow loss is called so."""

import re

import pytest
from fastapi.testclient import TestClient

from app.games.game import Outcome, Summary
from app.store.results import Bests
from app.web.table.feats import feats
from app.web.table.seat_views import SeatView
from app.web.templating import templates
from tests.web.browsing import (
    HTML,
    finish_wibble,
    give_up,
    join,
    send_move,
    start_game,
    start_versus,
    start_wibble,
)
from tests.web.conftest import Clock

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
def test_a_loss_by_a_tenth_or_less_is_called_close(
    scores: tuple[int, int], you: int | None, close: str
) -> None:
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    outcome = Outcome(scores=scores, winners=winners, reason="")
    assert close in str(MACROS.close_loss(seats(you), outcome))  # type: ignore[attr-defined]
    assert bool(str(MACROS.close_loss(seats(you), outcome)).strip()) is bool(close)  # type: ignore[attr-defined]


def test_the_loss_of_a_player_who_resigned_is_not_called_close(
    client: TestClient, stranger: TestClient
) -> None:
    table = start_game(client, "/letterpress/play", opponent="friend", board="horseradishzzzzteamscatzz")
    join(stranger, client, table)
    send_move(client, table, type="word", cells="0,1,2,3,4")
    send_move(stranger, table, type="word", cells="5,6,7,8,9,10")
    give_up(client, table)
    ended = client.get(table, headers=HTML).text
    assert 'data-outcome="lost"' in ended
    assert "So close" not in ended


def test_tiles_spell_only_the_viewers_own_victory(client: TestClient, stranger: TestClient) -> None:
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


@pytest.mark.parametrize(
    ("score", "word", "points", "before", "said"),
    [
        (90, "crate", 9, None, []),
        (90, "crate", 9, Bests(90, 9, 5), []),
        (91, "crate", 9, Bests(90, 9, 5), ["Your best Classic game"]),
        (9, "planet", 9, Bests(90, 9, 5), ["Your longest word: PLANET, 6 letters"]),
        (9, "crate", 12, Bests(90, 9, 5), ["Your best word: QUIZ, 12 points"]),
        (9, "overtaking", 9, None, ["A word of 10 letters: OVERTAKING"]),
        (0, "", 0, Bests(-5, 0, 0), []),
    ],
)
def test_a_result_says_what_was_never_better(
    score: int, word: str, points: int, before: Bests | None, said: list[str]
) -> None:
    summary = Summary(
        mode="classic", score=score, words=1, best_word="quiz", best_points=points, longest_word=word
    )
    assert list(feats(summary, before, "Classic")) == said


def test_a_personal_best_stays_with_its_game(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    first, second = [_finished_later(client, clock, words) for words in (1, 4)]
    assert "Your best Zen game" not in client.get(first, headers=HTML).text
    assert "Your best Zen game" in client.get(second, headers=HTML).text
    assert "Your best Zen game" not in stranger.get(second, headers=HTML).text
    worse = _finished_later(client, clock, 0)
    assert "Your best Zen game" not in client.get(worse, headers=HTML).text
    assert "Your best Zen game" in client.get(second, headers=HTML).text


def _finished_later(client: TestClient, clock: Clock, words: int) -> str:
    clock.now += 60
    return finish_wibble(client, words)


def test_a_finished_game_without_a_word_expects_none(client: TestClient) -> None:
    page = client.get(finish_wibble(client, 0), headers=HTML).text
    assert "<dt>Best word</dt><dd>none</dd>" in page
