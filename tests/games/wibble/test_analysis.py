"""The analysis of a finished game, compared with the best moves."""

import pytest

from app.games.wibble.analysis import Analysis
from app.games.wibble.moves import Chain, Hint, Move, Resign, Shuffle, Swap
from app.games.wibble.puzzles import WibblePuzzles
from app.games.wibble.rules import Wibble
from app.games.wibble.state import State
from app.web.site.own_puzzles import own_puzzles
from app.words.vocabulary import is_common
from tests.games.playing import play
from tests.games.wibble.positions import AT, CAT, found, on_known_board, started


def analysed(game: Wibble, first: State, *moves: Move) -> Analysis:
    states = [first]
    for move in moves:
        states.append(game.apply(states[-1], 0, move, AT))
    return game.analyse(tuple(states))


def best(game: Wibble, state: State) -> Chain:
    return Chain(cells=found(game, state)[0].cells)


def test_the_best_word_every_turn_is_a_perfect_game(wibble: Wibble) -> None:
    states = [started(wibble)]
    for _ in range(5):
        states.append(wibble.apply(states[-1], 0, best(wibble, states[-1]), AT))
    analysis = wibble.analyse(tuple(states))
    assert analysis.seats[0].accuracy == pytest.approx(100)
    assert analysis.seats[0].score == analysis.seats[0].best_score == states[-1].scores[0]
    assert [turn.share for turn in analysis.turns] == [1.0] * 5


def test_a_turn_shows_what_was_played_the_best_and_the_share(wibble: Wibble) -> None:
    state = on_known_board(wibble)
    analysis = analysed(wibble, state, Chain(cells=CAT), Resign())
    (turn,) = analysis.turns
    top = found(wibble, state)[0]
    assert (turn.word, turn.points, turn.cells) == ("cat", 5, CAT)
    assert turn.best.points == top.points > 5
    assert turn.share == 5 / turn.best.points
    assert analysis.seats[0].accuracy == pytest.approx(100 * 5 / turn.best.points)
    assert "".join(tile.letter for tile in turn.tiles) == state.board.letters  # type: ignore[union-attr]


def test_the_missed_words_are_known_words_that_were_there_and_not_played(wibble: Wibble) -> None:
    state = on_known_board(wibble)
    analysis = analysed(wibble, state, Chain(cells=CAT), Resign())
    missed = [word.word for word in analysis.missed]
    assert missed
    assert "cat" not in missed
    assert {word.level for word in analysis.missed} <= {"basic", "common", "highbrow"}
    for word in analysis.missed:
        assert "".join(state.board.letters[cell] for cell in word.cells) == word.word  # type: ignore[union-attr]
    assert [word.points for word in analysis.missed] == sorted(
        (word.points for word in analysis.missed), reverse=True
    )


def test_a_turn_with_a_hint_does_not_count_for_accuracy(wibble: Wibble) -> None:
    state = on_known_board(wibble)
    assert analysed(wibble, state, Hint(), best(wibble, state), Resign()).seats[0].accuracy is None


def test_the_board_of_a_turn_is_the_one_after_shuffles_and_swaps(wibble: Wibble) -> None:
    states = [on_known_board(wibble, "classic").model_copy(update={"gems": (4,)})]
    for move in (Shuffle(), Swap(cell=0, letter="s")):
        states.append(wibble.apply(states[-1], 0, move, AT))
    states.append(wibble.apply(states[-1], 0, best(wibble, states[-1]), AT))
    (turn,) = wibble.analyse(tuple(states)).turns
    assert turn.tiles == wibble.view(states[-2], 0).tiles
    assert turn.with_swap is None, "the gems for a swap were spent"


def test_with_gems_in_hand_the_best_swap_is_shown(wibble: Wibble) -> None:
    state = on_known_board(wibble, "classic")
    (turn,) = analysed(wibble, state, Chain(cells=CAT)).turns
    assert turn.with_swap is not None
    assert len(turn.with_swap.swaps) == 1
    assert turn.with_swap.points > turn.best.points


def test_the_plan_counts_the_gems_it_leaves(wibble: Wibble) -> None:
    states = [started(wibble, "classic", "planned game")]
    while wibble.to_move(states[-1]) is not None:
        states.append(wibble.apply(states[-1], 0, wibble.bot(states[-1], 0, 5).move, AT))
    analysis = wibble.analyse(tuple(states))
    for turn in analysis.turns:
        assert turn.plan is not None
        assert not turn.plan.shuffle
        assert turn.plan.word is not None
        assert turn.plan.word.word == turn.word
        assert turn.plan.lost == pytest.approx(0, abs=1)
    assert analysis.turns[-1].plan is not None
    assert analysis.turns[-1].plan.expected == states[-1].scores[0]
    assert analysis.seats[0].accuracy == pytest.approx(100, abs=1.5)


