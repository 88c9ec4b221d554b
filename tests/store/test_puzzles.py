"""Answers to puzzles, ratings, streaks, rushes and own puzzles."""

from datetime import date, timedelta

import pytest

from app.games.puzzle_sets import shipped_puzzles
from app.store.database import Database
from app.store.merging import Merging
from app.store.models import UnknownPlayer
from app.store.own_puzzles import OwnPuzzle, OwnPuzzles
from app.store.puzzle_rushes import RUSH_SECONDS, PuzzleRushes, RushOver
from app.store.puzzles import Given, PuzzleAttempt, PuzzleStore, UnknownPuzzle
from app.store.results import ResultStore
from tests.store.driver import AT

PUZZLES = list(shipped_puzzles("boggle").values())
RIGHT, WRONG = Given(solved=True, word="RIGHT", value=11.0), Given(solved=False, word="WRONG", value=5.0)


@pytest.fixture
def puzzles(database: Database) -> PuzzleStore:
    return PuzzleStore(database)


@pytest.fixture
def rushes(database: Database) -> PuzzleRushes:
    return PuzzleRushes(database)


@pytest.fixture
def own(database: Database) -> OwnPuzzles:
    return OwnPuzzles(database)


def test_the_first_answer_counts_and_rates_player_and_puzzle(puzzles: PuzzleStore, ada: str) -> None:
    puzzle = PUZZLES[0]
    first = puzzles.answer(ada, puzzle, RIGHT, AT)
    assert first.solved
    assert first.change is not None
    assert first.change > 0
    assert puzzles.answer(ada, puzzle, WRONG, AT + 1) == first == puzzles.attempt(ada, puzzle.id)
    standing = puzzles.standings(ada)["boggle"]
    assert (standing.attempts, standing.solved, standing.rating.value) == (1, 1, first.rating)
    assert puzzles.puzzle_ratings([puzzle.id])[puzzle.id].value < puzzle.first_rating.value
    wrong = puzzles.answer(ada, PUZZLES[1], WRONG, AT + 2)
    assert wrong.change is not None
    assert wrong.change < 0
    assert puzzles.puzzle_ratings([PUZZLES[1].id])[PUZZLES[1].id].value > PUZZLES[1].first_rating.value


def test_an_answer_in_a_rush_is_not_rated(puzzles: PuzzleStore, ada: str) -> None:
    before = puzzles.puzzle_ratings([PUZZLES[0].id])
    attempt = puzzles.answer(ada, PUZZLES[0], RIGHT, AT, rated=False)
    assert (attempt.rating, attempt.change) == (None, None)
    assert puzzles.standings(ada) == {}
    assert puzzles.puzzle_ratings([PUZZLES[0].id]) == before


def test_a_streak_is_of_solved_puzzles_of_the_day(puzzles: PuzzleStore, ada: str) -> None:
    today = date(2026, 5, 4)
    for back, given in ((3, RIGHT), (2, WRONG), (1, RIGHT), (0, RIGHT)):
        puzzles.answer(ada, PUZZLES[back], given, AT, day=today - timedelta(days=back))
    assert puzzles.streaks(ada, today) == {"boggle": 2}
    assert puzzles.streaks(ada, today + timedelta(days=2)) == {"boggle": 0}
    assert puzzles.streaks(None, today) == {}


def test_a_rush_ends_with_its_time_or_its_puzzles(rushes: PuzzleRushes, ada: str, bob: str) -> None:
    rush = rushes.open(ada, "boggle", [PUZZLES[0].id, PUZZLES[1].id], AT)
    with pytest.raises(UnknownPuzzle):
        rushes.find(bob, rush.id)
    after = rushes.answer(ada, rush.id, PUZZLES[0].id, AT + 1, solved=True)
    assert (after.solved, after.wrong, after.current) == (1, 0, PUZZLES[1].id)
    assert rushes.answer(ada, rush.id, PUZZLES[0].id, AT + 1, solved=True) == after, "sent twice"
    with pytest.raises(RushOver):
        rushes.answer(ada, rush.id, PUZZLES[1].id, AT + RUSH_SECONDS, solved=True)
    last = rushes.answer(ada, rush.id, PUZZLES[1].id, AT + RUSH_SECONDS - 1, solved=False)
    assert last.current is None
    assert last.is_over(AT + 2)
    assert (rushes.best(ada, "boggle"), rushes.best(bob, "boggle")) == (1, 0)


