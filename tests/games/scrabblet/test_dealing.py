"""How hands are dealt, and the daily's hand."""

from functools import partial
from itertools import count, islice

import pytest

from app.games.game import IllegalMove
from app.games.scrabblet.dealing import NoSuchHand
from app.games.scrabblet.rules import Scrabblet
from app.words.lexicon import Lexicon
from app.words.vocabulary import allowed_words, level_of
from tests.games.scrabblet.brute import words_of
from tests.games.scrabblet.conftest import options


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_a_deal_gives_the_reasons_of_redraws(game: Scrabblet, seed: str) -> None:
    chosen = options(game, max_vowels=2, min_words=80, min_required=0, min_pangrams=0)
    dealt = game.dealt(chosen, seed)
    assert game.start(chosen, 1, seed).hand == dealt.hand.tiles
    assert dealt.hand.vowels <= 2
    assert dealt.words == len(words_of(game.lexicon, dealt.hand.tiles, 4)) >= 80
    for redraw in dealt.redraws:
        vowels = sum(tile in "aeiou" for tile in redraw.hand)
        if vowels > 2:
            assert (redraw.reason, redraw.count) == ("Vowel Count", vowels)
        else:
            words = len(words_of(game.lexicon, redraw.hand, 4))
            assert (redraw.reason, redraw.count) == ("Word Count", words)
            assert words < 80


def test_a_run_of_hands_ends_each_time_with_the_hand_that_is_dealt(game: Scrabblet) -> None:
    """The first hand that the dealer keeps is the one dealt, after the same redraws."""
    chosen = options(game, max_vowels=2, min_words=80, min_required=0, min_pangrams=0)
    dealt = game.dealt(chosen, "run")
    drawn = list(islice(game.drawn(chosen, "run"), len(dealt.redraws) + 10))
    assert [one.redraw for one in drawn[: len(dealt.redraws)]] == list(dealt.redraws)
    assert drawn[len(dealt.redraws)].hand == dealt.hand
    for one in drawn:
        vowels = sum(tile in "aeiou" for tile in one.hand.tiles)
        words = len(words_of(game.lexicon, one.hand.tiles, 4)) if vowels <= 2 else None
        assert one.words == words
        assert (one.redraw is None) == (words is not None and words >= 80)


@pytest.mark.parametrize("size", [5, 7, 12])
def test_a_dealt_hand_has_common_words_enough_and_one_with_every_letter(game: Scrabblet, size: int) -> None:
    for seed in map(str, range(10)):
        hand = game.start(options(game, size=size), 1, seed).hand
        common = {
            word
            for word in words_of(game.lexicon, hand, 4)
            if level_of(game.lexicon, word) in ("basic", "common")
            and allowed_words(game.lexicon)[game.lexicon.index(word) or 0]
        }
        assert len(common) >= 20, hand
        assert any(set(hand) - {"?"} <= set(word) for word in common), hand


def test_a_hand_that_cannot_be_drawn_is_refused(game: Scrabblet) -> None:
    few = Scrabblet(Lexicon.from_words(["abba"], "few"))
    with pytest.raises(NoSuchHand, match="none has 7 tiles, at most 3 vowels, at least 25 words"):
        few.dealt(options(few), "x")
    with pytest.raises(IllegalMove, match="ask for less"):
        few.start(options(few), 1, "x")


def test_a_deal_stops_on_request(game: Scrabblet) -> None:
    asked = iter((False, False, True))
    with pytest.raises(NoSuchHand, match="of 3 hands drawn, none has"):
        game.dealt(options(game, min_pangrams=100), "x", partial(next, asked))


@pytest.mark.parametrize("seed", ["monday", "tuesday", "wednesday"])
def test_the_daily_is_a_good_hand(game: Scrabblet, seed: str) -> None:
    chosen, taken = game.daily(iter([seed]))
    assert (chosen.mode, taken) == ("daily", seed)
    state = game.start(chosen, 1, taken)
    counts = game.view(state, 0).counts
    assert 30 <= counts.required <= 120
    assert counts.pangrams >= 1
    assert len(set(state.hand) - {"?"}) == 7
    assert game.start(chosen, 1, "another seed").hand == state.hand
    assert game.dealt(options(game, mode="daily"), seed).hand.tiles == state.hand


def test_days_differ(game: Scrabblet) -> None:
    seeds = (f"day {number}" for number in count())
    days = [game.daily(seeds) for _ in range(5)]
    assert len({game.start(chosen, 1, seed).hand for chosen, seed in days}) == 5


def test_the_seed_decides_the_deal(game: Scrabblet) -> None:
    assert game.dealt(options(game), "same") == game.dealt(options(game), "same")
    assert len({game.dealt(options(game), str(number)).hand.tiles for number in range(20)}) == 20
