"""A clock per player: a total time for the whole game, which runs only in the player's own turns.

After each completed turn the clock gains an increment, as on a Fischer clock (US patent 4,884,255). A player
whose time runs out is out of the game. Unlike a limit per turn, there is no grace period: gained in every
turn, it would add more than the total of a short clock.
"""

from typing import Annotated, Any, Final

from pydantic import Field, ValidationInfo, field_validator

from app.games.game import Frozen, OutOfTurn

OUT_OF_TIME: Final = "out of time"
"""Why a game ended in which only one player had time left."""
BEGIN_WITHIN: Final = 600
"""Seconds for the first move, before the clocks run; after that the other player may claim the game."""
BOT_SHARE: Final = 0.05
"""A bot pauses in a turn for at most this share of its time, so that it never runs out."""


class ClockChoices(Frozen):
    """The options of a clock per player."""

    clock_seconds: Annotated[int, Field(ge=10, le=14 * 86_400)] | None = None
    """Each player's time for the whole game, which runs in their own turns; None for no such clock. A player
    whose time runs out is out of the game."""
    increment_seconds: Annotated[int, Field(ge=0, le=86_400)] = 0
    """Seconds a player gains with each completed turn, with a clock per player."""

    @field_validator("increment_seconds")
    @classmethod
    def _has_a_clock(cls, seconds: int, info: ValidationInfo) -> int:
        if seconds and info.data.get("clock_seconds", 0) is None:
            raise ValueError("needs a clock per player: set clock_seconds too")
        return seconds

    @field_validator("turn_seconds", check_fields=False)
    @classmethod
    def _one_clock(cls, seconds: Any, info: ValidationInfo) -> Any:
        if seconds is not None and info.data.get("clock_seconds") is not None:
            raise ValueError("a game has a limit per turn or a clock per player (clock_seconds), not both")
        return seconds


def start_time_limit(seconds: int | None) -> int | None:
    """Return the time limit of the move that starts a clock of ``seconds``: as many, at least ten minutes."""
    return None if seconds is None else max(BEGIN_WITHIN, seconds)


class Clocks(Frozen):
    """The clocks of a game; at most one runs."""

    left: tuple[float, ...]
    """Per seat: seconds left, for a running clock as of ``since``. Never negative."""
    running: int | None = None
    """The seat whose clock runs; None before the start and after the end."""
    since: float | None = None
    """When its turn began, in seconds since the epoch."""
    out: tuple[int, ...] = ()
    """The seats whose time ran out, in order."""

    @property
    def ends_at(self) -> float | None:
        """When the running clock runs out, in seconds since the epoch; None if no clock runs."""
        return None if self.running is None or self.since is None else self.since + self.left[self.running]

    def has_run_out(self, at: float) -> bool:
        """Whether the running clock has no time left at ``at``."""
        return self.ends_at is not None and at >= self.ends_at

    def left_at(self, at: float) -> tuple[float, ...]:
        """Return the seconds left per seat at ``at``; times before the turn began count as its beginning."""
        used = 0.0 if self.since is None else max(0.0, at - self.since)
        return tuple(
            max(0.0, seconds - used) if seat == self.running else seconds
            for seat, seconds in enumerate(self.left)
        )

    def switched(self, seat: int | None, at: float, increment: float) -> "Clocks":
        """Return the clocks after the running one stops and that of ``seat`` (None: no other) starts.

        The one that stops gains ``increment``, unless it has run out.
        """
        left, stopped = list(self.left_at(at)), self.running
        ran_out = self.has_run_out(at)
        if stopped is not None and not ran_out:
            left[stopped] += increment
        return Clocks(
            left=tuple(left),
            running=seat,
            since=None if seat is None else at,
            out=self.out if stopped is None or not ran_out else (*self.out, stopped),
        )


def new_clocks(options: ClockChoices, seats: int) -> Clocks | None:
    """Return the clocks before the first move; None if the game has none."""
    return None if options.clock_seconds is None else Clocks(left=(float(options.clock_seconds),) * seats)


def clocks_after(
    clocks: Clocks | None, before: int | None, after: int | None, at: float, increment: float
) -> Clocks | None:
    """Return the clocks after a move at ``at``, with ``before`` to move before and ``after`` after it.

    ``increment`` is the seconds that the move gains: those of the options if it completes a turn.
    """
    return clocks if clocks is None or before == after else clocks.switched(after, at, increment)


def check_time(clocks: Clocks | None, at: float) -> None:
    """Raise OutOfTurn if the running clock has run out: then only the timeout may be applied."""
    if clocks is not None and clocks.has_run_out(at):
        raise OutOfTurn("time is up")


def check_run_out(clocks: Clocks | None, at: float) -> None:
    """Raise OutOfTurn unless the running clock has run out."""
    if clocks is None or not clocks.has_run_out(at):
        raise OutOfTurn("the clock has not run out")


def clocks_text(clocks: Clocks | None) -> str:
    """Return the clocks as text for a fingerprint; empty if the game has none."""
    return "" if clocks is None else f" {clocks.left} {clocks.running} {clocks.out}"


def pause_in_time(seconds: float, clocks: Clocks | None, moves: int = 1) -> float:
    """Return a bot's thinking time for a move: ``seconds``, or a small share of the time left if less.

    ``moves`` is how many moves a turn may have, which share the turn's time.
    """
    if clocks is None or clocks.running is None:
        return seconds
    return min(seconds, BOT_SHARE / moves * clocks.left[clocks.running])
