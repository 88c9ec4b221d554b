"""Boggle without a browser's scripts: its front page, its table and its board generator."""

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from app.games.boggle import catalogue
from tests.web.browsing import HTML, HTMX, join, notice, send_move, start_game
from tests.web.conftest import Clock

#  p e r s
#  l a t g
#  s i n e
#  t e r s
BOARD = "pers latg sine ters"
SLATE = "8,4,5,6,1"


def open_board(client: TestClient, *opponents: str, **fields: str) -> str:
    """Open a game on a known board; return its address."""
    return start_game(client, "/boggle/play", **{"board": BOARD, **fields, "opponents": list(opponents)})


def begin_round(client: TestClient, address: str) -> None:
    send_move(client, address, type="start").raise_for_status()


def duel(client: TestClient, stranger: TestClient, **fields: str) -> str:
    address = open_board(client, "friend", **fields)
    join(stranger, client, address)
    return address


def letters(page: str) -> str:
    """The letters of the board that one plays on."""
    return "".join(re.findall(r'data-cell="\d+" data-letter="(\w+)"', page))


def found(page: str) -> list[str]:
    return re.findall(r'data-found="(\w+)"', page)


# The front page


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
    assert "wibble_player" not in page.headers.get("set-cookie", ""), "looking makes nobody a guest"


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
        ({"board": "abc"}, "make no square"),
        ({"board": "ab c1"}, "row 1, column 1"),
        ({"seconds": "5"}, "10 or more expected"),
        ({"richness": "golden"}, "plain"),
        ({"opponents": "6"}, "expected"),
        ({"lexicon": "klingon"}, "klingon"),
        ({"speed": "9"}, "there is no such field"),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_the_reason(
    client: TestClient, form: dict[str, str], says: str
) -> None:
    answer = client.post("/boggle/play", data=form, headers=HTML)
    assert answer.status_code == 422
    assert "<html" in answer.text
    assert says.lower() in html.unescape(answer.text).lower()


def test_what_is_chosen_is_what_is_played(client: TestClient) -> None:
    address = open_board(client, board="", size="4x6", seconds="none", min_length="4", qu="true")
    page = client.get(address, headers=HTML).text
    assert len(re.findall(r'id="tile-\d+"', page)) == 24
    assert 'data-rows="4" data-columns="6"' in page
    assert "no clock" in page
    view = client.get(f"/api{address}").json()["view"]
    assert (view["rows"], view["columns"], view["seconds"], view["min_length"]) == (4, 6, None, 4)


# The table


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
    # Where no script rings the bell, the page comes again when time is up.
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
def test_each_refusal_is_told_apart(client: TestClient, word: str, result: str, says: str) -> None:
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
def test_what_is_no_move_is_refused(client: TestClient, form: dict[str, str], status: int, says: str) -> None:
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
    told = client.get(f"/api{address}/analysis").json()
    fragment = client.get(f"{address}/analysis", headers=HTMX)
    assert "<html" not in fragment.text
    assert fragment.text.count('class="bog-miss"') == len(told["missed"]) == 12
    assert fragment.text.count('class="pill') == len(told["words"]) + 2, "and their lists: common, bonus"
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


# Two at a table


def test_in_a_duel_each_has_a_round_and_nobody_sees_the_others_words(
    client: TestClient, stranger: TestClient
) -> None:
    address = duel(client, stranger)
    begin_round(client, address)
    send_move(client, address, type="word", cells=SLATE)
    assert letters(stranger.get(address).text) == ""
    begin_round(stranger, address)
    for one in (stranger, TestClient(client.app)):
        assert "slate" not in one.get(address, headers=HTML).text.lower()
    done = send_move(client, address, type="finish").text
    assert "is still playing" in done
    assert 'data-phase="done"' in done
    assert 'data-phase="running"' in stranger.get(address).text


def test_words_that_both_found_cancel_where_that_is_the_rule(
    client: TestClient, stranger: TestClient
) -> None:
    address = duel(client, stranger, cancel="true")
    for one, words in ((client, ("slate", "teas")), (stranger, ("slate", "stale", "gent"))):
        begin_round(one, address)
        for word in words:
            send_move(one, address, type="word", word=word).raise_for_status()
        send_move(one, address, type="finish").raise_for_status()
    page = client.get(address, headers=HTML).text
    assert "Player 2</bdi> wins" in page
    assert page.count("<s>SLATE</s>") == 2
    assert re.findall(r'data-score-of="\d">(\d+)<', page) == ["1", "3"]
    assert 'name="opponents" value="friend"' in page
    assert "You win" in stranger.get(address, headers=HTML).text


def test_a_bot_hands_in_its_round_after_the_players(client: TestClient, clock: Clock) -> None:
    address = open_board(client, "3")
    begin_round(client, address)
    send_move(client, address, type="word", cells=SLATE)
    assert "Wren" in send_move(client, address, type="finish").text
    clock.now += 60
    page = client.get(address, headers=HTML).text
    assert 'data-phase="finished"' in page
    assert 'name="opponents" value="3"' in page
    assert len(client.get(f"/api{address}").json()["view"]["rounds"][1]["words"]) > 0


def test_a_watcher_sees_the_board_when_all_have_begun_and_no_words(
    client: TestClient, stranger: TestClient
) -> None:
    address, watcher = duel(client, stranger), TestClient(client.app)
    begin_round(client, address)
    assert letters(watcher.get(address).text) == ""
    begin_round(stranger, address)
    send_move(client, address, type="word", cells=SLATE)
    page = watcher.get(address).text
    assert letters(page) == BOARD.replace(" ", "")
    assert found(page) == []
    assert "finish-dialog" not in page
    assert "somebody else’s game" in notice(send_move(watcher, address, type="word", word="teas").text)


