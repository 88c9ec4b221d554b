"""What ships is what it says it is."""

import hashlib
import lzma
from pathlib import Path

from app.resources import resource
from app.words.lexicon import UNRANKED, Lexicon
from app.words.library import DEFAULT_LEXICON, Library

LETTERPRESS_SHA256 = "1b8bb49e4b5548121509ff203d2db3e64b10edef1e2abb39199c9bf86c07e5cf"


def unpack(name: str) -> bytes:
    return lzma.decompress((resource("data") / "words" / f"{name}.txt.xz").read_bytes())


def test_the_default_is_the_list_behind_letterpress(library: Library, lexicon: Lexicon) -> None:
    text = unpack("letterpress")
    assert hashlib.sha256(text).hexdigest() == LETTERPRESS_SHA256 == lexicon.sha256
    assert list(lexicon) == text.decode().splitlines()
    assert len(lexicon) == 274_926
    assert library.info(DEFAULT_LEXICON).words == len(lexicon)
    assert "letterpress" in lexicon
    assert "fucktons" not in lexicon


def test_the_family_filter_keeps_back_profanities_and_slurs_that_players_may_play(lexicon: Lexicon) -> None:
    profanity = unpack("profanity").decode().splitlines()
    slurs = unpack("slurs").decode().splitlines()
    assert len(profanity) == len(set(profanity)) == 789
    assert not set(profanity) & set(slurs)
    kept_back = [word for word, family in zip(lexicon, lexicon.family, strict=True) if not family]
    assert kept_back == sorted(profanity + slurs)


def test_ranks_count_the_words_of_known_frequency_from_the_commonest(lexicon: Lexicon) -> None:
    ranked = sorted(rank for rank in lexicon.ranks.tolist() if rank != UNRANKED)
    assert ranked == list(range(1, 103_720))
    assert lexicon.ranks[lexicon.index("the")] == 1
    assert lexicon.ranks[lexicon.index("house")] < lexicon.ranks[lexicon.index("zyzzyva")]


def test_every_word_leads_through_the_trie_to_itself(lexicon: Lexicon) -> None:
    assert all(lexicon.index(word) == index for index, word in enumerate(lexicon) if index % 7 == 0)


def test_the_enable_list_is_contained_and_can_be_added(
    lexicon: Lexicon, reference: Path, tmp_path: Path
) -> None:
    library = Library(resource("data"), tmp_path / "home", tmp_path / "cache")
    library.add("enable", reference / "words" / "enable1.txt")
    enable = library.load("enable")
    assert len(enable) == 172_823
    assert all(word in lexicon for word in enable)
    assert enable.ranks[enable.index("the")] == 1
