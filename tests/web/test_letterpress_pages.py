"""Letterpress without scripts, and over the API: from its front page to its record."""

import html
import re
from itertools import count
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.games.letterpress.anagrams import SHORTEST
from app.resources import resource
from tests.web.browsing import HTML, HTMX, join, notice, send_move, start_game
from tests.web.conftest import Clock

#  h o r s e
#  r a d i s
#  h z z z z
#  t e a m s
#  c a t z z
BOARD = "horseradishzzzzteamscatzz"
TEAMS = "15,16,17,18,19"


def open_board(client: TestClient, opponent: str = "friend", board: str = BOARD) -> str:
    """Open a game on a known board; return its address."""
    return start_game(client, "/letterpress/play", opponent=opponent, board=board)


@pytest.fixture
def table(client: TestClient, stranger: TestClient) -> str:
    """A table of the client, who moves first, and the stranger."""
    address = open_board(client)
    join(stranger, client, address)
    return address


def see(client: TestClient, address: str) -> Any:
    return client.get(f"/api{address}").json()


def finish(client: TestClient, stranger: TestClient, address: str) -> None:
    send_move(client, address, type="word", cells=TEAMS).raise_for_status()
    send_move(stranger, address, type="pass").raise_for_status()
    send_move(client, address, type="pass").raise_for_status()


def owners(page: str) -> list[str]:
    """The owner of each cell of the table's board, by its label."""
    return re.findall(r'aria-label="\w, ([^",]+)', page)


# The front page


def test_the_front_page_offers_friends_bots_and_the_solver(client: TestClient) -> None:
    page = client.get("/letterpress", headers=HTML)
    assert page.status_code == 200
    for bot in ("Pip", "Moss", "Wren", "Sage", "Quill"):
        assert bot in page.text
    assert 'value="friend"' in page.text
    assert 'href="/letterpress/solver"' in page.text
    assert "wibble_player" not in page.headers.get("set-cookie", ""), "viewing creates no guest"
    assert 'href="/letterpress"' in client.get("/", headers=HTML).text


def test_the_front_page_lists_open_games_of_letterpress_only(
    client: TestClient, stranger: TestClient
) -> None:
    address = open_board(client, "1")
    for _ in range(7):
        client.post("/play", data={"mode": "zen"})
    assert address in client.get("/letterpress").text
    assert client.get("/letterpress").text.count('class="open-game-state"') == 1
    assert address not in stranger.get("/letterpress").text


def test_a_game_in_which_it_is_your_turn_is_listed_first_however_many_are_newer(
    client: TestClient, table: str, clock: Clock
) -> None:
    for _ in range(5):
        clock.now += 60
        open_board(client)
    page = client.get("/letterpress").text
    assert page.count('class="open-game-state"') == 6
    assert "All your games" not in page
    open_board(client)
    page = client.get("/letterpress").text
    assert f'<a class="continue" href="{table}">' in page
    assert page.count('class="open-game-state"') == 6
    assert '<a href="/lobby">All your games</a>' in page
    assert "All your games" not in client.get("/lobby").text


def test_a_typed_board_is_the_one_that_is_played(client: TestClient) -> None:
    address = open_board(client, "1", "Horse Radis\r\nhzzzz TEAMS catzz")
    assert see(client, address)["view"]["board"] == BOARD


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"opponent": "friend", "board": "abc"}, "a board has 25 letters, not 3"),
        ({"opponent": "friend", "board": BOARD[:-1] + "3"}, "letter 25 of the board is"),
        ({"opponent": "6"}, "expected"),
        ({"board": BOARD}, "required"),
        ({"opponent": "1", "lexicon": "klingon"}, "klingon"),
        ({"opponent": "1", "speed": "9"}, "there is no such field"),
    ],
)
def test_an_impossible_game_is_refused_with_the_reason(
    client: TestClient, form: dict[str, str], says: str
) -> None:
    answer = client.post("/letterpress/play", data=form, headers=HTML)
    assert answer.status_code == 422
    assert "<html" in answer.text
    assert says.lower() in html.unescape(answer.text).lower()


