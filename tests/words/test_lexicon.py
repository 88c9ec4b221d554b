"""A lexicon behaves as the set of its words."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.words.letters import ALPHABET
from app.words.lexicon import UNRANKED, Lexicon

words = st.sets(st.text("abeqz", min_size=1, max_size=6), min_size=1, max_size=40)


@given(words, words)
def test_membership_order_and_index_are_those_of_the_sorted_list(inside: set[str], others: set[str]) -> None:
    lexicon = Lexicon.from_words(inside, "some")
    ordered = sorted(inside)
    assert list(lexicon) == ordered
    assert [lexicon[index] for index in range(len(lexicon))] == ordered
    assert [lexicon.index(word) for word in ordered] == list(range(len(ordered)))
    assert {word for word in others if word in lexicon} == inside & others
    assert lexicon.longest == max(map(len, inside))


@given(words)
def test_masks_and_counts_are_those_of_the_letters(inside: set[str]) -> None:
    lexicon = Lexicon.from_words(inside, "some")
    for index, word in enumerate(lexicon):
        assert lexicon.letter_counts[index].tolist() == [word.count(letter) for letter in ALPHABET]
        assert lexicon.letter_masks[index] == sum(1 << ALPHABET.index(letter) for letter in set(word))


@pytest.mark.parametrize("stranger", ["", "a", "Ab", "ab ", "ab\n", "äb", "ab{", "a`", "abcd", 7, None])
def test_what_is_not_in_the_list_is_not_a_member(stranger: object) -> None:
    assert stranger not in Lexicon.from_words(["ab", "abc"], "some")


def test_order_and_repetition_do_not_change_the_content() -> None:
    one, other = Lexicon.from_words(["ab", "cd"], "one"), Lexicon.from_words(["cd", "ab", "cd"], "other")
    assert one.sha256 == other.sha256 == hashlib.sha256(b"ab\ncd\n").hexdigest()


def test_ranks_and_family_go_with_the_words() -> None:
    lexicon = Lexicon.from_words(
        ["damn", "the", "zax"], "some", ranks={"the": 1, "damn": 900}, profanity={"damn"}
    )
    assert lexicon.ranks.tolist() == [900, 1, UNRANKED]
    assert lexicon.family.tolist() == [0, 1, 1]


def test_lexicons_are_read_only() -> None:
    lexicon = Lexicon.from_words(["ab"], "some")
    for array in (
        *lexicon.trie,
        lexicon.text,
        lexicon.starts,
        lexicon.letter_masks,
        lexicon.ranks,
        lexicon.family,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize("words", [[""], ["Ab"], ["a b"], ["é"], ["ab", "c\n"], ["ab-"], []])
def test_only_lower_case_letters_make_words(words: list[str]) -> None:
    with pytest.raises(ValueError, match="words"):
        Lexicon.from_words(words, "some")


@pytest.mark.parametrize("index", [-1, 2])
def test_there_is_no_word_outside_the_list(index: int) -> None:
    with pytest.raises(IndexError, match="0 to 1"):
        Lexicon.from_words(["ab", "cd"], "some")[index]
