"""Definitions of words on pages and over the API, from an installed dictionary."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.words.library import Library
from tests.web.browsing import HTML, finish_wibble, start_wibble, type_best
from tests.web.conftest import Serve
from tests.words.test_definitions import WORDS, write

MEANING = "a very poisonous word"
BAD = "arse"
"""Valid, and hidden by the family filter."""


@pytest.fixture
def informed(serve: Serve, tmp_path: Path) -> TestClient:
    """A client of a server with definitions."""
    folder = tmp_path / "wordnet"
    folder.mkdir()
    nouns = WORDS["noun"] | {BAD: [MEANING]}
    return serve(wordnet_dir=write(folder, WORDS | {"noun": nouns}))


def meaning(client: TestClient, word: str) -> str | None:
    found: str | None = client.get(f"/api/words/{word}").json()["meaning"]
    return found


def test_a_word_has_its_meaning_for_programs(informed: TestClient) -> None:
    assert meaning(informed, "mice") == "plural of mouse: small rodent"
    assert meaning(informed, "mousetrapz") is None


def test_without_a_dictionary_a_word_has_no_meaning(client: TestClient, settings: object) -> None:
    assert meaning(client, "mousetrapz") is None


def test_the_family_filter_hides_the_meanings_of_what_it_hides(informed: TestClient) -> None:
    assert MEANING in informed.get(f"/words/{BAD}", headers=HTML).text
    assert meaning(informed, BAD) == MEANING
    informed.post("/settings", data={"family": "on"})
    page = informed.get(f"/words/{BAD}", headers=HTML).text
    assert "accepts it but never shows it" in page
    assert MEANING not in page
    assert meaning(informed, BAD) is None


def test_a_word_at_a_table_leads_to_its_meaning(informed: TestClient, client: TestClient) -> None:
    table = start_wibble(informed)
    word = type_best(informed, table).lower()
    assert (
        f'<a href="/words/{word}?lexicon={Library.default}" data-sheet>{word.upper()}</a>'
        in informed.get(table).text
    )
    assert "data-sheet>" not in "".join(
        line for line in client.get(start_wibble(client)).text.splitlines() if "/words/" in line
    )


def test_the_last_word_has_its_meaning_beside_the_board(informed: TestClient, client: TestClient) -> None:
    for browser, there in ((informed, True), (client, False)):
        opened = browser.post("/api/games", json={"kind": "boggle", "options": {"board": "mice"}}).json()
        for move in ({"type": "start"}, {"type": "word", "word": "mice"}):
            browser.post(f"/api/games/{opened['id']}/moves", json={"move": move}).raise_for_status()
        page = browser.get(f"/games/{opened['id']}", headers=HTML).text
        assert ("<b>MICE</b> plural of mouse: small rodent" in page) == there


def test_a_review_leads_to_meanings_or_to_wiktionary(informed: TestClient, client: TestClient) -> None:
    for browser, here, there in (
        (informed, 'href="/words/', "wiktionary.org"),
        (client, "wiktionary.org", 'href="/words/'),
    ):
        html = browser.get(f"{finish_wibble(browser)}/analysis", headers=HTML).text
        assert here in html
        assert there not in html


def test_a_sheet_has_the_meaning_in_one_line_and_the_vote(informed: TestClient) -> None:
    html = informed.get("/words/mice", headers={"HX-Request": "true"}).text
    assert "<html" not in html
    assert "<p>plural of mouse: small rodent</p>" in html
    assert "Shouldn’t be a word" in html


def test_a_replay_shows_the_meaning_of_the_moves_word(informed: TestClient) -> None:
    opened = informed.post("/api/games", json={"kind": "boggle", "options": {"board": "mice"}}).json()
    for move in ({"type": "start"}, {"type": "word", "word": "mice"}, {"type": "finish"}):
        informed.post(f"/api/games/{opened['id']}/moves", json={"move": move}).raise_for_status()
    shown = [
        f'<a href="/words/mice?lexicon={Library.default}">MICE</a> plural of mouse: small rodent'
        in informed.get(f"/games/{opened['id']}/plies/{ply}", headers=HTML).text
        for ply in range(4)
    ]
    assert shown == [False, False, True, False]
