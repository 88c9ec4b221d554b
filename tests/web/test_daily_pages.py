"""The daily without scripts."""

import html
import re
from datetime import date

import pytest
from fastapi.testclient import TestClient

from app.rooms import ROOMS
from app.store.days import day_of
from app.store.retention import Retention, prune
from app.web.site.daily_calendar import daily_rooms
from app.web.table.analyst import Analyst
from tests.driver import see
from tests.web.browsing import (
    HTML,
    finish_wibble,
    give_up,
    play_daily,
    start_game,
    start_wibble,
    tiles,
    type_best,
)
from tests.web.conftest import Clock

DAY = 86_400


def test_the_daily_page_shows_the_players_progress(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    fresh = client.get("/daily", headers=HTML)
    assert fresh.status_code == 200
    assert 'action="/daily/play"' in fresh.text
    assert "set-cookie" not in fresh.headers, "viewing creates no guest"

    address = play_daily(client)
    begun = client.get("/daily").text
    assert address in begun
    assert 'action="/daily/play"' not in begun
    assert play_daily(client) == address

    words = [type_best(client, address) for _ in range(2)]
    give_up(client, address)
    score = str(see(client, address)["view"]["scores"][0])
    done = html.unescape(client.get("/daily").text)
    assert score in done
    assert "rank 1 of 1" in done
    shared = re.search(r"Wibble daily (\S+)\n(\S+)\n(.*)\n([^<\s]+)", done)
    assert shared
    assert shared[1] == "2023-11-14"
    assert re.fullmatch("[🟩🟨⬜]{2}", shared[2])
    assert shared[3].startswith(f"{score} points, ")
    assert shared[4] == "http://testserver/daily/2023-11-14"
    for word in words:
        assert word not in shared[0].lower(), "no spoiler"

    others = html.unescape(stranger.get("/daily").text)
    assert "Wibble daily 2023" not in others
    assert address not in others, "a game shows its board, which is secret before the day is played"
    assert play_daily(stranger) != address


@pytest.mark.parametrize("start", ["/daily/play", "/boggle/daily/play", "/scrabblet/daily/play"])
def test_the_question_before_finishing_says_that_a_daily_is_played_once(
    client: TestClient, start: str
) -> None:
    once = "You can play each daily game once."
    assert once in client.get(start_game(client, start), headers=HTML).text
    assert once not in client.get(start_wibble(client), headers=HTML).text


def test_a_daily_without_a_word_is_shared_without_squares(client: TestClient) -> None:
    play_daily(client, 0)
    shared = html.unescape(client.get("/daily").text)
    assert re.search(r"Wibble daily \S+\n0 points.*\nhttp", shared)


@pytest.mark.parametrize("words", [0, 1])
def test_the_daily_leads_to_a_review_if_there_is_something_to_review(client: TestClient, words: int) -> None:
    address = play_daily(client, words)
    assert (f'href="{address}">Game review<' in client.get("/daily").text) is bool(words)
    assert ('aria-label="Game review"' in client.get(address, headers=HTML).text) is bool(words)


def test_the_days_before_are_listed_and_played_unranked(client: TestClient, clock: Clock) -> None:
    assert client.get("/daily/archive", headers=HTML).status_code == 200
    first = play_daily(client, 1)
    clock.now += DAY
    page = client.get("/daily/archive").text
    assert "/daily/2023-11-14" in page
    assert "/daily/2023-11-15" not in page
    day = client.get("/daily/2023-11-14").text
    assert first in day
    assert 'action="/daily/2023-11-14/play"' in day
    again = client.post("/daily/2023-11-14/play", follow_redirects=False).headers["location"]
    assert again not in ("/daily", first)
    give_up(client, again)
    assert tiles(client, again, 1) == tiles(client, first, 1)
    assert client.get("/api/daily/2023-11-14").json()["finished"] == 1
    today = client.post("/daily/2023-11-15/play", follow_redirects=False)
    assert today.headers["location"] == "/daily", "today's daily cannot be practised"


def test_a_game_that_was_finished_too_late_is_named_on_the_page_of_its_day(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    day = day_of(clock.now)
    address = play_daily(client)
    clock.now += 2 * 86_400
    give_up(client, address)
    late, other = (each.get(f"/daily/{day}", headers=HTML).text for each in (client, stranger))
    reason = f'<a href="{address}">Your game</a> was not finished in time to be ranked.'
    assert (reason in late, "in time" in other) == (True, False)


def test_games_of_a_day_stay_hidden_while_the_last_are_finished(
    client: TestClient, stranger: TestClient, third: TestClient, clock: Clock
) -> None:
    first, mine = play_daily(client, 1), play_daily(stranger)
    clock.now += DAY - clock.now % DAY + 300
    page = stranger.get("/daily/2023-11-14").text
    assert first not in page
    assert mine in page, "the player's own game continues"
    assert 'action="/daily/2023-11-14/play"' not in page
    assert "You can play it (not ranked) in 55 minutes." in third.get("/daily/2023-11-14").text
    assert first in client.get("/daily/2023-11-14").text, "players of that day may view it"
    clock.now += 3600
    page = stranger.get("/daily/2023-11-14").text
    assert first in page
    assert 'action="/daily/2023-11-14/play"' in page


def test_an_invalid_day_is_a_page(client: TestClient) -> None:
    for day in ("2023-11-15", "9999-12-31", "2023-02-30", "soon"):
        for path in (f"/daily/{day}", f"/wibble/daily/{day}"):
            answer = client.get(path, headers=HTML)
            assert answer.status_code == 404
            assert "Unprocessable" not in answer.text
            assert 'href="/daily">Daily</a>' in answer.text.partition("</h1>")[2]
    assert client.post("/daily/2001-01-01/play", headers=HTML).status_code == 404
    assert client.get("/daily/2001-01-01", headers=HTML).status_code in (200, 404)


def test_home_shows_the_state_of_the_daily(client: TestClient, clock: Clock) -> None:
    assert "/daily" in client.get("/").text
    address = play_daily(client, 1)
    score = str(see(client, address)["view"]["scores"][0])
    strip = [re.sub("<.*?>", "", line) for line in client.get("/").text.split('class="daily-line"')[1:]]
    assert len(strip) == len(daily_rooms(ROOMS))
    assert f"{score} points, 1 day in a row" in strip[0]
    assert all("not played" in line and "in a row" not in line for line in strip[1:])
    clock.now += DAY
    assert "not played, 1 day in a row" in client.get("/").text


def test_the_lobby_suggests_a_daily_that_is_not_played_yet(client: TestClient) -> None:
    suggested = re.compile(r"Start with today’s game.*?href=\"(.*?)\"", re.DOTALL)
    found = []
    for room in daily_rooms(ROOMS).values():
        found += suggested.findall(client.get("/lobby").text)
        address = start_game(client, f"{room.daily}/play")
        for kind in ("start", "finish", "resign"):  # what finishes one game is refused by another
            client.post(f"{address}/moves", data={"type": kind})
    assert found == [room.daily for room in daily_rooms(ROOMS).values()]
    assert "Start with today" not in client.get("/lobby").text


def test_the_days_played_are_marked_in_the_calendar(client: TestClient, clock: Clock) -> None:
    def marks() -> dict[str, str]:
        """The marked days; the text says what was played."""
        found = re.findall(r'<td[^>]*><time datetime="(.*?)">.*?</time>(.*?)</td>', client.get("/me").text)
        assert len(found) == 35
        return {day: re.sub("<.*?>", "", text).removeprefix(": ") for day, text in found if text}

    assert marks() == {}
    said = re.findall(r"(\d+ [A-Z][a-z]+) to (\d+ [A-Z][a-z]+)\. Days", client.get("/me").text)
    days = re.findall(r'<time datetime="(.*?)">', client.get("/me").text)
    assert said == [tuple(f"{date.fromisoformat(one):%-d %B}" for one in (days[0], days[-1]))]
    day, next_day = (day_of(clock.now + late).isoformat() for late in (0, DAY))
    play_daily(client, 1)
    finish_wibble(client)
    assert marks() == {day: "2 played, daily finished"}
    clock.now += DAY
    finish_wibble(client)
    assert marks() == {day: "2 played, daily finished", next_day: "1 played"}
    clock.now += 40 * DAY
    assert marks() == {}


def test_todays_board_is_shown_once_it_is_played(client: TestClient, stranger: TestClient) -> None:
    def letters(browser: TestClient) -> str:
        return "".join(re.findall(r'class="mini-letter"[^>]*>(\w+)<', browser.get("/daily").text))

    date = letters(stranger)
    assert re.fullmatch(r"[A-Z]{3}\d{1,2}", date)
    address = play_daily(client)
    assert letters(client) == date
    give_up(client, address)
    assert len(letters(client)) == 25
    assert letters(stranger) == date


def test_a_past_day_is_shown_when_its_games_are_gone_or_the_engines_are_busy(
    client: TestClient, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = client.app.state.services  # type: ignore[attr-defined]
    monkeypatch.setattr(Analyst, "prepare", lambda *_: None)
    played = client.post("/daily/play", follow_redirects=False).headers["location"]
    type_best(client, played)
    give_up(client, played)
    day = f"/daily/{services.today().isoformat()}"
    clock.now += 3 * DAY
    with monkeypatch.context() as busy:
        busy.setattr(services.pool, "places", 0)
        page = client.get(day, headers=HTML)
    assert (page.status_code, 'id="share"' in page.text) == (200, False)
    shown = client.get(day, headers=HTML).text
    assert 'id="share"' in shown
    assert f'href="{played}"><bdi>' in shown
    assert f'href="{played}">Game review' in shown
    assert f'href="{played}"' in client.get("/me").text
    prune(services.games.database, Retention(finished_days=1), clock.now)
    page = client.get(day, headers=HTML)
    assert (page.status_code, 'id="share"' in page.text) == (200, False)
    for path in (day, "/me", "/lobby"):
        assert played not in client.get(path).text, "no page links to a deleted game"
    assert client.get(f"/api{day}").json()["game_id"] is None
    assert "<bdi>A guest</bdi>" in page.text, "the score stays"
