"""The ranks, from beginner to queen."""

from hypothesis import given
from hypothesis import strategies as st

from app.games.scrabblet.ranks import rank_of, ranks
from app.games.scrabblet.rules import Scrabblet
from tests.games.scrabblet.guessing import guess, started


def test_all_required_words_make_a_queen_whatever_the_penalties(game: Scrabblet) -> None:
    state = started(game)
    required = [one.word for one in game.goal(state).required.listed()]
    almost = game.view(guess(game, state, *required[:-1]), 0).rank
    assert almost.name != "Queen"
    assert almost.next
    assert almost.next.points == almost.total
    top = game.view(guess(game, state, *required, "trunt"), 0).rank
    assert (top.name, top.percent, top.next) == ("Queen", 100, None)


def test_there_are_nine_ranks_from_beginner_to_queen() -> None:
    names = [rank.name for rank in ranks()]
    assert (len(names), names[0], names[-1]) == (9, "Beginner", "Queen")
    percents = [rank.percent for rank in ranks()]
    assert percents == sorted(set(percents))
    assert (percents[0], percents[-1]) == (0, 100)


@given(st.integers(0, 500), st.integers(0, 500))
def test_a_rank_is_the_highest_whose_share_is_reached(points: int, total: int) -> None:
    points = min(points, total)
    reached = [n for n, rank in enumerate(ranks()) if total and 100 * points >= rank.percent * total]
    assert rank_of(points, total) == max(reached, default=0)
