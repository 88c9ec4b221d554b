"""Chaining, cleaning up and the three modes, as a player meets them."""

import pytest

from app.games.game import IllegalMove, OutOfTurn
from app.games.record import BrokenRecord, read, replay, write
from app.games.wibble.modes import modes
from app.games.wibble.moves import Add, Back, Chain, Hint, Move, Release, Resign, Shuffle, Start, Swap, TimeUp
from app.games.wibble.rules import GRACE, Wibble
from app.games.wibble.state import Bonus, Phase, State
from app.rooms import ROOMS
from app.words.lexicon import Lexicon
from tests.games.playing import play
from tests.games.wibble.positions import (
    AT,
    CAT,
    CATS,
    DOG,
    LETTERS,
    PLANE,
    XX,
    bonus,
    found,
    on_known_board,
    pinned,
    started,
)


def letters(state: State) -> str:
    assert state.board is not None
    return state.board.letters


def result(state: State) -> str:
    assert state.report is not None
    return state.report.result


# Chaining


def test_tile_by_tile_and_all_at_once_are_the_same_word(wibble: Wibble) -> None:
    state = on_known_board(wibble)
    by_hand = play(wibble, state, Add(cell=0), Add(cell=1), Add(cell=2), Release())
    at_once = play(wibble, state, Chain(cells=CAT))
    assert [turn.word for turn in by_hand.turns] == [turn.word for turn in at_once.turns] == ["cat"]
    assert by_hand.scores == at_once.scores == (5,)  # C3 A1 T1


def test_going_back_to_the_second_to_last_tile_backs_up_one(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble), Add(cell=0), Add(cell=1), Add(cell=2), Add(cell=1))
    assert state.chain == (0, 1)
    assert state.phase is Phase.CHAINING


def test_going_back_further_than_one_tile_is_refused(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble), Add(cell=0), Add(cell=1), Add(cell=6))
    with pytest.raises(IllegalMove, match="cell 0 is in the chain already"):
        play(wibble, state, Add(cell=0))


def test_backing_up_from_the_only_tile_returns_to_idle(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble), Add(cell=0), Back())
    assert state.phase is Phase.IDLE
    assert state.chain == ()


def test_a_single_tile_is_dropped_silently(wibble: Wibble) -> None:
    state = on_known_board(wibble)
    dropped = play(wibble, state, Chain(cells=(12,)))
    assert result(dropped) == "dropped"
    assert (dropped.board, dropped.scores, dropped.turns) == (state.board, state.scores, state.turns)


def test_no_word_is_reported_costs_nothing_and_leaves_the_board(wibble: Wibble) -> None:
    state = on_known_board(wibble, "classic")
    missed = play(wibble, state, Chain(cells=XX))
    assert result(missed) == "not_a_word"
    assert missed.report is not None
    assert missed.report.word == "xx"
    assert (missed.board, missed.scores, missed.gems, missed.round) == (
        state.board,
        state.scores,
        state.gems,
        state.round,
    )
    assert missed.phase is Phase.IDLE


# Zen with the rule of the document: the tiles of every chain released are replaced


def test_a_chain_that_is_no_word_loses_its_tiles_and_scores_nothing(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble, replace="releases"), Hint())
    by_hand = play(wibble, state, Add(cell=4), Add(cell=9), Release())
    at_once = play(wibble, state, Chain(cells=XX))
    for missed in (by_hand, at_once):
        assert missed.report is not None
        assert (missed.report.result, missed.report.word, missed.report.replaced) == (
            "not_a_word",
            "xx",
            True,
        )
        assert missed.report.cells == XX
        assert letters(missed) != LETTERS
        for cell, (was, is_now) in enumerate(zip(LETTERS, letters(missed), strict=True)):
            assert was == is_now or cell in XX
        assert len(found(wibble, missed)) >= state.options.min_words, "drawn again until there are words"
        assert (missed.scores, missed.turns, missed.chain) == ((0,), (), ())
        assert (missed.phase, missed.hint) == (Phase.IDLE, None)


def test_a_word_scores_as_ever_and_a_single_tile_stays(wibble: Wibble) -> None:
    state = on_known_board(wibble, replace="releases")
    usual = on_known_board(wibble)
    scored, as_usual = (play(wibble, each, Chain(cells=CAT)) for each in (state, usual))
    assert (scored.board, scored.scores, scored.report) == (as_usual.board, as_usual.scores, as_usual.report)
    dropped = play(wibble, state, Chain(cells=(4,)))
    assert (result(dropped), dropped.board) == ("dropped", state.board)


