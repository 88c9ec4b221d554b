"""Classic: bonuses, gems and powers."""

import pytest

from app.games.game import IllegalMove, OutOfTurn
from app.games.wibble.moves import Add, Chain, Hint, Shuffle, Swap
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Bonus, Phase
from tests.games.playing import play
from tests.games.wibble.positions import (
    CAT,
    CATS,
    LETTERS,
    PLANE,
    best_word,
    bonus,
    found,
    letters,
    on_known_board,
    started,
)


def test_the_letter_bonus_multiplies_its_letter_only(wibble: Wibble) -> None:
    state = on_known_board(wibble, "classic", letter_bonus=bonus(0, 3))
    assert play(wibble, state, Chain(cells=CAT)).scores == (5 * 3 + 1 + 2,)


def test_the_word_bonus_doubles_the_word_but_not_the_long_word_bonus(wibble: Wibble) -> None:
    #  plane + t (13): PLANET, 6 letters: P4 L3 A1 N2 E1 T2
    state = on_known_board(wibble, "classic", word_bonus=bonus(15, 2))
    state = play(wibble, state, Swap(cell=14, letter="t"), Chain(cells=(*PLANE, 14)))
    assert state.scores == (2 * (4 + 3 + 1 + 2 + 1 + 2) + 10,)


def test_letter_bonus_and_word_bonus_work_together(wibble: Wibble) -> None:
    state = on_known_board(wibble, "classic", letter_bonus=bonus(0, 2), word_bonus=bonus(2, 2))
    assert play(wibble, state, Chain(cells=CAT)).scores == ((2 * 5 + 1 + 2) * 2,)


def test_the_word_bonus_comes_with_the_second_round(wibble: Wibble) -> None:
    state = started(wibble, "classic")
    assert state.board is not None
    assert state.board.letter_bonus is not None
    assert state.board.word_bonus is None
    state = best_word(wibble, state)
    assert state.round == 2
    assert state.board is not None
    assert state.board.word_bonus is not None
    assert state.board.word_bonus.factor == 2


def test_the_bonuses_move_every_turn(wibble: Wibble) -> None:
    seen = set()
    for seed in range(30):
        before = started(wibble, "classic", str(seed))
        after = best_word(wibble, before)
        assert before.board is not None
        assert after.board is not None
        seen.add((before.board.letter_bonus, after.board.letter_bonus))
    assert sum(before != after for before, after in seen) > 20
    assert {bonus.factor for pair in seen for bonus in pair if isinstance(bonus, Bonus)} == {2, 3}


def test_five_words_end_the_game(wibble: Wibble) -> None:
    state = started(wibble, "classic")
    for round_ in range(1, 6):
        assert state.round == round_
        assert wibble.outcome(state) is None
        state = best_word(wibble, state)
    outcome = wibble.outcome(state)
    assert state.phase is Phase.FINISHED
    assert state.round == 5
    assert outcome is not None
    assert outcome.scores == (sum(turn.points for turn in state.turns),)
    assert "5 rounds" in outcome.reason
    with pytest.raises(OutOfTurn, match="the game is over"):
        play(wibble, state, Chain(cells=CAT))


def test_gems_start_at_three_lie_on_ten_tiles_and_are_topped_up(wibble: Wibble) -> None:
    state = started(wibble, "classic")
    assert state.gems == (3,)
    for _ in range(4):
        assert state.board is not None
        assert len(set(state.board.gems)) == 10
        state = best_word(wibble, state)


def test_a_gem_tile_gives_its_gem_and_ten_is_the_most(wibble: Wibble) -> None:
    state = on_known_board(wibble, "classic", gems=CATS)
    after = play(wibble, state, Chain(cells=CAT))
    assert after.gems == (6,)
    assert after.turns[-1].gems == 3
    rich = play(wibble, state.model_copy(update={"gems": (9,)}), Chain(cells=CATS))
    assert rich.gems == (10,)


def test_a_swap_costs_three_and_changes_one_letter(wibble: Wibble) -> None:
    state = on_known_board(wibble, "classic", gems=(24,), letter_bonus=bonus(24, 2))
    after = play(wibble, state, Swap(cell=24, letter="s"))
    assert after.gems == (0,)
    assert letters(after) == LETTERS[:24] + "s"
    assert after.board is not None
    assert (after.board.gems, after.board.letter_bonus) == ((24,), bonus(24, 2))


def test_a_swap_to_the_same_letter_is_refused(wibble: Wibble) -> None:
    with pytest.raises(IllegalMove, match="is Z already"):
        play(wibble, on_known_board(wibble, "classic"), Swap(cell=24, letter="z"))


def test_a_shuffle_costs_one_and_keeps_every_tile_with_what_it_carries(wibble: Wibble) -> None:
    state = on_known_board(wibble, "classic", gems=(2, 10), letter_bonus=bonus(22, 3), word_bonus=bonus(8, 2))
    after = play(wibble, state, Shuffle())
    assert after.gems == (2,)
    assert sorted(letters(after)) == sorted(LETTERS)
    assert letters(after) != LETTERS
    board = after.board
    assert board is not None
    assert sorted(letters(after)[cell] for cell in board.gems) == sorted(LETTERS[cell] for cell in (2, 10))
    assert board.letter_bonus is not None
    assert board.word_bonus is not None
    assert letters(after)[board.letter_bonus.cell] == "q"
    assert letters(after)[board.word_bonus.cell] == "g"


def test_a_hint_costs_four_and_shows_the_best_word_to_its_seat_alone(wibble: Wibble) -> None:
    state = on_known_board(wibble, "classic").model_copy(update={"gems": (4,)})
    after = play(wibble, state, Hint())
    best = found(wibble, state)[0]
    assert after.gems == (0,)
    assert wibble.view(after, 0).hint == best.cells
    watched = wibble.view(after, None)
    assert watched.hint is None
    assert watched.report is not None
    assert watched.report.cells == ()
    assert play(wibble, after, Chain(cells=best.cells)).turns[-1].hinted


@pytest.mark.parametrize(("move", "gems"), [(Shuffle(), 0), (Swap(cell=0, letter="b"), 2), (Hint(), 3)])
def test_a_power_one_cannot_pay_for_is_refused(wibble: Wibble, move: Shuffle, gems: int) -> None:
    state = on_known_board(wibble, "classic").model_copy(update={"gems": (gems,)})
    with pytest.raises(IllegalMove, match=rf"you have {gems}"):
        play(wibble, state, move)


def test_powers_wait_until_the_chain_is_released(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble, "classic"), Add(cell=0))
    with pytest.raises(OutOfTurn, match="a chain is under way"):
        play(wibble, state, Shuffle())
