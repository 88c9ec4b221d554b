"""Whose turn it is, and until when."""

from typing import Final

from app.games.clock import check_run_out, check_time
from app.games.departures import why_gone
from app.games.fribble.state import Move, Resign, State, TimeUp
from app.games.game import Forfeit, IllegalMove, OutOfTurn

GRACE: Final = 2.0
"""Seconds after the deadline in which a move made in time may still arrive over the network."""


def check_turn(state: State, seat: int, move: Move, at: float) -> None:
    """Raise OutOfTurn if it is not this seat's turn or the move is too late.

    Raises IllegalMove if there is no such seat.
    """
    if not 0 <= seat < len(state.scores):
        raise IllegalMove(f"there is no seat {seat}: seats are 0 to {len(state.scores) - 1}")
    if state.reason is not None:
        raise OutOfTurn("the game is over")
    if seat in state.resigned:
        raise OutOfTurn(why_gone(seat, state.departures))
    if seat != state.to_move and not isinstance(move, Resign | Forfeit):
        raise OutOfTurn(f"it is the turn of seat {state.to_move}")
    if state.clocks is not None:
        (check_run_out if isinstance(move, TimeUp) else check_time)(state.clocks, at)
        return
    deadline = ends_at(state)
    late = deadline is not None and at > deadline
    if isinstance(move, TimeUp) and not late:
        raise OutOfTurn("the clock has not run out")
    if late and at > (deadline or 0) + GRACE and not isinstance(move, TimeUp | Resign | Forfeit):
        raise OutOfTurn("time is up")


def ends_at(state: State) -> float | None:
    """Return when the time of the seat to move runs out; None if no time limit is running."""
    if state.clocks is not None:
        return state.clocks.ends_at
    if state.turn_started_at is None or state.options.turn_seconds is None or state.reason is not None:
        return None
    return state.turn_started_at + state.options.turn_seconds


def next_seat(state: State) -> int:
    """Return the seat that moves after the seat to move."""
    seats = len(state.scores)
    return next(
        seat
        for seat in ((state.to_move + step) % seats for step in range(1, seats + 1))
        if seat not in state.resigned
    )
