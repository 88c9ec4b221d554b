"""The rounds of Boggle's bots."""

from itertools import pairwise

import pytest

from app.games.boggle.bot import bots
from app.games.boggle.rules import Boggle
from app.games.boggle.state import HandIn, Start
from app.games.game import IllegalMove, OutOfTurn
from app.words.vocabulary import allowed_words
from tests.games.boggle.rounds import after, options, scores
from tests.games.playing import AT


@pytest.mark.parametrize("level", range(1, 6))
def test_a_bot_hands_in_a_round_of_what_it_knows(game: Boggle, level: int) -> None:
    state = game.start(options(game, board=None), 2, "bots")
    thought = game.bot(state, 1, level)
    assert thought == game.bot(state, 1, level)
    assert thought.seconds > 0
    assert isinstance(thought.move, HandIn)
    after = game.apply(state, 1, thought.move, AT)
    assert after.rounds[1].finished_at == AT
    fit = allowed_words(game.lexicon, bots()[level - 1].vocabulary)
    for word in thought.move.words:
        index = game.lexicon.index(word)
        assert index is not None
        assert fit[index]


def test_the_levels_of_bots_are_strengths(game: Boggle) -> None:
    totals = [0] * 5
    for number in range(20):
        state = game.start(options(game, board=None), 1, f"board {number}")
        for level in range(5):
            totals[level] += scores(game, game.apply(state, 0, game.bot(state, 0, level + 1).move, AT))[0]
    assert all(weaker < stronger for weaker, stronger in pairwise(totals))


def test_only_a_player_who_has_not_started_hands_in_a_round_with_words_of_the_board(game: Boggle) -> None:
    state = after(game, (0, Start()), (1, Start()))
    with pytest.raises(OutOfTurn, match="started already"):
        game.apply(state, 0, HandIn(words=("cat",)), AT)
    fresh = game.start(options(game), 1, "seed")
    for words, says in (
        (("cat", "horse"), "'HORSE' is not a word on this board"),
        (("cat", "cat"), "counts once"),
    ):
        with pytest.raises(IllegalMove, match=says):
            game.apply(fresh, 0, HandIn(words=words), AT)
