"""Several seats at one board: turns, clocks, passing, leaving, and winning."""

import pytest

from app.games.game import IllegalMove, OutOfTurn
from app.games.wibble.modes import modes
from app.games.wibble.moves import Add, Chain, Hint, Move, Pass, Resign, Shuffle, Start, Swap, TimeUp
from app.games.wibble.rules import GRACE, Wibble
from app.games.wibble.state import Board, Phase, State
from tests.games.playing import play
from tests.games.wibble.positions import AT, CAT, CATS, DOG, LETTERS, found, pinned, started, started_versus


def on_letters(state: State) -> State:
    """The same state on the board of known letters, without gems and bonuses."""
    return state.model_copy(update={"board": Board(letters=LETTERS)})


def to_the_end(game: Wibble, state: State, *words: tuple[int, ...] | None) -> State:
    """Play ``words`` in turns, each on the known board; None passes."""
    for cells in words:
        move: Move = Pass() if cells is None else Chain(cells=cells)
        state = game.apply(on_letters(state), state.to_move, move, AT)
    return state


def catch_up(game: Wibble, state: State, at: float) -> tuple[State, list[tuple[int, float]]]:
    """Apply due moves up to ``at``, as the store does; return the deadlines and seats."""
    fell_due = []
    while (due := game.due(state, at)) is not None:
        fell_due.append((due.seat, due.at))
        state = game.apply(state, due.seat, due.move, due.at)
    return state, fell_due


# Turns


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_seats_take_turns_for_five_rounds(wibble: Wibble, seats: int) -> None:
    state = started_versus(wibble, seats=seats)
    for round_ in range(1, 6):
        for seat in range(seats):
            assert (state.round, state.to_move, wibble.to_move(state)) == (round_, seat, seat)
            assert wibble.outcome(state) is None
            state = play(wibble, state, Chain(cells=found(wibble, state)[0].cells))
    assert state.phase is Phase.FINISHED
    assert wibble.to_move(state) is None
    assert [(turn.seat, turn.round) for turn in state.turns] == [
        (seat, round_) for round_ in range(1, 6) for seat in range(seats)
    ]


@pytest.mark.parametrize(
    ("mode", "seats"), [("versus", 1), ("versus", 7), ("classic", 2), ("zen", 2), ("blitz", 2), ("zen", 0)]
)
def test_a_mode_is_for_as_many_as_it_says(wibble: Wibble, mode: str, seats: int) -> None:
    with pytest.raises(IllegalMove, match=rf"is for .*, not {seats}"):
        wibble.start(pinned(wibble, mode), seats, "seed")


@pytest.mark.parametrize("mode", ["zen", "blitz"])
def test_where_there_are_no_turns_there_is_no_turn_clock(wibble: Wibble, mode: str) -> None:
    with pytest.raises(IllegalMove, match="no turns"):
        wibble.start(pinned(wibble, mode, turn_seconds=30), 1, "seed")


@pytest.mark.parametrize(
    "move", [Chain(cells=CAT), Add(cell=0), Shuffle(), Swap(cell=0, letter="q"), Hint(), Pass(), TimeUp()]
)
@pytest.mark.parametrize("seat", [1, 2, -1, 3, 99])
def test_moves_out_of_turn_or_from_a_missing_seat_are_refused(wibble: Wibble, move: Move, seat: int) -> None:
    with pytest.raises(IllegalMove, match="turn of seat 0" if seat in (1, 2) else "no seat"):
        wibble.apply(on_letters(started_versus(wibble, seats=3)), seat, move, AT)


def test_all_play_on_one_board(wibble: Wibble) -> None:
    before = on_letters(started_versus(wibble))
    after = play(wibble, before, Chain(cells=CAT))
    assert after.board is not None
    kept = [cell for cell in range(25) if cell not in CAT]
    assert [after.board.letters[cell] for cell in kept] == [LETTERS[cell] for cell in kept]
    assert wibble.view(after, 0).tiles == wibble.view(after, 1).tiles == wibble.view(after, None).tiles


def test_a_word_that_is_none_costs_no_turn(wibble: Wibble) -> None:
    after = play(wibble, on_letters(started_versus(wibble)), Chain(cells=(3, 4)))
    assert (after.to_move, after.turns) == (0, ())


def test_a_pass_scores_nothing_and_it_is_the_next_seats_turn(wibble: Wibble) -> None:
    state = play(wibble, on_letters(started_versus(wibble, seats=3)), Pass())
    assert (state.to_move, state.round, state.scores) == (1, 1, (0, 0, 0))
    assert (state.turns[0].seat, state.turns[0].word) == (0, "")
    assert state.board is not None
    assert state.board.letters == LETTERS
    assert state.report is not None
    assert (state.report.result, state.report.seat) == ("passed", 0)


