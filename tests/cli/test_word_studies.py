"""The word studies of `wibble words`."""

import json
from pathlib import Path

import pytest

from tests.cli.shells import wibble


@pytest.fixture(autouse=True)
def _plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("WIBBLE_WORDNET_DIR", str(tmp_path))


def test_anagram() -> None:
    status, output = wibble("words", "anagram", "RETINA?", "--limit", "2")
    assert status == 0
    assert "words, 2 shown; use --limit to list more" in output
    assert "0 words" in wibble("words", "anagram", "zzzz")[1]
    assert "stop" in wibble("words", "anagram", "fpost", "--min-length", "4")[1]


def test_a_list_that_would_take_minutes_is_refused() -> None:
    for command in (["stems"], ["pattern", "*"]):
        status, output = wibble("words", *command, "--limit", "99999999")
        assert status == 2
        assert "Invalid value for '--limit': 10000 or less expected, 99999999 given" in output


def test_hooks() -> None:
    output = wibble("words", "hooks", "PARTRIDGE")[1]
    assert "Back hooks s" in output
    assert "Front hooks none" in output
    assert "Beginning with it partridgeberries" in output


def test_pattern() -> None:
    output = wibble("words", "pattern", "fribbl*")[1]
    assert "fribble drs" in output
    assert "7 words" in output


def test_stems() -> None:
    output = wibble("words", "stems", "satine")[1]
    assert "r anestri antsier nastier" in output
    assert "none with " in output
    assert "aeinst" in wibble("words", "stems")[1]


def test_every_beginning_of_four_letters_is_listed() -> None:
    status, output = wibble("words", "stats", "--lexicon", "enable", "--beginnings")
    assert status == 0
    words = output.split()
    counts = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert counts["zyzz"] == 2
    assert "zqii" not in counts
    assert sum(counts.values()) == 172_823 - 96 - 972, "all but the words of two and three letters"
    as_json = json.loads(wibble("words", "stats", "--lexicon", "enable", "--beginnings", "--json")[1])
    assert as_json == {"lexicon": "enable", "beginnings": counts}
    summary = wibble("words", "stats", "--lexicon", "enable")[1]
    assert f"Beginnings of four letters {len(counts):,} of 456,976; most words: over " in summary


def test_stats() -> None:
    output = wibble("words", "stats")[1]
    assert "Words 244,804" in output
    assert "of words are such plurals" in output


def test_define_without_and_with_a_dictionary(tmp_path: Path) -> None:
    assert "mouse: https://en.wiktionary.org/wiki/mouse" in wibble("words", "define", "Mouse")[1]
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"{part}.exc").write_text("mice mouse\n")
        (tmp_path / f"index.{part}").write_text("mouse n 1 1 @ 1 1 00000002\n" if part == "noun" else " \n")
        (tmp_path / f"data.{part}").write_text("  00000002 05 n 01 mouse 0 000 | small rodent\n")
    assert "mice (noun of mouse): small rodent" in wibble("words", "define", "mice")[1]
    assert "Meaning" in wibble("words", "anagram", "mouse")[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("anagram", "a1"), "'a1' are not letters; accepted: a to z, and ? for any letter"),
        (("hooks", "a?"), "'a?' is not a word"),
        (("pattern", "[ab"), "'[ab' is not a pattern"),
        (("stems", "a?"), "'a?' is not a word"),
        (("define", "a1"), "'a1' is not a word"),
        (("stats", "--lexicon", "nope"), "there is no lexicon named 'nope'"),
    ],
)
def test_impossible_input_is_refused(arguments: tuple[str, ...], says: str) -> None:
    status, output = wibble("words", *arguments)
    assert status == 2
    assert says in output


def test_study_lists() -> None:
    assert "vowel-dumps" in wibble("words", "study")[1]
    found = wibble("words", "study", "q-without-u", "--length", "4", "--lexicon", "enable")[1]
    assert "qaid" in found
    assert "4 words" in found
    status, output = wibble("words", "study", "none")
    assert status == 2
    assert "'none'" in output
