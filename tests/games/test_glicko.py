"""Glicko-2 agrees with its paper and has the properties of a rating."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.glicko import (
    LARGEST_DEVIATION,
    PERIOD_SECONDS,
    SMALLEST_DEVIATION,
    Rating,
)
from tests.examples import examples

RATINGS = st.builds(
    Rating,
    value=st.floats(400, 3000),
    deviation=st.floats(SMALLEST_DEVIATION, LARGEST_DEVIATION),
    volatility=st.floats(0.03, 0.1),
)
RESULTS = st.lists(st.tuples(RATINGS, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=5)


def test_the_example_of_the_paper() -> None:
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = Rating(1500, 200).after(games, PERIOD_SECONDS)
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_new_rating_settles_within_some_fifteen_games() -> None:
    rating, games = Rating(), 0
    while rating.is_provisional:
        rating, games = rating.after([(Rating(1500, 60), games % 2)]), games + 1
    assert 8 <= games <= 16


def test_a_year_without_a_game_makes_it_uncertain_again() -> None:
    assert Rating(1600, 60).later(365 * 86_400).deviation == pytest.approx(110, abs=0.1)
    assert Rating(1600, 60).later(100 * 365 * 86_400).deviation == LARGEST_DEVIATION
    assert Rating(1600, 60).later(-5) == Rating(1600, 60)


@given(rating=RATINGS, results=RESULTS, seconds=st.floats(0, 10 * PERIOD_SECONDS))
@examples(60)
def test_a_higher_score_gains_more(
    rating: Rating, results: list[tuple[Rating, float]], seconds: float
) -> None:
    won = rating.after([(other, 1.0) for other, _ in results], seconds)
    mixed = rating.after(results, seconds)
    lost = rating.after([(other, 0.0) for other, _ in results], seconds)
    assert lost.value <= rating.value <= won.value
    assert lost.value - 1e-6 <= mixed.value <= won.value + 1e-6
    for after in (won, mixed, lost):
        assert SMALLEST_DEVIATION <= after.deviation <= LARGEST_DEVIATION
        assert 0 < after.volatility < 1
    assert rating.after(results, seconds) == mixed, "the same input gives the same digits"


@given(rating=RATINGS, other=RATINGS)
@examples(60)
def test_a_win_is_worth_more_against_a_stronger_or_better_known_player(rating: Rating, other: Rating) -> None:
    gain = rating.after([(other, 1.0)]).value
    assert gain <= rating.after([(Rating(other.value + 100, other.deviation), 1.0)]).value + 1e-6
    assert rating.expected(other) == pytest.approx(1 - other.expected(Rating(rating.value, other.deviation)))
