"""The levels of the words in ``english``, compared with words judged by hand."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from app.resources import resource
from app.words.lexicon import Lexicon
from app.words.library import Library
from app.words.vocabulary import allowed_words, level_of, rarest_rank, suggested_words

AGREEMENT = 0.95


@pytest.fixture(scope="module")
def english(library: Library) -> Lexicon:
    return library.load("english")


def judged(table: str) -> list[str]:
    tables = tomllib.loads(Path(__file__).with_name("judged.toml").read_text("utf-8"))
    words: list[str] = tables[table]["words"].split()
    return words


def share_common(lexicon: Lexicon, words: list[str]) -> float:
    return float(np.mean([level_of(lexicon, word) in {"basic", "common"} for word in words]))


def test_at_least_300_words_are_judged_each_once() -> None:
    words = [word for table in ("common", "known", "rare") for word in judged(table)]
    assert len(words) == len(set(words)) >= 300


def test_common_words_are_not_called_rare_nor_rare_words_common(english: Lexicon) -> None:
    assert share_common(english, judged("common")) >= AGREEMENT
    assert share_common(english, judged("rare")) <= 1 - AGREEMENT


def test_known_words_are_at_most_highbrow(english: Lexicon) -> None:
    levels = [level_of(english, word) for word in judged("known")]
    assert np.mean([level in {"basic", "common", "highbrow"} for level in levels]) >= AGREEMENT


@pytest.mark.parametrize("word", ["oxen", "baboon", "vlog", "pogo", "plop", "emoji", "app", "ok", "zen"])
def test_words_that_most_adults_know_are_common(english: Lexicon, word: str) -> None:
    assert level_of(english, word) in {"basic", "common"}


@pytest.mark.parametrize(
    "word", ["abba", "baba", "bona", "vivo", "texas", "james", "german", "peter", "matt", "york"]
)
def test_names_and_foreign_words_are_not_common(english: Lexicon, word: str) -> None:
    assert level_of(english, word) not in {"basic", "common"}


def test_required_words_are_family_words(english: Lexicon) -> None:
    required = allowed_words(english, "common")
    for word in ("midget", "nigga", "gypsy", "sexting"):
        assert not required[english.index(word)]
    assert 29_000 < required.sum() <= 1.5 * rarest_rank("common")


def test_the_older_lists_keep_their_ranks(library: Library) -> None:
    """The required words of a game that is pinned to one must not change."""
    for name in ("letterpress", "enable"):
        older = library.load(name)
        assert level_of(older, "baba") == "common"
        assert level_of(older, "oxen") == "highbrow"


def test_an_operators_version_of_a_list_keeps_its_levels_and_filters(
    library: Library, tmp_path: Path
) -> None:
    own = Library(resource("data"), tmp_path / "home", tmp_path / "cache")
    file = tmp_path / "list.txt"
    file.write_text("oxen\ntexas\nbussin\n")
    own.add("english-local", file)
    own.add("mine", file)
    local, mine = own.load("english-local"), own.load("mine")
    assert level_of(local, "oxen") == "common"
    assert suggested_words(local).tolist() == [1, 1, 0]
    assert level_of(mine, "oxen") == "highbrow"
    assert suggested_words(mine).tolist() == [1, 1, 1]