def test_zen_and_blitz_have_no_turns_to_pass(wibble: Wibble) -> None:
    for mode in ("zen", "blitz"):
        with pytest.raises(IllegalMove, match="no turns to pass"):
            play(wibble, started(wibble, mode), Pass())


def test_five_rounds_of_passing_are_a_game_without_a_word(wibble: Wibble) -> None:
    state = to_the_end(wibble, started_versus(wibble), *[None] * 10)
    outcome = wibble.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((0, 0), (0, 1))


# Gems and powers


def test_each_seat_has_gems_of_its_own(wibble: Wibble) -> None:
    state = on_letters(started_versus(wibble, seats=3))
    assert state.gems == (3, 3, 3)
    state = play(wibble, state, Swap(cell=24, letter="s"))
    assert state.gems == (0, 3, 3)
    with pytest.raises(IllegalMove, match="you have 0"):
        play(wibble, state, Shuffle())
    board = Board(letters=LETTERS, gems=CATS)
    state = play(wibble, state.model_copy(update={"board": board}), Chain(cells=CATS))
    assert state.gems == (4, 3, 3)
    state = play(wibble, state, Shuffle())
    assert (state.to_move, state.gems) == (1, (4, 2, 3)), "a power is no turn"


def test_a_hint_is_for_the_seat_that_paid(wibble: Wibble) -> None:
    rich = on_letters(started_versus(wibble, seats=3)).model_copy(update={"gems": (4, 4, 4)})
    hinted = play(wibble, rich, Hint())
    assert wibble.view(hinted, 0).hint == found(wibble, rich)[0].cells
    for other in (1, 2, None):
        seen = wibble.view(hinted, other)
        assert seen.hint is None
        assert seen.report is not None
        assert (seen.report.result, seen.report.cells) == ("hinted", ())


@pytest.mark.parametrize("leaving", [Pass(), Chain(cells=CAT), Resign()])
def test_a_hint_goes_with_the_turn(wibble: Wibble, leaving: Move) -> None:
    rich = on_letters(started_versus(wibble, seats=3)).model_copy(update={"gems": (4, 4, 4)})
    after = play(wibble, rich, Hint(), leaving)
    assert after.to_move == 1
    assert [wibble.view(after, seat).hint for seat in (0, 1, 2)] == [None] * 3


def test_a_hint_stays_when_another_leaves(wibble: Wibble) -> None:
    rich = on_letters(started_versus(wibble, seats=3)).model_copy(update={"gems": (4, 4, 4)})
    after = wibble.apply(play(wibble, rich, Hint()), 2, Resign(), AT)
    assert wibble.view(after, 0).hint == found(wibble, rich)[0].cells
    assert wibble.view(after, 1).hint is None


# Who wins


def test_the_highest_score_wins(wibble: Wibble) -> None:
    state = to_the_end(wibble, started_versus(wibble, seats=3), CAT, CATS, DOG, *[None] * 12)
    outcome = wibble.outcome(state)
    assert outcome is not None
    assert outcome.scores == tuple(turn.points for turn in state.turns[:3])
    assert outcome.winners == (outcome.scores.index(max(outcome.scores)),)
    assert "5 rounds" in outcome.reason


def test_equal_scores_share_the_win(wibble: Wibble) -> None:
    state = to_the_end(wibble, started_versus(wibble, seats=3), CAT, None, CAT, *[None] * 12)
    outcome = wibble.outcome(state)
    assert outcome is not None
    assert outcome.winners == (0, 2)


# Leaving


def test_the_player_who_stays_of_two_wins_whatever_the_score(wibble: Wibble) -> None:
    ahead = play(wibble, on_letters(started_versus(wibble)), Chain(cells=CATS))
    for seat in (0, 1):
        ended = wibble.apply(ahead, seat, Resign(), AT)
        outcome = wibble.outcome(ended)
        assert outcome is not None
        assert outcome.winners == (1 - seat,)
        assert outcome.scores == ahead.scores
        assert "resigned" in outcome.reason


def test_two_of_three_play_on_when_the_player_to_move_leaves(wibble: Wibble) -> None:
    state = play(wibble, on_letters(started_versus(wibble, seats=3)), Chain(cells=CATS), Resign())
    assert (state.resigned, state.to_move, state.round) == ((1,), 2, 1)
    order = []
    while wibble.outcome(state) is None:
        order.append(state.to_move)
        state = play(wibble, state, Pass())
    assert order == [2] + [0, 2] * 4
    outcome = wibble.outcome(state)
    assert outcome is not None
    assert outcome.winners == (0,)


