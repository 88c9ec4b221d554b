"""Offensive words in names are found, also in disguise; harmless names are not."""

import pytest

from app.words.family import has_offensive_word


def backwards(text: str) -> str:
    """Reverse a text: offensive words are written backwards here, so as not to be read by accident."""
    return text[::-1]


@pytest.mark.parametrize(
    "name",
    [
        backwards("tihs"),
        backwards("TIHS"),
        backwards("yppah tihs a"),
        backwards("t i h s"),
        backwards("tiihhs"),
        backwards("t1h5"),
        backwards("t!h$"),
        backwards("t\u0456h\u0455"),
        backwards("\uff54\uff49\uff48\uff53"),
        backwards("tíhš"),
        "_" + backwards("tihs") + "-7",
        backwards("3l0hssa"),
        backwards("+ihs"),
        backwards("r366in"),
        backwards("\u0442\u0456\u04bb\u0455"),  # Cyrillic
        backwards("\u03c4\u03b9h\u0455"),  # Greek
        backwards("\u1d1b\u026a\u029c\ua731"),  # small capitals
        backwards("\u0287\u0131\u0265s"),  # turned
        backwards("\U0001f183\U0001f178\U0001f177\U0001f182"),  # in black squares
        backwards("\U0001f1f9\U0001f1ee\U0001f1ed\U0001f1f8"),  # the letters of flags
        backwards("t\u0336i\u0336h\u0336s\u0336"),  # struck through
        backwards("uoy .K.C.U.F"),
        "Big" + backwards("tihS"),
    ],
)
def test_an_offensive_word_is_found_in_any_disguise(name: str) -> None:
    assert has_offensive_word(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ada", "Dick", "Fanny", "Willy Cox", "Scunthorpe", "Penistone", "Cassandra", "Анна", "Ελένη",
        "Łukasz", "李雷", "Møller", "R2D2", "x", "", "1", "Ada 1815", "The Lovelaces", "Assam tea",
        "Jean-Luc", "O’Neill", "🙂", "Ünal", "McDonald", "J. R. R. Tolkien", "Ada 66",
        "🇮🇹 Rosa", "B+", "C (8)", "DeShawn", "Michał", "Øyvind", "Ångström",
    ],
)  # fmt: skip
def test_a_harmless_name_is_not_refused(name: str) -> None:
    assert not has_offensive_word(name)
