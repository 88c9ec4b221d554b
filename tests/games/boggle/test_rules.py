"""What players of Boggle may do and see."""

from itertools import pairwise
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.games.boggle.analysis import MISSED_WORDS
from app.games.boggle.bot import bots
from app.games.boggle.deal import deal
from app.games.boggle.finding import Progress, hint_rules
from app.games.boggle.rounds import GRACE
from app.games.boggle.rules import Boggle
from app.games.boggle.solver import solver_of
from app.games.boggle.state import (
    Finish,
    HandIn,
    Hint,
    Move,
    Options,
    Richness,
    Start,
    State,
    TimeUp,
    Word,
)
from app.games.game import IllegalMove, LexiconRef, OutOfTurn
from app.words.lexicon import Lexicon
from app.words.vocabulary import LEVELS, allowed_words
from tests.examples import examples
from tests.games.playing import AT, play

ROWS = ("cats", "doge", "rinq", "team")
Given: TypeAlias = Move | tuple[int, ...] | str
CAT, CATS, DOGS, RING = (0, 1, 2), (0, 1, 2, 3), (4, 5, 6, 3), (8, 9, 10, 6)


def options(game: Boggle, **given_: object) -> Options:
    ref = LexiconRef(name=game.lexicon.name, sha256=game.lexicon.sha256)
    return Options.model_validate({"lexicon": ref, "board": ROWS} | given_)


def after(game: Boggle, *moves: tuple[int, Given], **given_: object) -> State:
    """The state of a new game after these seats' moves, one a second; a word may be its cells or its text."""
    new = game.start(options(game, **given_), 1 + max((seat for seat, _ in moves), default=0), "seed")
    return play(game, new, *((seat, made(move)) for seat, move in moves), pause=1)


def made(move: Given) -> Move:
    if isinstance(move, tuple):
        return Word(cells=move)
    return Word(word=move) if isinstance(move, str) else move


def scores(game: Boggle, state: State) -> tuple[int, ...]:
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.scores


def test_words_are_found_as_cells_or_typed(game: Boggle) -> None:
    state = after(game, (0, Start()), (0, CATS), (0, "ring"), (0, "RINGED"), (0, Finish()))
    found = state.rounds[0].found
    assert [(one.word, one.cells, one.points, one.at) for one in found[:2]] == [
        ("cats", CATS, 1, AT + 1),
        ("ring", RING, 1, AT + 2),
    ]
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.reason) == ((2,), (0,), "finished early")


@pytest.mark.parametrize(
    ("word", "result", "cells"),
    [
        ((0, 1), "too_short", (0, 1)),
        ("at", "too_short", ()),
        (" ", "too_short", ()),
        ((4, 0, 1), "not_a_word", (4, 0, 1)),
        ("qqqq", "not_a_word", ()),
        ("İé!", "not_a_word", ()),
        ("horse", "not_on_board", ()),
        ("cat", "repeated", CAT),
        (CAT, "repeated", CAT),
    ],
)
def test_wrong_words_are_told_apart_and_cost_nothing(
    game: Boggle, word: tuple[int, ...] | str, result: str, cells: tuple[int, ...]
) -> None:
    state = after(game, (0, Start()), (0, CAT), (0, word))
    report = game.view(state, 0).report
    assert report is not None
    assert (report.result, report.points, report.cells) == (result, 0, cells)
    assert [one.word for one in state.rounds[0].found] == ["cat"]
    assert game.view(state, 0).rounds[0].score == 1


@pytest.mark.parametrize(
    ("cells", "index", "says"),
    [
        ((0, 16), 1, "cell 16 is not on the board: cells are 0 to 15"),
        ((-1, 0), 0, "cell -1 is not on the board"),
        ((0, 1, 0), 2, "cell 0 is used twice"),
        ((0, 1, 3), 2, "cell 3 does not touch cell 1"),
    ],
)
def test_what_is_no_path_is_refused(game: Boggle, cells: tuple[int, ...], index: int, says: str) -> None:
    with pytest.raises(IllegalMove, match=says) as refused:
        game.apply(after(game, (0, Start())), 0, Word(cells=cells), AT)
    assert refused.value.index == index


