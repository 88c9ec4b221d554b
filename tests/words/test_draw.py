"""The weighted draw of letters."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.words.draw import LetterDraw
from app.words.letters import ALPHABET, frequencies, frequencies_of
from app.words.lexicon import Lexicon

PROSE_TABLE = """
    Z 0 0.00074        Q 0.00074 0.00169  J 0.00169 0.00319  X 0.00319 0.00469  K 0.00469 0.01239
    V 0.01239 0.02219  B 0.02219 0.03719  P 0.03719 0.05619  G 0.05619 0.07619  Y 0.07619 0.09619
    F 0.09619 0.11819  M 0.11819 0.14219  W 0.14219 0.16619  C 0.16619 0.19419  U 0.19419 0.22219
    L 0.22219 0.26219  D 0.26219 0.30519  R 0.30519 0.36519  H 0.36519 0.42619  S 0.42619 0.48919
    N 0.48919 0.55619  I 0.55619 0.62619  O 0.62619 0.70119  A 0.70119 0.78319  T 0.78319 0.87419
    E 0.87419 1
"""
PROSE = LetterDraw(frequencies("prose"))
DICTIONARY = LetterDraw(frequencies("dictionary"))


def test_prose_has_exactly_the_intervals_of_the_published_table() -> None:
    cells = PROSE_TABLE.split()
    expected = [
        (letter.lower(), float(low), float(high))
        for letter, low, high in zip(cells[::3], cells[1::3], cells[2::3], strict=True)
    ]
    assert list(PROSE.intervals) == expected


@pytest.mark.parametrize(
    ("u", "letter"),
    [
        (5e-324, "z"),
        (0.00074, "z"),
        (math.nextafter(0.00074, 1), "q"),
        (0.87419, "t"),
        (math.nextafter(0.87419, 1), "e"),
        (1, "e"),
    ],
)
def test_an_interval_excludes_its_lower_bound_and_includes_its_upper(u: float, letter: str) -> None:
    assert PROSE(u) == letter


@given(u=st.floats(0, 1, exclude_min=True), draw=st.sampled_from([PROSE, DICTIONARY]))
def test_every_number_above_0_up_to_1_lies_in_the_interval_of_the_letter_drawn(
    u: float, draw: LetterDraw
) -> None:
    [holding] = [interval.letter for interval in draw.intervals if interval.low < u <= interval.high]
    assert draw(u) == holding


@pytest.mark.parametrize("u", [0, -0.1, 1.0000001, math.nan, math.inf])
def test_a_number_outside_is_refused(u: float) -> None:
    with pytest.raises(ValueError, match="above 0 and up to 1"):
        PROSE(u)


def test_a_table_that_falls_short_of_1_is_scaled_up() -> None:
    width = {interval.letter: interval.high - interval.low for interval in DICTIONARY.intervals}
    assert width["e"] == pytest.approx(0.11 / 0.9959)
    assert width["q"] == pytest.approx(0.0019 / 0.9959)


def test_many_draws_follow_the_frequencies() -> None:
    random = Random(4)
    drawn = [PROSE(1 - random.random()) for _ in range(20_000)]
    for interval in PROSE.intervals:
        assert drawn.count(interval.letter) / len(drawn) == pytest.approx(
            interval.high - interval.low, abs=0.01
        )


@given(words=st.sets(st.text(ALPHABET, min_size=1, max_size=9), min_size=1, max_size=30))
def test_the_table_of_a_lexicon_draws_exactly_its_letters(words: set[str]) -> None:
    letters = "".join(words)
    draw = LetterDraw(frequencies_of(Lexicon.from_words(words, "some")))
    assert {interval.letter for interval in draw.intervals} == set(letters)
    assert [i.low for i in draw.intervals] == [0.0, *(i.high for i in draw.intervals[:-1])]
    for letter, low, high in draw.intervals:
        assert high - low == pytest.approx(letters.count(letter) / len(letters))


@pytest.mark.parametrize(
    "table",
    [[], [1.0], [1 / 25] * 25, [1.0] * 26, [100 / 26] * 26, [-0.5, 1.5, *[0.0] * 24], [math.nan] * 26],
)
def test_a_table_that_is_no_distribution_is_refused(table: list[float]) -> None:
    with pytest.raises(ValueError, match="letter frequencies are"):
        LetterDraw(table)
