"""The shipped word lists match their descriptions."""

import hashlib
import lzma
from pathlib import Path

import pytest

from app.resources import resource
from app.words.lexicon import UNRANKED, Lexicon
from app.words.library import DEFAULT_LEXICON, Library

ENABLE_SHA256 = "3f16130220645692ed49c7134e24a18504c2ca55b3c012f7290e3e77c63b1a89"
LETTERPRESS_SHA256 = "1b8bb49e4b5548121509ff203d2db3e64b10edef1e2abb39199c9bf86c07e5cf"


def unpack(name: str) -> bytes:
    return lzma.decompress((resource("data") / "words" / f"{name}.txt.xz").read_bytes())


@pytest.fixture(scope="module")
def letterpress(library: Library) -> Lexicon:
    return library.load("letterpress")


def test_the_list_behind_letterpress_is_kept(library: Library, letterpress: Lexicon) -> None:
    """Games, records and dailies that started with it refer to it by its hash."""
    text = unpack("letterpress")
    assert hashlib.sha256(text).hexdigest() == LETTERPRESS_SHA256 == letterpress.sha256
    assert list(letterpress) == text.decode().splitlines()
    assert len(letterpress) == library.info("letterpress").words == 274_926
    assert "letterpress" in letterpress
    assert "fucktons" not in letterpress


def test_the_default_is_english_and_first_in_the_catalogue(library: Library, lexicon: Lexicon) -> None:
    assert lexicon.name == DEFAULT_LEXICON == library.names()[0].name == "english"


def test_the_family_filter_keeps_back_profanities_and_slurs_that_players_may_play(
    letterpress: Lexicon,
) -> None:
    profanity = unpack("profanity").decode().splitlines()
    slurs = unpack("slurs").decode().splitlines()
    assert len(profanity) == len(set(profanity)) == 789
    assert not set(profanity) & set(slurs)
    kept_back = [word for word, family in zip(letterpress, letterpress.family, strict=True) if not family]
    assert kept_back == sorted(profanity + slurs)


def test_ranks_count_the_words_of_known_frequency_from_the_commonest(letterpress: Lexicon) -> None:
    ranked = sorted(rank for rank in letterpress.ranks.tolist() if rank != UNRANKED)
    assert ranked == list(range(1, 103_720))
    assert letterpress.ranks[letterpress.index("the")] == 1
    assert letterpress.ranks[letterpress.index("house")] < letterpress.ranks[letterpress.index("zyzzyva")]


def test_every_word_leads_through_the_trie_to_itself(lexicon: Lexicon) -> None:
    assert all(lexicon.index(word) == index for index, word in enumerate(lexicon) if index % 7 == 0)


def test_the_words_of_enable_ship_and_are_all_in_letterpress(library: Library, letterpress: Lexicon) -> None:
    enable = library.load("enable")
    assert hashlib.sha256(unpack("enable")).hexdigest() == ENABLE_SHA256 == enable.sha256
    assert len(enable) == library.info("enable").words == 172_823
    assert all(word in letterpress for word in enable)
    assert enable.ranks[enable.index("the")] == 1
    assert "qi" not in enable
    assert "zyzzyvas" in enable


def test_enable_is_the_published_list(reference: Path) -> None:
    assert unpack("enable") == (reference / "words" / "enable1.txt").read_bytes()


def test_games_pinned_to_an_own_list_that_was_named_enable_are_played_on(tmp_path: Path) -> None:
    """Before it shipped, users added it under that name."""
    before = Library(resource("data"), tmp_path / "home", tmp_path / "cache")
    own = tmp_path / "own.txt"
    own.write_text("ab\nqi\n")
    info = before.add("mine", own)
    names = tmp_path / "home" / "words" / "names"
    (names / "mine.json").rename(names / "enable.json")
    library = Library(resource("data"), tmp_path / "home", tmp_path / "cache")
    assert list(library.load("enable", info.sha256)) == ["ab", "qi"]
    assert len(library.load("enable")) == 172_823
