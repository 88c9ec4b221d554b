"""Lessons: every suggestion meets its step's goal, on the prepared deal and after other moves."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from app.games.game import IllegalMove
from app.games.letterpress.state import Play
from app.games.rulebook import Rulebook
from app.games.wibble.rules import Wibble
from app.rooms import ROOMS
from app.web.lesson import LEARNER, Played, Progress
from app.words.letters import ALPHABET
from tests.lessons import EACH_LESSON, LESSONS, Pupil

LONGEST_TEXT = 135
"""Characters of a step that fit the coach on the smallest phone."""
LONGEST_END = 40
LONGEST_TIP = 60


def step_of(pupil: Pupil, progress: Progress) -> Any:
    return pupil.lesson.script.steps[progress.number - 1]


@EACH_LESSON
def test_following_the_coach_reaches_every_step_in_turn(kind: str, rulebook: Rulebook) -> None:
    pupil = Pupil.of(kind, rulebook)
    steps = pupil.follow()
    numbers = [progress.number for progress in steps[:-1]]
    assert numbers == list(range(1, len(pupil.lesson.script.steps) + 1))
    assert all(progress.reading or progress.attempt for progress in steps[:-1])


@EACH_LESSON
def test_the_prepared_words_are_the_ones_suggested(kind: str, rulebook: Rulebook) -> None:
    pupil = Pupil.of(kind, rulebook)
    for progress in pupil.follow()[:-1]:
        examples = step_of(pupil, progress).examples
        if progress.attempt and progress.attempt.word:
            assert progress.attempt.word.lower() in examples, f"step {progress.number} has {examples}"


@EACH_LESSON
def test_a_step_fits_the_smallest_phone(kind: str, rulebook: Rulebook) -> None:
    steps = Pupil.of(kind, rulebook).follow()
    assert {text for each in steps[:-1] if len(text := f"{each.text} {each.tip}") > LONGEST_TEXT} == set()
    assert len(steps[-1].text) <= LONGEST_END


@EACH_LESSON
@pytest.mark.parametrize("seed", range(3))
def test_after_another_move_there_is_another_suggestion(kind: str, seed: int, rulebook: Rulebook) -> None:
    """After a random other move, the next suggestion meets the goal as well."""
    random, pupil = Random(seed), Pupil.of(kind, rulebook)

    def other_moves(progress: Progress) -> Iterator[Any]:
        for attempt in pupil.lesson.attempts(pupil.game, pupil.states[-1], step_of(pupil, progress)):
            try:
                after = pupil.game.apply(pupil.states[-1], LEARNER, attempt.move, 0.0)
            except IllegalMove:
                continue
            if pupil.game.outcome(after) is None:
                yield attempt.move

    def choose(progress: Progress) -> Any:
        if progress.attempt is None:
            return None
        goal = pupil.lesson.goals[step_of(pupil, progress).goal]
        before, move = pupil.states[-1], progress.attempt.move
        assert goal(pupil.game, Played(before, move, pupil.game.apply(before, LEARNER, move, 0.0)))
        if random.random() < 0.5:
            return None
        moves = [move for _, move in zip(range(30), other_moves(progress), strict=False)]
        return random.choice(moves) if moves else None

    steps = pupil.follow(choose)
    assert steps[-1].over


@EACH_LESSON
def test_a_skipped_step_is_over_and_no_other(kind: str, rulebook: Rulebook) -> None:
    pupil = Pupil.of(kind, rulebook)
    pupil.skips.append(pupil.states[-1].ply)
    assert pupil.progress.number == 2
    pupil.skips += [pupil.states[-1].ply] * (len(pupil.lesson.script.steps) - 1)
    assert pupil.progress.over


@EACH_LESSON
def test_whichever_steps_are_skipped_each_says_what_to_do(kind: str, rulebook: Rulebook) -> None:
    for skipped in product((False, True), repeat=len(LESSONS[kind].script.steps)):
        pupil = Pupil.of(kind, rulebook)
        while not (progress := pupil.progress).over:
            assert progress.reading or progress.attempt, f"nothing to do: {progress.text}"
            assert len(f"{progress.text} {progress.tip}") <= LONGEST_TEXT
            if progress.attempt is None or skipped[progress.number - 1]:
                pupil.skips.append(pupil.states[-1].ply)
            else:
                pupil.play(progress.attempt.move)


def test_the_first_word_of_wibble_scores_its_small_numbers(rulebook: Rulebook) -> None:
    """The second step says so; a bonus is explained only in the third."""
    pupil = Pupil.of("wibble", rulebook)
    first = pupil.progress.attempt
    assert first
    assert isinstance(pupil.game, Wibble)
    pupil.play(first.move)
    (turn,), scoring = pupil.states[-1].turns, pupil.game.scoring(pupil.states[-1].options)
    assert turn.points == sum(scoring.values[ALPHABET.index(letter)] for letter in turn.word)


def test_skipping_the_first_word_shows_that_one_is_needed(rulebook: Rulebook) -> None:
    pupil = Pupil.of("letterpress", rulebook)
    pupil.skips.append(pupil.states[-1].ply)
    first = pupil.progress
    assert first.attempt
    assert first.tip == "There are none to take yet. Tap H\u2011O\u2011U\u2011S\u2011E, then Send."
    pupil.play(first.attempt.move)
    assert pupil.progress.number == first.number
    assert pupil.progress.tip.startswith("Play ")


def test_a_closed_word_of_letterpress_is_not_suggested(rulebook: Rulebook) -> None:
    pupil = Pupil.of("letterpress", rulebook)
    step = pupil.lesson.script.steps[0]
    first = next(pupil.lesson.attempts(pupil.game, pupil.states[-1], step))
    assert first.word == "HOUSE"
    pupil.play(first.move)
    again = pupil.lesson.attempts(pupil.game, pupil.states[-1], step)
    assert first.word not in [attempt.word for attempt in again]


def test_a_word_of_letterpress_that_closes_only_closed_words_misses_the_goal(rulebook: Rulebook) -> None:
    pupil = Pupil.of("letterpress", rulebook)
    card, cards = Play(cells=(0, 1, 2, 3)), Play(cells=(0, 1, 2, 3, 4))

    def closes(before: Any, seat: int) -> bool:
        after = pupil.game.apply(before, seat, cards, 0.0)
        return pupil.lesson.goals["close"](pupil.game, Played(before, cards, after))

    start = pupil.states[-1]
    assert closes(start, LEARNER)
    assert not closes(pupil.game.apply(start, LEARNER, card, 0.0), 1 - LEARNER)


def test_a_move_that_misses_the_goal_leaves_the_step(rulebook: Rulebook) -> None:
    pupil = Pupil.of("wibble", rulebook)
    pupil.play(pupil.game.move_adapter.validate_python({"type": "shuffle"}))
    assert pupil.progress.number == 1


def test_every_room_has_a_lesson() -> None:
    assert set(LESSONS) == set(ROOMS)


@EACH_LESSON
def test_a_lesson_has_a_step_for_every_goal(kind: str) -> None:
    lesson = LESSONS[kind]
    assert {step.goal for step in lesson.script.steps if step.goal} == set(lesson.goals)


@EACH_LESSON
def test_hints_at_a_table_are_named_and_fit_a_line_or_two(kind: str) -> None:
    tips = LESSONS[kind].script.tips
    assert tips
    assert len({tip.name for tip in tips}) == len(tips)
    assert all(len(tip.text) <= LONGEST_TIP for tip in tips)
