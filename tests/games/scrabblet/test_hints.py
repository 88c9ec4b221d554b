"""Hints, which count words and show none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.game import IllegalMove
from app.games.scrabblet.hints import hints
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Hint
from tests.games.scrabblet.guessing import guess, started


def test_hints_are_shown_on_request_and_follow_the_words_found(game: Scrabblet) -> None:
    state = guess(game, started(game), "front")
    assert game.view(state, 0).hints is None
    state = guess(game, state, Hint())
    shown = game.view(state, 0).hints
    assert shown
    left = [one.word for one in game.goal(state).required.listed() if one.word != "front"]
    assert (
        shown.words == len(left) == sum(row.total for row in shown.grid) == sum(s.words for s in shown.starts)
    )
    assert game.view(state, None).hints is None
    with pytest.raises(IllegalMove, match="shown already"):
        guess(game, state, Hint())
    after = game.view(guess(game, state, left[0]), 0).hints
    assert after
    assert after.words == shown.words - 1


@given(st.lists(st.text("abc", min_size=2, max_size=6), unique=True))
def test_hints_count_every_word_once(words: list[str]) -> None:
    hinted = hints(words, 0)
    for row in hinted.grid:
        for length, number in zip(hinted.lengths, row.counts, strict=True):
            assert number == sum(word[0] == row.letter and len(word) == length for word in words)
    assert {start.letters: start.words for start in hinted.starts} == {
        word[:2]: sum(other.startswith(word[:2]) for other in words) for word in words
    }
