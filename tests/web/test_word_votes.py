"""Votes on words: a refused word that should be valid, and an accepted one that should not."""

import re

import pytest
from fastapi.testclient import TestClient

from app.words.library import Library
from tests.driver import address_of
from tests.web.browsing import start_game
from tests.web.conftest import Serve

PAGE = {"accept": "text/html"}
VALID, INVALID = "quiz", "brunchyx"
LIST = Library.default


def vote(client: TestClient, word: str, *, valid: bool, lexicon: str = LIST) -> tuple[int, int | None]:
    answer = client.post(f"/api/words/{word}/votes", json={"lexicon": lexicon, "valid": valid})
    return answer.status_code, answer.json().get("votes")


def test_a_players_second_vote_does_not_count_twice(client: TestClient, stranger: TestClient) -> None:
    assert vote(client, INVALID, valid=True) == (200, 1)
    assert vote(client, INVALID.upper(), valid=True) == (200, 1)
    assert vote(stranger, INVALID, valid=True) == (200, 2)


@pytest.mark.parametrize(("word", "valid"), [(VALID, True), (INVALID, False)])
def test_a_list_that_is_like_that_already_takes_no_vote(client: TestClient, word: str, valid: bool) -> None:
    assert vote(client, word, valid=valid)[0] == 409
    form = {"lexicon": LIST, "valid": str(valid).lower()}
    assert client.post(f"/words/{word}/votes", data=form).status_code == 409


@pytest.mark.parametrize("word", ["a", "x" * 26, "naïve", "wi-fi"])
def test_only_words_can_be_voted_on(client: TestClient, word: str) -> None:
    assert vote(client, word, valid=True)[0] == 422


def test_the_refusal_of_a_vote_says_how_long_a_word_may_be(client: TestClient) -> None:
    answer = client.post("/api/words/a/votes", json={"lexicon": LIST, "valid": True}).json()
    assert answer["detail"].endswith("1 letter: votes are on words of 2 to 25 letters")


def test_a_missing_list_takes_no_vote(client: TestClient) -> None:
    assert vote(client, INVALID, valid=True, lexicon="klingon")[0] == 422
    assert "wibble_player" not in client.cookies


def test_votes_are_limited(serve: Serve) -> None:
    client = serve(rate_votes="1/minute", rate_address_share=1)
    assert vote(client, INVALID, valid=True)[0] == 200
    assert vote(client, VALID, valid=False)[0] == 429


@pytest.mark.parametrize(
    ("word", "offer"), [(INVALID, "Should be a word"), (VALID, "Shouldn’t be a word"), ("a", None)]
)
def test_a_words_page_takes_the_vote_and_says_so(client: TestClient, word: str, offer: str | None) -> None:
    html = client.get(f"/words/{word}", headers=PAGE).text
    if offer is None:
        assert "/votes" not in html
        return
    assert offer in html
    form = dict(re.findall(r'name="(\w+)" value="(\w+)"', html))
    thanks = client.post(f"/words/{word}/votes", data=form | {"game": "/games/some-game"}, headers=PAGE).text
    assert "Your vote is counted" in thanks
    assert 'href="/games/some-game"' in thanks
    assert offer not in thanks


def test_the_link_back_leads_only_to_a_game(client: TestClient) -> None:
    form = {"lexicon": LIST, "valid": "true", "game": "//elsewhere.example"}
    html = client.post(f"/words/{INVALID}/votes", data=form, headers=PAGE).text
    assert "Your vote is counted" in html
    assert "elsewhere" not in html


def test_the_page_of_a_refused_word_says_why_it_is_refused(client: TestClient) -> None:
    name = client.get("/words/chicago", headers=PAGE).text
    assert f"This word is not valid: it is a name, not in the list {LIST.capitalize()}." in re.sub(
        r"<[^>]+>", "", name
    )
    html = client.get("/words/bannana", headers=PAGE).text
    assert "a name, not" not in html
    assert 'Did you mean <a class="word-link" href="/words/banana"' in html


def test_a_players_votes_are_in_the_export_and_go_with_the_player(client: TestClient) -> None:
    vote(client, INVALID, valid=True)
    assert client.get("/me/export").json()["word_votes"] == [
        {"lexicon": LIST, "word": INVALID, "valid": True}
    ]
    client.delete("/api/me")
    assert vote(client, INVALID, valid=True) == (200, 1)


def refused(client: TestClient, kind: str) -> tuple[str, str]:
    """A page after an invalid word, and the word."""
    opponent = {"opponent": 1} if kind in ("letterpress", "fribble") else {}
    table = start_game(client, "/play" if kind == "wibble" else f"/{kind}/play", **opponent)
    view = client.get(address_of(table)).json()["view"]
    match kind:
        case "boggle":
            client.post(f"{table}/moves", data={"type": "start"})
            word, move = INVALID, {"type": "word", "word": INVALID}
        case "scrabblet":
            word = view["rack"].replace("?", "q")
            move = {"type": "guess", "word": word}
        case "letterpress":
            word = view["board"]
            move = {"type": "word", "cells": ",".join(map(str, range(len(word))))}
        case "fribble":
            word = view["rack"].replace("?", "Q")
            move = {"type": "write", "text": f"8E {view['rack'].replace('?', 'q')}"}
        case _:
            word = "".join(tile["letter"] for tile in view["tiles"][:5])
            move = {"type": "word", "word": word}
    return client.post(f"{table}/moves", data=move, headers=PAGE).text, word.lower()


@pytest.mark.parametrize("kind", ["wibble", "boggle", "letterpress", "scrabblet", "fribble"])
def test_a_refused_word_can_be_voted_on_at_the_table(client: TestClient, kind: str) -> None:
    html, word = refused(client, kind)
    assert f"{word.upper()} should be a word" in html
    (form,) = re.findall(r'<form class="vote".*?</form>', html, re.DOTALL)
    (address,) = re.findall(r'action="([^"]+)"', form)
    fields = dict(re.findall(r'name="(\w+)" value="([^"]+)"', form))
    assert "Your vote is counted" in client.post(address, data=fields, headers=PAGE).text
    script = client.post(address, data=fields, headers={"HX-Request": "true"})
    assert (script.status_code, script.text) == (204, "")
    table = client.get(fields["game"], headers=PAGE).text
    assert 'class="vote"' not in table


def test_a_name_is_refused_as_one(client: TestClient) -> None:
    table = start_game(client, "/scrabblet/play", hand="chiagoz")
    html = client.post(f"{table}/moves", data={"type": "guess", "word": "chicago"}, headers=PAGE).text
    assert "<strong>CHICAGO</strong> is a name, not in the word list" in html