@pytest.mark.parametrize("move", [{}, {"cells": [0, 1], "word": "ca"}, {"cells": []}, {"word": ""}])
def test_a_word_is_cells_or_a_text(move: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Boggle.move_adapter.validate_python({"type": "word"} | move)


def test_qu_is_one_cell_where_the_face_is_played(game: Boggle) -> None:
    rows = ("qixx", "tsxx", "xxxx", "xxxx")
    state = after(game, (0, Start()), (0, "quit"), (0, (0, 1, 4, 5)), board=rows, qu=True)
    assert [(one.word, one.cells, one.points) for one in state.rounds[0].found] == [
        ("quit", (0, 1, 4), 1),
        ("quits", (0, 1, 4, 5), 2),
    ]


def test_each_round_begins_with_its_own_start(game: Boggle) -> None:
    state = after(game, (0, Start()), (1, Finish()), (2, Finish()))
    with pytest.raises(OutOfTurn, match="your round has started already"):
        game.apply(state, 0, Start(), AT)
    with pytest.raises(OutOfTurn, match="your round is over"):
        game.apply(state, 1, Start(), AT)
    with pytest.raises(OutOfTurn, match="your round has not started"):
        game.apply(after(game), 0, Word(cells=CAT), AT)
    with pytest.raises(OutOfTurn, match="the game is over"):
        game.apply(after(game, (0, Finish())), 0, Word(cells=CAT), AT)
    with pytest.raises(IllegalMove, match="there is no seat 3: seats are 0 to 2"):
        game.apply(state, 3, Start(), AT)


def test_every_clock_runs_for_its_own_seat(game: Boggle) -> None:
    state = after(game, (0, Start()), (0, CAT), (1, Start()), seconds=60)
    assert [one.ends_at for one in game.view(state, 0).rounds] == [AT + 60, AT + 62]
    late = game.apply(state, 0, Word(cells=CATS), AT + 60 + GRACE)
    assert len(late.rounds[0].found) == 2
    with pytest.raises(OutOfTurn, match="time is up"):
        game.apply(state, 0, Word(cells=CATS), AT + 60.1 + GRACE)
    with pytest.raises(OutOfTurn, match="there is time left"):
        game.apply(state, 0, TimeUp(), AT + 59)

    assert game.due(state, AT + 60 + GRACE) is None
    rung = []
    while (due := game.due(state, AT + 1000)) is not None:
        rung.append((due.seat, due.at))
        state = game.apply(state, due.seat, due.move, due.at)
    assert rung == [(0, AT + 60 + GRACE), (1, AT + 62 + GRACE)]
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners, outcome.reason) == ((1, 0), (0,), "everyone has finished")
    assert [one.reason for one in state.rounds] == ["time’s up"] * 2


def test_a_game_without_a_clock_shows_its_board_at_once_and_goes_on(game: Boggle) -> None:
    untimed = options(game, seconds=None)
    state = game.start(untimed, 1, "seed")
    assert game.opening(options(game)) == ()
    for move in game.opening(untimed):
        state = game.apply(state, 0, move, AT)
    assert game.view(state, 0).board == ROWS
    assert game.due(state, AT + 10**9) is None
    assert len(game.apply(state, 0, Word(cells=CAT), AT + 10**8).rounds[0].found) == 1
    with pytest.raises(OutOfTurn, match="no clock is running"):
        game.apply(state, 0, TimeUp(), AT + 10**9)


def test_words_of_several_seats_cancel_where_that_is_the_rule(game: Boggle) -> None:
    moves: list[tuple[int, Given]] = [
        *((seat, Start()) for seat in range(3)),
        *((0, word) for word in ("cats", "ring", "dog")),
        *((1, word) for word in ("ring", "team")),
        (2, "dog"),
    ]
    done: list[tuple[int, Given]] = [(seat, Finish()) for seat in range(3)]
    assert scores(game, after(game, *moves, *done)) == (3, 2, 1)
    state = after(game, *moves, *done, cancel=True)
    assert scores(game, state) == (1, 1, 0)
    words = game.view(state, 1).rounds[1].words
    assert words is not None
    assert [(one.word, one.points, one.cancelled) for one in words] == [("ring", 0, True), ("team", 1, False)]
    assert game.summary(state, 1).score == 1
    # While seat 2 plays, only what seat 0 has found can cancel.
    words = game.view(after(game, *moves, *done[:2], cancel=True), 0).rounds[0].words
    assert words is not None
    assert [one.cancelled for one in words] == [False, True, False]