@pytest.mark.parametrize(("mode", "seats"), [("classic", 1), ("blitz", 1), ("versus", 2)])
def test_other_modes_do_not_replace_releases(wibble: Wibble, mode: str, seats: int) -> None:
    with pytest.raises(IllegalMove, match="replaces the tiles of words only; in Zen it may be all releases"):
        wibble.start(pinned(wibble, mode, replace="releases"), seats, "seed")


def test_an_analysis_judges_words_on_the_boards_they_were_played_on(wibble: Wibble) -> None:
    states = [on_known_board(wibble, replace="releases")]
    moves: list[Move] = [Chain(cells=XX), Chain(cells=DOG), Chain(cells=(20, 21)), Resign()]
    for move in moves:
        states.append(play(wibble, states[-1], move))
    analysis = wibble.analyse(tuple(states))
    assert [turn.word for turn in analysis.turns] == ["dog"]
    assert "".join(tile.letter for tile in analysis.turns[0].tiles) == letters(states[1])
    assert analysis.turns[0].best.points == found(wibble, states[1])[0].points


RECORD_BEFORE_REPLACE = """wibble record 1
kind wibble
options {"mode":"zen","size":4,"values":null,"frequencies":"prose","minimum_words":2,"turn_seconds":null,\
"lexicon":{"name":"few","sha256":"09153d5afd7a09a187120c8c40db0b52a139c14ba925ae8495323a1085bb0188"}}
seats 1
seed seed
0 0 0.0 a8127141 {"type":"start"}
1 0 1.0 c906432e {"type":"chain","cells":[0,5]}
2 0 2.0 9f5d0997 {"type":"chain","cells":[0,1,2]}
3 0 3.0 7d188b87 {"type":"chain","cells":[5]}
4 0 4.0 a65b366d {"type":"chain","cells":[1,5,8]}
5 0 5.0 5ac92a3d {"type":"add","cell":3}
6 0 6.0 c383726c {"type":"add","cell":7}
7 0 7.0 41a4ca55 {"type":"release"}
8 0 8.0 ca518d73 {"type":"resign"}
"""


def test_a_record_from_before_the_option_replays_and_keeps_its_board() -> None:
    words = "an to it at on in as is he or of tea sea ant eat"
    few = Wibble(Lexicon.from_words(words.split(), "few"))
    states = replay(read(RECORD_BEFORE_REPLACE, ROOMS.games), few)
    assert states[3].report.result == "not_a_word"
    assert states[3].board == states[2].board
    assert states[-1].scores == (5,)


def test_a_record_keeps_the_option(wibble: Wibble) -> None:
    states = [wibble.start(pinned(wibble, "zen", replace="releases"), 1, "seed")]
    moves: list[Move] = [Start(), Chain(cells=(0, 1)), Chain(cells=(0, 1)), Resign()]
    for move in moves:
        states.append(play(wibble, states[-1], move))
    text = write(wibble, tuple(states), "seed", [(0, move, AT) for move in moves])
    assert '"replace":"releases"' in text
    assert replay(read(text, ROOMS.games), wibble) == tuple(states)
    with pytest.raises(BrokenRecord):
        replay(read(text.replace('"releases"', '"words"'), ROOMS.games), wibble)


@pytest.mark.parametrize(
    ("cells", "index", "reason"),
    [
        ((0, 1, 0), 2, "already"),
        ((0, 1, 2, 1), 3, "already"),
        ((0, 2), 1, "does not touch"),
        ((4, 5), 1, "does not touch"),  # the row's end does not wrap round
        ((0, 25), 1, "not on the board"),
        ((-1,), 0, "not on the board"),
        (tuple(range(10_000)), 5, "does not touch"),
    ],
)
def test_a_malformed_chain_names_the_tile_at_fault(
    wibble: Wibble, cells: tuple[int, ...], index: int, reason: str
) -> None:
    with pytest.raises(IllegalMove, match=reason) as refused:
        play(wibble, on_known_board(wibble), Chain(cells=cells))
    assert refused.value.index == index


def test_a_whole_chain_replaces_one_left_lying(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble), Add(cell=24), Add(cell=23), Chain(cells=CAT))
    assert [turn.word for turn in state.turns] == ["cat"]


# The clean-up


def test_used_tiles_are_replaced_and_no_others(wibble: Wibble) -> None:
    before = on_known_board(wibble)
    after = play(wibble, before, Chain(cells=PLANE))
    kept = [cell for cell in range(25) if cell not in PLANE]
    assert [letters(after)[cell] for cell in kept] == [LETTERS[cell] for cell in kept]