@pytest.mark.parametrize("moves", [(), (Shuffle(),)])
def test_a_turn_is_tried_again_from_where_it_was_planned(wibble: Wibble, moves: tuple[Move, ...]) -> None:
    """A swap belongs to the turn's plan, even if a refused word follows it; a shuffle starts a new one."""
    states = [started(wibble, "classic", "seed 0").model_copy(update={"gems": (3 + len(moves),)})]
    for move in (*moves, Swap(cell=24, letter="q"), Chain(cells=(24, 23, 22))):
        states.append(wibble.apply(states[-1], 0, move, AT))
    planned = states[len(moves)]
    states.append(wibble.apply(states[-1], 0, Chain(cells=found(wibble, states[-1])[-1].cells), AT))
    (turn,) = wibble.analyse(tuple(states)).turns
    assert turn.ply == planned.ply + 2
    assert WibblePuzzles().state_before(states, turn.ply) is planned
    own = own_puzzles(wibble, WibblePuzzles(), states, {"turns": [turn.model_dump()]}, 0)
    assert set(own) == ({planned.ply} if not moves else set()), "after the shuffle nothing is clearly best"


def test_a_weak_word_loses_the_expected_points_of_its_turn(wibble: Wibble) -> None:
    analysis = analysed(wibble, on_known_board(wibble, "classic"), Chain(cells=CAT))
    (turn,) = analysis.turns
    assert turn.plan is not None
    assert turn.plan.lost > 20
    assert analysis.seats[0].accuracy == pytest.approx(100 * turn.points / (turn.points + turn.plan.lost))
    assert analysed(wibble, on_known_board(wibble), Chain(cells=CAT)).turns[0].plan is None


def test_common_words_are_distinguished_from_bonus_words(wibble: Wibble) -> None:
    state = on_known_board(wibble)
    there = found(wibble, state)
    common = [word for word in there if is_common(wibble.lexicon, wibble.lexicon.index(word.word))]
    rare = next(word for word in there if word not in common)
    for word, expected in ((common[0], True), (rare, False)):
        (turn,) = analysed(wibble, state, Chain(cells=word.cells)).turns
        assert turn.common is expected
        assert turn.common_words == len(common)
        assert turn.bonus_words is not None
        assert 0 < turn.bonus_words <= len(there) - len(common), "no name and no profanity is counted"


def test_an_analysis_stored_before_there_were_plans_is_readable(wibble: Wibble) -> None:
    analysis = analysed(wibble, on_known_board(wibble, "classic"), Chain(cells=CAT))
    stored = analysis.model_dump(mode="json")
    for turn in stored["turns"]:
        for name in ("plan", "common", "common_words", "bonus_words"):
            del turn[name]
    old = Analysis.model_validate(stored).turns[0]
    assert (old.plan, old.common, old.common_words) == (None, None, None)


def test_in_blitz_a_word_played_before_is_not_the_best_any_more(wibble: Wibble) -> None:
    first = on_known_board(wibble, "blitz")
    top = best(wibble, first)
    second = play(wibble, first, top)
    again = second.model_copy(update={"board": first.board})
    states = (first, again, play(wibble, again, Chain(cells=CAT)))
    turns = wibble.analyse(states).turns
    assert turns[0].best.cells == top.cells
    assert turns[1].best.word != turns[0].best.word


def test_a_game_without_a_word_has_no_accuracy(wibble: Wibble) -> None:
    analysis = analysed(wibble, started(wibble), Resign())
    assert analysis.seats[0].accuracy is None
    assert analysis.turns == ()
    assert analysis.seats[0].best_word == ""


def test_in_blitz_the_score_is_the_only_measure(wibble: Wibble) -> None:
    first = on_known_board(wibble, "blitz")
    seat = wibble.analyse((first, play(wibble, first, best(wibble, first)))).seats[0]
    assert (seat.accuracy, seat.score > 0) == (None, True)
    assert wibble.measure("blitz") is None
    for mode in ("zen", "classic", "versus"):
        measure = wibble.measure(mode)
        assert measure is not None
        assert measure.title == "Accuracy"
