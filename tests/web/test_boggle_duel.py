"""Tables of Boggle with two players, a bot or a spectator."""

import re

from fastapi.testclient import TestClient

from tests.web.boggle_tables import BOARD, SLATE, begin_round, duel, found, letters, open_board
from tests.web.browsing import HTML, join, notice, send_move
from tests.web.conftest import Clock


def test_in_a_duel_each_has_a_round_and_words_stay_hidden(client: TestClient, stranger: TestClient) -> None:
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


def test_a_finished_player_sees_who_still_plays_and_can_claim_after_three_days(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    third = TestClient(client.app)
    address = open_board(client, "friend", "friend")
    for one in (stranger, third):
        join(one, client, address)
    begin_round(client, address)
    send_move(client, address, type="word", cells=SLATE)
    done = send_move(client, address, type="finish").text
    assert "Player 2</bdi> and <bdi>Player 3</bdi> are still to play</p>" in done
    assert "you can remove a player in 3 days" in done
    assert '<a href="/boggle">New game</a> <a href="/lobby">Lobby</a>' in done
    assert "teas" not in done.lower(), "a finished player could reveal the words"
    begin_round(stranger, address)
    page = client.get(address, headers=HTML).text
    assert "Player 2</bdi> is still playing, <bdi>Player 3</bdi> is still to play</p>" in page
    assert "You can leave" not in page, "the clock ends the round of an active player"
    assert "you can end the game in 3 days" in send_move(stranger, address, type="finish").text
    clock.now += 3 * 86_400 - 1
    assert client.post(f"/api{address}/claim").status_code == 409
    clock.now += 1
    assert "Remove player" in client.get(address, headers=HTML).text
    over = client.post(f"/api{address}/claim").json()
    assert over["outcome"]["winners"] == [0]


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
    assert "another player’s game" in notice(send_move(watcher, address, type="word", word="teas").text)
