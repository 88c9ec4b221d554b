"""The anagram filter: false positives are possible, false negatives are not."""

from collections import Counter
from itertools import combinations
from random import Random
from string import ascii_lowercase

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.games.fribble.bound_kernels import makes_word
from app.words.anagrams import BLOCK_BITS, TILE_KEYS
from app.words.gaddag import LONGEST
from app.words.lexicon import Lexicon
from tests.examples import examples

BLANK = len(ascii_lowercase)


def key(tiles: str) -> int:
    return sum(int(TILE_KEYS[BLANK if tile == "?" else ascii_lowercase.index(tile)]) for tile in tiles)


@given(st.sets(st.text("abcz", min_size=1, max_size=LONGEST), min_size=1, max_size=40))
@examples(50)
def test_no_word_is_missed_with_up_to_two_blanks(words: set[str]) -> None:
    anagrams = Lexicon.from_words(words, "few").anagrams
    for word in words:
        for blanks in range(min(2, len(word)) + 1):
            for chosen in combinations(range(len(word)), blanks):
                tiles = "".join("?" if place in chosen else letter for place, letter in enumerate(word))
                assert makes_word(anagrams, key(tiles)), tiles


def test_longer_words_than_the_board_has_room_for_are_left_out() -> None:
    assert not Lexicon.from_words(["a" * (LONGEST + 1)], "long").anagrams.any()


def test_few_letters_without_an_anagram_pass_the_filter(lexicon: Lexicon) -> None:
    random, anagrams = Random(3), lexicon.anagrams
    assert len(anagrams) <= 1 << BLOCK_BITS
    assert anagrams.nbytes < 40_000_000
    made = {frozenset(Counter(word).items()) for word in lexicon}
    others = [
        letters
        for letters in ("".join(random.choices(ascii_lowercase, k=7)) for _ in range(5000))
        if frozenset(Counter(letters).items()) not in made
    ]
    assert np.mean([makes_word(anagrams, key(letters)) for letters in others]) < 0.02
