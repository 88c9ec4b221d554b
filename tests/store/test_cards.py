"""Cards in the store: schedule, undoing, limits, merging and erasing."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import pytest
from fsrs import Card as LibraryCard
from fsrs import Rating, Scheduler
from hypothesis import given
from hypothesis import strategies as st

from app.store import cards as cards_module
from app.store.card_schedule import GRADES, Schedule, after_answer, new_schedule
from app.store.cards import (
    REVIEWS_KEPT,
    Card,
    CardKey,
    Cards,
    CardStatistics,
    StaleCard,
    UnknownCard,
    forget_reviews,
)
from app.store.database import Database
from app.store.merging import Merging
from app.store.models import TooMuch, UnknownPlayer
from app.store.results import ResultStore
from app.words.recall import Grade
from tests.store.driver import AT

DAY: Final = 86_400.0
RETINA: Final = CardKey("english", "retina", "anagram")
CAT: Final = CardKey("english", "cat", "hooks")
ANSWERS: Final = st.lists(st.tuples(st.sampled_from(GRADES), st.integers(0, 90 * 86_400)), max_size=12)


@pytest.fixture
def cards(database: Database) -> Cards:
    return Cards(database)


def after(answers: list[tuple[Grade, int]]) -> tuple[Schedule, float]:
    """The schedule after these grades and delays in seconds, and the time of the last grade."""
    schedule, at = new_schedule(AT), AT
    for grade, later in answers:
        at += later
        schedule = after_answer(schedule, grade, at)
    return schedule, at


@given(ANSWERS)
def test_the_schedule_is_that_of_the_library(answers: list[tuple[Grade, int]]) -> None:
    library, at = Scheduler(enable_fuzzing=False), AT
    card = LibraryCard(card_id=1, due=datetime.fromtimestamp(AT, UTC))
    for grade, later in answers:
        at += later
        rating = Rating[grade.capitalize()]
        card, _ = library.review_card(card, rating, datetime.fromtimestamp(at, UTC))
    found = after(answers)[0]
    assert found.due == card.due.timestamp()
    assert (found.state, found.step) == (card.state.name.lower(), card.step)
    assert (found.stability, found.difficulty) == (card.stability, card.difficulty)


@given(ANSWERS, st.integers(0, 90 * 86_400))
def test_a_better_grade_is_never_due_earlier(answers: list[tuple[Grade, int]], later: int) -> None:
    schedule, at = after(answers)
    dues = [after_answer(schedule, grade, at + later).due for grade in GRADES]
    assert dues == sorted(dues)
    assert dues[0] > at + later


def test_a_card_is_due_at_once_then_later(cards: Cards, ada: str, bob: str) -> None:
    assert cards.add(ada, [RETINA, CAT, RETINA], AT, "game") == 2
    assert cards.add(ada, [CAT], AT + 1) == 0
    assert [card.key for card in cards.due(ada, AT, 5)] == [CAT, RETINA]
    assert (cards.number_due(ada, AT), cards.number_due(bob, AT), cards.number_due(None, AT)) == (2, 0, 0)
    answered = cards.answer(ada, CAT, "good", AT + 5, reps=0, answer="front s, back s")
    assert answered == cards.read(ada, CAT)
    assert (answered.reps, answered.schedule.due, answered.game_id) == (1, AT + 605, "game")
    assert [card.key for card in cards.due(ada, AT + 5, 5)] == [RETINA]
    assert cards.next_due(ada) == AT
    review = cards.last_review(ada)
    assert review is not None
    assert review == (CAT, AT + 5, "good", "front s, back s")
    assert cards.last_review(bob) is None


def test_an_answer_that_comes_twice_counts_once(cards: Cards, ada: str) -> None:
    cards.add(ada, [CAT], AT)
    cards.answer(ada, CAT, "good", AT, reps=0)
    with pytest.raises(StaleCard):
        cards.answer(ada, CAT, "good", AT, reps=0)
    assert cards.read(ada, CAT).reps == 1


def test_one_of_two_concurrent_answers_counts(cards: Cards, ada: str) -> None:
    cards.add(ada, [CAT], AT)

    def attempt(grade: Grade) -> bool:
        try:
            cards.answer(ada, CAT, grade, AT, reps=0)
        except StaleCard:
            return False
        return True

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(attempt, GRADES)) == 1
    assert cards.read(ada, CAT).reps == 1


def test_an_answer_is_taken_back_and_its_grade_changed(cards: Cards, ada: str, bob: str) -> None:
    cards.add(ada, [CAT], AT)
    before = cards.read(ada, CAT)
    good = cards.answer(ada, CAT, "good", AT, reps=0)
    easy = cards.regrade(ada, "easy")
    assert easy.schedule == after_answer(before.schedule, "easy", AT)
    assert cards.regrade(ada, "good") == good
    with pytest.raises(StaleCard):
        cards.regrade(ada, "again")
    assert cards.undo(ada) == before
    assert cards.read(ada, CAT) == before
    for player in (ada, bob, None):
        with pytest.raises(UnknownCard):
            cards.undo(player)
        with pytest.raises(UnknownCard):
            cards.regrade(player, "easy")
    cards.answer(ada, CAT, "again", AT, reps=0)
    with pytest.raises(StaleCard):
        cards.regrade(ada, "easy")
    assert cards.read(ada, CAT).reps == 1


def test_statistics_count_cards_due_answered_and_remembered(
    cards: Cards, ada: str, database: Database
) -> None:
    assert cards.statistics(ada, AT, AT + DAY) == (0, 0, 0, 0, 0, 0)
    assert cards.statistics(None, AT, AT + DAY).retention is None
    cards.add(ada, [CAT, RETINA], AT)
    cards.answer(ada, CAT, "easy", AT, reps=0)
    due = cards.read(ada, CAT).schedule.due
    assert cards.statistics(ada, AT, due + 1) == CardStatistics(2, 1, 2, 1, 0, 0)
    cards.answer(ada, CAT, "good", due, reps=1)
    later = due + DAY
    forgotten = cards.answer(ada, CAT, "again", later, reps=2)
    assert forgotten.lapses == 1
    found = cards.statistics(ada, later, later + DAY)
    assert (found.reviews, found.remembered, found.retention) == (2, 1, 0.5)
    assert cards.undo(ada).lapses == 0
    forget_reviews(database, later + REVIEWS_KEPT)
    assert cards.statistics(ada, due, due + DAY).reviews == 0
    with pytest.raises(UnknownCard):
        cards.undo(ada)
    assert cards.read(ada, CAT).reps == 2, "the card stays"


def test_a_card_is_removed_with_its_answers(cards: Cards, ada: str, bob: str) -> None:
    cards.add(ada, [CAT], AT)
    cards.answer(ada, CAT, "good", AT, reps=0)
    for player, key in ((bob, CAT), (None, CAT), (ada, RETINA), (ada, CardKey("english", "\0", "hooks"))):
        with pytest.raises(UnknownCard):
            cards.remove(player, key)
        with pytest.raises(UnknownCard):
            cards.answer(player, key, "good", AT, reps=0)
    cards.remove(ada, CAT)
    assert cards.of_player(ada) == []
    assert cards.last_review(ada) is None


def test_the_number_of_cards_of_a_player_is_limited(
    cards: Cards, ada: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cards_module, "MOST_CARDS", 2)
    with pytest.raises(TooMuch):
        cards.add(ada, [CAT, RETINA, RETINA._replace(ask="hooks")], AT)
    assert cards.of_player(ada) == []
    cards.add(ada, [CAT, RETINA], AT)
    assert cards.add(ada, [CAT], AT) == 0
    with pytest.raises(TooMuch):
        cards.bring(ada, [Card(RETINA._replace(ask="hooks"), new_schedule(AT))])


def test_an_import_replaces_what_was_answered_earlier(cards: Cards, ada: str) -> None:
    cards.add(ada, [CAT, RETINA], AT)
    mine = cards.answer(ada, CAT, "good", AT + 10, reps=0)
    older = replace(mine, schedule=after_answer(new_schedule(AT), "easy", AT + 9), reps=7)
    newer = replace(older, key=RETINA)
    third = replace(older, key=RETINA._replace(word="satire"))
    assert cards.bring(ada, [older, newer, third, third]) == 2
    assert cards.of_player(ada) == [mine, newer, third]
    assert cards.bring(ada, [replace(older, schedule=older.schedule._replace(last_review=AT + 11))]) == 1
    assert cards.last_review(ada) is None, "the answer to an earlier card cannot be undone"


def test_merging_keeps_the_card_answered_later(cards: Cards, database: Database, ada: str, bob: str) -> None:
    satire = RETINA._replace(word="satire")
    cards.add(ada, [CAT, RETINA], AT)
    cards.add(bob, [CAT, RETINA, satire], AT)
    mine = cards.answer(ada, CAT, "good", AT + 20, reps=0)
    cards.answer(bob, CAT, "easy", AT + 10, reps=0)
    theirs = cards.answer(bob, RETINA, "easy", AT + 30, reps=0)
    Merging(database).merge(ada, bob, AT + 100)
    assert cards.of_player(ada) == [mine, theirs, Card(satire, new_schedule(AT), created_at=AT)]
    assert cards.of_player(bob) == []
    assert [cards.undo(ada).key for _ in range(2)] == [RETINA, CAT]
    with pytest.raises(UnknownCard):
        cards.undo(ada)


def test_erasing_a_player_deletes_their_cards(cards: Cards, results: ResultStore, ada: str, bob: str) -> None:
    for player in (ada, bob):
        cards.add(player, [CAT], AT)
        cards.answer(player, CAT, "good", AT, reps=0)
    results.erase(ada, AT)
    assert cards.of_player(ada) == []
    assert cards.last_review(ada) is None
    assert len(cards.of_player(bob)) == 1
    with pytest.raises(UnknownPlayer):
        cards.add(ada, [CAT], AT)
    with pytest.raises(UnknownPlayer):
        cards.bring(ada, cards.of_player(bob))
