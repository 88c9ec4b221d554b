"""The points that wrong guesses cost, by option."""

from app.games.record import read, replay
from app.games.scrabblet.rules import Scrabblet
from app.rooms import ROOMS
from app.words.lexicon import Lexicon
from tests.games.scrabblet.guessing import guess, results, started


def test_each_guess_has_its_result_and_only_one_that_is_no_word_costs_points(game: Scrabblet) -> None:
    guesses = ["front", "front", "plot", "run", "trunt", "xq", "xqqq", "troll"]
    assert results(game, started(game, penalty=5), *guesses) == [
        ("scored", 8),
        ("duplicate", 8),
        ("not_dealt", 8),
        ("too_short", 8),
        ("not_a_word", 3),
        ("too_short", 0),
        ("not_dealt", 0),
        ("scored", 5),
    ]
    state = guess(game, started(game, penalty=5), *guesses[:6])
    assert state.report
    assert (state.report.lost, state.wrong) == (3, 2), "no word, though it is also too short"


def test_every_wrong_guess_costs_points_where_the_options_say_so(game: Scrabblet) -> None:
    guesses = ["front", "front", "trunt", "plot", "xq", "troll"]
    assert results(game, started(game, penalize="wrong_guesses"), *guesses) == [
        ("scored", 8),
        ("duplicate", 8),
        ("not_a_word", 3),
        ("not_dealt", 0),
        ("too_short", 0),
        ("scored", 5),
    ]


RECORD_BEFORE_PENALIZE = """wibble record 1
kind scrabblet
options {"mode":"dealer","hand":"ruolfnt","size":7,"max_vowels":3,"min_words":25,"min_length":4,\
"penalty":null,"lexicon":{"name":"few","sha256":"b6c9560e192913f8afb90ee2db6721f74a7ca64820bf562f08062f3ee9aa2a12"}}
seats 1
seed seed
0 0 0.0 7e17e0d5 {"type":"guess","word":"front"}
1 0 1.0 f9eb64c3 {"type":"guess","word":"loot"}
2 0 2.0 8061c011 {"type":"guess","word":"run"}
3 0 3.0 3c5ef41d {"type":"guess","word":"trunt"}
4 0 4.0 cddc5efd {"type":"guess","word":"troll"}
5 0 5.0 c0846f73 {"type":"guess","word":"plot"}
6 0 6.0 0bfc91a5 {"type":"guess","word":"front"}
7 0 7.0 5d32c56f {"type":"quit"}
"""


def test_a_record_from_before_the_option_replays_with_the_penalties_of_its_time() -> None:
    few = Scrabblet(Lexicon.from_words(["front", "loot", "run", "plot", "troll", "turf"], "few"))
    states = replay(read(RECORD_BEFORE_PENALIZE, ROOMS.games), few)
    assert [state.score for state in states] == [0, 8, 12, 7, 2, 7, 2, 2, 2]
    assert states[-1].wrong == 3


def test_the_penalty_is_an_option_and_neither_mode_has_one_by_default(game: Scrabblet) -> None:
    for choices, left in (
        ({}, 8),
        ({"penalty": 1}, 7),
        ({"mode": "daily"}, 8),
        ({"mode": "daily", "penalty": 2}, 6),
    ):
        state = started(game, **choices)
        assert guess(game, state, "front", "trunt").score == left
