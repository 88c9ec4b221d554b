"""Performance: how a game's accuracy compares with that of the bots."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.performance import performance
from app.resources import resource

MEASURED = tomllib.loads((resource("data") / "ratings.toml").read_text(encoding="utf-8"))
KINDS = sorted(MEASURED["accuracy"])


def test_performance_is_measured_where_turns_are_judged() -> None:
    assert KINDS == ["fribble", "letterpress", "wibble"]


@pytest.mark.parametrize("kind", KINDS)
def test_playing_as_accurately_as_a_bot_gives_its_rating(kind: str) -> None:
    accuracies, ratings = MEASURED["accuracy"][kind], [value for value, _ in MEASURED["bots"][kind]]
    best = 0.0
    for accuracy, rating in zip(accuracies, ratings, strict=True):
        if accuracy > best:
            assert performance(kind, accuracy) == pytest.approx(rating, abs=5)
        best = max(best, accuracy)


@pytest.mark.parametrize("kind", KINDS)
@given(st.floats(0, 100), st.floats(0, 100))
def test_more_accuracy_is_no_lower_performance(kind: str, one: float, other: float) -> None:
    low, high = (performance(kind, accuracy) for accuracy in sorted((one, other)))
    assert low is not None
    assert high is not None
    assert low <= high


def test_without_accuracy_or_a_measure_there_is_no_performance() -> None:
    assert performance("wibble", None) is None
    assert performance("scrabblet", 50.0) is None
