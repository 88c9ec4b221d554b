"""Offensive words in names are found, also in disguise; harmless names are not."""

import pytest

from app.words.family import has_offensive_word


def backwards(text: str) -> str:
    """What is written backwards here, so that nobody reads it by accident."""
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
    ],
)
def test_an_offensive_word_is_found_in_any_disguise(name: str) -> None:
    assert has_offensive_word(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ada", "Dick", "Fanny", "Willy Cox", "Scunthorpe", "Penistone", "Cassandra", "Анна", "Ελένη",
        "Łukasz", "李雷", "Møller", "R2D2", "x", "", "1", "Ada 1815", "The Lovelaces", "Assam tea",
        "Jean-Luc", "O’Neill", "🙂", "Ünal",
    ],
)  # fmt: skip
def test_a_harmless_name_is_not_refused(name: str) -> None:
    assert not has_offensive_word(name)