def test_own_puzzles_are_kept_once_and_for_their_player(own: OwnPuzzles, ada: str, bob: str) -> None:
    assert own.keep(ada, "game", {4: PUZZLES[0], 7: PUZZLES[1]}, AT) == 2
    assert own.keep(ada, "game", {4: PUZZLES[0]}, AT + 1) == 0
    first, second = own.of_player(ada)
    assert {first.ply, second.ply} == {4, 7}
    with pytest.raises(UnknownPuzzle):
        own.find(bob, first.id)
    own.answer(ada, answer_to(first, solved=True))
    own.answer(bob, answer_to(second, solved=True))
    assert own.find(ada, first.id).solved
    assert own.of_player(ada)[0] == second, "those not answered come first"
    assert own.games_with_puzzles(ada, ["game", "other"]) == {"game"}


def test_the_latest_answer_to_an_own_puzzle_is_kept_as_long_as_the_puzzle(
    puzzles: PuzzleStore, own: OwnPuzzles, monkeypatch: pytest.MonkeyPatch, ada: str
) -> None:
    own.keep(ada, "game", {4: PUZZLES[0]}, AT)
    [puzzle] = own.of_player(ada)
    for solved in (True, False):
        own.answer(ada, answer_to(puzzle, solved=solved))
        assert puzzles.attempts(ada) == [answer_to(puzzle, solved=solved)]
    monkeypatch.setattr("app.store.own_puzzles.MOST_OWN", 1)
    own.keep(ada, "another", {4: PUZZLES[1]}, AT + 1)
    assert [each.game_id for each in own.of_player(ada)] == ["another"]
    assert puzzles.attempts(ada) == []


def test_merging_keeps_one_puzzle_of_a_game_that_both_have(
    puzzles: PuzzleStore, own: OwnPuzzles, database: Database, ada: str, bob: str
) -> None:
    for player in (ada, bob):
        own.keep(player, "game", {1: PUZZLES[2]}, AT)
        own.answer(player, answer_to(own.of_player(player)[0], solved=player == ada))
    Merging(database).merge(ada, bob, AT + 9)
    [kept] = own.of_player(ada)
    assert puzzles.attempts(ada) == [answer_to(kept, solved=True)]


def answer_to(own: OwnPuzzle, *, solved: bool) -> PuzzleAttempt:
    return PuzzleAttempt(own.id, own.kind, AT, solved, "WORD", 3.0, None, None, None)


def test_merging_keeps_earlier_answers_and_the_more_tried_rating(
    puzzles: PuzzleStore, own: OwnPuzzles, database: Database, ada: str, bob: str
) -> None:
    puzzles.answer(ada, PUZZLES[0], WRONG, AT + 5)
    puzzles.answer(bob, PUZZLES[0], RIGHT, AT)
    puzzles.answer(bob, PUZZLES[1], RIGHT, AT)
    own.keep(bob, "game", {1: PUZZLES[2]}, AT)
    rated = puzzles.standings(bob)["boggle"]
    Merging(database).merge(ada, bob, AT + 9)
    assert {attempt.solved for attempt in puzzles.attempts(ada)} == {True}
    assert len(puzzles.attempts(ada)) == 2
    assert puzzles.standings(ada)["boggle"] == rated
    assert len(own.of_player(ada)) == 1
    assert puzzles.attempts(bob) == []


def test_erasing_a_player_erases_their_puzzles(
    puzzles: PuzzleStore, rushes: PuzzleRushes, own: OwnPuzzles, database: Database, ada: str
) -> None:
    puzzles.answer(ada, PUZZLES[0], RIGHT, AT)
    rushes.open(ada, "boggle", [PUZZLES[0].id], AT)
    own.keep(ada, "game", {1: PUZZLES[2]}, AT)
    ResultStore(database).erase(ada, AT)
    assert (puzzles.attempts(ada), puzzles.standings(ada), own.of_player(ada)) == ([], {}, [])
    with pytest.raises(UnknownPlayer):
        puzzles.answer(ada, PUZZLES[1], RIGHT, AT)
