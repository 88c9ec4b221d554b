"""Positions for tests of Wibble's rules."""

from app.games.game import LexiconRef
from app.games.wibble.moves import Chain, Start
from app.games.wibble.options import Choices, Options
from app.games.wibble.rules import Wibble
from app.games.wibble.solver import FoundWord
from app.games.wibble.state import Board, Bonus, Phase, State
from tests.games import playing

#  c a t s x
#  o d o g x
#  w e r t y     row by row
#  p l a n e
#  z z q z z
LETTERS = "catsxodogxwertyplanezzqzz"
CAT = (0, 1, 2)
CATS = (0, 1, 2, 3)
DOG = (6, 7, 8)
PLANE = (15, 16, 17, 18, 19)
XX = (4, 9)
AT = playing.AT


def pinned(game: Wibble, mode: str, **choices: object) -> Options:
    """The options of a game over the lexicon of ``game``; in Adventure of a level with obstacles."""
    chosen = Choices.model_validate({"mode": mode, **choices})
    level = {"level": "over-the-pass"} if mode == "adventure" else {}
    return Options.model_validate(chosen.model_dump() | {"lexicon": LexiconRef.of(game.lexicon)} | level)


def started(game: Wibble, mode: str = "zen", seed: str = "seed", seats: int = 1, **choices: object) -> State:
    """A game of ``mode``, just started."""
    return game.apply(game.start(pinned(game, mode, **choices), seats, seed), 0, Start(), AT)


def on_known_board(game: Wibble, mode: str = "zen", replace: str = "words", **board: object) -> State:
    """A started game whose board has LETTERS, updated with ``board``."""
    return started(game, mode, replace=replace).model_copy(
        update={"board": Board.model_validate({"letters": LETTERS, **board}), "phase": Phase.IDLE}
    )


def started_versus(game: Wibble, seed: str = "seed", seats: int = 2, **choices: object) -> State:
    """A game of several players, just started."""
    return started(game, "versus", seed, seats, **choices)


def bonus(cell: int, factor: int) -> Bonus:
    return Bonus(cell=cell, factor=factor)


def found(game: Wibble, state: State) -> list[FoundWord]:
    """What the solver finds on the board, best first."""
    assert state.board is not None
    return game.solver.words(state.board, state.options.size, game.scoring(state.options))


def letters(state: State) -> str:
    assert state.board is not None
    return state.board.letters


def result(state: State) -> str:
    assert state.report is not None
    return state.report.result


def best_word(game: Wibble, state: State) -> State:
    best = found(game, state)[0]
    return playing.play(game, state, Chain(cells=best.cells))
