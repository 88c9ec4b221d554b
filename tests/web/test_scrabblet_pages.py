"""Scrabblet's pages without scripts: plain forms, and every address works on its own."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.settings import Settings
from app.words.lexicon import Lexicon
from tests.driver import open_game
from tests.games.scrabblet.brute import words_of
from tests.shared_parts import create_app, empty_store
from tests.web.browsing import HTML, HTMX, ply, start_game

HAND = "crpei"


def deal(client: TestClient, hand: str = HAND, **fields: str) -> str:
    """Open a game with this hand; return its address."""
    return start_game(client, "/scrabblet/play", hand=hand, **fields)


@pytest.fixture(scope="module")
def _running(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path) -> Iterator[FastAPI]:
    """One server for all these tests, as they need neither a clock nor an empty store."""
    data = tmp_path_factory.mktemp("scrabblet")
    (data / "wibble.sqlite3").write_bytes(empty_store())
    app = create_app(Settings(data_dir=data, cache_dir=shared_cache))
    with TestClient(app):
        yield app


@pytest.fixture
def client(_running: FastAPI) -> TestClient:
    """A new visitor."""
    return TestClient(_running)


def guess(client: TestClient, address: str, word: str) -> str:
    answer = client.post(f"{address}/moves", data={"type": "guess", "word": word}, headers=HTMX)
    assert answer.status_code == 200
    return answer.text


def tiles(page: str) -> str:
    return "".join(re.findall(r'data-letter="([a-z?])"', page))


def found(page: str) -> list[str]:
    return re.findall(r'data-word="([a-z]+)" data-points="\d+" data-found', page)


def score(page: str) -> int:
    return int(re.findall(r'data-score="(\d+)"', page)[0])


def report(page: str) -> str:
    line = re.findall(r'id="report">(.*?)</p>', page, re.DOTALL)[0]
    text = unescape(re.sub("<[^>]+>", " ", line)).replace("\N{MINUS SIGN}", "-")
    return " ".join(text.split())


# The front page


def test_the_front_page_leads_to_a_hand_to_the_daily_and_to_player_mode(client: TestClient) -> None:
    page = client.get("/scrabblet", headers=HTML)
    assert page.status_code == 200
    for address in ("/scrabblet/play", "/scrabblet/daily/play", "/scrabblet/player"):
        assert f'"{address}"' in page.text
    assert "wibble_player" not in page.headers.get("set-cookie", ""), "viewing creates no guest"
    assert 'href="/scrabblet"' in client.get("/").text


def test_a_hand_is_dealt_without_a_sign_up_and_the_table_is_found_again(
    client: TestClient, stranger: TestClient
) -> None:
    address = deal(client, hand="")
    page = client.get(address, headers=HTML).text
    assert len(tiles(page)) == 7
    assert tiles(client.get(address, headers=HTML).text) == tiles(page)
    assert address in client.get("/scrabblet").text
    assert address not in stranger.get("/scrabblet").text
    wibble = client.post("/play", data={"mode": "classic"}, follow_redirects=False).headers["location"]
    assert wibble not in client.get("/scrabblet").text


def test_the_options_of_the_form_count(client: TestClient) -> None:
    assert len(tiles(client.get(deal(client, hand="", size="10")).text)) == 10
    address = deal(client, " C r?P ", min_length="3", penalty="2")
    assert tiles(client.get(address).text) == "cr?p"
    guess(client, address, "rep")
    guess(client, address, "perp")
    assert report(guess(client, address, "pr")) == "PR is too short: 3 letters or more -2"


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"hand": "ab1"}, "hand", "tiles are the letters a to z, and ? for a blank"),
        ({"hand": "???"}, "hand", "There are 3 blanks: the bank has 2."),
        ({"hand": "abcdefghijklmnop"}, "hand", "There are 16 tiles: a hand has 1 to 15."),
        ({"size": "99"}, "size", "15 or less expected, 99 given."),
        ({"min_length": "x"}, "min_length", "A whole number expected"),
    ],
)
def test_form_errors_stand_beside_their_field(
    client: TestClient, fields: dict[str, str], field: str, says: str
) -> None:
    answer = client.post("/scrabblet/play", data=fields, headers=HTML)
    assert answer.status_code == 422
    errors = re.findall(rf'id="{field}-error">(.*?)</p>', answer.text)
    assert says.lower() in unescape(errors[0]).lower()
    assert f'aria-describedby="{field}-error"' in answer.text
    if "hand" in fields:
        assert f'value="{fields["hand"]}"' in answer.text, "what was typed is kept"


@pytest.mark.parametrize(
    ("path", "fields", "says"),
    [
        ("play", {"lexicon": "klingon"}, "Lexicon: there is no lexicon named 'klingon'"),
        ("play", {"min_words": "x"}, "Min words: a whole number expected, 'x' given."),
        ("play", {"size": "2", "min_length": "15"}, "hands drawn, none has"),
        ("play", {"hand": "abcd", "rack": "abcd"}, "give only one of them."),
        ("gamesetup", {"lexicon": "klingon"}, "Lexicon: there is no lexicon named 'klingon'"),
    ],
)
def test_an_error_of_a_field_that_the_page_lacks_is_shown_too(
    client: TestClient, path: str, fields: dict[str, str], says: str
) -> None:
    sent: dict[str, Any] = {"data": fields} if path == "play" else {"params": fields}
    answer = client.request("POST" if path == "play" else "GET", f"/scrabblet/{path}", headers=HTML, **sent)
    assert answer.status_code == 422
    assert says in unescape(" ".join(re.findall(r'class="field-error[^>]*>(.*?)</p>', answer.text)))


# The table


def test_a_guess_is_one_post_that_returns_one_fragment(client: TestClient) -> None:
    address = deal(client)
    page = guess(client, address, "Price")
    assert page.lstrip().startswith("<section")
    assert "<html" not in page
    assert (found(page), score(page), report(page)) == (["price"], 9, "PRICE +9 pangram")


def test_without_scripts_a_word_is_typed_and_the_page_comes_back(client: TestClient) -> None:
    address = deal(client)
    form = {"type": "guess", "word": " CREEPIE ", "ply": "0"}
    page = client.post(f"{address}/moves", data=form, headers=HTML)
    assert page.url.path == address
    assert "<html" in page.text
    assert (found(page.text), score(page.text)) == (["creepie"], 11)


def test_each_wrong_guess_has_its_message_and_words_cost_nothing(client: TestClient) -> None:
    address = deal(client, penalty="6")
    page = guess(client, address, "creepie")
    for word, says, left in (
        ("creepie", "CREEPIE was already found", 11),
        ("pie", "PIE is too short: 4 letters or more", 11),
        ("crab", "CRAB cannot be spelled from these tiles", 11),
        ("crppe", "CRPPE is not in the word list -6", 5),
        ("zzqxx", "ZZQXX cannot be spelled from these tiles -5", 0),
        ("cr", "CR is too short: 4 letters or more", 0),
        ("crppe", "CRPPE is not in the word list", 0),
    ):
        page = guess(client, address, word)
        assert (report(page), score(page)) == (says, left)
        assert ("should be a word" in page) == ("is not in the word list" in says)
    assert found(page) == ["creepie"]


@pytest.mark.parametrize("word", ["", "cr3p", "crêpe", "two words", "x" * 65])
def test_an_input_that_cannot_be_a_word_is_refused_and_costs_nothing(client: TestClient, word: str) -> None:
    address = deal(client)
    guess(client, address, "price")
    answer = client.post(f"{address}/moves", data={"type": "guess", "word": word}, headers=HTML)
    assert answer.status_code == 422
    assert (score(answer.text), ply(answer.text)) == (9, "1")
    assert 'data-notice=""' not in answer.text


def test_a_guess_from_an_old_page_is_refused(client: TestClient) -> None:
    address = deal(client)
    guess(client, address, "price")
    answer = client.post(f"{address}/moves", data={"type": "guess", "word": "pier", "ply": "0"}, headers=HTML)
    assert answer.status_code == 409
    assert "he game has moved on" in answer.text
    assert found(answer.text) == ["price"]


def test_hints_are_shown_once_asked_for(client: TestClient) -> None:
    address = deal(client)
    assert 'class="hints-grid"' not in client.get(address).text
    page = client.post(f"{address}/moves", data={"type": "hint"}, headers=HTMX).text
    assert 'class="hints-grid"' in page
    left = int(re.findall(r'id="hints-count"><b>(\d+) word', page)[0])
    page = guess(client, address, "price")
    assert re.findall(r'id="hints-count"><b>(\d+) word', page) == [str(left - 1)]


def test_a_watcher_sees_no_word_and_cannot_guess(client: TestClient, stranger: TestClient) -> None:
    address = deal(client)
    guess(client, address, "price")
    page = stranger.get(address).text
    assert found(page) == []
    assert "PRICE" not in page.upper()
    answer = stranger.post(f"{address}/moves", data={"type": "guess", "word": "pier"}, headers=HTML)
    assert answer.status_code == 403
    client.post(f"{address}/moves", data={"type": "finish"})
    assert "PRICE" in stranger.get(f"{address}/analysis").text


def test_a_finished_game_shows_what_there_was_to_find(client: TestClient, lexicon: Lexicon) -> None:
    address = deal(client)
    guess(client, address, "price")
    done = client.post(f"{address}/moves", data={"type": "finish"}, headers=HTMX).text
    assert 'data-phase="finished"' in done
    assert "You finished early" in done
    assert "none yet" not in done
    fragment = client.get(f"{address}/analysis", headers=HTMX).text
    assert fragment.lstrip().startswith("<section")
    named = {word.lower() for word in re.findall(r'noopener noreferrer">([A-Z]+)</a>', fragment)}
    assert {"price", "creep", "pier"} <= named <= set(words_of(lexicon, HAND, 4, ""))
    assert fragment.index("Missed") < fragment.index("CREEP<") < fragment.index("PRICE<")
    assert fragment.index("Missed bonus words") < fragment.index(">Found<")
    assert "highbrow" not in fragment
    whole = client.get(f"{address}/analysis", headers=HTML).text
    assert "<html" in whole
    assert 'id="analysis"' in whole


def test_a_finished_game_says_that_bonus_words_do_not_raise_the_rank(client: TestClient) -> None:
    says = r"The rank counts common words only: (\d+) of \d+ points"
    for words, points in ((["price"], None), (["price", "intercipient"], 9)):
        address = deal(client, "crpeitn")
        for word in words:
            guess(client, address, word)
        done = client.post(f"{address}/moves", data={"type": "finish"}, headers=HTMX).text
        found = re.search(says, done)
        assert (found and int(found[1])) == points, words


def test_a_finished_game_is_looked_at_again_word_by_word(client: TestClient) -> None:
    address = deal(client)
    for word in ("price", "nope", "pier"):
        guess(client, address, word)
    client.post(f"{address}/moves", data={"type": "finish"})
    shown = [client.get(f"{address}/plies/{number}", headers=HTML) for number in range(5)]
    assert {page.status_code for page in shown} == {200}
    events = [re.findall(r'id="replay-event">(.*?)</p>', page.text)[0] for page in shown]
    assert ["Start of the game" in events[0], "PRICE" in events[1], "PIER" in events[3]] == [True] * 3
    assert "cannot be spelled from these tiles" in events[2]
    assert [page.text.count('class="found-letters"') for page in shown] == [0, 1, 1, 2, 2]


# Player mode


def listed(page: str) -> list[tuple[str, int]]:
    """Words with their scores, in the order of the page."""
    spelled = re.findall(r'noopener noreferrer">(.*?)</a>.*?<(?:b|td)>(\d+)<', page)
    return [(re.sub("<[^>]+>", "", word).lower(), int(points)) for word, points in spelled]


@pytest.mark.parametrize(("hand", "min_length"), [("crpei", 4), ("a b_e", 3), ("able", 2)])
def test_player_mode_lists_all_words_as_asked(
    client: TestClient, lexicon: Lexicon, hand: str, min_length: int
) -> None:
    every = words_of(lexicon, hand.replace(" ", "").replace("_", "?"), min_length, "")
    for sort in ("letters", "score", "length", "alphabet"):
        query = {"hand": hand, "sort": sort, "min_length": str(min_length)}
        page = client.get("/scrabblet/player", params=query, headers=HTML)
        words = listed(page.text)
        assert dict(words) == every if len(every) <= 500 else len(words) == 500
        assert f"{len(every):,} words, {sum(every.values()):,} points" in page.text
        keys: dict[str, list[Any]] = {
            "score": [-points for _, points in words],
            "length": [-len(word) for word, _ in words],
            "alphabet": [word for word, _ in words],
            "letters": [0],
        }
        assert keys[sort] == sorted(keys[sort]), sort


def test_words_of_the_same_letters_stand_together_with_their_signature(client: TestClient) -> None:
    page = client.get("/scrabblet/player?hand=able&min_length=2", headers=HTML).text
    groups = re.findall(r'<h3 id="group-\d+">(\w+) <small>(\d+)</small></h3>(.*?)</ul>', page, re.DOTALL)
    letters = [group for group, _, _ in groups]
    assert letters == sorted(letters, key=lambda group: sum(1 << "ABLE".index(letter) for letter in group))
    signatures = {group: int(number) for group, number, _ in groups}
    assert (signatures["AB"], signatures["ABLE"]) == (2 * 3, 2 * 3 * 37 * 11)
    for group, _, words in groups:
        assert all(set(word) == set(group.lower()) for word, _ in listed(words))


def test_a_long_list_has_pages(client: TestClient, lexicon: Lexicon) -> None:
    every = words_of(lexicon, "ruolfn?", 4, "")
    words: list[tuple[str, int]] = []
    address = "/scrabblet/player?hand=ruolfn%3F&sort=alphabet"
    while address:
        page = client.get(address, headers=HTML).text
        words += listed(page)
        following = re.findall(r'rel="next" href="([^"]+)"', page)
        address = unescape(following[0]) if following else ""
    assert words == sorted(every.items())


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ("hand=cr8i", "hand", "tiles are the letters a to z, and ? for a blank"),
        ("hand=%3F%3F%3F", "hand", "There are 3 blanks: the bank has 2."),
        ("hand=abcdefghijklmnop", "hand", "There are 16 tiles: a hand has 1 to 15."),
        ("hand=abc&sort=colour", "sort", " or 'alphabet' expected"),
        ("hand=abc&min_length=1", "min_length", "2 or more expected, 1 given."),
        ("hand=abc&page=0", "page", "1 or more expected, 0 given."),
        ("word=cr3p", "word", "only the letters a to z are accepted"),
        ("hand=abc&lexicon=klingon", "lexicon", "Lexicon: there is no lexicon named 'klingon'"),
    ],
)
def test_query_errors_stand_beside_their_field(client: TestClient, query: str, field: str, says: str) -> None:
    answer = client.get(f"/scrabblet/player?{query}", headers=HTML)
    assert answer.status_code == 422
    assert says in unescape(re.findall(rf'id="{field}-error">(.*?)</p>', answer.text)[0])


def test_typed_markup_is_shown_as_text(client: TestClient) -> None:
    for query in ("hand=<b>x", "word=<b>x"):
        answer = client.get(f"/scrabblet/player?{query}", headers=HTML)
        assert answer.status_code == 422
        assert "<b>x" not in answer.text


def test_a_word_is_shown_with_its_signature_and_anagrams(client: TestClient) -> None:
    page = client.get("/scrabblet/player?word=Creepie", headers=HTML).text
    assert "scores 11; its signature is 4089745" in re.sub("<[^>]+>", "", page)
    assert {">PRICE<", ">RECIPE<", ">CREEPIE<"} <= set(re.findall(r">[A-Z]+<", page))
    assert "is not in the word list" in client.get("/scrabblet/player?word=crpei", headers=HTML).text


def test_a_word_list_that_is_not_there_is_refused(client: TestClient) -> None:
    assert client.get("/scrabblet/player?hand=abc&lexicon=nope", headers=HTML).status_code == 422
    form = {"lexicon": "nope"}
    assert client.post("/scrabblet/play", data=form, headers=HTML).status_code == 422


def test_the_front_page_shows_its_own_open_games_whatever_else_is_open(client: TestClient) -> None:
    game = open_game(client, "scrabblet")["id"]
    for _ in range(6):
        client.post("/api/games", json={"options": {"mode": "zen"}}).raise_for_status()
    assert f'href="/games/{game}"' in client.get("/scrabblet", headers=HTML).text


# The game setup


def test_the_game_setup_shows_hands_and_the_dealers_reasons(client: TestClient) -> None:
    page = client.get("/scrabblet/gamesetup?seed=hill").text
    answer = client.post("/api/scrabblet/gamesetup", json={"seed": "hill"}).json()
    assert (len(answer["hands"]), answer["seed"]) == (13, "hill")
    rows = re.findall(r'<th scope="row">(.*?)</th>\s*<td.*?>(.*?)</td>', page)
    for (hand, says), one in zip(rows, answer["hands"], strict=True):
        assert hand.lower() == one["hand"]
        if one["redraw"] is None:
            assert says == f"{one['words']} words to find"
        else:
            assert one["redraw"]["reason"] in ("Vowel Count", "Required Count", "Pangram Count")
            assert f"{one['redraw']['count']} " in says
    kept = [one["hand"] for one in answer["hands"] if one["redraw"] is None]
    assert kept == re.findall(r'name="hand" value="(.*?)"', page)
    dealt = client.post("/api/scrabblet/deal", json={"seed": "hill"}).json()
    assert dealt["hand"] == kept[0]
    address = deal(client, kept[-1], min_length="4")
    assert tiles(client.get(address).text) == kept[-1]


def test_the_game_setup_says_what_is_wrong_beside_the_field(client: TestClient) -> None:
    answer = client.get("/scrabblet/gamesetup?size=99&min_words=few", headers=HTML)
    assert answer.status_code == 422
    assert "15 or less expected, 99 given." in re.findall(r'id="size-error">(.*?)</p>', answer.text)[0]
    assert "A whole number expected" in re.findall(r'id="min_words-error">(.*?)</p>', answer.text)[0]
    assert 'value="99"' in answer.text
    assert client.get("/scrabblet/gamesetup?lexicon=nope", headers=HTML).status_code == 422
    assert client.post("/api/scrabblet/gamesetup", json={"count": 101}).status_code == 422