def test_a_board_that_cannot_be_rated_comes_back_in_the_form(client: TestClient) -> None:
    form = {"opponent": "1", "board": BOARD, "letters": "even", "lexicon": "enable", "rated": "true"}
    clock = {"clock": "player", "clock_seconds": "600", "increment_seconds": "10", "turn_limit": "3600"}
    answer = client.post("/letterpress/play", data=form | clock, headers=HTML)
    assert answer.status_code == 422
    assert "Rated: a game on a chosen board cannot be rated." in answer.text
    assert f'name="board" value="{BOARD}"' in answer.text
    kept = re.findall(r'value="(\w+)" (?:checked|selected)', answer.text)
    assert {"even", "enable", "true", "player", "600", "10", "3600"} <= set(kept)
    assert '<details class="options" open>' in answer.text
    unclocked = client.post("/letterpress/play", data=form | {"clock": "none"}, headers=HTML).text
    fresh = client.get("/letterpress", headers=HTML).text
    for field in ("clock_seconds", "increment_seconds"):
        select = rf'name="{field}">.*?</select>'
        assert re.findall(select, unclocked, re.S) == re.findall(select, fresh, re.S) != []


# The table


def test_a_friend_sits_down_by_the_link_and_both_see_the_board_from_their_side(
    client: TestClient, stranger: TestClient, table: str
) -> None:
    send_move(client, table, type="word", cells=TEAMS)
    mine, theirs = (owners(one.get(table, headers=HTML).text) for one in (client, stranger))
    assert mine == ["free"] * 15 + ["yours"] * 5 + ["free"] * 5
    assert theirs == ["free"] * 15 + ["of Player 1"] * 5 + ["free"] * 5
    watched = TestClient(client.app).get(table, headers=HTML).text
    assert ">New game</a>" in watched
    assert 'value="pass"' not in watched


def test_a_bot_is_seated_from_the_lobby(client: TestClient) -> None:
    address = open_board(client)
    assert "Waiting for 1 player" in client.get(address, headers=HTML).text
    page = client.post(f"{address}/bots", data={"level": "1"}, headers=HTML).text
    assert "Pip" in page
    assert len(owners(page)) == 25


def test_without_scripts_a_word_is_typed_and_takes_the_tiles_that_turn(
    client: TestClient, stranger: TestClient, table: str
) -> None:
    answer = client.post(f"{table}/moves", data={"type": "word", "word": " Teams "}, headers=HTML)
    assert answer.status_code == 200
    assert answer.url.path == table
    stranger.post(f"{table}/moves", data={"type": "word", "word": "cats", "ply": "1"}, headers=HTML)
    view = see(client, table)["view"]
    assert [turn["word"] for turn in view["turns"]] == ["teams", "cats"]
    first, second = (turn["cells"] for turn in view["turns"])
    assert second[1:] == [first[2], first[0], first[4]], "of two equal tiles, the opponent's is used"
    assert view["tiles"] == [2, 4]


@pytest.mark.parametrize(
    ("form", "status", "says"),
    [
        ({"type": "word", "cells": "11,12,13,14"}, 422, "ZZZZ is not in the word list"),
        ({"type": "word", "cells": "15"}, 422, "2 letters or more"),
        ({"type": "word", "cells": "15,15"}, 422, "used twice"),
        ({"type": "word", "cells": "99,15"}, 422, "not on the board"),
        ({"type": "word", "cells": "one"}, 422, "cell numbers"),
        ({"type": "word", "word": "queue"}, 422, "needs more of Q"),
        ({"type": "fly"}, 422, "word"),
        ({"type": "pass", "ply": "7"}, 409, "he game has moved on: this is the current position"),
    ],
)
def test_a_refused_move_comes_back_as_the_table_with_a_notice(
    client: TestClient, table: str, form: dict[str, str], status: int, says: str
) -> None:
    for headers in (HTMX, HTML):
        answer = client.post(f"{table}/moves", data=form, headers=headers)
        assert answer.status_code == (200 if headers is HTMX else status)
        assert says in html.unescape(answer.text)
        assert ("<html" in answer.text) == (headers is HTML)
        assert owners(answer.text) == ["free"] * 25


