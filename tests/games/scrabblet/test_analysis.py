"""The summary and analysis of a finished game."""

import json

import pytest

from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Guess, Quit
from app.words.lexicon import Lexicon
from tests.games.scrabblet.brute import words_of
from tests.games.scrabblet.guessing import HAND, guess, started


def test_the_summary_keeps_the_best_and_the_longest(game: Scrabblet) -> None:
    state = guess(game, started(game), "loot", "front", "turf", "trunt", Quit())
    summary = game.summary(state, 0)
    assert (summary.mode, summary.score, summary.words) == ("dealer", 4 + 8 + 7, 3)
    assert (summary.best_word, summary.best_points, summary.longest_word) == ("front", 8, "front")
    assert game.summary(started(game), 0).best_word == ""


def test_an_analysis_names_what_was_found_and_what_was_missed(game: Scrabblet) -> None:
    states = [started(game)]
    for move in (Guess(word="front"), Guess(word="trunt"), Quit()):
        states.append(game.apply(states[-1], 0, move, 0.0))
    analysis = game.analyse(tuple(states))
    view = game.view(states[-1], 0)
    seat = analysis.seats[0]
    assert seat.accuracy == pytest.approx(view.rank.percent)
    assert (seat.score, seat.best_word, seat.best_points) == (8, "front", 8)
    assert seat.best_score == analysis.total == sum(words_of(game.lexicon, HAND, 4).values())
    assert [found.word for found in analysis.found] == ["front"]
    missed = [word.word for word in analysis.missed if word.required]
    assert len(missed) == view.counts.required - 1
    assert "front" not in missed
    points = [word.points for word in analysis.missed if word.required]
    assert points == sorted(points, reverse=True)
    bonus = [word for word in analysis.missed if not word.required]
    assert 0 < len(bonus) <= 12
    assert {word.level for word in bonus} == {"highbrow"}
    fit = {
        word
        for word in (one.word for one in analysis.missed)
        if game.lexicon.family[game.lexicon.index(word)]
    }
    assert len(fit) == len(analysis.missed)
    json.loads(analysis.model_dump_json())


def test_a_player_who_found_nothing_has_no_accuracy(game: Scrabblet) -> None:
    state = guess(game, started(game), Quit())
    assert game.analyse((started(game), state)).seats[0].accuracy is None


def test_profanity_scores_but_is_never_required() -> None:
    rude = Scrabblet(
        Lexicon.from_words(
            ["abba", "baba", "bababa"], "rude", ranks={"abba": 1, "baba": 2}, profanity=["baba"]
        )
    )
    state = guess(rude, started(rude, rack="ab"), "baba")
    assert state.score == 8
    assert (state.found[0].required, rude.view(state, 0).counts.required) == (False, 1)
    assert "baba" not in [one.word for one in rude.analyse((state,)).missed]
