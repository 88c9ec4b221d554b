"""Plans: when a shuffle is better than the best word."""

from random import Random
from statistics import fmean, stdev

import pytest

from app.games.wibble.board import mix
from app.games.wibble.modes import modes
from app.games.wibble.planning import Plan, Position, gem_table, plan, points_later
from app.games.wibble.rules import Wibble
from app.games.wibble.scoring import Scoring
from app.games.wibble.state import Board
from app.words.letters import letter_values
from app.words.lexicon import Lexicon

CLASSIC = modes()["classic"]
SCORING = Scoring(letter_values(CLASSIC.values), CLASSIC.long_word_length, CLASSIC.long_word_bonus)
LOCKED = "kmlrjphfctibncwmpbseogvad"
"""Vowels far from each other: PIMP is the best word, and most shuffles have better ones."""


def planned(wibble: Wibble, letters: str, gems: int, round_: int = 3) -> Plan:
    position = Position(Board(letters=letters), 5, round_, gems)
    return plan(position, wibble.solver, SCORING, CLASSIC, gem_table(1))


@pytest.mark.parametrize("gems", [1, 2])
def test_a_board_of_one_letter_is_not_shuffled_in_vain(wibble: Wibble, gems: int) -> None:
    found = planned(wibble, "z" * 25, gems)
    assert found.word is not None
    assert not found.shuffle
    assert found.expected == found.word.points + points_later(CLASSIC, gem_table(1), 3, gems)


def test_without_a_word_a_shuffle_in_vain_is_worse_than_a_pass() -> None:
    found = planned(Wibble(Lexicon.from_words(["qat", "xyst"], "unheard")), "z" * 25, 2)
    assert (found.word, found.shuffle) == (None, False)
    assert found.expected == points_later(CLASSIC, gem_table(1), 3, 2), "a pass keeps the gems"


def test_a_shuffle_has_the_mean_value_of_the_shuffled_boards(wibble: Wibble) -> None:
    with_shuffle, without = planned(wibble, LOCKED, 1), planned(wibble, LOCKED, 0)
    assert with_shuffle.shuffle
    assert with_shuffle.expected > without.expected
    random = Random("other shuffles than the plan's")
    values = [
        planned(wibble, mix(Board(letters=LOCKED), random, lambda *_: 0, 0).letters, 0).expected
        for _ in range(200)
    ]
    assert with_shuffle.expected == pytest.approx(fmean(values), abs=stdev(values))


def test_a_second_gem_allows_a_second_shuffle(wibble: Wibble) -> None:
    once, often = planned(wibble, LOCKED, 1, 5), planned(wibble, LOCKED, 2, 5)
    assert often.shuffle
    assert often.expected > once.expected


def test_a_good_word_is_played(wibble: Wibble) -> None:
    assert not planned(wibble, "extradnuoswalsetesnignidr", 4).shuffle
