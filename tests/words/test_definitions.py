"""Definitions from files in the form of WordNet's."""

from pathlib import Path

import pytest

from app.words.definitions import Definition, Dictionary, wiktionary

LICENCE = "  1 This software and database is being provided to you  \n"
DATA = {
    "noun": {"mouse": ["small rodent", "hand-operated device"], "study": ["hard work"]},
    "verb": {"mouse": ["to go stealthily"], "study": ["consider in detail"], "make": ["engage in"]},
    "adj": {"dizzy": ["having a whirling sensation"]},
    "adv": {"well": ["in a good manner"]},
}
EXCEPTIONS = {"noun": "mice mouse\n", "verb": "made make\n", "adj": "dizzier dizzy\n", "adv": ""}


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    for part, words in DATA.items():
        data, index = LICENCE, LICENCE
        for word, senses in words.items():
            offsets = []
            for sense in senses:
                offsets.append(f"{len(data):08}")
                data += f"{offsets[-1]} 05 {part[0]} 01 {word} 0 001 @ 00001740 {part[0]} 0000 | {sense}  \n"
            index += f"{word} {part[0]} {len(senses)} 2 @ ~ {len(senses)} 1 {' '.join(offsets)}  \n"
        (tmp_path / f"data.{part}").write_text(data)
        (tmp_path / f"index.{part}").write_text(index)
        (tmp_path / f"{part}.exc").write_text(EXCEPTIONS[part] or " \n")
    return tmp_path


def test_every_sense_is_told(wordnet: Path) -> None:
    dictionary = Dictionary(wordnet)
    assert dictionary.installed
    assert dictionary.define("mouse") == (
        Definition("mouse", "noun", "small rodent"),
        Definition("mouse", "noun", "hand-operated device"),
        Definition("mouse", "verb", "to go stealthily"),
    )
    assert dictionary.define("zyzzyva") == ()


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("mice", "mouse"),
        ("made", "make"),
        ("making", "make"),
        ("studies", "study"),
        ("studied", None),
        ("studying", "study"),
        ("dizzier", "dizzy"),
        ("well", "well"),
        ("s", None),
    ],
)
def test_inflected_forms_lead_to_their_word(wordnet: Path, form: str, lemma: str | None) -> None:
    assert {sense.lemma for sense in Dictionary(wordnet).define(form)} == ({lemma} if lemma else set())


def test_without_the_files_there_is_a_link(tmp_path: Path) -> None:
    assert not Dictionary(tmp_path).installed
    assert Dictionary(tmp_path).define("mouse") == ()
    assert wiktionary("mouse") == "https://en.wiktionary.org/wiki/mouse"