def test_leaving_out_of_turn_leaves_the_turn_where_it_is(wibble: Wibble) -> None:
    state = play(wibble, on_letters(started_versus(wibble, seats=4)), Add(cell=0), Add(cell=1))
    left = wibble.apply(state, 2, Resign(), AT)
    assert (left.to_move, left.chain, left.phase) == (0, (0, 1), Phase.CHAINING)
    assert left.board == state.board
    with pytest.raises(OutOfTurn, match="resigned"):
        wibble.apply(left, 2, Resign(), AT)
    with pytest.raises(OutOfTurn, match="resigned"):
        wibble.apply(left, 2, Pass(), AT)


def test_a_resigned_seat_cannot_win(wibble: Wibble) -> None:
    state = play(wibble, on_letters(started_versus(wibble, seats=3)), Chain(cells=CATS))
    state = wibble.apply(wibble.apply(state, 0, Resign(), AT), 2, Resign(), AT)
    outcome = wibble.outcome(state)
    assert outcome is not None
    assert outcome.winners == (1,)
    assert outcome.scores[0] > outcome.scores[1]


def test_leaving_in_the_last_turn_ends_the_last_round(wibble: Wibble) -> None:
    state = to_the_end(wibble, started_versus(wibble, seats=3), *[None] * 14)
    assert (state.to_move, state.round) == (2, 5)
    ended = play(wibble, state, Resign())
    outcome = wibble.outcome(ended)
    assert outcome is not None
    assert outcome.winners == (0, 1)
    assert ended.round == 5


def test_a_finished_game_takes_nothing_more_from_any_seat(wibble: Wibble) -> None:
    ended = wibble.apply(started_versus(wibble), 1, Resign(), AT)
    for seat in (0, 1):
        for move in (Pass(), Resign(), Start(), TimeUp(), Chain(cells=CAT)):
            with pytest.raises(OutOfTurn, match="the game is over"):
                wibble.apply(ended, seat, move, AT)


# The turn clock


@pytest.mark.parametrize("seconds", [30, 300])
def test_a_time_out_passes_the_turn_as_of_its_own_time(wibble: Wibble, seconds: int) -> None:
    state = started_versus(wibble, turn_seconds=seconds)
    bell = AT + seconds
    assert wibble.view(state, None).ends_at == bell
    assert wibble.due(state, bell + GRACE) is None
    due = wibble.due(state, bell + 1000)
    assert due is not None
    assert (due.seat, due.move, due.at) == (0, TimeUp(), bell + GRACE)
    after = wibble.apply(state, due.seat, due.move, due.at)
    assert (after.to_move, after.scores, after.phase) == (1, (0, 0), Phase.IDLE)
    assert wibble.view(after, None).ends_at == bell + GRACE + seconds


def test_several_time_outs_in_a_row_fall_due_one_after_the_other(wibble: Wibble) -> None:
    state, fell_due = catch_up(
        wibble, started_versus(wibble, seats=3, turn_seconds=30), AT + 3 * (30 + GRACE) + 1
    )
    assert fell_due == [(seat, AT + (seat + 1) * (30 + GRACE)) for seat in range(3)]
    assert (state.round, state.to_move) == (2, 0)


def test_a_table_left_alone_ends_by_its_clocks(wibble: Wibble) -> None:
    state, fell_due = catch_up(wibble, started_versus(wibble, seats=2, turn_seconds=300), AT + 1e9)
    assert len(fell_due) == 10
    assert fell_due[-1][1] == AT + 10 * (300 + GRACE)
    assert state.phase is Phase.FINISHED


def test_a_move_restarts_the_clock_but_a_power_does_not(wibble: Wibble) -> None:
    state = on_letters(started_versus(wibble, turn_seconds=30))
    shuffled = play(wibble, state, Shuffle(), at=AT + 20)
    assert wibble.view(shuffled, None).ends_at == AT + 30
    passed = play(wibble, shuffled, Pass(), at=AT + 25)
    assert wibble.view(passed, None).ends_at == AT + 55


def test_leaving_out_of_turn_does_not_extend_the_turn(wibble: Wibble) -> None:
    state = wibble.apply(started_versus(wibble, seats=3, turn_seconds=30), 2, Resign(), AT + 20)
    assert wibble.view(state, None).ends_at == AT + 30


def test_a_chain_counts_until_the_grace_is_over_and_no_longer(wibble: Wibble) -> None:
    state = on_letters(started_versus(wibble, turn_seconds=30))
    in_time = wibble.apply(state, 0, Chain(cells=CAT), AT + 30 + GRACE)
    assert in_time.turns[0].word == "cat"
    with pytest.raises(OutOfTurn, match="time is up"):
        wibble.apply(state, 0, Chain(cells=CAT), AT + 30 + GRACE + 0.1)
    with pytest.raises(IllegalMove, match="1 second left"):
        wibble.apply(state, 0, TimeUp(), AT + 29)


