"""When a game ends, and the tiles left that then count."""

from itertools import takewhile

from app.games.fribble.state import State, preset_of


def settled_if_over(state: State) -> State:
    """Settle the game if it has ended."""
    if state.reason is not None:
        return state
    if state.out is not None and state.unsettled is None:
        return settle(state, "the last tile was played")
    preset = preset_of(state)
    scoreless = sum(1 for _ in takewhile(lambda turn: turn.points == 0, reversed(state.turns)))
    counts = preset.scoreless_from_zero or any(state.scores)
    if scoreless >= preset.scoreless_turns and counts and state.unsettled is None:
        return settle(state, f"{preset.scoreless_turns} turns in a row without points")
    return state


def settle(state: State, reason: str) -> State:
    """End the game for this reason: subtract the tiles left, and add them for a seat that went out."""
    total = preset_of(state).tiles.total_points
    left = [0 if seat in state.resigned else total(rack) for seat, rack in enumerate(state.racks)]
    change = [sum(left) if seat == state.out else -points for seat, points in enumerate(left)]
    scores = tuple(points + more for points, more in zip(state.scores, change, strict=True))
    return state.model_copy(update={"scores": scores, "settled": tuple(change), "reason": reason})
