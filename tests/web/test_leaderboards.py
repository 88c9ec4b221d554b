"""All leaderboards in one place, for people and for programs."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.store.rankings import RANKED_WORDS
from tests.driver import named, open_game, play, sit_down
from tests.web.browsing import HTML
from tests.web.conftest import Clock

DAY = 86_400


LAST_MOVES = {"wibble": ["resign"], "boggle": ["start", "finish"], "scrabblet": ["finish"]}


def finish_daily(client: TestClient, kind: str) -> None:
    game = client.post("/api/daily", params={"kind": kind}).raise_for_status().json()
    for move in LAST_MOVES[kind]:
        client.post(f"/api/games/{game['id']}/moves", json={"move": {"type": move}}).raise_for_status()


def beaten(winner: TestClient, loser: TestClient, board: str | None = None) -> None:
    """A game of Boggle in which the second finds three words, and the first those as well and one more."""
    game = open_game(winner, "boggle", {"board": board}, seats=2)
    sit_down(loser, game)
    dealt = play(winner, game, "start")["view"]["board"]
    solved = winner.post("/api/boggle/solve", json={"board": dealt, "limit": RANKED_WORDS + 1}).json()
    words = [found["word"] for found in solved["words"]]
    play(loser, game, "start")
    for one, found in ((loser, words[1:]), (winner, words)):
        for word in found:
            play(one, game, "word", word=word)
        play(one, game, "finish")


def leaders(client: TestClient, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/leaderboards", params=query).raise_for_status().json()
    return found


def text_of(client: TestClient) -> str:
    page = client.get("/leaderboards", headers=HTML).raise_for_status().text
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_the_leaderboards_have_every_daily_before_the_first_game(client: TestClient) -> None:
    found = leaders(client)
    assert {each["kind"] for each in found["dailies"]} == {"wibble", "boggle", "find-them-all", "scrabblet"}
    assert all(each["finished"] == 0 and each["leaderboard"] == [] for each in found["dailies"])
    assert found["winners"] == []
    page = text_of(client)
    assert page.count("Be the first") == 4
    assert "No past days yet" in page


def test_the_dailies_of_all_rooms_are_on_one_page(client: TestClient, stranger: TestClient) -> None:
    finish_daily(named(client, "Ada"), "wibble")
    finish_daily(named(stranger, "Bob"), "boggle")
    found = {each["kind"]: each for each in leaders(client)["dailies"]}
    assert [(line["nickname"], line["you"]) for line in found["wibble"]["leaderboard"]] == [("Ada", True)]
    assert [(line["nickname"], line["you"]) for line in found["boggle"]["leaderboard"]] == [("Bob", False)]
    page = text_of(client)
    assert "Ada you" in page
    assert "You are ranked 1 of 1." in page
    assert "Bob" in page


def test_the_leader_has_most_wins_against_people(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    third = TestClient(client.app)
    named(client, "Ada")
    named(stranger, "Bob")
    named(third, "Eve")
    beaten(client, stranger)
    beaten(client, third)
    beaten(stranger, client)
    assert leaders(client)["winners"][0]["leaderboard"][0]["games"] == 2, "one a day with the same player"
    clock.now += DAY
    beaten(stranger, client)
    (winners,) = leaders(client)["winners"]
    assert winners["kind"] == "boggle"
    lines = [(line["rank"], line["nickname"], line["won"], line["games"]) for line in winners["leaderboard"]]
    assert lines == [(1, "Ada", 2, 3), (2, "Bob", 1, 2)]
    assert leaders(client, top=1)["winners"][0]["leaderboard"][0]["nickname"] == "Ada"
    assert "Ada you" in text_of(client)


def test_a_game_on_a_chosen_board_does_not_count(client: TestClient, stranger: TestClient) -> None:
    """The player who chose it may have studied it."""
    beaten(client, stranger, board="pers latg sine ters")
    assert leaders(client)["winners"] == []
    assert client.get("/api/me").json()["games"][0]["won"]
    beaten(client, stranger)
    assert leaders(client)["winners"][0]["leaderboard"][0]["games"] == 1


def test_a_draw_is_never_shown_as_a_win(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, "boggle", seats=2)
    address = f"/api/games/{game['id']}"
    sit_down(stranger, game)
    for one in (client, stranger):
        for move in LAST_MOVES["boggle"]:
            one.post(f"{address}/moves", json={"move": {"type": move}}).raise_for_status()
    assert client.get(address).json()["outcome"]["winners"] == [0, 1]
    assert leaders(client)["winners"] == []
    for one in (client, stranger):
        mine = one.get("/api/me").json()
        assert (mine["statistics"][0]["won"], mine["games"][0]["won"]) == (0, False)
        assert "<small>, 0 won</small>" in one.get("/me", headers=HTML).text
        assert "tag lit" not in one.get("/me", headers=HTML).text
        page = one.get(f"/games/{game['id']}", headers=HTML).text
        assert "A draw" in page
        assert "result lit" not in page


def test_a_win_by_resignation_without_a_game_does_not_count(client: TestClient, stranger: TestClient) -> None:
    game = open_game(client, "letterpress", seats=2)
    address = f"/api/games/{game['id']}"
    sit_down(stranger, game)
    stranger.post(f"{address}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    mine = client.get("/api/me").json()
    assert (mine["statistics"][0]["won"], mine["games"][0]["ranked"]) == (1, False)
    assert leaders(client)["winners"] == []
    assert "with 3 words or more on each side" in text_of(client)
    assert "Leaderboards</a> count only some of these games" in client.get("/me", headers=HTML).text


def test_games_against_bots_and_old_ones_do_not_count(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    game = client.post("/api/games", json={"kind": "letterpress", "bots": [1]})
    game.raise_for_status()
    client.post(f"/api/games/{game.json()['id']}/moves", json={"move": {"type": "resign"}}).raise_for_status()
    assert leaders(client)["winners"] == []
    beaten(client, stranger)
    assert leaders(client)["winners"] != []
    clock.now += 31 * DAY
    assert leaders(client)["winners"] == []


def test_past_days_of_all_rooms_stand_side_by_side(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    finish_daily(client, "wibble")
    finish_daily(stranger, "scrabblet")
    clock.now += DAY
    page = client.get("/leaderboards", headers=HTML).text
    links = re.findall(r'href="(/(?:scrabblet/|boggle/)?daily/\d{4}-\d\d-\d\d)" aria-label="([^"]+)"', page)
    assert [label.rpartition(", ")[2] for _, label in links] == ["0", "not played"]
    for address, _ in links:
        assert client.get(address, headers=HTML).status_code == 200


@pytest.mark.parametrize("top", ["0", "101", "many"])
def test_a_bad_number_of_lines_is_refused(client: TestClient, top: str) -> None:
    answer = client.get("/api/leaderboards", params={"top": top})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
