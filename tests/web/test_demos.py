"""The demo boards on front pages: they spell words, drawn by the rules."""

import itertools
import re

from fastapi.testclient import TestClient

from app.games.fribble.board import Board
from app.games.fribble.layout import SIDE
from app.games.fribble.position import words_of
from app.games.wibble.modes import modes
from app.web.services import Services
from app.words.letters import letter_values
from app.words.lexicon import Lexicon
from tests.web.browsing import HTML


def lexicon(client: TestClient) -> Lexicon:
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    return services.library.load()


def drawn_word(page: str, letters: list[str], columns: int) -> str:
    """The word of a demo's polyline; checks that each step goes to a neighbour and no cell repeats."""
    (points,) = re.findall(r'<polyline [^>]*points="([^"]+)"', page)
    centres = [tuple(map(float, point.split(","))) for point in points.split()]
    cells = [int(y) * columns + int(x) for x, y in centres]
    assert len(set(cells)) == len(cells)
    for (x, y), (to_x, to_y) in itertools.pairwise(centres):
        assert max(abs(to_x - x), abs(to_y - y)) == 1
    return "".join(letters[cell] for cell in cells).lower()


def test_wibbles_demo_draws_a_word_and_shows_its_points(client: TestClient) -> None:
    page = client.get("/", headers=HTML).text
    letters = re.findall(r'<span class="letter">(\w)</span>', page)
    word = drawn_word(page, letters, 4)
    assert word in lexicon(client)
    (spelt,) = re.findall(r'<p class="demo-word"[^>]*>(.*?)</p>', page)
    assert re.sub("<[^>]+>", "", spelt) == f"{word.upper()}+{points_of(word)}"
    steps = re.findall(r"demo-tile--(\d)", page)
    assert sorted(map(int, steps)) == list(range(1, len(word) + 1))


def points_of(word: str) -> int:
    values = letter_values(modes()["classic"].values)
    return sum(values[ord(letter) - ord("a")] for letter in word)


def test_boggles_demo_draws_a_word(client: TestClient) -> None:
    page = client.get("/boggle", headers=HTML).text
    letters = re.findall(r'<span class="letter[^"]*">(\w+)</span>', page)
    word = drawn_word(page, letters, 4)
    assert word in lexicon(client)
    assert page.count("tile--drawn") == len(word) >= 5


def test_letterpress_demo_gives_the_tiles_of_each_side(client: TestClient) -> None:
    page = client.get("/letterpress", headers=HTML).text
    sentence = re.search("blue has (\\w+) tiles at the upper left, red (\\w+) at", page)
    assert sentence
    owners = re.findall(r'data-owner="(\w+)"', page)
    spelt = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]
    assert (spelt[owners.count("ours")], spelt[owners.count("theirs")]) == sentence.groups()


def test_every_word_on_fribbles_demo_is_a_word(client: TestClient) -> None:
    page = client.get("/fribble", headers=HTML).text
    (demo,) = re.findall(r'<div class="[^"]*fri-demo">(.*)</div>', page, re.DOTALL)
    tiles = re.findall(r'class="fri-square.*?>(\w?)</span>', demo)
    assert len(tiles) == SIDE**2
    board = Board.of("".join(tile or "." for tile in tiles))
    words = [line.word.lower() for line in words_of(board)]
    assert len(words) >= 4
    assert all(word in lexicon(client) for word in words)
    shown = re.findall(r"\b[A-Z]{3,}\b", re.findall(r'aria-label="([^"]+)"', demo)[0])
    assert {word.lower() for word in shown} == set(words)


def test_scrabblets_demo_spells_words_of_its_tiles(client: TestClient) -> None:
    page = client.get("/scrabblet", headers=HTML).text
    (demo,) = re.findall(r'<div class="demo-hand"(.*)', page, re.DOTALL)
    hand = {
        letter.lower(): int(value)
        for letter, value in re.findall(
            r'<span class="letter">(\w)</span><span class="value">(\d+)</span>', demo
        )
    }
    shown = re.findall(
        r'<li class="[^"]*found-word([^"]*)"><span class="found-letters">(\w+)</span><b>(\d+)</b>', demo
    )
    assert len(shown) >= 4
    for kind, capitals, points in shown:
        word = capitals.lower()
        assert word in lexicon(client)
        assert set(word) <= hand.keys()
        assert sum(hand[letter] for letter in word) == int(points)
        assert ("pangram" in kind) == (set(word) == hand.keys())
