"""Seats, the daily, replays and one's own page without a browser's scripts."""

import html
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.store.retention import Retention, prune
from app.web.analyst import Analyst
from tests.web.browsing import HTML, HTMX, best, board, open_game
from tests.web.conftest import Clock

DAY = 86_400
MARKUP = "<b onclick=x>Ada</b>"


@pytest.fixture
def late(client: TestClient) -> TestClient:
    """A third browser."""
    return TestClient(client.app)


def open_table(client: TestClient, *opponents: str, **fields: str) -> str:
    form = {"mode": "versus", "opponents": list(opponents), **fields}
    answer = client.post("/play", data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def invitation(client: TestClient, address: str) -> str:
    page = html.unescape(client.get(address, headers=HTML).text)
    found = re.search(rf"{address}/join/[\w-]+", page)
    assert found, "the table shows no invitation"
    return found[0]


def see(client: TestClient, address: str) -> Any:
    return client.get(f"/api{address}").json()


def tiles(client: TestClient, address: str, ply: int) -> Any:
    return client.get(f"/api{address}/plies/{ply}").json()["view"]["tiles"]


def type_best(client: TestClient, address: str) -> str:
    word = str(best(client, client.get(address).text)["word"])
    client.post(f"{address}/moves", data={"type": "word", "word": word}).raise_for_status()
    return word


def give_up(client: TestClient, address: str) -> None:
    client.post(f"{address}/moves", data={"type": "resign"}).raise_for_status()


def finished(client: TestClient, words: int = 1, mode: str = "zen") -> str:
    address = open_game(client, mode)
    for _ in range(words):
        type_best(client, address)
    give_up(client, address)
    return address


def play_daily(client: TestClient, words: int | None = None) -> str:
    answer = client.post("/daily/play", follow_redirects=False)
    assert answer.status_code == 303
    address = str(answer.headers["location"])
    if words is not None:
        for _ in range(words):
            type_best(client, address)
        give_up(client, address)
    return address


# Sitting down


def test_a_friend_sits_down_by_the_link_and_both_play(
    client: TestClient, stranger: TestClient, late: TestClient
) -> None:
    address = open_table(client, "friend")
    assert board(client.get(address).text) == "", "nobody studies the board before all are there"
    link = invitation(client, address)
    assert link not in html.unescape(stranger.get(address).text), "watchers are not told the link"

    looked = stranger.get(link, headers=HTML)
    assert looked.status_code == 200
    assert f'action="{link}"' in looked.text
    assert see(client, address)["seats"][1]["occupant"] == "free", "looking takes no seat"
    joined = stranger.post(link, headers=HTML)
    assert (joined.status_code, joined.url.path) == (200, address)
    assert len(board(joined.text)) == 25

    type_best(client, address)
    type_best(stranger, address)
    assert all(score > 0 for score in see(late, address)["view"]["scores"])
    for browser in (client, stranger, late):
        again = browser.get(link, headers=HTML, follow_redirects=False)
        assert (again.status_code, again.headers["location"]) == (303, address)
    watched = late.post(link, headers=HTML)
    assert watched.status_code == 200
    assert see(late, address)["seat"] is None


def test_an_invitation_that_does_not_fit_is_a_clear_page(client: TestClient, stranger: TestClient) -> None:
    address = open_table(client, "friend")
    other = invitation(client, open_table(client, "friend")).rpartition("/")[2]
    for wrong in ("nope", other, "%3Cscript%3E", invitation(client, address).rpartition("/")[2][:-1]):
        for answer in (
            stranger.get(f"{address}/join/{wrong}", headers=HTML),
            stranger.post(f"{address}/join/{wrong}", headers=HTML),
        ):
            assert answer.status_code == 200
            assert "invitation does not fit" in answer.text
            assert "<form" not in answer.text
            assert address in answer.text, "one can still watch"
    assert see(client, address)["seats"][1]["occupant"] == "free"
    alone = open_game(client)
    assert "does not fit" in stranger.get(f"{alone}/join/x", headers=HTML).text
    for nowhere in (
        stranger.get("/games/nope/join/x", headers=HTML),
        stranger.post("/games/nope/join/x", headers=HTML),
    ):
        assert nowhere.status_code == 404
        assert "<html" in nowhere.text


def test_a_bot_is_put_on_a_free_seat_by_a_form(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    address = open_table(client, "friend", "2")
    refused = stranger.post(f"{address}/bots", data={"level": "1"}, headers=HTML)
    assert refused.status_code == 403
    assert "<html" in refused.text
    for level in ("0", "6", "x", ""):
        assert client.post(f"{address}/bots", data={"level": level}, headers=HTML).status_code == 422
    page = client.post(f"{address}/bots", data={"level": "4"}, headers=HTML)
    assert len(board(page.text)) == 25
    client.post(f"{address}/moves", data={"type": "pass"}).raise_for_status()
    clock.now += 60
    assert see(stranger, address)["view"]["to_move"] == 0
    fragment = client.post(f"{address}/bots", data={"level": "1"}, headers=HTMX)
    assert "<html" not in fragment.text


@pytest.mark.parametrize(
    "fields",
    [
        {"mode": "versus"},
        {"mode": "classic", "opponents": "friend"},
        {"mode": "versus", "opponents": ["friend"] * 6},
        {"mode": "versus", "opponents": "7"},
        {"mode": "versus", "opponents": "enemy"},
        {"mode": "zen", "turn_seconds": "30"},
        {"mode": "versus", "opponents": "1", "turn_seconds": "45"},
        {"mode": "versus", "opponents": "1", "turn_seconds": "soon"},
    ],
)
def test_company_that_cannot_be_is_refused_as_a_page(
    client: TestClient, fields: dict[str, str | list[str]]
) -> None:
    answer = client.post("/play", data=fields, headers=HTML)
    assert answer.status_code == 422
    assert "<html" in answer.text


def test_the_table_says_nothing_new_while_nothing_is(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    address = open_table(client, "friend", "friend", turn_seconds="30")
    link = invitation(client, address)
    seen = set()

    def version(browser: TestClient) -> str:
        page = browser.get(address).text
        found = re.search(r"table\?seen=([\w-]+)|data-version=\"([\w-]+)\"", html.unescape(page))
        assert found, "the page does not say what it has seen"
        return found[1] or found[2]

    def changed(since: str) -> bool:
        answer = stranger.get(f"{address}/table?seen={since}", headers=HTMX)
        assert answer.status_code in (200, 204)
        assert (answer.text == "") == (answer.status_code == 204)
        assert "<html" not in answer.text
        return answer.status_code == 200

    for happens in (
        lambda: stranger.post(link),
        lambda: client.post(f"{address}/bots", data={"level": "1"}),
        lambda: client.post(f"{address}/moves", data={"type": "pass"}),
        lambda: setattr(clock, "now", clock.now + 40),
    ):
        before = version(stranger)
        assert not changed(before)
        happens()
        assert changed(before)
        seen.add(before)
    assert len(seen) == 4
    assert stranger.get(f"{address}/table").status_code == 200
    assert stranger.get(f"{address}/table?seen={'x' * 41}", headers=HTML).status_code == 422
    assert stranger.get("/games/nope/table", headers=HTML).status_code == 404


def test_home_says_whose_turn_it_is(client: TestClient, clock: Clock) -> None:
    address = open_table(client, "2")
    page = client.get("/").text
    assert address in page
    assert "your turn" in page.lower()
    client.post(f"{address}/moves", data={"type": "pass"})
    assert "your turn" not in client.get("/").text.lower()
    clock.now += 60
    assert "your turn" in client.get("/").text.lower()


# Replay


def test_every_ply_has_an_address_of_its_own(client: TestClient, stranger: TestClient) -> None:
    address = finished(client, 2)
    for ply in range(5):
        page = stranger.get(f"{address}/plies/{ply}", headers=HTML)
        assert page.status_code == 200
        links = set(re.findall(rf'href="{address}/plies/(\d+)"', page.text))
        assert links <= {"0", "1", "2", "3", "4"} - {str(ply)}
        assert ply == 0 or str(ply - 1) in links
        assert ply == 4 or str(ply + 1) in links
    for nowhere in ("5", "-1", "99999999999999999999"):
        missing = stranger.get(f"{address}/plies/{nowhere}", headers=HTML)
        assert missing.status_code == 404
        assert "plies 0 to 4" in missing.text
    assert stranger.get(f"{address}/plies/end", headers=HTML).status_code == 422


@pytest.mark.parametrize("mode", ["zen", "classic", "blitz"])
def test_a_game_of_every_mode_and_kind_of_move_is_replayed(client: TestClient, mode: str) -> None:
    address = open_game(client, mode)
    moves: list[dict[str, str]] = [{"type": "start"}] if mode == "blitz" else []
    for form in [
        *moves,
        {"type": "shuffle"},
        {"type": "chain", "cells": "0,1"},
        {"type": "add", "cell": "3"},
        {"type": "release"},
    ]:
        client.post(f"{address}/moves", data=form)
    type_best(client, address)
    give_up(client, address)
    last = client.get(f"/api{address}/plies/0").json()["last_ply"]
    for ply in range(last + 1):
        assert client.get(f"{address}/plies/{ply}", headers=HTML).status_code == 200
    assert client.get(f"{address}/analysis", headers=HTML).status_code == 200


def test_a_table_of_several_is_replayed_and_analysed(client: TestClient, clock: Clock) -> None:
    address = open_table(client, "1", "5", turn_seconds="30")
    client.post(f"{address}/moves", data={"type": "pass"})
    clock.now += 1_000
    client.get(address)
    page = client.get(f"{address}/analysis", headers=HTML)
    assert page.status_code == 200
    last = client.get(f"/api{address}/plies/0").json()["last_ply"]
    for ply in range(last + 1):
        assert client.get(f"{address}/plies/{ply}", headers=HTML).status_code == 200


def test_a_game_that_goes_on_is_not_replayed(client: TestClient, stranger: TestClient) -> None:
    address = open_game(client)
    answer = stranger.get(f"{address}/plies/1", headers=HTML, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, address)
    assert stranger.get(f"{address}/record", headers=HTML).status_code == 409


def test_a_game_is_taken_away_and_brought_back_by_forms(client: TestClient, stranger: TestClient) -> None:
    address = finished(client, 3, "classic")
    taken = stranger.get(f"{address}/record")
    assert taken.headers["content-disposition"] == f'attachment; filename="wibble-{address[7:]}.txt"'
    assert taken.headers["content-type"].startswith("text/plain")
    assert 'action="/import"' in stranger.get("/import", headers=HTML).text
    # A browser sends the lines of a text field with CRLF.
    form = {"text": taken.text.replace("\n", "\r\n")}
    back = stranger.post("/import", data=form, headers=HTML)
    assert back.status_code == 200
    copy = back.url.path.removesuffix("/plies/0")
    assert copy != address
    assert stranger.get(f"{copy}/record").text == taken.text
    for ply in range(6):
        assert tiles(stranger, address, ply) == tiles(stranger, copy, ply)
    assert stranger.get(copy, headers=HTML).status_code == 200
    assert stranger.get(f"{copy}/analysis", headers=HTML).status_code == 200


def test_a_text_that_does_not_follow_is_a_page_that_names_the_ply(client: TestClient) -> None:
    text = client.get(f"{finished(client, 2)}/record").text
    for broken, says in (
        (re.sub(r"\[\d+,", "[99,", text, count=1), "ply 1"),
        (text.replace("\nseats 1", "\nseats 2"), "cannot start"),
        ("<script>alert(1)</script>", "line 1"),
        (text.replace("kind wibble", "kind <i>"), "line 2"),
    ):
        answer = client.post("/import", data={"text": broken}, headers=HTML)
        assert answer.status_code == 422
        assert says in answer.text.lower()
        assert "<i>" not in answer.text
    for form in ({}, {"text": ""}, {"text": "x" * 70_000}):
        assert client.post("/import", data=form, headers=HTML).status_code in (413, 422)


# The daily


def test_the_daily_page_tells_how_one_stands(client: TestClient, stranger: TestClient, clock: Clock) -> None:
    fresh = client.get("/daily", headers=HTML)
    assert fresh.status_code == 200
    assert 'action="/daily/play"' in fresh.text
    assert "set-cookie" not in fresh.headers, "looking makes nobody a guest"

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
    assert address not in others, "a game shows its board, which is nobody's before the day is played"
    assert play_daily(stranger) != address


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
    assert today.headers["location"] == "/daily", "today is not rehearsed"


def test_while_the_last_games_of_a_day_are_finished_nobody_else_sees_what_there_was(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    first, mine = play_daily(client, 1), play_daily(stranger)
    clock.now += DAY - clock.now % DAY + 300
    page = stranger.get("/daily/2023-11-14").text
    assert first not in page
    assert mine in page, "one's own goes on"
    assert 'action="/daily/2023-11-14/play"' not in page
    assert first in client.get("/daily/2023-11-14").text, "who has played may look"
    clock.now += 3600
    page = stranger.get("/daily/2023-11-14").text
    assert first in page
    assert 'action="/daily/2023-11-14/play"' in page


def test_a_day_that_is_none_is_a_page(client: TestClient) -> None:
    for day, status in (("2023-11-15", 404), ("9999-12-31", 404), ("2023-02-30", 422), ("soon", 422)):
        answer = client.get(f"/daily/{day}", headers=HTML)
        assert answer.status_code == status
        assert "<html" in answer.text
    assert client.post("/daily/2001-01-01/play", headers=HTML).status_code == 404
    assert client.get("/daily/2001-01-01", headers=HTML).status_code in (200, 404)


def test_home_tells_the_state_of_the_daily(client: TestClient, clock: Clock) -> None:
    assert "/daily" in client.get("/").text
    address = play_daily(client, 1)
    score = str(see(client, address)["view"]["scores"][0])
    assert score in client.get("/").text
    clock.now += DAY
    assert client.get("/").status_code == 200


# One's own page


def test_a_name_with_markup_is_shown_as_it_is_typed(
    client: TestClient, stranger: TestClient, late: TestClient
) -> None:
    client.post("/me/nickname", data={"nickname": MARKUP}).raise_for_status()
    table = open_table(client, "friend")
    link = invitation(client, table)
    play_daily(client, 1)
    game = finished(client)
    alone = open_table(client, "1")
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
        for browser in (client, late):
            page = browser.get(path, headers=HTML).text
            assert "<b onclick" not in page, path
    for path, browser in (("/me", client), ("/daily", late), (link, stranger), (table, stranger)):
        assert html.escape(MARKUP) in browser.get(path, headers=HTML).text, path


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "a\u202eb", "a\x00b", "\u200b\u200b", "\u3164"])
def test_a_name_that_cannot_be_is_told_on_the_page(client: TestClient, name: str) -> None:
    client.post("/me/nickname", data={"nickname": "Ada"})
    answer = client.post("/me/nickname", data={"nickname": name}, headers=HTML)
    assert answer.status_code == 422
    assert "<html" in answer.text
    assert "Ada" in client.get("/me").text


def test_ones_own_page_has_statistics_games_and_all_of_it_to_take_away(
    client: TestClient, stranger: TestClient
) -> None:
    empty = stranger.get("/me", headers=HTML)
    assert empty.status_code == 200
    assert "set-cookie" not in empty.headers
    address = finished(client, 2)
    me = client.get("/api/me").json()
    page = client.get("/me", headers=HTML).text
    assert address in page
    assert str(me["statistics"][0]["best_score"]) in page
    assert me["statistics"][0]["best_word"].upper() in page
    taken = client.get("/me/export")
    assert taken.headers["content-disposition"].startswith("attachment")
    assert taken.json()["games"][0]["game_id"] == me["games"][0]["game_id"]
    assert stranger.get("/me/export").json()["games"] == []


def test_one_button_erases_it_all(client: TestClient, stranger: TestClient) -> None:
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
        busy.setattr(services.pool, "taken", services.pool.places)
        page = client.get(day, headers=HTML)
    assert (page.status_code, 'id="share"' in page.text) == (200, False)
    shown = client.get(day, headers=HTML).text
    assert 'id="share"' in shown
    assert f'href="{played}"><bdi>' in shown
    prune(services.games.database, Retention(finished_days=1), clock.now)
    page = client.get(day, headers=HTML)
    assert (page.status_code, 'id="share"' in page.text) == (200, False)
    assert f'href="{played}"><bdi>' not in page.text
    assert "<bdi>A guest</bdi>" in page.text, "the score stays"
