"""The rules driver: plays moves by the rules alone, without a table or a store, also on study boards."""

from typing import Any, Final, TypeVar

from app.games.game import AnyGame
from app.games.study_tree import BadStudy, StudyRules, read_position

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


def check_study_move(rules: StudyRules[Any], game: AnyGame, position: Any, text: str) -> None:
    """A text is refused, or it is a move that can be stored and played again."""
    try:
        step = rules.play(game, position, text)
    except BadStudy:
        return
    assert rules.play(game, position, step.move) == step, "the stored move is the same"
    again = read_position(rules, step.position.model_dump(mode="json"))
    assert rules.checked(game, again) == step.position
