"""How players leave a game of several before it ends: they resign, run out of time, or never begin."""

from collections.abc import Iterable
from typing import Final, Literal, Protocol, TypeAlias

from app.games.clock import OUT_OF_TIME, Clocks
from app.games.game import Frozen

How: TypeAlias = Literal["resigned", "ran out of time", "did not begin in time"]

ENDINGS: Final[dict[str, str]] = {
    "resigned": "resigned",
    "ran out of time": OUT_OF_TIME,
    "did not begin in time": "not begun in time",
}
"""The reason of a game that ended with a departure, by how that player left."""


class Departure(Frozen):
    """A player who has left the game."""

    seat: int
    how: How
    """What happened, after the player's name."""
    turns: int | None
    """The number of turns, of all players, before it; None if it is not known."""


class Leavable(Protocol):
    """A position of a game that players can leave."""

    @property
    def departures(self) -> tuple[Departure, ...]:
        """Those recorded."""
        ...

    @property
    def clocks(self) -> Clocks | None:
        """The players' clocks, if any."""
        ...


class Departures(Frozen):
    """The departures of a game, as part of its view."""

    departures: tuple[Departure, ...] = ()
    """The players who have left the game, in order."""

    @property
    def gone(self) -> dict[int, str]:
        """How each seat that has left the game did so."""
        return {each.seat: each.how for each in self.departures}


def how_forfeited(*, began: bool) -> How:
    """Return what a player did whose game was claimed."""
    return "ran out of time" if began else "did not begin in time"


def why_gone(seat: int, departures: Iterable[Departure]) -> str:
    """Return why a player who has left the game cannot move."""
    how = next((each.how for each in departures if each.seat == seat), "resigned")
    return "you have resigned from this game" if how == "resigned" else f"you {how}: you are out of this game"


def all_departures(seats: Iterable[int], state: Leavable) -> tuple[Departure, ...]:
    """Return the departures of ``seats``. Positions stored before departures were recorded lack some."""
    known = {each.seat: each for each in state.departures}
    out = state.clocks.out if state.clocks else ()
    return tuple(
        known.get(seat)
        or Departure(seat=seat, how="ran out of time" if seat in out else "resigned", turns=None)
        for seat in seats
    )
