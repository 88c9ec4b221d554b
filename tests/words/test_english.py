"""The list ``english``: what it accepts, and its reviewed file."""

import hashlib
import tomllib
from pathlib import Path

import pytest

from app.resources import resource
from app.words.lexicon import Lexicon
from app.words.library import Library
from app.words.vocabulary import allowed_words, suggested_words

USED = (
    "ok ew zen emoji selfie hangry vape matcha sriracha wifi colour color realise realize app apps vlog "
    "blockchain oxen baboon plop pogo qi za"
)


@pytest.fixture(scope="module")
def english(library: Library) -> Lexicon:
    return library.load("english")


@pytest.fixture(scope="module")
def reviewed() -> dict[str, dict[str, str]]:
    entries: dict[str, dict[str, str]] = tomllib.loads(
        (resource("data") / "words" / "english-reviewed.toml").read_text("utf-8")
    )
    return entries


@pytest.mark.parametrize("word", USED.split())
def test_words_that_people_use_are_accepted(english: Lexicon, word: str) -> None:
    assert word in english


@pytest.mark.parametrize(
    "word", ["arseno", "trocken", "danton", "facebook", "michigan", "versa", "ms", "zac"]
)
def test_names_fragments_and_foreign_words_are_refused(english: Lexicon, word: str) -> None:
    assert word not in english


def test_frequent_strings_that_were_judged_no_words_are_refused(english: Lexicon) -> None:
    groups = tomllib.loads(Path(__file__).with_name("refused.toml").read_text("utf-8"))
    refused = " ".join(groups.values()).split()
    assert len(refused) == 198
    assert [word for word in refused if word in english] == []


def test_the_shipped_file_is_the_one_of_the_catalogue(library: Library, english: Lexicon) -> None:
    info = library.info("english")
    assert (len(english), english.sha256) == (info.words, info.sha256)
    assert hashlib.sha256(english.text.tobytes()).hexdigest() == info.sha256


def test_every_reviewed_entry_has_a_reason_and_an_effect(
    english: Lexicon, reviewed: dict[str, dict[str, str]]
) -> None:
    assert sorted(reviewed) == ["add", "remove"]
    assert not set(reviewed["add"]) & set(reviewed["remove"])
    assert all(reason.strip() for entries in reviewed.values() for reason in entries.values())
    assert [word for word in reviewed["add"] if word not in english] == []
    assert [word for word in reviewed["remove"] if word in english] == []


def test_additions_are_not_in_enable(library: Library, reviewed: dict[str, dict[str, str]]) -> None:
    """Words of ENABLE that are in the Letterpress list are kept without an entry of their own."""
    enable = library.load("enable")
    assert [word for word in reviewed["add"] if word in enable] == []


@pytest.mark.parametrize("word", ["goddammit", "sexting", "whoreish", "gypsy"])
def test_offensive_words_are_accepted_but_never_shown(english: Lexicon, word: str) -> None:
    index = english.index(word)
    assert index is not None
    assert not english.family[index]


def test_the_older_lists_keep_their_family_filter(library: Library) -> None:
    """The words required of a game in progress must not change."""
    letterpress = library.load("letterpress")
    assert letterpress.family[letterpress.index("gypsy")]


def test_names_that_are_words_are_accepted_and_never_suggested(english: Lexicon) -> None:
    suggested, allowed = suggested_words(english), allowed_words(english)
    for word, fit in (("texas", False), ("james", False), ("sudoku", True), ("zen", True), ("house", True)):
        index = english.index(word)
        assert index is not None
        assert (bool(allowed[index]), bool(suggested[index])) == (True, fit), word
    assert (allowed - suggested).sum() == 1_359 - (english.names & (1 - english.family)).sum()
