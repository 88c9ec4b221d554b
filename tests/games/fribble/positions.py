"""Positions of Fribble with chosen racks, and moves made in them."""

from random import Random

import numpy as np
import pytest

from app.games.fribble.bag import ordered, without
from app.games.fribble.board import Board
from app.games.fribble.movegen import MoveGenerator, Rack, placement_of
from app.games.fribble.presets import presets
from app.games.fribble.reported_turns import Sides
from app.games.fribble.rules import Fribble
from app.games.fribble.state import (
    Move,
    Options,
    State,
    Write,
)
from app.games.game import IllegalMove, LexiconRef
from tests.games.playing import play

EVERY_TILE = ordered(presets()["wwf"].tiles.full_bag)


def options(game: Fribble, **choices: object) -> Options:
    return Options.model_validate({"lexicon": LexiconRef.of(game.lexicon), **choices})


def sides_of(preset: str = "wwf", **fields: object) -> Sides:
    """A game reported turn by turn, by default at its start."""
    return Sides.model_validate({"board": Board(), "preset": presets()[preset], **fields})


def dealt(game: Fribble, *racks: str, bag: str | None = None, **choices: object) -> State:
    """A game with these racks; the bag has all other tiles, or ``bag``."""
    chosen = options(game, **choices)
    state = game.start(chosen, len(racks), "seed")
    rest = without(presets()[chosen.preset].tiles.full_bag, "".join(racks))
    return state.model_copy(update={"racks": tuple(map(ordered, racks)), "bag": rest if bag is None else bag})


def grown(generator: MoveGenerator, random: Random, turns: int) -> Board:
    """A board after this number of random moves with random tiles."""
    board = Board()
    for _ in range(turns):
        rack = Rack("".join(random.choices("AAEORSTNZ?", k=7)))
        numbers = np.sort(generator.moves(generator.squares(board), rack).numbers)
        if len(numbers):
            played = placement_of(int(random.choice(numbers)))
            board = board.with_tiles(played.cells, played.tiles)
    return board


def place(game: Fribble, state: State, *moves: str | Move) -> State:
    """The state after the seats made these moves in turn; a text is a placement."""
    return play(game, state, *(Write(text=move) if isinstance(move, str) else move for move in moves))


def refusal(game: Fribble, state: State, move: str | Move, seat: int | None = None) -> str:
    with pytest.raises(IllegalMove) as refused:
        game.apply(
            state,
            state.to_move if seat is None else seat,
            Write(text=move) if isinstance(move, str) else move,
            0.0,
        )
    return refused.value.reason


def all_tiles(state: State) -> str:
    return ordered(state.board.tiles + "".join(state.racks) + state.bag)
