"""Teams: partners share one score. As in SpellCast's team games, the players of two teams alternate.

Each player has their own turns, gems and clock. A player who leaves or runs out of time takes no more turns;
the points stay with the team, whose other players play on.
"""

from collections.abc import Sequence
from typing import Final

from app.games.wibble.modes import ModeRules
from app.games.wibble.state import Phase, State

MOST_SUGGESTIONS: Final = 3
"""Maximum number of words that a player may show to a partner in one of the partner's turns."""


def team_of(mode: ModeRules, seat: int) -> int:
    """Return the team of a seat; without teams, each seat is a team."""
    return seat % mode.teams if mode.teams else seat


def teams_of(mode: ModeRules, seats: int) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each team; empty without teams."""
    number = mode.teams or 0
    return tuple(tuple(range(team, seats, number)) for team in range(number))


def shared_scores(mode: ModeRules, scores: Sequence[int]) -> tuple[int, ...]:
    """Return the team's score per seat; without teams, the scores as they are."""
    if not mode.teams:
        return tuple(scores)
    return tuple(sum(scores[seat % mode.teams :: mode.teams]) for seat in range(len(scores)))


def are_partners(mode: ModeRules, seat: int | None, other: int) -> bool:
    """Whether both are in one team, or the same seat; False for a spectator."""
    return seat is not None and team_of(mode, seat) == team_of(mode, other)


def active_seats(state: State) -> list[int]:
    """Return the seats that have not resigned."""
    return [seat for seat in range(len(state.scores)) if seat not in state.resigned]


def playing_teams(state: State, mode: ModeRules, without: int | None = None) -> set[int]:
    """Return the teams with seats that have not left; the seat ``without`` counts as left."""
    return {team_of(mode, seat) for seat in active_seats(state) if seat != without}


def suggestions_left(state: State, mode: ModeRules, seat: int | None) -> int:
    """Return how many words the seat may still show to a partner; 0 if it is not a partner's turn."""
    shows = (
        seat is not None
        and mode.teams is not None
        and state.phase in (Phase.IDLE, Phase.CHAINING)
        and seat != state.to_move
        and seat not in state.resigned
        and are_partners(mode, seat, state.to_move)
    )
    return max(MOST_SUGGESTIONS - state.suggested.count(seat), 0) if seat is not None and shows else 0
