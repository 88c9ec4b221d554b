"""The choice of the daily board in the games on a grid."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from app.games.boggle.rules import Boggle
from app.games.quality import ALIVE, CANDIDATES, Quality, best_seed, quality
from app.games.wibble.rules import Wibble
from app.words.lexicon import Lexicon

DAYS = 4


def seeds(day: int) -> Iterator[str]:
    return (f"day {day}, seed {number}" for number in count())


@pytest.fixture(scope="module", params=[Wibble, Boggle], ids=lambda game: game.kind)
def game(request: pytest.FixtureRequest, lexicon: Lexicon) -> Wibble | Boggle:
    rules: Wibble | Boggle = request.param(lexicon)
    return rules


def test_long_words_count_more_and_short_ones_nothing() -> None:
    words = [("cat", (0, 1, 2)), ("cats", (0, 1, 2, 3)), ("scatter", (0, 1, 2, 3))]
    assert quality(words, 4) == Quality(least_used=2, richness=8)


def test_a_board_with_a_dead_corner_is_worse_than_any_without() -> None:
    rich, alive = [("scatter", (0, 1, 2))] * 50, [("cats", (0, 1, 2, 3))] * ALIVE
    assert quality(alive, 4) > quality(rich, 4)


def test_the_best_of_a_limited_number_is_taken() -> None:
    chosen = best_seed(map(str, count()), lambda seed: Quality(ALIVE, int(seed)))
    assert int(chosen) == CANDIDATES - 1


def test_the_same_candidates_make_the_same_day_and_days_differ(game: Any) -> None:
    days = [game.daily(seeds(day)) for day in range(DAYS)]
    assert game.daily(seeds(0)) == days[0]
    assert len({seed for _, seed in days}) == DAYS
    assert all(options.lexicon.sha256 == game.lexicon.sha256 for options, _ in days)


def test_a_day_has_more_common_long_words_than_a_deal_at_random(game: Any) -> None:
    options, seed = game.daily(seeds(0))
    assert game.quality(options, seed) > game.quality(options, "any")
    assert game.quality(options, seed).least_used == ALIVE
