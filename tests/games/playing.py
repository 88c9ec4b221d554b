"""The rules driver: plays moves by the rules alone, without a table or a store."""

from typing import Any, Final, TypeVar

from app.games.game import AnyGame

AT: Final = 1000.0
StateT = TypeVar("StateT")


def play(game: AnyGame, state: StateT, *moves: Any, at: float = AT, pause: float = 0.0) -> StateT:
    """The state after ``moves``, this number of seconds apart.

    A move is made by the seat to move, or else by the first; a pair of seat and move names the seat.
    """
    for number, move in enumerate(moves):
        seat, made = move if isinstance(move, tuple) else (game.to_move(state) or 0, move)
        state = game.apply(state, seat, made, at + number * pause)
    return state
