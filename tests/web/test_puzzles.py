"""Puzzles on the site and in the API: answering, hidden solutions, rushes, and own mistakes."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.games import glicko
from app.games.puzzle_sets import shipped_puzzles
from app.games.puzzles import Puzzle
from app.grammar import MINUS
from app.rooms import ROOMS
from app.web.site.puzzles import short_by
from tests.driver import open_game, play, problem
from tests.web.browsing import HTML
from tests.web.conftest import Serve

KINDS = [kind for kind, room in ROOMS.items() if room.puzzles]


def todays(client: TestClient, kind: str) -> Puzzle:
    view = client.get(f"/api/puzzles/{kind}/today").raise_for_status().json()
    assert view["result"] is None
    return shipped_puzzles(kind)[view["id"]]


def answer_of(puzzle: Puzzle) -> dict[str, object]:
    solution = puzzle.solution
    if not solution.cells:
        return {"word": solution.word}
    return {"word": solution.word, "cells": list(solution.cells), "tiles": solution.tiles}


@pytest.mark.parametrize("kind", KINDS)
def test_the_puzzle_of_the_day_is_answered_once_and_counts(client: TestClient, kind: str) -> None:
    puzzle = todays(client, kind)
    page = client.get(f"/puzzles/{puzzle.id}").text
    assert puzzle.engine not in page
    solved = client.post(f"/api/puzzles/{puzzle.id}/answer", json=answer_of(puzzle)).json()
    assert solved["solved"]
    assert solved["rating_change"] > 0
    again = client.post(f"/api/puzzles/{puzzle.id}/answer", json={}).json()
    assert again["rating"] == solved["rating"], "the first answer counts"
    page = client.get(f"/puzzles/{puzzle.id}").text
    assert "Solved" in page
    assert puzzle.engine in page
    found = next(each for each in client.get("/api/puzzles").json()["rooms"] if each["room"] == kind)
    assert (found["streak"], found["today_solved"], found["attempts"], found["solved"]) == (1, True, 1, 1)
    assert "1 day in a row" in client.get("/puzzles").text


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_has_the_answer_before_it_was_given(client: TestClient, kind: str) -> None:
    puzzle = todays(client, kind)
    for address in (f"/puzzles/{puzzle.id}", f"/api/puzzles/{puzzle.id}", "/puzzles"):
        text = client.get(address).text.lower()
        others = re.sub(r"played: [a-z, ]*", "", text)  # Letterpress lists words that may not be played again
        assert not re.search(rf"\b{puzzle.solution.word}\b", others), address
        assert (
            ",".join(map(str, puzzle.solution.cells)) not in text.replace(" ", "")
            or not puzzle.solution.cells
        )


@pytest.mark.parametrize(
    ("best", "second", "verdict"),
    [
        (100, -100, "wins. The next best, {second}, loses."),
        (100, 50, "wins. The next best, {second}, does not win yet."),
        (50, 20, "is 30 points better than the next best, {second}."),
        (20, -100, "is best. The next best, {second}, loses."),
    ],
)
def test_a_letterpress_puzzle_says_what_wins_and_loses(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, best: float, second: float, verdict: str
) -> None:
    puzzle = todays(client, "letterpress").model_copy(update={"value": best, "second_value": second})
    monkeypatch.setattr("app.web.site.puzzles.shipped_puzzles", lambda _: {puzzle.id: puzzle})
    assert "The solution counts as a wrong one." in client.get(f"/puzzles/{puzzle.id}").text
    page = client.post(f"/puzzles/{puzzle.id}", data={"give_up": "true"}).text
    text = re.sub(r"<[^>]+>", "", page)
    assert f"{puzzle.solution.word.upper()} {verdict.format(second=puzzle.second.word.upper())}" in text
    assert short_by(ROOMS["letterpress"].puzzles, puzzle, -100) == "which loses"  # type: ignore[arg-type]
    lacks = "which does not win yet" if best == 100 else f"{best:.0f} points less"
    assert short_by(ROOMS["letterpress"].puzzles, puzzle, 0) == lacks  # type: ignore[arg-type]


def test_the_form_works_without_script(client: TestClient) -> None:
    puzzle = todays(client, "boggle")
    refused = client.post(f"/puzzles/{puzzle.id}", data={"word": "zzzz"})
    assert refused.status_code == 422
    assert "ZZZZ is not in the word list" in refused.text
    assert client.get(f"/api/puzzles/{puzzle.id}").json()["result"] is None, "that does not count"
    page = client.post(f"/puzzles/{puzzle.id}", data={"word": puzzle.second.word.upper()})
    assert "Not the best" in page.text
    assert puzzle.solution.word.upper() in page.text
    assert f"/puzzles/{puzzle.id}" in page.text, "to be shared"


def test_a_rating_after_few_answers_is_shown_as_provisional(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = todays(client, "boggle")
    page = client.post(f"/puzzles/{puzzle.id}", data={"word": puzzle.second.word}).text
    mark, hint = '<abbr title="provisional: few answers so far">?</abbr>', "your first answers move it a lot"
    assert re.search(rf"<b>\d+{re.escape(mark)}</b> \({MINUS}\d+\)", page)
    assert hint in page
    assert f"{mark} · 0 of 1 solved" in client.get("/puzzles").text
    monkeypatch.setattr(glicko, "PROVISIONAL_DEVIATION", glicko.LARGEST_DEVIATION)
    page = client.get(f"/puzzles/{puzzle.id}").text
    assert re.search(rf"<b>\d+</b> \({MINUS}\d+\)", page)
    assert hint not in page
    assert mark not in client.get("/puzzles").text


def test_the_next_puzzle_is_one_that_was_not_answered(client: TestClient) -> None:
    seen = set()
    for _ in range(4):
        asked = client.get("/puzzles/next/scrabblet", follow_redirects=False).headers["location"]
        assert asked not in seen
        seen.add(asked)
        client.post(asked, data={"give_up": "true"})


@pytest.mark.parametrize(
    ("puzzle_id", "status", "detail"),
    [
        ("Boggle-aaaaaaaa", 422, "has 'B' at character 1"),
        ("boggle-aaaa!aaa", 422, "has '!' at character 12"),
        ("boggle-aaaa", 422, "is not the ID of a puzzle"),
        ("boggle-aaaaaaaa", 404, "there is no puzzle 'boggle-aaaaaaaa'"),
        ("chess-aaaaaaaa", 404, "there is no puzzle"),
        ("own-0123456789ab", 404, "you have no puzzle"),
    ],
)
def test_a_wrong_id_is_reported_with_its_place(
    client: TestClient, puzzle_id: str, status: int, detail: str
) -> None:
    answer = client.get(f"/api/puzzles/{puzzle_id}")
    assert answer.status_code == status
    assert detail in answer.json()["detail"]
    named = [fault["location"] for fault in answer.json()["errors"]]
    assert named == ([["path", "puzzle_id"]] if status == 422 else [])
    page = client.get(f"/puzzles/{puzzle_id}", headers=HTML)
    assert page.status_code == 404
    assert 'href="/puzzles">Puzzles</a>' in page.text.partition("</h1>")[2]
    assert ("This puzzle link isn’t valid." in page.text) == (status == 422)
    assert client.post(f"/api/puzzles/{puzzle_id}/answer", json={"word": "a"}).status_code == status


@pytest.mark.parametrize(
    ("answer", "field"), [({"word": "qqqq"}, ["word"]), ({"cells": [0, 99]}, ["cells", 1])]
)
def test_an_impossible_answer_names_its_field(
    client: TestClient, answer: dict[str, Any], field: list[str | int]
) -> None:
    puzzle = next(iter(shipped_puzzles("letterpress").values()))
    rush = client.post("/api/puzzles/rushes", json={"room": "letterpress"}).json()["id"]
    for asked in (puzzle.id, f"rushes/{rush}"):
        (fault,) = problem(client.post(f"/api/puzzles/{asked}/answer", json=answer), 422)["errors"]
        assert fault["location"] == ["body", *field]


def test_a_room_without_puzzles_is_an_error(client: TestClient) -> None:
    for answer in (
        client.get("/api/puzzles/chess/today"),
        client.post("/api/puzzles/rushes", json={"room": "chess"}),
    ):
        assert answer.status_code == 404
        assert "there are of wibble, letterpress, boggle, fribble, scrabblet" in answer.json()["detail"]


def test_a_rush_goes_on_without_a_reload(client: TestClient) -> None:
    page = client.post("/puzzles/rush", data={"kind": "boggle"})
    address = page.url.path
    current = client.get(f"/api/puzzles/rushes/{address.rpartition('/')[2]}").json()["puzzle"]["id"]
    puzzle = shipped_puzzles("boggle")[current]
    fragment = client.post(address, data={"word": puzzle.solution.word}, headers={"X-Fragment": "1"})
    assert "<html" not in fragment.text
    assert 'data-solved="1"' in fragment.text
    refused = client.post(address, data={"word": "zzzz"}, headers={"X-Fragment": "1"})
    assert "ZZZZ is not in the word list" in refused.text
    assert 'data-solved="1"' in refused.text
    assert "Skipped" in client.post(address, data={"skip": "true"}).text
    assert client.get("/api/puzzles").json()["rooms"][2]["attempts"] == 0, "a rush is not rated"


def test_an_answer_sent_again_does_not_count_for_the_next_puzzle_of_a_rush(client: TestClient) -> None:
    """A press whose answer is lost, or a reload of the page, sends it again."""
    rush = client.post("/api/puzzles/rushes", json={"room": "boggle"}).json()
    skip = {"puzzle": rush["puzzle"]["id"]}
    first, again = (client.post(f"/api/puzzles/rushes/{rush['id']}/answer", json=skip).json() for _ in "12")
    assert (first["wrong"], first["latest"]["solved"]) == (1, False)
    assert again == first | {"latest": None}
    page = client.get(f"/puzzles/rush/{rush['id']}").text
    assert page.count(f'name="puzzle" value="{first["puzzle"]["id"]}"') == 2, "of the answer, and of Skip"
    data = {"skip": "true", "puzzle": first["puzzle"]["id"]}
    for _ in range(2):
        assert "0</b> solved, 2 wrong" in client.post(f"/puzzles/rush/{rush['id']}", data=data).text


def test_a_picture_shows_the_position(client: TestClient) -> None:
    for kind in KINDS:
        puzzle = todays(client, kind)
        answer = client.get(f"/puzzles/{puzzle.id}/preview.png")
        assert answer.headers["content-type"] == "image/png"
        assert f"/puzzles/{puzzle.id}/preview.png" in client.get(f"/puzzles/{puzzle.id}").text


def test_mistakes_in_own_games_become_puzzles_that_no_one_else_sees(
    client: TestClient, stranger: TestClient
) -> None:
    added = 0
    for puzzle in list(shipped_puzzles("boggle").values())[:2]:
        options = {"board": list(puzzle.position["rows"]), "seconds": None}
        game = client.post("/api/games", json={"kind": "boggle", "options": options}).json()["id"]
        client.post(f"/api/games/{game}/moves", json={"move": {"type": "finish"}}).raise_for_status()
        found = client.post("/api/puzzles/mistakes").raise_for_status().json()
        added += found["added"]
    assert added == 2
    mine = found["puzzles"][0]["id"]
    assert stranger.get(f"/api/puzzles/{mine}").status_code == 404
    assert stranger.get("/api/puzzles/mistakes").json()["puzzles"] == []
    assert "Only you see this puzzle." in client.get(f"/puzzles/{mine}").text
    page = client.post(f"/puzzles/{mine}", data={"give_up": "true"}).text
    assert "The solution" in page
    assert "Not the best" not in page
    second = client.post(f"/api/puzzles/{mine}/answer", json={}).json()["second"]["word"]
    wrong = client.post(f"/puzzles/{mine}", data={"word": second}).text
    assert "Not the best" in wrong
    assert re.search(rf"You answered {second.upper()}, \d+ points? less\.", wrong)
    assert client.get("/api/puzzles/mistakes").json()["puzzles"][-1]["solved"] is False
    check_reopened(client, mine)
    assert client.post("/api/puzzles/mistakes").json()["added"] == 0, "no puzzle is made twice"
    assert client.get("/api/puzzles").json()["rooms"][2]["attempts"] == 0, "own puzzles are not rated"


def check_reopened(client: TestClient, own: str) -> None:
    """A puzzle that was answered wrongly shows that answer until it is tried again."""
    page = f"/puzzles/{own}"
    assert re.search(r"You answered [A-Z]+, \d+ points? less\.", client.get(page).text)
    result = client.get(f"/api/puzzles/{own}").json()["result"]
    assert (result["solved"], result["answer"]) == (False, result["second"]["word"].upper())
    again = re.findall(r'href="([^"]+)">Try again<', client.get(page).text)[0]
    solution = result["solution"]["word"]
    assert solution.upper() not in client.get(again).text
    refused = client.post(page, data={"word": "xyzzy"})
    assert refused.status_code == 422
    assert "xyzzy" in refused.text, "may be corrected"
    assert solution.upper() not in refused.text
    client.post(page, data={"word": solution}).raise_for_status()
    assert "Solved" in client.get(page).text
    assert client.get(f"/api/puzzles/{own}").json()["result"]["answer"] == solution.upper()


@pytest.mark.parametrize("path", ["/puzzles/mistakes", "/api/puzzles/mistakes"])
def test_each_game_looked_through_for_mistakes_counts(serve: Serve, path: str) -> None:
    client = serve(rate_engines="4/minute", rate_address_share=1)
    for _ in range(3):
        game = open_game(client, "letterpress", bots=[1])
        play(client, game, "resign")
    assert client.post(path, follow_redirects=False).status_code < 400
    assert client.post(path, follow_redirects=False).status_code == 429
