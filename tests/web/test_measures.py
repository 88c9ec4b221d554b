"""Each mode has one measure besides the score, with the same name on every page."""

import re

import pytest
from fastapi.testclient import TestClient

from app.rooms import ROOMS
from tests.driver import open_game, see
from tests.web.browsing import HTML, finish_wibble, give_up, start_wibble, type_best
from tests.web.browsing import board as board_of


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page))


def test_in_blitz_no_page_shows_an_accuracy(client: TestClient) -> None:
    table = start_wibble(client, "blitz")
    client.post(f"{table}/moves", data={"type": "start"}).raise_for_status()
    type_best(client, table)
    give_up(client, table)
    analysis = client.get(f"{table}/analysis", headers=HTML).text
    assert "In Blitz only the score counts" in text_of(analysis)
    assert "ccuracy" not in text_of(analysis)
    assert "accuracy-dial" not in analysis
    assert "<meter" not in analysis
    assert client.get(f"/api{table}/analysis").json()["seats"][0]["accuracy"] is None
    assert "ccuracy" not in text_of(client.get("/me").text)
    (statistics,) = client.get("/api/me").json()["statistics"]
    assert statistics["average_accuracy"] is None


def test_in_classic_accuracy_is_shown_with_its_definition(client: TestClient) -> None:
    table = finish_wibble(client, 1)
    analysis = text_of(client.get(f"{table}/analysis", headers=HTML).text)
    assert re.search(r"\d+% accuracy", analysis)
    measure = ROOMS["wibble"].game.measure("classic")
    assert measure is not None
    assert f"How is this judged? {measure.definition}" in analysis
    assert "Accuracy" in text_of(client.get("/me").text)


def test_the_points_beside_the_accuracy_are_of_the_same_turns(client: TestClient) -> None:
    table = start_wibble(client, "zen")
    client.post(f"{table}/moves", data={"type": "hint"}).raise_for_status()
    type_best(client, table)
    board = client.get(table).text
    words = client.post("/api/wibble/solve", json={"board": board_of(board), "limit": 5}).json()["words"]
    client.post(f"{table}/moves", data={"type": "word", "word": words[-1]["word"]}).raise_for_status()
    give_up(client, table)
    analysis = text_of(client.get(f"{table}/analysis", headers=HTML).text)
    found = re.search(r"(\d+)% accuracy (\d+) of (\d+) points? without a hint, (\d+) in all", analysis)
    assert found, analysis
    accuracy, played, best, total = map(int, found.groups())
    assert accuracy == round(100 * played / best)
    assert total == see(client, table)["view"]["scores"][0] > played


def test_only_the_player_sees_a_best_word_as_their_own(client: TestClient, stranger: TestClient) -> None:
    table = finish_wibble(client, 1)
    assert "your best word" in client.get(f"{table}/analysis", headers=HTML).text
    watched = text_of(stranger.get(f"{table}/analysis", headers=HTML).text)
    assert "best word" in watched
    assert not re.search(r"\byours?\b", watched.partition("Game review")[2].partition("Words played")[0])


@pytest.mark.parametrize("kind", ["boggle", "scrabblet"])
def test_boggle_and_scrabblet_show_the_share_and_no_accuracy(client: TestClient, kind: str) -> None:
    options = {"board": "pers latg sine ters", "seconds": None} if kind == "boggle" else {"rack": "stare"}
    game = open_game(client, kind, options=options)["id"]
    moves = f"/api/games/{game}/moves"
    played = {"type": "word", "word": "slate"} if kind == "boggle" else {"type": "guess", "word": "stare"}
    for move in (played, {"type": "finish"}):
        answer = client.post(moves, json={"move": move})
        assert answer.status_code == 200, answer.text
    measure = ROOMS[kind].game.measure("")
    assert measure is not None
    share = client.get(f"/api/games/{game}/analysis").json()["seats"][0]["accuracy"]
    assert 0 < share < 100
    analysis = text_of(client.get(f"/games/{game}/analysis", headers=HTML).text)
    assert f"% {measure.phrase}" in analysis
    assert measure.definition in analysis
    me = text_of(client.get("/me").text)
    assert measure.title in me
    assert "ccuracy" not in analysis + me
    if kind == "scrabblet":
        rank = client.get(f"/api/games/{game}").json()["view"]["rank"]
        assert rank["percent"] == pytest.approx(share)
        assert f"{rank['name']}," in analysis


@pytest.mark.parametrize(
    ("mode", "bars"),
    [("classic", "best without a swap"), ("zen", "best possible")],
    ids=["swaps", "no swaps"],
)
def test_the_chart_says_which_best_words_its_bars_show(client: TestClient, mode: str, bars: str) -> None:
    table = finish_wibble(client, 1, mode)
    (turn,) = client.get(f"/api{table}/analysis").json()["turns"]
    assert bool(turn["with_swap"]) is (mode == "classic")
    analysis = client.get(f"{table}/analysis", headers=HTML).text
    assert f'graph-key--best">{bars}<' in analysis
    assert f"Points played of the {bars}, turn by turn" in analysis