def test_a_chain_under_way_is_lost_with_the_turn(wibble: Wibble) -> None:
    state = play(wibble, on_letters(started_versus(wibble, turn_seconds=30)), Add(cell=0), Add(cell=1))
    after, _ = catch_up(wibble, state, AT + 33)
    assert (after.to_move, after.chain, after.phase) == (1, (), Phase.IDLE)


def test_classic_may_have_a_turn_clock(wibble: Wibble) -> None:
    state, fell_due = catch_up(wibble, started(wibble, "classic", turn_seconds=30), AT + 1000)
    assert [seat for seat, _ in fell_due] == [0] * 5
    assert state.phase is Phase.FINISHED


def test_without_a_clock_nothing_ever_falls_due(wibble: Wibble) -> None:
    assert wibble.due(started_versus(wibble), AT + 1e9) is None
    with pytest.raises(IllegalMove, match="no clock"):
        wibble.apply(started_versus(wibble), 0, TimeUp(), AT + 1e9)


# What is kept of it


def test_the_summary_is_of_the_seats_own_words(wibble: Wibble) -> None:
    state = to_the_end(wibble, started_versus(wibble), CATS, CAT, DOG, *[None] * 7)
    mine, theirs = wibble.summary(state, 0), wibble.summary(state, 1)
    assert (mine.mode, mine.words, mine.longest_word) == ("versus", 2, "cats")
    assert mine.score == state.scores[0]
    assert mine.best_points == max(turn.points for turn in state.turns if turn.seat == 0)
    assert (theirs.words, theirs.best_word, theirs.longest_word) == (1, "cat", "cat")
    nothing = wibble.summary(to_the_end(wibble, started_versus(wibble), *[None] * 10), 0)
    assert (nothing.words, nothing.best_word, nothing.best_points, nothing.longest_word) == (0, "", 0, "")


def test_the_analysis_counts_a_passed_turn_against_its_seat_alone(wibble: Wibble) -> None:
    states = [started_versus(wibble)]
    while wibble.outcome(states[-1]) is None:
        state = states[-1]
        move = wibble.bot(state, 0, 5).move if state.to_move == 0 else Pass()
        states.append(wibble.apply(state, state.to_move, move, AT))
    analysis = wibble.analyse(tuple(states))
    assert [turn.seat for turn in analysis.turns] == [0, 1] * 5
    assert analysis.seats[0].accuracy == pytest.approx(100)
    assert analysis.seats[1].accuracy == 0
    assert analysis.seats[1].best_word == ""


def test_the_analysis_of_a_table_that_a_player_left_has_every_turn_once(wibble: Wibble) -> None:
    states = [on_letters(started_versus(wibble, seats=3))]
    for seat, move in ((0, Chain(cells=CATS)), (1, Resign()), (2, Pass()), (2, Resign())):
        states.append(wibble.apply(states[-1], seat, move, AT))
    analysis = wibble.analyse(tuple(states))
    assert [(turn.seat, turn.word) for turn in analysis.turns] == [(0, "cats"), (2, "")]
    assert len(analysis.seats) == 3


@pytest.mark.parametrize("mode", ["versus", "teams"])
@pytest.mark.parametrize("leaver", [0, 3])
@pytest.mark.parametrize("leaving", [Resign(), TimeUp()], ids=["resigned", "out of time"])
def test_a_turn_after_a_player_left_is_planned_from_its_own_board(
    wibble: Wibble, mode: str, leaver: int, leaving: Move
) -> None:
    """After a player leaves on their own turn, the next turn is analysed from the board it started with."""
    state = play(wibble, started(wibble, mode, seats=4, clock_seconds=60), *[Pass()] * leaver)
    before = state.model_copy(update={"board": Board(letters="z" * len(LETTERS))})
    assert before.clocks is not None
    at = before.clocks.ends_at if isinstance(leaving, TimeUp) else AT
    after = wibble.apply(before, leaver, leaving, at or AT)
    after = after.model_copy(update={"board": Board(letters=LETTERS)})
    last = wibble.apply(after, after.to_move, Chain(cells=CAT), at or AT)
    assert wibble.analyse((before, after, last)).turns == wibble.analyse((after, last)).turns


def test_versus_is_classic_in_turns() -> None:
    alike = {"title", "blurb", "seats"}
    assert modes()["versus"].model_dump(exclude=alike) == modes()["classic"].model_dump(exclude=alike)
    assert modes()["versus"].seats == (2, 6)
