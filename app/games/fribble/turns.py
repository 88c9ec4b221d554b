"""The effect of each kind of turn on a position."""

from typing import Any

from app.games.departures import ENDINGS, Departure, How
from app.games.fribble.bag import draw, fill, missing, ordered, without
from app.games.fribble.notation import coordinate, played_text
from app.games.fribble.placement import Placement
from app.games.fribble.scoring import Score
from app.games.fribble.state import BeforePlay, Pass, State, TimeUp, Turn, exchangeable, preset_of
from app.games.fribble.turn_order import next_seat
from app.games.game import IllegalMove, OutOfTurn
from app.games.randomness import generator
from app.grammar import format_count


def place_tiles(state: State, placement: Placement, found: Score) -> State:
    """Lay the tiles of the seat to move, with this score, and fill its rack."""
    seat = state.to_move
    kept = without(state.racks[seat], placement.used)
    rack, bag = fill(kept, state.bag, generator(state.seed, state.ply))
    turn = Turn(
        seat=seat,
        kind="place",
        points=found.total,
        placement=placement,
        coordinate=coordinate(state.board, placement),
        text=played_text(state.board, placement),
        words=found.words,
    )
    before = BeforePlay(board=state.board, rack=state.racks[seat], bag=state.bag)
    return state.model_copy(
        update={
            "board": state.board.with_tiles(placement.cells, placement.tiles),
            "racks": _with(state.racks, seat, rack),
            "bag": bag,
            "scores": _with(state.scores, seat, state.scores[seat] + found.total),
            "turns": (*state.turns, turn),
            "to_move": next_seat(state),
            "unsettled": before if state.options.challenge == "double" else None,
            "out": seat if not rack else None,
        }
    )


def withdraw(state: State, before: BeforePlay) -> State:
    """Take back the latest play, which was challenged successfully.

    Players who have left since count as having left before it, so that what happened last is last.
    """
    *earlier, played = state.turns
    departures = [
        left.model_copy(update={"turns": min(left.turns, len(earlier))}) if left.turns is not None else left
        for left in state.departures
    ]
    return state.model_copy(
        update={
            "board": before.board,
            "racks": _with(state.racks, played.seat, before.rack),
            "bag": before.bag,
            "scores": _with(state.scores, played.seat, state.scores[played.seat] - played.points),
            "turns": (*earlier, played.model_copy(update={"kind": "withdrawn", "points": 0})),
            "departures": tuple(departures),
            "unsettled": None,
            "out": None,
        }
    )


def leave(state: State, seat: int, how: How) -> State:
    """Take ``seat`` out of the game, with its tiles. A play that it could have challenged is accepted."""
    departure = Departure(seat=seat, how=how, turns=len(state.turns))
    gone = state.model_copy(
        update={"resigned": (*state.resigned, seat), "departures": (*state.departures, departure)}
    )
    stayed = len(state.scores) - len(gone.resigned)
    if stayed == 1:
        return gone.model_copy(update={"reason": ENDINGS[how], "unsettled": None})
    if seat != state.to_move:
        return gone
    return gone.model_copy(update={"to_move": next_seat(gone), "unsettled": None})


def pass_turn(state: State, move: Pass | TimeUp) -> State:
    """Pass the turn to the next seat. A second timeout in a row, or one by its clock, is its last."""
    own = [turn for turn in state.turns if turn.seat == state.to_move]
    after = skip_turn(state, "timeup" if isinstance(move, TimeUp) else "pass")
    again = state.clocks is not None or (bool(own) and own[-1].kind == "timeup")
    return leave(after, state.to_move, "ran out of time") if isinstance(move, TimeUp) and again else after


def skip_turn(state: State, kind: str) -> State:
    """End the turn of the seat to move with a turn of this kind, without points."""
    turn = Turn.model_validate({"seat": state.to_move, "kind": kind})
    return state.model_copy(
        update={"turns": (*state.turns, turn), "to_move": next_seat(state), "unsettled": None}
    )


def exchange(state: State, tiles: str) -> State:
    """Put these tiles of the seat to move back into the bag, and draw as many.

    Raises IllegalMove if they are not on the rack or the bag has too few for an exchange.
    """
    seat, most = state.to_move, exchangeable(state)
    if state.out is not None:
        raise OutOfTurn("the last tile was played: challenge it, or pass to accept it")
    if lacking := missing(state.racks[seat], tiles):
        raise IllegalMove(f"the rack has no {lacking[0]} to exchange")
    if len(tiles) > most:
        minimum = preset_of(state).exchange_minimum
        rule = f"exchanges need {minimum} or more" if minimum > 1 else "no more can be exchanged"
        raise IllegalMove(f"the bag holds {format_count(len(state.bag), 'tile')}: {rule}")
    drawn, left = draw(state.bag, len(tiles), generator(state.seed, state.ply))
    after = skip_turn(state, "exchange")
    turn = after.turns[-1].model_copy(update={"exchanged": len(tiles), "returned": ordered(tiles)})
    return after.model_copy(
        update={
            "racks": _with(state.racks, seat, ordered(without(state.racks[seat], tiles) + drawn)),
            "bag": ordered(left + tiles),
            "turns": (*state.turns, turn),
        }
    )


def _with(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])