def test_words_played_and_their_beginnings_are_refused_by_name(
    client: TestClient, stranger: TestClient, table: str
) -> None:
    send_move(client, table, type="word", cells=TEAMS)
    assert "TEAMS was played already" in send_move(stranger, table, type="word", cells=TEAMS).text
    assert "TEAM begins TEAMS" in send_move(stranger, table, type="word", cells="15,16,17,18").text


def test_out_of_turn_is_a_conflict_and_a_watcher_is_forbidden(
    client: TestClient, stranger: TestClient, table: str
) -> None:
    address, form, watcher = f"{table}/moves", {"type": "pass"}, TestClient(client.app)
    assert "other player’s turn" in notice(send_move(stranger, table, **form).text)
    assert stranger.post(address, data=form, headers=HTML).status_code == 409
    assert watcher.post(address, data=form, headers=HTML).status_code == 403


def test_the_table_is_sent_again_only_with_news(client: TestClient, stranger: TestClient, table: str) -> None:
    version = see(client, table)["view"]["ply"], 2
    seen = f"{version[0]}-{version[1]}"
    assert stranger.get(f"{table}/table", params={"seen": seen}).status_code == 204
    send_move(client, table, type="word", cells=TEAMS)
    news = stranger.get(f"{table}/table", params={"seen": seen})
    assert news.status_code == 200
    assert "TEAMS" in news.text
    assert 'tile--latest" type="button" id="tile-15"' in news.text


def test_a_pass_is_confirmed_before_it_is_made(client: TestClient, stranger: TestClient, table: str) -> None:
    assert "Pass your turn?" in client.get(table).text
    assert 'id="pass-dialog"' not in stranger.get(table).text, "it is not their turn"
    send_move(client, table, type="pass")
    assert "Pass, and end the game?" in stranger.get(table).text


def test_a_bot_replies_with_a_word_that_the_table_shows(client: TestClient, clock: Clock) -> None:
    address = open_board(client, "2")
    send_move(client, address, type="word", cells=TEAMS)
    clock.now += 60
    view = see(client, address)["view"]
    assert view["to_move"] == 0
    assert len(view["turns"]) == 2
    assert view["turns"][1]["word"].upper() in client.get(address).text


# Afterwards


def test_two_passes_end_the_game_and_a_rematch_is_one_form(
    client: TestClient, stranger: TestClient, table: str
) -> None:
    finish(client, stranger, table)
    page = client.get(table, headers=HTML).text
    assert "You win" in page
    assert "both passed" in page
    assert "Player 1</bdi> wins" in stranger.get(table, headers=HTML).text
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    assert fields == {"lexicon": "english", "opponent": "friend"}
    assert client.post("/letterpress/play", data=fields, follow_redirects=False).status_code == 303


def test_a_bot_plays_the_rematch(client: TestClient) -> None:
    address = open_board(client, "4")
    send_move(client, address, type="resign")
    page = client.get(address, headers=HTML).text
    assert "Sage</bdi> wins" in page
    assert 'name="opponent" value="4"' in page