def test_nobody_sees_too_much(game: Boggle) -> None:
    state = after(game, (0, Start()), (0, CAT), (0, DOGS), (1, Start()), (1, RING))
    for seat, own in ((0, ["cat", "dogs"]), (1, ["ring"])):
        view = game.view(state, seat)
        words = view.rounds[seat].words
        assert words is not None
        assert [one.word for one in words] == own
        assert (view.rounds[1 - seat].words, view.rounds[1 - seat].score, view.solution) == (None, None, None)
        assert view.to_move == seat

    one_done = game.apply(state, 0, Finish(), AT + 9)
    first, second, watcher = (game.view(one_done, seat) for seat in (0, 1, None))
    assert first.rounds[1].words is second.rounds[0].words is None
    assert second.solution is None
    assert first.solution is not None
    assert {one.word: one.seats for one in first.solution if one.seats} == {"cat": (0,), "dogs": (0,)}
    assert (first.to_move, second.to_move, watcher.solution) == (1, 1, None)
    assert [one.words for one in watcher.rounds] == [None, None]

    over = game.apply(one_done, 1, Finish(), AT + 10)
    for seat_ in (0, 1, None):
        view = game.view(over, seat_)
        assert [one.score for one in view.rounds] == [2, 1]
        assert view.solution is not None
        assert {one.word: one.seats for one in view.solution if one.seats}["ring"] == (1,)
        assert (view.to_move, view.over) == (None, True)


def test_who_looks_back_sees_everything(game: Boggle) -> None:
    state = after(game, (0, Start()), (0, CAT), (1, Start()), (1, RING))
    view = game.reveal(state)
    assert view.board == ROWS
    assert [one.score for one in view.rounds] == [1, 1]
    assert view.solution is not None
    assert {one.word: one.seats for one in view.solution if one.seats} == {"cat": (0,), "ring": (1,)}


def test_the_board_is_seen_by_who_has_started(game: Boggle) -> None:
    state = after(game, (0, Start()), (1, Start()))
    waiting = after(game, (1, Start()))
    assert [game.view(waiting, seat).board for seat in (0, 1, None)] == [None, ROWS, None]
    assert game.view(state, None).board == ROWS
    for shown in (game.view(waiting, 0), game.view(state, None)):
        assert "seed" not in shown.model_dump()


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


def test_a_round_is_handed_in_only_by_who_has_not_started_and_with_words_of_the_board(game: Boggle) -> None:
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


def test_the_game_waits_for_the_first_that_has_not_finished(game: Boggle) -> None:
    state = after(game, (0, Start()), (1, Start()), (2, Start()))
    waited = [game.to_move(state)]
    for seat in (1, 0, 2):
        state = game.apply(state, seat, Finish(), AT + 5)
        waited.append(game.to_move(state))
    assert waited == [0, 0, 2, None]


def test_the_seed_settles_the_board_and_richness_its_words(game: Boggle) -> None:
    richness: tuple[Richness, ...] = ("plain", "fair", "rich")
    totals = []
    for name in richness:
        asked = options(game, board=None, rows=4, columns=5, richness=name)
        boards = [deal(asked, f"seed {number}", game.lexicon) for number in range(10)]
        assert boards == [deal(asked, f"seed {number}", game.lexicon) for number in range(10)]
        assert len(set(boards)) == 10
        assert all((board.grid.rows, board.grid.columns) == (4, 5) for board in boards)
        totals.append(sum(solver_of(game.lexicon).solve(board).points for board in boards))
    assert totals[0] < totals[1] < totals[2]


def test_the_analysis_tells_the_share_and_what_was_missed(game: Boggle) -> None:
    state = after(game, (0, Start()), (0, RING), (1, Start()), (1, "cats"), (0, Finish()), (1, Finish()))
    analysis = game.analyse((state,))
    points = sum(word.points for word in analysis.words)
    assert [one.accuracy for one in analysis.seats] == [100 / points] * 2
    assert [(one.score, one.best_score, one.best_word) for one in analysis.seats] == [
        (1, points, "ring"),
        (1, points, "cats"),
    ]
    assert {word.word: word.seats for word in analysis.words if word.seats} == {"ring": (0,), "cats": (1,)}
    missed = analysis.missed
    assert len(missed) == MISSED_WORDS
    assert not {"ring", "cats"} & {word.word for word in missed}
    assert all(word.level in LEVELS[:3] for word in missed)
    order = [(word.level == "highbrow", -word.points, word.word) for word in missed]
    assert order == sorted(order)


