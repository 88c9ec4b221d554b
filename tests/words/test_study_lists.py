"""Study lists, compared with checking all words one by one."""

from math import isclose
from typing import get_args

import pytest

from app.words.letters import tile_counts
from app.words.lexicon import Lexicon
from app.words.studies import Words, draw_chance, stems
from app.words.study_lists import STUDY_LISTS, TOP_STEMS, ListName, study_list, top_stems
from app.words.vocabulary import suggested_words


def words_of(lexicon: Lexicon, *args: object, **options: object) -> list[str]:
    return list(Words(lexicon, study_list(lexicon, *args, **options)))  # type: ignore[arg-type]


def test_the_lists_of_two_letters_and_of_three_with_jqxz_are_complete(lexicon: Lexicon) -> None:
    assert words_of(lexicon, "two-letters") == [word for word in lexicon if len(word) == 2]
    dear = [word for word in lexicon if len(word) == 3 and set(word) & set("jqxz")]
    assert words_of(lexicon, "three-letters-jqxz") == dear


def test_no_u_follows_the_q(lexicon: Lexicon) -> None:
    found = words_of(lexicon, "q-without-u")
    assert found == [word for word in lexicon if "q" in word and "qu" not in word]
    assert "qat" in found


def test_vowel_dumps_are_mostly_vowels(lexicon: Lexicon) -> None:
    vowels = {word: sum(letter in "aeiou" for letter in word) for word in lexicon}
    wanted = [word for word in lexicon if len(word) >= 4 and 10 * vowels[word] >= 7 * len(word)]
    assert words_of(lexicon, "vowel-dumps") == wanted
    assert {"adieu", "aeon"} <= set(wanted)


def test_bingo_stems_make_words_of_seven(lexicon: Lexicon) -> None:
    best = top_stems(lexicon)
    assert len(best) == TOP_STEMS
    found = words_of(lexicon, "bingo-stems")
    assert {"elation", "trainee"} <= set(found)
    for word in found:
        alphagram = "".join(sorted(word))
        assert len(word) == 7
        assert any(alphagram.replace(letter, "", 1) in best for letter in alphagram)
    chances = [draw_chance(word) for word in found]
    assert chances == sorted(chances, reverse=True)


def test_the_chance_of_a_stem_counts_each_rack_once() -> None:
    few = Lexicon.from_words(["retains", "nastier", "retinas", "trained"], "few")
    stem = next(stem for stem in stems(few) if stem.letters == "aeinrt")
    assert (stem.with_letters, stem.words) == ("ds", 4)
    assert isclose(stem.chance, draw_chance("retains") + draw_chance("trained"))


def test_draw_chances_are_for_a_full_bag() -> None:
    assert sum(tile_counts("scrabble")) == 98
    assert draw_chance("e") == 12 / 98
    assert draw_chance("jj") == 0
    with pytest.raises(ValueError, match="bags"):
        tile_counts("chess")


def test_lists_by_length_vocabulary_and_frequency(lexicon: Lexicon) -> None:
    found = words_of(lexicon, "all", length=5, level="common", order="frequency")
    ranks = [int(lexicon.ranks[lexicon.index(word)]) for word in found]
    assert {len(word) for word in found} == {5}
    assert ranks == sorted(ranks)
    assert sorted(found) == words_of(lexicon, "all", length=5, level="common", order="alphabet")


def test_suggested_words_have_no_names_and_no_profanity(lexicon: Lexicon) -> None:
    suggested = suggested_words(lexicon)
    for name in STUDY_LISTS:
        valid, family, shown = (
            set(study_list(lexicon, name, shown=which).tolist()) for which in ("valid", "family", "suggested")
        )
        assert shown <= family <= valid
        assert shown == {entry for entry in valid if suggested[entry]}


def test_every_list_is_described() -> None:
    assert set(STUDY_LISTS) == set(get_args(ListName))
    assert all(kept.title and kept.about.endswith(".") for kept in STUDY_LISTS.values())


def test_a_list_may_be_empty() -> None:
    few = Lexicon.from_words(["cat"], "few")
    assert [len(study_list(few, name)) for name in STUDY_LISTS] == [0, 0, 0, 0, 0, 1]
