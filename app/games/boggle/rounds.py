"""A seat's round: when it runs, and the points it scores."""

from collections.abc import Sequence
from typing import Final

from app.games.boggle.analysis import finders_of
from app.games.boggle.state import Options, Round, State
from app.games.game import OutOfTurn

GRACE: Final = 2.0
"""Seconds after the deadline in which a word found in time may still arrive over the network."""


def has_seen(round_: Round) -> bool:
    """Return whether the seat may have seen the board: it has started, or finished without starting."""
    return round_.started_at is not None or round_.finished_at is not None


def ends_at(round_: Round, options: Options) -> float | None:
    """Return when the round's time limit expires; None if no clock is running."""
    if round_.started_at is None or options.seconds is None:
        return None
    return round_.started_at + options.seconds


def check_deadline(round_: Round, options: Options, at: float) -> None:
    """Raise OutOfTurn unless this round's time limit has expired."""
    end = ends_at(round_, options)
    if end is None or at < end:
        raise OutOfTurn("no clock is running" if end is None else "there is time left")


def check_clock(round_: Round, options: Options, at: float) -> None:
    """Raise OutOfTurn unless words count in this round now."""
    if round_.started_at is None:
        raise OutOfTurn("your round has not started")
    end = ends_at(round_, options)
    if end is not None and at > end + GRACE:
        raise OutOfTurn("time is up")


def cancelled_words(rounds: Sequence[Round | None], options: Options) -> set[str]:
    """Return the words found in more than one of these rounds; empty unless the rules cancel them."""
    finders = finders_of([round_ or Round() for round_ in rounds])
    return {word for word, seats in finders.items() if options.cancel and len(seats) > 1}


def scores_of(state: State) -> tuple[int, ...]:
    """Return each seat's points, without cancelled words."""
    cancelled = cancelled_words(state.rounds, state.options)
    return tuple(
        sum(found.points for found in round_.found if found.word not in cancelled) for round_ in state.rounds
    )