def test_the_machine_shows_no_unfit_word_but_counts_a_players_own() -> None:
    lexicon = Lexicon.from_words(["cat", "cats", "dog"], "few", ranks={"cat": 1}, profanity={"cats"})
    game = Boggle(lexicon)
    without, with_it = (
        after(game, (0, Start()), *words, (0, Finish()))
        for words in ([(0, "dog")], [(0, "dog"), (0, "cats")])
    )
    for state, shown in ((without, {"cat", "dog"}), (with_it, {"cat", "cats", "dog"})):
        solution = game.view(state, 0).solution
        assert solution is not None
        assert {one.word for one in solution} == shown
        analysis = game.analyse((state,))
        assert {one.word for one in analysis.words} == shown
        assert [one.word for one in analysis.missed] == ["cat"]
    assert game.analyse((without,)).seats[0].accuracy == 50
    assert game.analyse((with_it,)).seats[0].accuracy == pytest.approx(200 / 3)
    assert "cats" not in getattr(game.bot(game.start(options(game), 1, "seed"), 0, 5).move, "words", ())


def test_statistics_keep_the_best_word(game: Boggle) -> None:
    summary = game.summary(after(game, (0, Start()), (0, CAT), (0, CATS), (0, Finish())), 0)
    assert (summary.mode, summary.score, summary.words) == ("4x4", 2, 2)
    assert (summary.best_points, summary.longest_word) == (1, "cats")
    nothing = game.summary(after(game, (0, Finish())), 0)
    assert (nothing.score, nothing.best_word, nothing.longest_word) == (0, "", "")


