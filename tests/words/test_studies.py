"""Word studies, compared with checking all words one by one."""

import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.patterns import BadLetters, matching
from app.words.studies import (
    anagrams,
    beginnings,
    bingos,
    extensions,
    hooks,
    statistics,
    stems,
)

WORDS = ["ab", "aba", "abacs", "abas", "abbess", "ba", "bab", "baba"]
WORDS += ["babas", "bas", "cab", "cabs", "scab", "scabs", "zzz"]


@pytest.fixture(scope="module")
def few() -> Lexicon:
    return Lexicon.from_words(WORDS, "few")


def fits(word: str, letters: str) -> bool:
    return (Counter(word) - Counter(letters.replace("?", ""))).total() <= letters.count("?")


@given(letters=st.text("abcs?", min_size=1, max_size=7), shortest=st.none() | st.integers(1, 7))
def test_anagrams_are_the_words_that_the_letters_make(
    few: Lexicon, letters: str, shortest: int | None
) -> None:
    least = len(letters) if shortest is None else shortest
    wanted = [word for word in WORDS if least <= len(word) <= len(letters) and fits(word, letters)]
    assert sorted(anagrams(few, letters, shortest)) == sorted(wanted)


def test_anagrams_of_the_shipped_list(lexicon: Lexicon) -> None:
    assert anagrams(lexicon, "retinas")[:3] == ("anestri", "antsier", "nastier")
    assert "quixotic" in anagrams(lexicon, "quixot??")
    found = anagrams(lexicon, "fribble", 5)
    assert found[0] == "fribble"
    assert [len(word) for word in found] == sorted((len(word) for word in found), reverse=True)


def test_hooks_are_letters_before_and_behind(lexicon: Lexicon) -> None:
    found = hooks(lexicon, "top")
    assert found.front == "".join(letter for letter in ALPHABET if f"{letter}top" in lexicon)
    assert "s" in found.front
    assert {"e", "h", "i", "s"} <= set(found.back)
    assert hooks(lexicon, "stop") == hooks(lexicon, "stop")._replace(without_first=True, without_last=False)


def test_extensions_are_the_longer_words(few: Lexicon) -> None:
    found = extensions(few, "ab")
    assert tuple(found.front) == ("bab", "cab", "scab")
    assert tuple(found.back) == ("aba", "abacs", "abas", "abbess")
    assert tuple(found.both) == ("baba", "babas", "cabs", "scabs")
    assert found.back[1:3] == ("abacs", "abas")


@given(word=st.text("abcsz", min_size=1, max_size=7))
def test_each_longer_word_has_one_heading(few: Lexicon, word: str) -> None:
    longer = [other for other in WORDS if word in other and word != other]
    front = [other for other in longer if other.endswith(word)]
    back = [other for other in longer if other.startswith(word) and other not in front]
    both = [other for other in longer if other not in front and other not in back]
    assert [list(words) for words in extensions(few, word)] == [front, back, both]


@pytest.mark.parametrize(
    "pattern", ["*?*?*", "*", "?ab*", "[bc]ab", "[^b]ab?", "a*s", "**", "b?b?", "zzz", "x", "ab[^c]aba"]
)
def test_patterns(few: Lexicon, pattern: str) -> None:
    wanted = re.compile(pattern.replace("?", ".").replace("**", "*").replace("*", ".*"))
    assert list(matching(few, pattern)) == sorted(filter(wanted.fullmatch, WORDS))


def glob(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("?", ".").replace("*", ".*"))


PIECES = st.sampled_from(["*", "*", "?", "a", "b", "s", "[ab]", "[^a]", "[^bs]"])


@given(pieces=st.lists(PIECES, min_size=1, max_size=9))
def test_any_pattern_is_that_of_trying_every_way(few: Lexicon, pieces: list[str]) -> None:
    pattern = "".join(pieces)
    assert list(matching(few, pattern)) == sorted(filter(glob(pattern).fullmatch, WORDS))


def test_a_pattern_of_many_stars_is_not_tried_in_every_way() -> None:
    """Each star would multiply the time, so a pattern of 30,000 characters would never end."""
    long = Lexicon.from_words([length * "a" for length in range(1, 251)], "long")
    assert matching(long, 20 * "*[^q]" + "*q") == ()
    assert len(matching(long, 20 * "*a" + "*")) == 231


def test_a_q_without_a_u(lexicon: Lexicon) -> None:
    assert {"qi", "qat", "qoph"} <= set(matching(lexicon, "q[^u]*"))


def test_stems_and_their_bingos(lexicon: Lexicon) -> None:
    best = stems(lexicon)[:50]
    satire = next(stem for stem in best if stem.letters == "aeinst")
    made = bingos(lexicon, "satine")
    assert "".join(made) == satire.with_letters
    assert sum(map(len, made.values())) == satire.words
    assert "nastier" in made["r"]
    assert [len(stem.with_letters) for stem in best] == sorted(
        (len(stem.with_letters) for stem in best), reverse=True
    )


def test_every_beginning_of_four_letters_is_counted(lexicon: Lexicon) -> None:
    found = beginnings(lexicon)
    assert list(found) == sorted(found)
    assert sum(found.values()) == sum(len(word) >= 4 for word in lexicon)
    assert "zqii" not in found, "the Fribble document's example"
    assert found["zyzz"] == sum(word.startswith("zyzz") for word in lexicon)
    assert all(len(letters) == 4 and count for letters, count in found.items())


def test_statistics_count_every_word(few: Lexicon) -> None:
    found = statistics(few)
    assert found.words == len(WORDS)
    assert found.lengths == dict(sorted(Counter(map(len, WORDS)).items()))
    assert found.plurals == sum(f"{word}s" in WORDS for word in WORDS)
    assert found.plurals_share == found.plurals / len(WORDS)
    assert found.vowelless == 1
    pairs = product(WORDS, WORDS)
    assert found.anagrams == len(
        {one for one, other in pairs if one != other and sorted(one) == sorted(other)}
    )
    assert sum(found.letters.values()) == pytest.approx(1)
    assert found.letters["z"] == 3 / sum(map(len, WORDS))
    assert found.longest == ("abbess",)


def test_the_share_of_plurals_in_enable_is_that_of_the_fribble_readme(reference: Path) -> None:
    """The Fribble README counts just under 50,000 plurals in ENABLE, about 30%."""
    enable = Lexicon.from_words((reference / "words" / "enable1.txt").read_text().split(), "enable1")
    found = statistics(enable)
    assert 45_000 < found.plurals < 52_000
    assert 0.26 < found.plurals_share < 0.31


@pytest.mark.parametrize("letters", ["", "A", "a b", "ä", "a1"])
def test_what_are_no_letters_is_refused(few: Lexicon, letters: str) -> None:
    for ask in (anagrams, hooks, extensions, matching, bingos):
        with pytest.raises(BadLetters):
            ask(few, letters)
    with pytest.raises(BadLetters, match="is not a pattern"):
        matching(few, "[ab")
