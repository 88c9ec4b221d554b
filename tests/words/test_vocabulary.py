"""Levels of vocabulary by frequency."""

from itertools import pairwise

import numpy as np
import pytest

from app.words.lexicon import Lexicon
from app.words.vocabulary import LEVELS, allowed_words, level_of, rarest_rank


def test_each_level_includes_those_before_it(lexicon: Lexicon) -> None:
    for narrow, wide in pairwise(LEVELS):
        assert rarest_rank(narrow) < rarest_rank(wide)
        assert np.all(allowed_words(lexicon, narrow) <= allowed_words(lexicon, wide))
    assert allowed_words(lexicon, "everything", family_only=False).all()


def test_a_word_belongs_to_the_first_level_that_includes_it() -> None:
    ranks = {level: rarest_rank(level) for level in LEVELS[:-1]}
    words = dict(zip(["ab", "cd", "ef", "gh"], ranks.values(), strict=True))
    lexicon = Lexicon.from_words([*words, "zz"], "some", ranks=words)
    assert [level_of(lexicon, word) for word in lexicon] == list(LEVELS)


@pytest.mark.parametrize(
    ("word", "level"),
    [
        ("the", "basic"),
        ("mouse", "basic"),
        ("puddle", "common"),
        ("vermilion", "highbrow"),
        ("macrocosm", "highbrow"),
        ("scutage", "obscure"),
        ("byrl", "everything"),
    ],
)
def test_levels_of_some_words(lexicon: Lexicon, word: str, level: str) -> None:
    assert level_of(lexicon, word) == level


def test_profanity_is_allowed_only_without_family_only() -> None:
    lexicon = Lexicon.from_words(["damn", "the"], "some", ranks={"damn": 2, "the": 1}, profanity={"damn"})
    assert allowed_words(lexicon, "basic").tolist() == [0, 1]
    assert allowed_words(lexicon, "basic", family_only=False).tolist() == [1, 1]


def test_a_word_outside_the_list_has_no_level(lexicon: Lexicon) -> None:
    with pytest.raises(ValueError, match="'qqq' is not in the lexicon 'english'"):
        level_of(lexicon, "qqq")


def test_an_unknown_level_is_refused_and_the_known_ones_are_named(lexicon: Lexicon) -> None:
    with pytest.raises(ValueError, match="basic, common, highbrow"):
        allowed_words(lexicon, "slang")  # type: ignore[arg-type]