# The daily


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


# The board generator


def gallery(page: str) -> list[str]:
    return re.findall(r'class="bog-letters"[^>]*value="([^"]+)"', page)


def test_the_generators_address_holds_everything(client: TestClient, stranger: TestClient) -> None:
    first = client.get("/boggle/generator?algorithm=greedy-cad&size=3x5&count=4", headers=HTML)
    query = parse_qs(urlsplit(str(first.url)).query)
    assert query["seed"], "a seed is made up and told"
    boards = gallery(first.text)
    assert len(boards) == 4
    assert all(re.fullmatch(r"(\w{5} ){2}\w{5}", board) for board in boards)
    assert gallery(stranger.get(str(first.url)).text) == boards
    api = client.get("/api/boggle", params=query).json()
    assert [" ".join(board["board"]) for board in api["boards"]] == boards
    for board in api["boards"]:
        assert f"<b>{board['count']}</b>" in first.text
        assert f"<b>{board['points']}</b>" in first.text
    fresh = client.get(f"{first.url}&fresh=1", headers=HTML)
    assert gallery(fresh.text) != boards


def test_every_algorithm_is_told_with_what_it_makes(client: TestClient) -> None:
    page = html.unescape(client.get("/boggle/generator?seed=a&count=1").text)
    for entry in client.get("/api/boggle/algorithms").json()["algorithms"]:
        assert entry["description"] in page
        assert f'value="{entry["name"]}"' in page
        if entry["averages"]:
            assert f"<td>{round(entry['averages']['words'])}</td>" not in page


def test_averages_are_shown_only_for_the_list_and_size_they_were_measured_with(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the shipped list were the one of the published study."""
    page = html.unescape(client.get("/boggle/generator?seed=a&count=3&algorithm=cad").text)
    assert "dwyl’s words_alpha (370,073 words)" in page
    assert "The 3 boards below" in page
    assert "100,000 boards" not in page
    boards = client.get("/api/boggle", params={"seed": "a", "count": 3, "algorithm": "cad"}).json()["boards"]
    assert f"<b>{sum(board['points'] for board in boards) / 3:.1f}</b> points on average" in page
    ours = client.app.state.services.library.info("english").sha256  # type: ignore[attr-defined]
    monkeypatch.setattr(catalogue, "PUBLISHED_LIST", ours)
    (entry,) = [
        one for one in client.get("/api/boggle/algorithms").json()["algorithms"] if one["name"] == "cad"
    ]
    page = html.unescape(client.get("/boggle/generator?seed=a&count=3&algorithm=cad").text)
    assert "Of 100,000 boards" in page
    assert f"<td>{round(entry['averages']['words'])}</td>" in page
    for other in ("size=5", "min_length=4", "qu=true"):
        page = client.get(f"/boggle/generator?seed=a&count=3&algorithm=cad&{other}").text
        assert "100,000 boards" not in page


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ("size=9", "size", "2 to 8"),
        ("size=big", "size", "4x5"),
        ("algorithm=magic", "algorithm", "there are rnd, vcr"),
        ("count=61", "count", "60 or less expected"),
        ("count=many", "count", "A whole number expected"),
        ("algorithm=adj&seeds=99", "seeds", "64 or less expected"),
        ("algorithm=adj&seeds=20", "seeds", "16 cells"),
        ("algorithm=target&word=x1", "word", "cannot be hidden"),
        ("algorithm=rnd&min_words=5000&budget_ms=20&count=1", "budget_ms", "ask for fewer words"),
        ("algorithm=target&word=abcdefghijklmnopqrst&count=1", "word", ""),
        ("lexicon=klingon", "lexicon", "klingon"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(client: TestClient, query: str, field: str, says: str) -> None:
    answer = client.get(f"/boggle/generator?seed=a&{query}", headers=HTML)
    assert answer.status_code == 422
    wrong = re.search(rf'class="field-error" id="{field}-error">([^<]+)<', answer.text)
    assert wrong, answer.text
    assert says in html.unescape(wrong[1])
    assert f'aria-describedby="{field}-error"' in answer.text
    assert gallery(answer.text) == []


def test_options_of_another_algorithm_do_no_harm(client: TestClient) -> None:
    with_option = client.get("/boggle/generator?algorithm=rnd&decay=0.5&word=cat&seed=a&count=2")
    assert with_option.status_code == 200
    plain = client.get("/boggle/generator?algorithm=rnd&seed=a&count=2")
    assert gallery(with_option.text) == gallery(plain.text)


def test_a_board_of_the_gallery_is_played_and_shows_all_its_words(client: TestClient) -> None:
    page = client.get("/boggle/generator?algorithm=dice&seed=b&count=1", headers=HTML).text
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    assert fields["qu"] == "true"
    address = client.post("/boggle/play", data=fields, follow_redirects=False).headers["location"]
    begin_round(client, address)
    view = client.get(f"/api{address}").json()["view"]
    assert " ".join(view["board"]) == fields["board"] == gallery(page)[0]
    link = re.search(r'href="(/boggle/board[^"]+)"', page)
    assert link
    solved = client.get(html.unescape(link[1]), headers=HTML)
    api = client.post("/api/boggle/solve", json={"rows": view["board"], "qu": True}).json()
    assert solved.text.count('class="pill"') == api["count"]
    shown = client.get(html.unescape(link[1]) + f"&show={api['words'][0]['word']}").text
    assert shown.count("tile--drawn") == len(api["words"][0]["path"])


@pytest.mark.parametrize("query", ["", "?rows=ab", "?rows=ab+c1", "?rows=abcd&min_length=99"])
def test_a_board_that_is_none_is_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/boggle/board{query}", headers=HTML).status_code == 422