@pytest.mark.parametrize("seats", [0, 7])
def test_a_table_has_one_to_six_seats(game: Boggle, seats: int) -> None:
    with pytest.raises(IllegalMove, match="Boggle is for 1 to 6 seats"):
        game.start(options(game), seats, "seed")


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({"board": ["cat", "dog"]}, "the board is 2x3, but the size is 4x4: leave"),
        ({"board": ["ca", "d1"], "rows": 2, "columns": 2}, "row 1, column 1 holds '1'"),
        ({"rows": 9}, "less than or equal to 8"),
        ({"seconds": 1}, "greater than or equal to 10"),
        ({"richness": "opulent"}, "'plain', 'fair' or 'rich'"),
    ],
)
def test_options_that_cannot_be_are_refused(game: Boggle, given_: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        options(game, **given_)


MOVE = st.one_of(
    st.builds(Start),
    st.builds(Finish),
    st.builds(lambda cells: Word(cells=cells), st.sampled_from([CAT, CATS, DOGS, RING, (0, 1), (4, 0, 1)])),
    st.builds(lambda word: Word(word=word), st.sampled_from(["team", "cat", "horse", "x"])),
    st.builds(HandIn, words=st.sampled_from([(), ("cat",), ("ring", "dogs")])),
)


@examples(60)
@given(st.lists(st.tuples(st.integers(0, 2), MOVE, st.floats(0.1, 40)), max_size=25), st.booleans())
def test_whatever_happens(game: Boggle, moves: list[tuple[int, Move, float]], cancel: bool) -> None:
    """Refused moves change nothing; the state survives storage; scores add up; secrets stay secret."""
    state, at = game.start(options(game, seconds=60, cancel=cancel), 3, "seed"), AT
    for seat, move, pause in moves:
        at += pause
        while (due := game.due(state, at)) is not None:
            state = game.apply(state, due.seat, due.move, due.at)
        try:
            state = game.apply(state, seat, move, at)
        except IllegalMove:
            continue
        assert State.model_validate_json(state.model_dump_json()) == state
    for seat in range(3):
        view = game.view(state, seat)
        own = state.rounds[seat]
        for other, one in enumerate(view.rounds):
            both = own.finished_at is not None and state.rounds[other].finished_at is not None
            assert (one.words is not None) == (other == seat or both)
        assert (view.solution is not None) == (own.finished_at is not None)
        words = [found.word for found in own.found]
        assert len(words) == len(set(words))
        if game.outcome(state) is not None:
            others = {
                found.word for number in range(3) if number != seat for found in state.rounds[number].found
            }
            counted = [found.points for found in own.found if not (cancel and found.word in others)]
            assert scores(game, state)[seat] == sum(counted) == game.summary(state, seat).score


# Find them all


def progress(game: Boggle, state: State, seat: int = 0) -> Progress:
    found = game.view(state, seat).rounds[seat].progress
    assert found is not None
    return found


def common_words_of(game: Boggle, state: State) -> list[str]:
    return [word.word for word in game.reveal(state).solution or () if word.common]


def test_common_words_are_the_goal_and_others_a_bonus(game: Boggle) -> None:
    state = after(game, (0, Start()), find_all=True)
    assert state.options.seconds is None
    common = common_words_of(game, state)
    bonus = [word.word for word in game.reveal(state).solution or () if not word.common]
    assert len(common) > 5
    assert bonus
    before = progress(game, state)
    assert (before.common, before.common_total, before.bonus) == (0, len(common), 0)
    state = after(game, (0, Start()), (0, common[0]), (0, common[1]), (0, bonus[0]), find_all=True)
    now = progress(game, state)
    assert (now.common, now.bonus, now.percent) == (2, 1, 200 / len(common))
    assert [found.points for found in state.rounds[0].found] == [1, 1, 0]
    lengths = {one.letters: (one.found, one.total) for one in now.lengths}
    for length, (found, total) in lengths.items():
        assert total == sum(len(word) == length for word in common)
        assert found == sum(len(word) == length for word in common[:2])
    state = play(game, state, (0, Finish()))
    assert scores(game, state) == (2,)
    analysis = game.analyse((state,))
    assert analysis.seats[0].accuracy == 200 / len(common)
    assert {word.word for word in analysis.words if word.common} == set(common)
    assert game.summary(state, 0).mode == "find_all"


def test_hints_spell_one_word_after_the_other_from_a_budget(game: Boggle) -> None:
    state = after(game, (0, Start()), (0, Hint(about="counts")), find_all=True)
    common = common_words_of(game, state)
    counts = progress(game, state).counts
    assert counts is not None
    assert sum(sum(row.counts) for row in counts) == len(common)
    assert {row.letter for row in counts} == {word[0] for word in common}
    state = play(game, state, *[(0, Hint(about="letter"))] * 2)
    (clue,) = progress(game, state).clues
    assert len(clue.start) == 2
    word = state.rounds[0].hints.clues[0].word
    assert (clue.start, clue.letters) == (word[:2], len(word))
    state = play(game, state, (0, Word(word=word)), (0, Hint(about="letter")))
    first, second = progress(game, state).clues
    assert first.found
    assert (len(second.start), second.found) == (1, False)
    rules = hint_rules()
    left = rules.budget - rules.counts - 3 * rules.letter
    assert progress(game, state).hints_left == left
    state = play(game, state, *[(0, Hint(about="letter"))] * left)
    for about in ("counts", "letter"):
        with pytest.raises(IllegalMove, match="not enough hints left"):
            play(game, state, (0, Hint.model_validate({"about": about})))


def test_hints_are_for_their_seat_and_show_nothing_else(game: Boggle) -> None:
    state = after(game, (0, Start()), (1, Start()), (1, Hint(about="letter")), find_all=True)
    assert progress(game, state, 1).hints_spent == hint_rules().letter
    assert game.view(state, 0).rounds[1].progress is None
    assert game.view(state, None).rounds[1].progress is None
    clue = state.rounds[1].hints.clues[0].word
    assert f'"{clue}"' not in game.view(state, 1).model_dump_json()


def test_there_are_no_hints_in_a_race(game: Boggle) -> None:
    with pytest.raises(IllegalMove, match="only in Find them all"):
        after(game, (0, Start()), (0, Hint(about="letter")))
    assert game.view(after(game, (0, Start())), 0).rounds[0].progress is None


@pytest.mark.parametrize(
    ("given_", "says"), [({"seconds": 60}, "without a clock"), ({"cancel": True}, "cancel")]
)
def test_all_is_found_without_a_clock(game: Boggle, given_: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        options(game, find_all=True, **given_)