def test_the_analysis_shows_each_turn_beside_the_best(
    client: TestClient, stranger: TestClient, table: str
) -> None:
    finish(client, stranger, table)
    fragment = client.get(f"{table}/analysis", headers=HTMX)
    assert fragment.status_code == 200
    assert "<html" not in fragment.text
    assert "TEAMS" in fragment.text
    assert fragment.text.count('class="press-turn"') == 3
    found = client.get(f"/api{table}/analysis").json()
    minis = sum(2 if turn["lost"] else 1 for turn in found["turns"])
    assert fragment.text.count('class="mini"') == minis
    assert found["turns"][0]["owned"] == [0b11111 << 15, 0]
    lost = [turn["lost"] for turn in found["turns"] if turn["verdict"] != "best" and turn["lost"]]
    assert re.findall(r"</span>, (\d+) points? lost", fragment.text) == [str(points) for points in lost]
    best = [turn for turn in found["turns"] if turn["verdict"] == "best"]
    assert lost
    assert best
    assert fragment.text.count(">Best move</span></span>") == len(best)
    whole = client.get(f"{table}/analysis", headers=HTML)
    assert "<html" in whole.text
    assert "You win" in whole.text


def test_the_replay_shows_every_position(client: TestClient, stranger: TestClient, table: str) -> None:
    finish(client, stranger, table)
    for ply, says in ((0, "Start of the game"), (1, "TEAMS"), (2, "passed"), (3, "You passed")):
        page = client.get(f"{table}/plies/{ply}", headers=HTML)
        assert page.status_code == 200
        assert says in page.text
        assert page.text.count('data-owner="ours"') == (5 if ply else 0) + 1, "and the swatch beside the name"
    assert client.get(f"{table}/plies/4", headers=HTML).status_code == 404


def test_a_record_comes_back_as_it_was_played(client: TestClient, stranger: TestClient, table: str) -> None:
    assert client.get(f"{table}/record").status_code == 409
    finish(client, stranger, table)
    record = client.get(f"{table}/record").text
    kept = client.post("/import", data={"text": record}, headers=HTML)
    assert kept.status_code == 200
    last = client.get(kept.url.path.replace("plies/0", "plies/1"), headers=HTML).text
    assert "Player 1" in last
    assert "TEAMS" in last


def test_the_profile_page_counts_tiles(client: TestClient, stranger: TestClient, table: str) -> None:
    finish(client, stranger, table)
    page = client.get("/me", headers=HTML).text
    assert re.search(r"5 tiles, TEAMS", page)
    assert "5 <small>tiles</small>" in page


# The API


def test_a_game_is_played_over_the_api(client: TestClient, clock: Clock) -> None:
    opened = client.post("/api/games", json={"kind": "letterpress", "options": {"board": BOARD}, "bots": [1]})
    assert opened.status_code == 201, opened.text
    address = f"/api/games/{opened.json()['id']}"
    assert opened.json()["view"]["board"] == BOARD

    def play(**made: Any) -> Any:
        return client.post(f"{address}/moves", json={"move": made})

    wrong = play(type="word", cells=[15, 16, 15])
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["location"] == ["body", "move", "cells", 2]
    played = play(type="word", cells=[15, 16, 17, 18, 19])
    assert played.status_code == 200
    assert played.json()["view"]["tiles"] == [5, 0]
    assert client.get(f"{address}/record").status_code == 409
    for _ in count():
        clock.now += 60
        if client.get(address).json()["view"]["to_move"] == 0:
            break
    assert play(type="resign").status_code == 200
    ended = client.get(address).json()
    assert ended["outcome"]["winners"] == [1]
    plies = ended["view"]["ply"]
    assert client.get(f"{address}/plies/{plies}").json()["view"]["resigned"] == 0
    found = client.get(f"{address}/analysis").json()
    assert found["turns"][0]["word"] == "teams"
    assert found["turns"][1]["seat"] == 1
    record = client.get(f"{address}/record").text
    kept = client.post("/api/games/import", content=record, headers={"content-type": "text/plain"})
    assert kept.status_code in (200, 201), kept.text


def test_the_page_and_the_rules_agree_on_the_shortest_word() -> None:
    script = (resource("static") / "letterpress" / "table.js").read_text(encoding="utf-8")
    assert re.findall(r"const SHORTEST = (\d+);", script) == [str(SHORTEST)]
