"""The deep review of a finished game, by simulation from its turns."""

import pytest

from app.games.fribble.analysis import Analysis
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Challenge, Exchange, Pass, Resign, State, Write
from tests.games.fribble.test_bot import later, opened

RACKS = ("BBEFILR", "DEINRST")


def deepened(game: Fribble, states: list[State], most: int = 100) -> Analysis:
    analysis = game.analyse(tuple(states))
    for _ in range(most):
        after = game.deepen(tuple(states), analysis, lambda: False)
        if after is analysis:
            break
        assert after.searched == analysis.searched + 1
        analysis = after
    return analysis


def short_game(game: Fribble) -> list[State]:
    """BE where FRIBBLE was possible, a pointless exchange, a good play, and the end."""
    states = [opened(game).model_copy(update={"racks": RACKS})]
    for move in (Write(text="8G BE"), Exchange(tiles="DEINRST"), Resign()):
        states.append(game.apply(states[-1], states[-1].to_move, move, 0.0))
    return states


def test_every_turn_is_judged_one_after_the_other(game: Fribble) -> None:
    states = short_game(game)
    first = game.analyse(tuple(states))
    assert (first.searched, first.to_search) == (0, 2)
    analysis = deepened(game, states)
    assert (analysis.searched, analysis.to_search) == (2, 2)
    assert game.deepen(tuple(states), analysis, lambda: False) is analysis
    assert analysis == deepened(game, states), "the tiles dealt are the same each time"
    assert [seat.accuracy for seat in analysis.seats] == [seat.accuracy for seat in first.seats]


def test_a_turn_is_compared_by_the_chance_of_winning(game: Fribble) -> None:
    small, exchange = deepened(game, short_game(game)).turns
    for turn in (small, exchange):
        assert turn.played_on is not None
        assert turn.loss is not None
        shares = [move.played_on.win_share for move in turn.best if move.played_on]
        assert shares == sorted(shares, reverse=True)
        assert turn.loss == pytest.approx(shares[0] - turn.played_on.win_share)
        assert turn.loss > turn.loss_error > 0
        assert turn.verdict == "blunder"
    assert small.best[0].words == ("FRIBBLE",)
    assert small.best[0].played_on is not None
    assert small.played_on is not None
    assert 10 < (small.best[0].played_on.reply or 0) < 80
    assert small.win_share == small.played_on.win_share
    assert exchange.played_on is not None
    assert exchange.win_share == 0, "the first seat resigned"


def test_a_turn_as_good_as_the_best_loses_nothing(game: Fribble) -> None:
    states = [opened(game).model_copy(update={"racks": RACKS})]
    for move in (Write(text="8D FRIBBLE"), Resign()):
        states.append(game.apply(states[-1], states[-1].to_move, move, 0.0))
    (turn, *_) = deepened(game, states).turns
    assert turn.loss is not None
    assert turn.loss <= max(0.01, turn.loss_error)
    assert turn.verdict in ("best", "good")


def test_an_ending_is_searched_to_its_end(game: Fribble) -> None:
    """The last tile goes out for the win; passing loses the game."""
    middle = later(game, "ending", 12)
    state = middle.model_copy(
        update={"bag": "", "racks": ("E", "QV") if middle.to_move == 0 else ("QV", "E"), "scores": (200, 200)}
    )
    states = [state, game.apply(state, state.to_move, Pass(), 0.0)]
    states.append(game.apply(states[-1], states[-1].to_move, Resign(), 0.0))
    turn = deepened(game, states, most=1).turns[0]
    assert turn.played_on is not None
    assert turn.best[0].played_on is not None
    assert turn.best[0].played_on.win_share == 1
    assert turn.best[0].played_on.error == 0
    assert turn.best[0].played_on.reply is None
    assert turn.best[0].played_on.gain > turn.played_on.gain


def test_with_a_tile_in_the_bag_every_draw_is_searched(game: Fribble) -> None:
    """Far ahead, the best play wins after every draw; the pass that was played is evaluated as well."""
    middle = later(game, "ending", 12)
    mover, scores = middle.to_move, [0, 0]
    scores[mover] = 600
    state = middle.model_copy(update={"bag": "E", "racks": ("AEINRST", "AEINRST"), "scores": tuple(scores)})
    states = [state, game.apply(state, mover, Pass(), 0.0)]
    states.append(game.apply(states[-1], states[-1].to_move, Resign(), 0.0))
    turn = deepened(game, states, most=1).turns[0]
    first = turn.best[0].played_on
    assert first is not None
    assert (first.win_share, first.error, first.exact_share, first.reply) == (1, 0, 1, None)
    assert turn.played_on is not None
    assert turn.played_on.reply is None
    assert turn.loss == 1 - turn.played_on.win_share


def test_plays_that_are_no_words_and_plays_taken_back_are_judged(game: Fribble) -> None:
    states = [opened(game, challenge="double").model_copy(update={"racks": ("ACDEEIT", "AEIOUNR")})]
    moves = (Write(text="8G DCT"), Challenge(), Exchange(tiles="AU"), Resign())
    for move in moves:
        states.append(game.apply(states[-1], states[-1].to_move, move, 0.0))
    analysis = deepened(game, states)
    assert analysis.turns[0].kind == "withdrawn"
    assert analysis.searched == analysis.to_search > 1
    assert all((turn.loss or 0.0) >= 0 for turn in analysis.turns)


def test_a_play_that_is_no_word_and_draws_the_last_tile_is_judged(game: Fribble) -> None:
    """The endgame solver does not generate the play, as it is not valid."""
    middle = opened(game, challenge="double").model_copy(update={"racks": ("ACDEEIT", "AEIOUNR"), "bag": "E"})
    states = [middle, game.apply(middle, middle.to_move, Write(text="8G DCT"), 0.0)]
    states.append(game.apply(states[-1], states[-1].to_move, Resign(), 0.0))
    turn = deepened(game, states).turns[0]
    assert turn.played_on is not None
    assert (turn.played_on.exact_share, turn.played_on.reply) == (1, None)
    assert turn.loss is not None
    assert turn.loss >= 0


def test_with_no_time_a_turn_is_hardly_tried_and_called_no_mistake(game: Fribble) -> None:
    states = short_game(game)
    turn = game.deepen(tuple(states), game.analyse(tuple(states)), lambda: True).turns[0]
    assert turn.loss_error == 0.5
    assert turn.verdict in ("best", "good")


def test_games_of_more_than_two_players_are_not_searched_deeper(game: Fribble) -> None:
    three = game.start(opened(game, preset="standard").options, 3, "three")
    states = (three, game.apply(three, 0, Exchange(tiles=three.racks[0][:1]), 0.0))
    analysis = game.analyse(states)
    assert analysis.to_search == 0
    assert game.deepen(states, analysis, lambda: False) is analysis
