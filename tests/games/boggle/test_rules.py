"""The rules of Boggle: moves and visibility."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.games.boggle.analysis import MISSED_WORDS
from app.games.boggle.deal import deal
from app.games.boggle.rounds import GRACE
from app.games.boggle.rules import Boggle
from app.games.boggle.solver import solver_of
from app.games.boggle.state import Finish, HandIn, Move, Richness, Start, State, TimeUp, Word
from app.games.game import IllegalMove, OutOfTurn
from app.words.lexicon import Lexicon
from app.words.vocabulary import LEVELS
from tests.examples import examples
from tests.games.boggle.rounds import CAT, CATS, DOGS, RING, ROWS, Given, after, options, scores
from tests.games.playing import AT


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


def test_the_analysis_has_the_share_and_missed_words(game: Boggle) -> None:
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
        ({"board": ["ca", "d1"], "rows": 2, "columns": 2}, "row 2, column 2 holds '1'"),
        ({"rows": 9}, "less than or equal to 8"),
        ({"seconds": 1}, "greater than or equal to 10"),
        ({"richness": "opulent"}, "'plain', 'fair' or 'rich'"),
    ],
)
def test_impossible_options_are_refused(game: Boggle, given_: dict[str, object], says: str) -> None:
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
def test_any_moves_keep_the_rules_and_the_secrets(
    game: Boggle, moves: list[tuple[int, Move, float]], cancel: bool
) -> None:
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
