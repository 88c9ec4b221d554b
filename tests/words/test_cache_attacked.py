"""Damage to a lexicon's caches: damaged files are never used, and are rebuilt.

``WIBBLE_TEST_ATTACKS`` is the number of attempts, 40 by default.
"""

import os
import shutil
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from app.words.cache import LexiconCache
from app.words.lexicon import Lexicon
from tests.damage import damage

ATTACKS: Final = int(os.environ.get("WIBBLE_TEST_ATTACKS", "40"))
WORDS: Final = ("ace", "aces", "cab", "cabs", "face", "zax")
OTHERS: Final = ("ace", "aces", "bad", "bade", "face", "zoo")
SOURCES: Final = "frequencies"


def kept(root: Path, words: tuple[str, ...]) -> Lexicon:
    """Load a lexicon and its derived data from the cache under ``root``."""
    built = Lexicon.from_words(words, "few")
    cache = LexiconCache(root)
    if cache.open("few", built.sha256, SOURCES) is None:
        cache.store(built, SOURCES)
    opened = cache.open("few", built.sha256, SOURCES)
    assert opened is not None
    _ = opened.gaddag
    return opened


def same(one: Lexicon, other: Lexicon) -> bool:
    fields = ("text", "starts", "letter_masks", "letter_counts", "ranks", "family", "gaddag")
    pairs = [(getattr(one, field), getattr(other, field)) for field in fields]
    return all(
        np.array_equal(ours, theirs) for ours, theirs in (*pairs, *zip(one.trie, other.trie, strict=True))
    )


def test_a_damaged_lexicon_cache_is_never_used(tmp_path: Path) -> None:
    whole, other, root = tmp_path / "whole", tmp_path / "other", tmp_path / "cache"
    kept(whole, WORDS)
    kept(other, OTHERS)
    sound = Lexicon.from_words(WORDS, "few")
    for seed in range(ATTACKS):
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(whole, root)
        harmed = damage(root, Random(seed), other)
        at_once = LexiconCache(root).open("few", sound.sha256, SOURCES)
        assert at_once is None or same(at_once, sound), (seed, harmed)
        assert same(kept(root, WORDS), sound), (seed, harmed)


def test_the_cache_of_another_list_renamed_to_this_one_is_not_used(tmp_path: Path) -> None:
    kept(tmp_path, WORDS)
    kept(tmp_path, OTHERS)
    ours, theirs = (Lexicon.from_words(words, "few").sha256 for words in (WORDS, OTHERS))
    for folder in sorted(tmp_path.glob(f"*{theirs}")):
        mine = folder.with_name(folder.name.replace(theirs, ours))
        shutil.rmtree(mine)
        folder.rename(mine)
    assert same(kept(tmp_path, WORDS), Lexicon.from_words(WORDS, "few"))
