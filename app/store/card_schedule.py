"""When a card is due next: the FSRS algorithm of the library ``fsrs``.

Its random spread of intervals is off: the same answers at the same times give the same due times.
"""

from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from fsrs import Card, Rating, Scheduler, State

from app.words.recall import Grade

CardState: TypeAlias = Literal["learning", "review", "relearning"]
"""``learning``: new, or repeated after minutes. ``review``: known, repeated after days. ``relearning``:
forgotten, repeated after minutes."""
CARD_STATES: Final[tuple[CardState, ...]] = get_args(CardState)
GRADES: Final[tuple[Grade, ...]] = get_args(Grade)

_SCHEDULER: Final = Scheduler(desired_retention=0.9, enable_fuzzing=False)


class Schedule(NamedTuple):
    """The FSRS state of a card. Times are in seconds since the epoch."""

    state: CardState
    step: int | None
    """Number of short intervals completed; None in ``review``."""
    stability: float | None
    """Days until the probability of recall falls to 90%; None before the first answer."""
    difficulty: float | None
    """1 to 10; None before the first answer."""
    due: float
    last_review: float | None


def new_schedule(at: float) -> Schedule:
    """The schedule of a card that has not been answered yet: due at once."""
    return Schedule("learning", 0, None, None, at, None)


def after_answer(schedule: Schedule, grade: Grade, at: float) -> Schedule:
    """The schedule after an answer of this grade."""
    card = Card(
        card_id=0,  # the library's default is a timestamp, made unique by sleeping
        state=State(CARD_STATES.index(schedule.state) + 1),
        step=schedule.step,
        stability=schedule.stability,
        difficulty=schedule.difficulty,
        due=_moment(schedule.due),
        last_review=None if schedule.last_review is None else _moment(schedule.last_review),
    )
    answered, _ = _SCHEDULER.review_card(card, Rating(GRADES.index(grade) + 1), _moment(at))
    return Schedule(
        CARD_STATES[answered.state - 1],
        answered.step,
        answered.stability,
        answered.difficulty,
        answered.due.timestamp(),
        at,
    )


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)
