"""Guesses of a known hand of Scrabblet."""

from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Guess, Move, State
from tests.games.playing import play
from tests.games.scrabblet.conftest import options

HAND = "ruolfnt"


def started(game: Scrabblet, **choices: object) -> State:
    return game.start(options(game, **{"rack": HAND, **choices}), 1, "seed")


def guess(game: Scrabblet, state: State, *moves: str | Move) -> State:
    """The state after these guesses and other moves."""
    return play(game, state, *(Guess(word=move) if isinstance(move, str) else move for move in moves))


def results(game: Scrabblet, state: State, *words: str) -> list[tuple[str, int]]:
    """The result of each guess, and the score after it."""
    outcomes = list[tuple[str, int]]()
    for word in words:
        state = guess(game, state, word)
        assert state.report
        outcomes.append((state.report.result, state.score))
    return outcomes
