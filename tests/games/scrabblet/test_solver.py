from itertools import pairwise
from math import prod
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.scrabblet.bag import bank, draw, tile_score
from app.games.scrabblet.hand import Hand, letters_of, mask_of, read_tiles
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.signatures import PRIMES, primes, signature
from app.games.scrabblet.solver import ORDERS, Solver, Words
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games.scrabblet.brute import SCORES, words_of

CRPEI = [
    *("creepie", "creepier", "crepier", "cripe", "epeiric", "piecer", "pierce", "piercer"),
    *("precipe", "precipice", "preprice", "price", "pricer", "pricier", "recipe", "reprice"),
]
ABLE = ["abele", "able", "babble", "babel", "bale", "blae", "label", "labelable", "labella"]
ABCDEF_BEGINS = {
    "abba": 8,
    "baba": 8,
    "caca": 8,
    "abaca": 9,
    "bacca": 11,
    "dada": 6,
    "beebee": 10,
    "abbe": 8,
    "babe": 8,
    "caeca": 9,
    "ceca": 8,
    "baccae": 12,
}
ABCDEF_ENDS = {
    "cabbed": 13,
    "baff": 12,
    "caff": 12,
    "daff": 11,
    "beef": 9,
    "feeb": 9,
    "cafe": 9,
    "efface": 14,
    "face": 9,
    "feed": 8,
    "daffed": 14,
    "deaf": 8,
    "fade": 8,
    "faded": 10,
    "beefed": 12,
    "baffed": 15,
    "decaf": 11,
    "deface": 12,
    "defaced": 14,
    "effaced": 16,
    "facade": 12,
    "faced": 11,
}

hands = st.builds(
    lambda letters, blanks: letters + "?" * blanks, st.text(ALPHABET, max_size=9), st.integers(0, 2)
).filter(len)
small_hands = st.builds(
    lambda letters, blanks: letters + "?" * blanks, st.text("abcdef", max_size=5), st.integers(0, 2)
).filter(len)


def as_dict(words: Words) -> dict[str, int]:
    found = {one.word: one.score for one in words.listed("alphabet")}
    assert len(found) == len(words)
    return found


def test_the_bank_has_the_tiles_of_scrabble() -> None:
    tiles = bank().tiles
    assert len(tiles) == 100
    assert [tiles.count(letter) for letter in "?eaioqzsj"] == [2, 12, 9, 9, 8, 1, 1, 4, 1]
    assert {tile: tile_score(tile) for tile in set(tiles)} == SCORES | {"?": 0}
    assert sum(map(tile_score, tiles)) == 187


def test_a_draw_takes_tiles_that_are_there() -> None:
    random = Random(4)
    for size in (1, 7, 100):
        tiles = draw(random, size)
        assert len(tiles) == size
        assert all(tiles.count(tile) <= bank().tiles.count(tile) for tile in tiles)
    assert sorted(draw(random, 100)) == sorted(bank().tiles)


def test_every_tile_is_as_likely_as_the_next() -> None:
    random, draws = Random(5), 20_000
    drawn = "".join(draw(random, 7) for _ in range(draws))
    for tile in set(bank().tiles):
        expected = 7 * draws * bank().tiles.count(tile) / 100
        assert abs(drawn.count(tile) - expected) < 5 * expected**0.5, tile


def test_first_and_last_tiles_are_drawn_like_others() -> None:
    """In the draw of "Wordgames", rounding halves the chance of the first and last tiles."""
    random = Random(6)
    firsts = [draw(random, 1) for _ in range(50_000)]
    for tile in (bank().tiles[0], bank().tiles[-1]):
        expected = 500 * bank().tiles.count(tile)
        assert abs(firsts.count(tile) - expected) < 5 * expected**0.5


@pytest.mark.parametrize(
    ("text", "tiles"), [("RUOLFNT", "ruolfnt"), (" a b_ ", "ab?"), ("??", "??"), ("jazz", "jazz")]
)
def test_a_hand_is_read(text: str, tiles: str) -> None:
    assert read_tiles(text) == tiles


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there are 0 tiles: a hand has 1 to 15"),
        ("a" * 16, "there are 16 tiles"),
        ("ab1", "tile 2 is '1': tiles are the letters a to z, and"),
        ("äbc", "tile 0 is 'ä'"),
        ("a???", "there are 3 blanks: the bank has 2"),
    ],
)
def test_what_is_no_hand_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=r"tile|blank") as refused:
        read_tiles(text)
    assert says in str(refused.value)


@given(st.text(ALPHABET, max_size=40))
def test_a_set_of_letters_is_read_back(text: str) -> None:
    assert letters_of(mask_of(text)) == "".join(sorted(set(text)))


@given(
    hand=small_hands, words=st.sets(st.text("abcdefgh", min_size=1, max_size=8), min_size=1), data=st.data()
)
def test_a_hand_has_the_words_that_brute_force_finds(hand: str, words: set[str], data: st.DataObject) -> None:
    solver = Solver(Lexicon.from_words(words, "few"))
    required = data.draw(st.sampled_from(["", *hand.replace("?", "")]))
    min_length = data.draw(st.integers(1, 8))
    found = solver.find(Hand(hand), min_length, mask_of(required))
    expected = words_of(words, hand, min_length, required)
    assert as_dict(found) == expected
    assert (len(found), found.total) == (len(expected), sum(expected.values()))
    everything = set(hand) - {"?"}
    for word, is_pangram in zip(found.indices.tolist(), found.pangrams.tolist(), strict=True):
        assert is_pangram == (everything <= set(solver.lexicon[word]))


