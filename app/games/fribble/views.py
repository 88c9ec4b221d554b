"""The view of a game for a seat or a spectator."""

from app.games.departures import all_departures
from app.games.fribble.state import State, Turn, View, exchangeable, preset_of
from app.games.fribble.turn_order import ends_at


def view_of(state: State, seat: int | None) -> View:
    """Return all but the seed, the order of the bag and, until the game is over, the other racks."""
    preset = preset_of(state)
    over = state.reason is not None
    played = [turn for turn in state.turns if turn.kind == "place"]
    return View(
        preset=state.options.preset,
        title=preset.title,
        layout=preset.layout.rows,
        values={letter: value for value, letters in preset.tiles.values.items() for letter in letters},
        bingo=preset.bingo,
        challenge=state.options.challenge,
        turn_seconds=state.options.turn_seconds,
        clock_seconds=state.options.clock_seconds,
        increment_seconds=state.options.increment_seconds,
        clocks=state.clocks,
        lexicon=state.lexicon.name,
        ply=state.ply,
        seat=seat,
        to_move=None if over else state.to_move,
        board=state.board.rows,
        rack=None if seat is None else state.racks[seat],
        racks=state.racks if over else None,
        held=tuple(map(len, state.racks)),
        bag=len(state.bag),
        unseen=state.unseen_by(seat),
        exchange=0 if over else exchangeable(state),
        scores=state.scores,
        turns=tuple(turn if over or turn.seat == seat else _hidden(turn) for turn in state.turns),
        last=played[-1] if played else None,
        may_challenge=state.unsettled is not None and not over,
        settled=state.settled,
        resigned=state.resigned,
        departures=all_departures(state.resigned, state),
        ends_at=ends_at(state),
        reason=state.reason,
    )


def _hidden(turn: Turn) -> Turn:
    """Return the turn as opponents see it."""
    return turn.model_copy(update={"returned": ""})
