"""The tables with one number per letter."""

import pytest

from app.words.letters import ALPHABET, frequencies, frequencies_of, letter_values
from app.words.lexicon import Lexicon


def test_scrabble_values() -> None:
    values = dict(zip(ALPHABET, letter_values("scrabble"), strict=True))
    assert sum(values[letter] for letter in "quixotry") == 10 + 1 + 1 + 8 + 1 + 1 + 1 + 4
    assert [letter for letter in ALPHABET if values[letter] >= 8] == ["j", "q", "x", "z"]


def test_spellcast_values() -> None:
    printed = "AEIO 1; NRST 2; DGL 3; BHMPUY 4; CFVW 5; K 6; JX 7; QZ 8"
    expected = {letter.lower(): int(row[-1]) for row in printed.split("; ") for letter in row[:-2]}
    assert dict(zip(ALPHABET, letter_values("spellcast"), strict=True)) == expected


def test_frequencies_are_the_published_percentages_as_shares() -> None:
    assert frequencies("prose")[ALPHABET.index("z")] == 0.00074
    assert frequencies("prose")[ALPHABET.index("e")] == 0.13
    assert frequencies("dictionary")[ALPHABET.index("s")] == 0.087


def test_frequencies_of_a_lexicon_count_every_letter_of_every_word() -> None:
    table = frequencies_of(Lexicon.from_words(["aa", "ab"], "two"))
    assert table == (0.75, 0.25, *[0.0] * 24)


def test_an_unknown_table_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(ValueError, match="scrabble, spellcast"):
        letter_values("gold")
    with pytest.raises(ValueError, match="prose, dictionary"):
        frequencies("verse")
