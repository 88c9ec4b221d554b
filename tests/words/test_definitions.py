"""Definitions from WordNet's files, as described in wndb(5WN) and as shipped by Debian."""

from pathlib import Path
from random import Random
from string import ascii_lowercase

import pytest

from app.words.definitions import Definition, Dictionary, wiktionary

LICENCE = (
    "  1 This software and database is being provided to you, the LICENSEE, by  \n"
    "  2 Princeton University under the following license.  By obtaining, using  \n"
)
TYPES = {"noun": "n", "verb": "v", "adj": "s", "adv": "r"}
"""The codes in data files; most adjectives are satellites of another."""
Words = dict[str, dict[str, list[str]]]
"""Senses by part of speech and word."""
WORDS: Words = {
    "noun": {
        "10": ["the cardinal number that is the sum of nine and one"],
        "ass": ["the fleshy part"],
        "as": ["a very poisonous metallic element"],
        "box": ["a container"],
        "boxful": ["the quantity contained in a box"],
        "mouse": ["small rodent", 'hand-operated device; "a mouse takes room | on a desk"'],
        "mouse-ear_chickweed": ["any of various plants"],
        "mousetrap": ["a trap"],
        "o'clock": ["never seen in this form"],
        "study": ["hard work"],
        "zygote": ["(genetics) the diploid cell"],
    },
    "verb": {"make": ["engage in"], "mouse": ["to go stealthily"], "study": ["consider in detail"]},
    "adj": {"dizzy": ["having a whirling sensation"], "galore": ["existing in abundance"]},
    "adv": {"well": ["in a good manner"]},
}
EXCEPTIONS = {
    "noun": "axes ax axis\nmice mouse\n",
    "verb": "made make\nmade_up make_up\n",
    "adj": "dizzier dizzy\ndizziest dizzy\n",
    "adv": "best well\n",
}


def write(folder: Path, words: Words) -> Path:
    """Write the files of these words to ``folder``."""
    for part, kind in TYPES.items():
        data, index = LICENCE, LICENCE
        for word, senses in sorted(words[part].items(), key=lambda entry: entry[0].encode()):
            offsets = []
            for sense in senses:
                offsets.append(f"{len(data):08}")
                lemma = f"{word}(ip)" if word == "galore" else word
                data += f"{offsets[-1]} 05 {kind} 01 {lemma} 0 001 @ 00001740 {kind} 0000 | {sense}  \n"
            tagged = f"{len(senses)} 2 @ ~ {len(senses)} 1"
            index += f"{word} {kind.replace('s', 'a')} {tagged} {' '.join(offsets)}  \n"
        (folder / f"data.{part}").write_text(data)
        (folder / f"index.{part}").write_text(index)
        (folder / f"{part}.exc").write_text(EXCEPTIONS[part])
    return folder


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    return write(tmp_path, WORDS)


def test_every_sense_of_a_word_has_a_definition(wordnet: Path) -> None:
    dictionary = Dictionary(wordnet)
    assert dictionary.installed
    assert dictionary.define("mouse") == (
        Definition("mouse", "noun", "small rodent"),
        Definition("mouse", "noun", 'hand-operated device; "a mouse takes room | on a desk"'),
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
        ("best", "well"),
        ("galore", "galore"),
        ("ass", "ass"),
        ("boxes", "box"),
        ("boxfuls", "boxful"),
        ("boxesful", "boxful"),
        ("s", None),
    ],
)
def test_inflected_forms_lead_to_their_word(wordnet: Path, form: str, lemma: str | None) -> None:
    assert {sense.lemma for sense in Dictionary(wordnet).define(form)} == ({lemma} if lemma else set())


def test_every_word_is_found_and_no_other(tmp_path: Path) -> None:
    random = Random(7)
    signs = ascii_lowercase[:4] + "-_'0"
    words = {"".join(random.choices(signs, k=random.randint(1, 5))) for _ in range(400)}
    path = write(tmp_path, WORDS | {"noun": {word: [f"what {word} means"] for word in words}})
    dictionary = Dictionary(path)
    for word in words:
        assert Definition(word, "noun", f"what {word} means") in dictionary.define(word)
    for word in words:
        assert dictionary.define(f"{word}x") == ()
    assert dictionary.define("ful") == ()


def test_without_the_files_there_is_a_link(tmp_path: Path) -> None:
    assert not Dictionary(tmp_path).installed
    assert Dictionary(tmp_path).define("mouse") == ()
    assert wiktionary("mouse") == "https://en.wiktionary.org/wiki/mouse"


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("mouse", "small rodent"),
        ("mice", "plural of mouse: small rodent"),
        ("made", "past of make: engage in"),
        ("making", "participle of make: engage in"),
        ("makes", "present of make: engage in"),
        ("dizziest", "superlative of dizzy: having a whirling sensation"),
        ("xyzzy", None),
    ],
)
def test_a_meaning_in_one_line_names_the_form(wordnet: Path, word: str, line: str | None) -> None:
    assert Dictionary(wordnet).in_one_line(word) == line


def test_a_long_meaning_ends_between_two_words(tmp_path: Path) -> None:
    long = "; ".join(["a meaning"] * 40) + '; "an example"'
    line = Dictionary(write(tmp_path, WORDS | {"adv": {"well": [long]}})).in_one_line("well")
    assert line is not None
    assert len(line) <= 160
    assert line.endswith(" a…")