def test_a_clean_up_leaves_enough_words(wibble: Wibble) -> None:
    for seed in range(20):
        state = started(wibble, seed=str(seed), min_words=60)
        assert wibble.solver.count(letters(state), 5) >= 60
        best = found(wibble, state)[0]
        state = play(wibble, state, Chain(cells=best.cells))
        assert wibble.solver.count(letters(state), 5) >= 60


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_boards_of_every_size_are_dealt(wibble: Wibble, size: int) -> None:
    assert len(letters(started(wibble, size=size))) == size * size


def test_the_same_seed_and_moves_deal_the_same_tiles(wibble: Wibble) -> None:
    def game(seed: str) -> State:
        state = started(wibble, "classic", seed)
        best = found(wibble, state)[0]
        return play(wibble, state, Shuffle(), Chain(cells=(0,)), Chain(cells=best.cells[:1]))

    assert game("one") == game("one")
    assert letters(game("one")) != letters(game("two"))


# Classic


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
    with pytest.raises(OutOfTurn, match="finished"):
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


# Zen and Blitz


def test_zen_goes_on_until_its_player_finishes(wibble: Wibble) -> None:
    state = started(wibble)
    for _ in range(7):
        state = best_word(wibble, state)
    assert wibble.outcome(state) is None
    ended = play(wibble, state, Resign())
    assert wibble.outcome(ended) is not None
    assert ended.scores == state.scores


def test_zen_hints_and_shuffles_are_free_and_there_are_no_swaps(wibble: Wibble) -> None:
    state = play(wibble, started(wibble), Hint(), Shuffle())
    with pytest.raises(IllegalMove, match="Zen has no swap"):
        play(wibble, state, Swap(cell=0, letter="q"))


def test_in_blitz_a_word_counts_once(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble, "blitz"), Chain(cells=CAT))
    state = state.model_copy(update={"board": on_known_board(wibble).board})
    again = play(wibble, state, Chain(cells=CAT))
    assert result(again) == "repeated"
    assert again.scores == state.scores
    assert again.board == state.board


def test_in_blitz_the_bell_ends_the_game_and_not_before(wibble: Wibble) -> None:
    state = play(wibble, on_known_board(wibble, "blitz"), Chain(cells=CAT))
    bell = AT + 120
    with pytest.raises(IllegalMove, match="there is 1 second left"):
        play(wibble, state, TimeUp(), at=bell - 1)
    assert wibble.due(state, bell + GRACE) is None
    due = wibble.due(state, bell + GRACE + 0.1)
    assert due is not None
    assert (due.seat, due.move) == (0, TimeUp())
    ended = play(wibble, state, TimeUp(), at=bell)
    assert wibble.outcome(ended) is not None
    assert ended.scores == state.scores
    assert ended.reason == "time’s up"


def test_a_chain_released_in_time_may_arrive_a_little_late_but_no_later(wibble: Wibble) -> None:
    state = on_known_board(wibble, "blitz")
    assert play(wibble, state, Chain(cells=DOG), at=AT + 120 + GRACE).turns
    with pytest.raises(OutOfTurn, match="time is up"):
        play(wibble, state, Chain(cells=DOG), at=AT + 120 + GRACE + 0.1)


def test_the_board_is_hidden_until_the_clock_runs(wibble: Wibble) -> None:
    fresh = wibble.start(started(wibble, "blitz").options, 1, "seed")
    assert wibble.view(fresh, 0).tiles == ()
    with pytest.raises(OutOfTurn, match="start it first"):
        play(wibble, fresh, Chain(cells=CAT))
    with pytest.raises(OutOfTurn, match="started already"):
        play(wibble, started(wibble, "blitz"), Start())


# What is seen


def test_a_view_never_tells_the_seed(wibble: Wibble) -> None:
    state = started(wibble, "classic", seed="the-secret-of-this-game")
    for seat in (0, None):
        assert "the-secret-of-this-game" not in wibble.view(state, seat).model_dump_json()


def test_a_swear_word_is_the_players_own_but_never_the_machines(wibble: Wibble) -> None:
    swear = "fuck"
    board = swear.ljust(25, "q")
    state = started(wibble, min_words=0)
    state = state.model_copy(update={"board": state.board.model_copy(update={"letters": board})})  # type: ignore[union-attr]
    hint = play(wibble, state, Hint()).hint or ()
    assert "".join(board[cell] for cell in hint) != swear
    assert found(wibble, state)[0].word == swear
    assert play(wibble, state, Chain(cells=(0, 1, 2, 3))).turns[-1].word == swear


def test_every_mode_has_a_title_and_says_what_it_is() -> None:
    assert list(modes()) == ["zen", "classic", "blitz", "versus", "teams", "adventure"]
    assert all(mode.title and mode.blurb for mode in modes().values())


def best_word(game: Wibble, state: State) -> State:
    best = found(game, state)[0]
    return play(game, state, Chain(cells=best.cells))
