"""Properties of Fribble that hold for any moves."""

from hypothesis import given
from hypothesis import strategies as st

from app.games.fribble.bag import ordered
from app.games.fribble.board import Board
from app.games.fribble.presets import presets
from app.games.fribble.rules import Fribble
from app.games.fribble.state import (
    Exchange,
    Move,
    Pass,
    Place,
    State,
)
from app.games.game import IllegalMove
from tests.examples import examples
from tests.games.fribble.positions import all_tiles, options


def wildly(game: Fribble, seed: str, seats: int, choices: dict[str, str], moves: list[int]) -> list[State]:
    """States of a game in which each number is a placement somewhere, an exchange or a pass."""
    states = [game.start(options(game, **choices), seats, seed)]
    for number in moves:
        state = states[-1]
        if game.to_move(state) is None:
            break
        move = a_move(game, state, number)
        states.append(game.apply(state, state.to_move, move, 0.0))
    return states


def a_move(game: Fribble, state: State, number: int) -> Move:
    """A legal move of the seat to move: a tile or two next to others, where that makes words."""
    rack = state.racks[state.to_move]
    kinds = sorted(set(rack.replace("?", "")))
    for attempt in range(40):
        cell = (112 if state.board.empty else number * 31 + attempt * 7) % 224
        first, second = kinds[(number + attempt) % len(kinds)], kinds[(number * 3 + attempt * 5) % len(kinds)]
        step = 15 if attempt % 2 and cell < 210 else 1
        for cells, tiles in (((cell, cell + step), first + second), ((cell,), first)):
            try:
                made = Place(cells=cells, tiles=tiles)
                game.apply(state, state.to_move, made, 0.0)
            except (IllegalMove, ValueError):
                continue
            return made
    if number % 3 and state.bag and state.options.preset == "wwf":
        return Exchange(tiles=rack[: min(len(state.bag), 1 + number % 5)])
    return Pass()


@examples(25)
@given(
    seed=st.text("abc", min_size=1, max_size=4),
    choices=st.sampled_from([{}, {"preset": "standard"}, {"challenge": "double"}]),
    moves=st.lists(st.integers(0, 10_000), max_size=25),
)
def test_no_tile_is_lost_and_scores_add_up(
    game: Fribble, seed: str, choices: dict[str, str], moves: list[int]
) -> None:
    seats = 3 if "preset" in choices else 2
    states = wildly(game, seed, seats, choices, moves)
    full = ordered(presets()[states[0].options.preset].tiles.full_bag)
    for state in states:
        assert all_tiles(state) == full
        assert all(len(rack) == 7 or not state.bag for rack in state.racks)
        settled = state.settled or (0,) * seats
        for seat in range(seats):
            earned = sum(turn.points for turn in state.turns if turn.seat == seat)
            assert state.scores[seat] == earned + settled[seat]
        assert Board(rows=state.board.rows) == state.board
    assert wildly(game, seed, seats, choices, moves) == states
    assert State.model_validate_json(states[-1].model_dump_json()) == states[-1]
