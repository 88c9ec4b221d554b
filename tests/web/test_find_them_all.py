"""Find them all over the API and as pages: progress, hints, the result, and what stays hidden."""

import re

import pytest
from fastapi.testclient import TestClient

from tests.driver import problem, see
from tests.web.browsing import HTML, finish_wibble
from tests.web.conftest import Clock
from tests.web.test_boggle_game_api import ROWS, all_responses, open_board, send

BEGUN = ("ear", "slate")
DAY = "2023-11-14"
"""The date of the tests' clock."""


def test_find_them_all_is_played_with_hints_and_ends_with_a_share(
    client: TestClient, stranger: TestClient
) -> None:
    address = open_board(client, {"find_all": True})
    round_ = see(client, address)["view"]["rounds"][0]
    total = round_["progress"]["common_total"]
    assert total > 100
    for word in BEGUN:
        send(client, address, "word", word=word).raise_for_status()
    assert send(client, address, "hint", about="counts").json()["view"]["report"]["result"] == "hinted"
    hinted = send(client, address, "hint", about="letter").json()["view"]["rounds"][0]["progress"]
    assert (hinted["common"], hinted["hints_spent"], len(hinted["clues"][0]["start"])) == (2, 3, 1)
    for _ in range(hinted["hints_left"]):
        send(client, address, "hint", about="letter").raise_for_status()
    refused = send(client, address, "hint", about="letter")
    assert refused.status_code == 422
    assert "not enough hints left" in refused.text
    ended = send(client, address, "finish").json()
    assert ended["outcome"]["scores"] == [2]
    assert sum(word["common"] for word in ended["view"]["solution"]) == total
    analysis = client.get(f"{address}/analysis").json()
    assert analysis["seats"][0]["accuracy"] == pytest.approx(200 / total)
    page = client.get(address.removeprefix("/api"), headers=HTML).text
    assert "Hints used" in page
    assert re.search(
        r"Bonus <small>0 of \d+ found", client.get(f"{address.removeprefix('/api')}/analysis").text
    )
    replayed = client.get(f"{address.removeprefix('/api')}/plies/3", headers=HTML)
    assert replayed.status_code == 200
    record = client.get(f"{address}/record").text
    again = stranger.post("/api/games/import", content=record, headers={"Content-Type": "text/plain"})
    assert again.status_code in {200, 201}, again.text


def test_words_not_found_are_shown_nowhere(client: TestClient) -> None:
    address = open_board(client, {"find_all": True})
    send(client, address, "hint", about="counts").raise_for_status()
    send(client, address, "hint", about="letter").raise_for_status()
    shown = all_responses(client, address)
    for word in ("slate", "stern", "alerting", "painters"):
        assert word not in shown


@pytest.mark.parametrize(
    ("options", "field", "says"),
    [({"seconds": 60}, "find_all", "without a clock"), ({"cancel": True}, "find_all", "cancel")],
)
def test_options_that_do_not_go_together_are_refused(
    client: TestClient, options: dict[str, object], field: str, says: str
) -> None:
    given = {"board": ROWS, "find_all": True, **options}
    refused = client.post("/api/games", json={"kind": "boggle", "options": given})
    assert refused.status_code == 422
    assert field in refused.text
    assert says in refused.text


@pytest.mark.parametrize("wrong", ["false", "true", 0, None])
def test_a_value_that_is_no_boolean_is_refused(client: TestClient, wrong: object) -> None:
    given = {"kind": "boggle", "options": {"find_all": wrong}}
    assert "true or false expected" in problem(client.post("/api/games", json=given), 422)["detail"]


def test_a_hint_needs_the_mode_and_names_what_there_is(client: TestClient) -> None:
    address = open_board(client, {"seconds": None})
    assert "only in Find them all" in send(client, address, "hint", about="letter").json()["detail"]
    wrong = send(client, address, "hint", about="word")
    assert wrong.status_code == 422
    assert "letter" in wrong.text


def test_the_daily_is_a_board_of_its_own_with_archive_and_share(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    race = client.post("/api/daily?kind=boggle").json()
    send(client, race["id"], "start")
    ours, theirs = (each.post("/api/daily?kind=find-them-all").json() for each in (client, stranger))
    assert ours["view"]["find_all"]
    assert ours["view"]["board"] == theirs["view"]["board"]
    assert ours["view"]["board"] != see(client, race["id"])["view"]["board"]
    again = client.post("/find-them-all/daily/play", follow_redirects=False)
    assert again.headers["location"] == f"/games/{ours['id']}", "resumed on any device of the player"
    assert ours["view"]["board"][0] not in client.get("/find-them-all/daily").text.lower()
    send(client, ours["id"], "hint", about="letter").raise_for_status()
    send(client, ours["id"], "finish").raise_for_status()
    address = f"/find-them-all/daily/{DAY}"
    assert f'href="{address}"' in client.get(f"/games/{ours['id']}", headers=HTML).text
    page = client.get(address).text
    assert re.search(
        r"Find them all daily [\d-]+\n0% of \d+ common words\n0 bonus words, 1 of 10 hints", page
    )
    assert client.get(f"/api/daily/{DAY}?kind=find-them-all").json()["rank"] == 1
    assert client.get("/api/me").json()["streaks"]["find-them-all"]["now"] == 1
    assert client.get(f"/api/daily/{DAY}?kind=boggle").json()["score"] is None
    for path in ("/find-them-all/daily/archive", "/leaderboards", "/me", "/", f"{address}/preview.png"):
        assert client.get(path).status_code == 200, path
    clock.now += 3 * 86400
    assert address in client.get("/find-them-all/daily/archive").text
    rehearsed = client.post(f"{address}/play", follow_redirects=False).headers["location"]
    assert see(client, rehearsed)["view"]["board"] == ours["view"]["board"]
    assert client.get("/api/daily?kind=find-all").status_code == 404


def test_the_form_needs_no_script(client: TestClient) -> None:
    opened = client.post("/boggle/play", data={"find_all": "true", "seconds": "180", "board": " ".join(ROWS)})
    page = str(opened.url.path)
    assert "Find them all" in opened.text
    assert 'name="about" value="counts"' in opened.text
    hinted = client.post(f"{page}/moves", data={"type": "hint", "about": "counts"})
    assert "Common words left by first letter" in hinted.text


def test_a_board_of_wibble_is_searched_as_it_was_in_any_turn(client: TestClient) -> None:
    game = finish_wibble(client, words=2, mode="classic")
    review = client.get(f"{game}/analysis").text
    turn = client.get(f"/api{game}/analysis").json()["turns"][1]
    letters = [tile["letter"] for tile in turn["tiles"]]
    rows = ["".join(letters[start : start + 5]) for start in range(0, 25, 5)]
    assert (
        f'name="board" aria-label="Find them all on the board of turn 2" value="{" ".join(rows)}"' in review
    )
    opened = client.post("/boggle/play", data={"find_all": "true", "board": " ".join(rows)})
    assert "Find them all" in opened.text
    view = see(client, f"/api{opened.url.path}")["view"]
    assert view["board"] == rows
    assert view["find_all"]
    assert view["seconds"] is None


def test_the_review_of_wibble_separates_common_words_from_others(client: TestClient) -> None:
    game = finish_wibble(client, words=2)
    turns = client.get(f"/api{game}/analysis").json()["turns"]
    page = client.get(f"{game}/analysis").text
    for title, common in (("Common", True), ("Less common", False)):
        number = sum(turn["common"] is common for turn in turns)
        assert (f"{title} <small>{number}</small>" in page) is (number > 0)
    assert f"{turns[0]['common_words']} common words on this board" in page
