"""Which game a day gets."""

from collections.abc import Iterator
from itertools import count

import pytest

from app.games.wibble.daily import CANDIDATES, USUAL_BEST, USUAL_WORDS, usual_seed
from app.games.wibble.rules import Wibble
from app.games.wibble.solver import FoundWord
from app.games.wibble.state import Options, Start
from app.words.vocabulary import allowed_words
from tests.games.wibble.positions import AT

DAYS = 20


def seeds(day: int) -> Iterator[str]:
    return (f"day {day}, seed {number}" for number in count())


@pytest.fixture(scope="module")
def days(wibble: Wibble) -> list[tuple[Options, str]]:
    return [wibble.daily(seeds(day)) for day in range(DAYS)]


def first_words(wibble: Wibble, options: Options, seed: str) -> list[FoundWord]:
    board = wibble.apply(wibble.start(options, 1, seed), 0, Start(), AT).board
    assert board is not None
    known = allowed_words(wibble.lexicon, "common")
    return wibble.solver.words(board, options.size, wibble.scoring(options), known)


def test_a_day_is_a_classic_game_for_one(wibble: Wibble, days: list[tuple[Options, str]]) -> None:
    for options, _ in days:
        assert (options.mode, options.size, options.turn_seconds) == ("classic", 5, None)
        assert options.lexicon.sha256 == wibble.lexicon.sha256


def test_the_days_open_on_boards_of_comparable_richness(
    wibble: Wibble, days: list[tuple[Options, str]]
) -> None:
    """Within 15% of the usual number of common words, and 15% of the usual best one's points."""
    for options, seed in days:
        found = first_words(wibble, options, seed)
        assert len(found) == pytest.approx(USUAL_WORDS, rel=0.15)
        assert found[0].points == pytest.approx(USUAL_BEST, rel=0.15)


def test_days_differ(days: list[tuple[Options, str]]) -> None:
    assert len({seed for _, seed in days}) == DAYS


def test_the_same_candidates_make_the_same_day(wibble: Wibble, days: list[tuple[Options, str]]) -> None:
    assert wibble.daily(seeds(0)) == days[0]


def test_the_nearest_to_the_usual_of_a_limited_number_is_taken() -> None:
    def words(seed: str) -> list[FoundWord]:
        number = USUAL_WORDS + 2 * int(seed)
        return [FoundWord(word="a", cells=(), points=USUAL_BEST, gems=0, swaps=())] * number

    assert usual_seed(iter(["-9", "4", "-3", "7"]), words) == "-3"
    late = [*["9"] * CANDIDATES, "0"]
    assert usual_seed(iter(late), words) == "9"


def test_a_board_without_a_word_is_no_reason_to_fail() -> None:
    assert usual_seed(iter(["poor"]), lambda _: []) == "poor"
