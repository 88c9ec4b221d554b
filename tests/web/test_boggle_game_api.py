"""Games of Boggle over the API, and secrets that no response may reveal early."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import address_of, move, open_game, see, sit_down
from tests.web.browsing import HTML
from tests.web.conftest import Clock

ROWS = ["pers", "latg", "sine", "ters"]
SLATE = [8, 4, 5, 6, 1]


def open_board(client: TestClient, options: dict[str, Any] | None = None, **table: Any) -> str:
    """Open a game on a known board; return its address."""
    return address_of(open_game(client, "boggle", {"board": ROWS, **(options or {})}, **table))


def send(client: TestClient, address: str, kind: str, **fields: Any) -> Any:
    return move(client, address, {"type": kind, **fields})


def all_responses(client: TestClient, address: str) -> str:
    """All responses about a running game, joined, in lower case."""
    page = address.removeprefix("/api")
    answers = [
        client.get(url, headers=headers)
        for url in (address, page, f"{page}/table", f"{page}/analysis", f"{page}/record", f"{page}/plies/1")
        for headers in ({}, HTML)
    ]
    answers += [client.get(f"{address}/{part}") for part in ("analysis", "record", "plies/0", "plies/2")]
    answers += [send(client, address, "word", word="zzz"), send(client, address, "time_up")]
    return "\n".join(f"{answer.text} {answer.headers}" for answer in answers).lower()


def test_a_round_is_played_over_the_api(client: TestClient) -> None:
    address = open_board(client)
    assert client.get(address).json()["view"]["board"] is None
    send(client, address, "start").raise_for_status()
    scored = send(client, address, "word", cells=SLATE).json()["view"]
    assert scored["board"] == ROWS
    assert scored["report"] == {"result": "scored", "word": "slate", "cells": SLATE, "points": 2}
    assert scored["rounds"][0]["score"] == 2
    results = [
        send(client, address, "word", word=word).json()["view"]["report"]["result"]
        for word in ("at", "queen", "xyzzy", "slate")
    ]
    assert results == ["too_short", "not_on_board", "not_a_word", "repeated"]
    wrong = send(client, address, "word", cells=[0, 1, 0])
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["location"] == ["body", "move", "cells", 2]
    ended = send(client, address, "finish").json()
    assert ended["outcome"]["scores"] == [2]
    assert len(ended["view"]["solution"]) > 900
    assert send(client, address, "word", cells=SLATE).status_code == 409
    assert client.get(f"{address}/analysis").json()["seats"][0]["score"] == 2


def test_words_need_no_ply_so_that_none_waits_for_another(client: TestClient, stranger: TestClient) -> None:
    address = open_board(client, seats=2)
    sit_down(stranger, see(client, address))
    for one in (client, stranger):
        send(one, address, "start").raise_for_status()
    for word in ("slate", "teas", "stale"):
        for one in (client, stranger):
            assert send(one, address, "word", word=word).json()["view"]["report"]["result"] == "scored"


def test_a_word_counts_until_the_grace_after_the_servers_clock_is_over(
    client: TestClient, clock: Clock
) -> None:
    address = open_board(client, {"seconds": 60})
    send(client, address, "start")
    clock.now += 61
    assert send(client, address, "word", cells=SLATE).status_code == 200, "a word just after the bell counts"
    clock.now += 2
    late = send(client, address, "word", word="teas")
    assert late.status_code == 409
    view = client.get(address).json()["view"]
    assert view["over"]
    assert [one["word"] for one in view["rounds"][0]["words"]] == ["slate"]
    assert view["rounds"][0]["reason"] == "time’s up"


def test_only_players_who_have_started_see_the_board_and_their_own_words(
    client: TestClient, stranger: TestClient
) -> None:
    address = open_board(client, seats=2)
    sit_down(stranger, see(client, address))
    watcher = TestClient(client.app)
    send(client, address, "start").raise_for_status()
    send(client, address, "word", cells=SLATE).raise_for_status()

    # Only players who have started see the board.
    for one in (stranger, watcher):
        shown = all_responses(one, address)
        assert "latg" not in shown
        assert 'data-letter="' not in shown
        assert "slate" not in shown
    # Players see the words that they found and no others.
    send(stranger, address, "start").raise_for_status()
    send(stranger, address, "word", word="gent").raise_for_status()
    assert "slate" not in all_responses(stranger, address)
    assert "gent" not in all_responses(client, address)
    shown = all_responses(watcher, address)
    assert "slate" not in shown
    assert "gent" not in shown
    for one in (client, stranger, watcher):
        assert "replastering" not in all_responses(one, address)
    # A player who has finished sees the solution, but not what the other found.
    send(client, address, "finish").raise_for_status()
    view = client.get(address).json()["view"]
    assert view["rounds"][1]["words"] is None
    assert all(1 not in word["seats"] for word in view["solution"])
    assert "replastering" not in all_responses(stranger, address)


def test_a_duel_ends_with_the_last_round(client: TestClient, stranger: TestClient) -> None:
    address = open_board(client, {"cancel": True}, seats=2)
    sit_down(stranger, see(client, address))
    for one, words in ((client, ("slate", "teas")), (stranger, ("slate", "gent", "stale"))):
        send(one, address, "start").raise_for_status()
        for word in words:
            send(one, address, "word", word=word).raise_for_status()
        send(one, address, "finish").raise_for_status()
    ended = client.get(address).json()
    assert ended["outcome"] == {
        "scores": [1, 3],
        "winners": [1],
        "teams": [],
        "reason": "everyone has finished",
    }
    mine = {one["word"]: one for one in ended["view"]["rounds"][0]["words"]}
    assert mine["slate"]["cancelled"]
    assert mine["slate"]["points"] == 0
    record = client.get(f"{address}/record").text
    kept = client.post("/api/games/import", content=record, headers={"content-type": "text/plain"})
    assert kept.status_code in (200, 201), kept.text


@pytest.mark.parametrize("level", [1, 5])
def test_a_bot_hands_in_its_round_when_the_player_has_finished(
    client: TestClient, clock: Clock, level: int
) -> None:
    address = open_board(client, bots=[level], seats=2)
    clock.now += 60
    assert client.get(address).json()["view"]["rounds"][1]["finished_at"] is None
    send(client, address, "start").raise_for_status()
    send(client, address, "finish").raise_for_status()
    clock.now += 5
    view = client.get(address).json()["view"]
    assert view["over"]
    assert view["rounds"][1]["words"]


def test_a_player_cannot_make_a_bots_move(client: TestClient) -> None:
    address = open_board(client)
    assert send(client, address, "hand_in", words=["replastering"]).status_code == 422
    assert client.get(address).json()["view"]["rounds"][0]["finished_at"] is None


def test_a_player_says_that_time_is_up_once_it_is(client: TestClient, clock: Clock) -> None:
    address = open_board(client)
    send(client, address, "start").raise_for_status()
    seconds = client.get(address).json()["view"]["seconds"]
    clock.now += seconds - 1
    early = send(client, address, "time_up")
    assert early.status_code == 409
    assert "there is time left" in early.json()["detail"]
    clock.now += 1.5
    ended = send(client, address, "time_up").json()["view"]["rounds"][0]
    assert ended["reason"] == "time’s up"
    assert ended["finished_at"] == clock.now


def test_the_daily_is_one_board_for_everybody(client: TestClient, stranger: TestClient) -> None:
    boards = []
    for one in (client, stranger):
        opened = one.post("/boggle/daily/play", follow_redirects=False).headers["location"]
        assert one.post("/boggle/daily/play", follow_redirects=False).headers["location"] == opened
        assert one.get(f"/api{opened}").json()["view"]["board"] is None
        send(one, f"/api{opened}", "start").raise_for_status()
        boards.append(one.get(f"/api{opened}").json()["view"]["board"])
        send(one, f"/api{opened}", "finish").raise_for_status()
        # Its record reveals the board to players who have not played yet.
        assert one.get(f"/api{opened}/record").status_code == 409
    assert boards[0] == boards[1]
    assert "wins" not in client.get("/boggle/daily", headers=HTML).text


@pytest.mark.parametrize("board", [["cat", "dog"], ["CAT", "DOG"], "cat dog"])
def test_a_board_that_is_given_brings_its_size(client: TestClient, board: list[str] | str) -> None:
    address = open_board(client, {"board": board, "seconds": None})
    view = client.get(address).json()["view"]
    assert (view["rows"], view["columns"], view["board"]) == (2, 3, ["cat", "dog"])
    open_board(client, {"board": board, "rows": 2, "columns": 3})


@pytest.mark.parametrize(
    ("options", "where", "message"),
    [
        ({"board": ["cat", "dog"], "rows": 4}, "options", "the board is 2x3, but the size is 4x3"),
        (
            {"board": ["cat", "dog"], "columns": 2},
            "options",
            "the board is 2x3, but the size is 2x2",
        ),
        ({"board": ["cat", "do"]}, "board", "row 2 has 2 letters, row 1 has 3"),
        ({"board": "cat"}, "board", "3 letters do not make a square"),
    ],
)
def test_a_board_that_does_not_fit_is_refused(
    client: TestClient, options: dict[str, Any], where: str, message: str
) -> None:
    refused = client.post("/api/games", json={"kind": "boggle", "options": options})
    assert refused.status_code == 422
    (error,) = refused.json()["errors"]
    assert error["location"][-1] == where
    assert message in error["message"]