@examples(15)
@given(hand=hands, min_length=st.integers(2, 15))
def test_a_hand_has_the_words_that_brute_force_finds_in_the_whole_lexicon(
    game: Scrabblet, hand: str, min_length: int
) -> None:
    found = game.solver.find(Hand(hand), min_length)
    assert as_dict(found) == words_of(game.lexicon, hand, min_length)


@given(hand=small_hands, words=st.sets(st.text("abcdef", min_size=1, max_size=8), min_size=1))
def test_a_hand_judges_a_single_word_as_brute_force_does(hand: str, words: set[str]) -> None:
    held, expected = Hand(hand), words_of(words, hand, 1)
    for word in words:
        assert held.makes(word) == (word in expected)
        if word in expected:
            assert held.score(word) == expected[word]
            assert set(held.used(word) + held.blanked(word)) == set(word)


def test_a_blank_scores_nothing_each_time_it_is_used(game: Scrabblet) -> None:
    found = as_dict(game.solver.find(Hand("oxe?")))
    assert found["ooze"] == 3
    assert found["oxeye"] == 11
    assert "zany" not in found


def test_words_are_sorted_as_asked(game: Scrabblet) -> None:
    words = game.solver.find(Hand("fdecba?"))
    by = {order: words.listed(order) for order in ORDERS}
    assert [one.word for one in by["alphabet"]] == sorted(one.word for one in by["alphabet"])
    assert by["score"] == sorted(by["alphabet"], key=lambda one: -one.score)
    assert by["length"] == sorted(by["alphabet"], key=lambda one: -len(one.word))
    hand = "fdecba" + "".join(letter for letter in ALPHABET if letter not in "abcdef")
    numbers = [sum(1 << hand.index(letter) for letter in set(one.word)) for one in by["letters"]]
    assert numbers == sorted(numbers)
    for (first, second), (here, there) in zip(pairwise(by["letters"]), pairwise(numbers), strict=True):
        assert here < there or first.word < second.word


def test_the_reference_words(redbo: Scrabblet) -> None:
    assert len(redbo.lexicon) == 178_691
    assert redbo.solver.anagrams("crpei") == CRPEI
    assert redbo.solver.anagrams("able") == ABLE
    assert len(redbo.solver.find(Hand("ruolfnt"))) == 98
    played = ["front", "loot", "loft", "troll", "turf", "turn", "plot", "flout", "floor", "runt"]
    made = as_dict(redbo.solver.find(Hand("ruolfnt")))
    assert [word for word in played if word not in made] == ["plot"]


def test_abcdef_is_listed_in_the_order_of_wordgames(redbo: Scrabblet) -> None:
    words = redbo.solver.find(Hand("abcdef"))
    listed = [(one.word, one.score) for one in words.listed()]
    assert len(listed) == 54
    assert listed[:12] == list(ABCDEF_BEGINS.items())
    assert listed[-22:] == list(ABCDEF_ENDS.items())


@pytest.mark.parametrize(
    ("word", "score", "expected"),
    [
        ("creepie", 11, 4089745),
        ("crap", 8, 32330),
        ("tarp", 6, 459086),
        ("trap", 6, 459086),
        ("trapezoid", 21, 3859507079582),
        ("twitter", 10, 90946669),
        ("scrabble", 14, 49902270),
        ("scribble", 14, 573876105),
    ],
)
def test_the_reference_signatures(word: str, score: int, expected: int) -> None:
    assert (Hand(word).score(word), signature(word)) == (score, expected)


def test_signatures_are_exact_where_64_bits_are_not(redbo: Scrabblet) -> None:
    assert PRIMES[-1] == 101
    assert signature(ALPHABET) == prod(PRIMES)
    beyond = [word for word in redbo.lexicon if signature(word) >= 2**64]
    assert len(beyond) == 52


@given(st.text(ALPHABET, max_size=30), st.text(ALPHABET, max_size=30))
def test_signatures_are_equal_where_the_letters_are(one: str, other: str) -> None:
    assert (signature(one) == signature(other)) == (set(one) == set(other))
    assert signature(one) == prod(primes(one))


def test_subsets_come_in_the_order_of_wordgames(redbo: Scrabblet) -> None:
    listed = list(redbo.solver.subsets(Hand("ablet")))
    assert [letters for letters, _ in listed[:8]] == ["a", "b", "ab", "l", "al", "bl", "abl", "e"]
    assert len(listed) == 31
    assert listed[14] == ("able", ABLE)
    assert listed[15][0] == "t"
    assert listed[16] == ("at", [word for word in redbo.lexicon if set(word) == set("at")])


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("hand", ["ruolfnt", "qz", "aeinrs?", "sat??", "??"])
def test_uncompiled_kernels_answer_the_same(game: Scrabblet, hand: str) -> None:
    found = game.solver.find(Hand(hand))
    assert as_dict(found) == words_of(game.lexicon, hand, 4)
    assert found.indices.dtype == np.int32
